import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { displacedBy, lastBlockThatKeeps, type Outlook, outlook } from '../../chain/consensus/outlook.ts'
import { type ProvenSnapshot, questionOf } from '../../chain/consensus/snapshot.ts'
import type { Validator } from '../../chain/consensus/state.ts'
import type { Network } from '../../chain/network/network.ts'

type About = { pubkey: Hex; network: Network }

const answers = new WeakMap<ProvenSnapshot, Map<string, unknown>>()

/** A set says the same for as long as it stands: each forecast by it is made once. */
function once<T>(snapshot: ProvenSnapshot, about: string, make: () => T): T {
  const known = answers.get(snapshot) ?? new Map<string, unknown>()
  answers.set(snapshot, known)
  if (!known.has(about)) known.set(about, make())
  return known.get(about) as T
}

const asked = (snapshot: ProvenSnapshot, { pubkey, network }: About) => ({
  ...questionOf(snapshot, network.spec),
  pubkey,
  minimumDepositGwei: network.minimumDepositGwei,
})

/** What becomes of a validator that the set holds, if nothing else happens. */
export const forecastOutlook = (snapshot: ProvenSnapshot, about: About): Outlook =>
  once(snapshot, `outlook ${about.pubkey}`, () => outlook(asked(snapshot, about)))

/** The last block in which an amount keeps its place; undefined where it does not. */
export const lastBlockIn = (
  snapshot: ProvenSnapshot,
  about: About,
  what: { addGwei: Gwei; outAtEpoch: bigint },
): bigint | undefined =>
  once(snapshot, `last ${about.pubkey} ${what.addGwei} ${what.outAtEpoch}`, () =>
    lastBlockThatKeeps(asked(snapshot, about), what),
  )

/** Those who leave the set by an amount and would not without it. */
export const displacedIn = (snapshot: ProvenSnapshot, about: About, addGwei: Gwei): readonly Validator[] =>
  once(snapshot, `displaced ${about.pubkey} ${addGwei}`, () => displacedBy(asked(snapshot, about), addGwei))
