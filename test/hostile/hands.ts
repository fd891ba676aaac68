import { gweiToWei } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeFirstDeposit, encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { contractAccount } from '../support/contract-account.ts'
import type { World } from '../support/world.ts'
import { AGREED, type User } from './chain-itself.ts'
import type { Payment } from './lie.ts'

/** Who pays the same thing while the wizard does. */
export const HANDS = [
  'by hand with the same nonce',
  'by hand with the next nonce',
  'from another account',
  'by a second computer',
] as const

export type Hand = (typeof HANDS)[number]

const CONTRACT = `0x${'42'.repeat(20)}` as const
/** More than any fee that the wizard offers here: in a pool the dearer one of two stays. */
const DEAR_WEI = 10n ** 12n
/** So that the block with the payment of the other hand is there before anybody goes on. */
const BLOCKS_MS = 2500

/**
 * How far the wizard's own payment was when the other hand paid: agreed to; signed, and nothing asked since; asked about
 * once more; or at an endpoint.
 */
export type Stage = 'agreed' | 'signed' | 'last look' | 'handed over'

/**
 * How often a payment may be on the chain by transactions that left here, and how often at all. Between the last look and
 * the hand-over nobody can see another account pay: there the wizard's may follow, once.
 */
export type Must = { ours: readonly number[]; inAll: (ours: number) => number }

const exactly = (...ours: number[]) => ours

/** The contract takes one first deposit for a key, whoever pays it. */
const FIRST_DEPOSIT: Readonly<Record<Hand, Readonly<Record<Stage, Must>>>> = {
  'by hand with the same nonce': {
    agreed: { ours: exactly(0), inAll: () => 1 },
    signed: { ours: exactly(0), inAll: () => 1 },
    'last look': { ours: exactly(0), inAll: () => 1 },
    'handed over': { ours: exactly(0, 1), inAll: () => 1 },
  },
  'by hand with the next nonce': {
    agreed: { ours: exactly(1), inAll: () => 1 },
    signed: { ours: exactly(1), inAll: () => 1 },
    'last look': { ours: exactly(1), inAll: () => 1 },
    'handed over': { ours: exactly(1), inAll: () => 1 },
  },
  'from another account': {
    agreed: { ours: exactly(0), inAll: () => 1 },
    signed: { ours: exactly(0), inAll: () => 1 },
    'last look': { ours: exactly(0), inAll: () => 1 },
    'handed over': { ours: exactly(0, 1), inAll: () => 1 },
  },
  'by a second computer': {
    agreed: { ours: exactly(1), inAll: () => 1 },
    signed: { ours: exactly(1), inAll: () => 1 },
    'last look': { ours: exactly(1), inAll: () => 1 },
    'handed over': { ours: exactly(1), inAll: () => 1 },
  },
}

/** Nothing but a nonce keeps two top-ups apart. */
const TOP_UP: Readonly<Record<Hand, Readonly<Record<Stage, Must>>>> = {
  'by hand with the same nonce': FIRST_DEPOSIT['by hand with the same nonce'],
  'by hand with the next nonce': {
    agreed: { ours: exactly(1), inAll: () => 2 },
    signed: { ours: exactly(1), inAll: () => 2 },
    'last look': { ours: exactly(1), inAll: () => 2 },
    'handed over': { ours: exactly(1), inAll: () => 2 },
  },
  'from another account': {
    agreed: { ours: exactly(0), inAll: () => 1 },
    signed: { ours: exactly(0), inAll: () => 1 },
    'last look': { ours: exactly(0, 1), inAll: (ours) => 1 + ours },
    'handed over': { ours: exactly(1), inAll: () => 2 },
  },
  'by a second computer': FIRST_DEPOSIT['by a second computer'],
}

/** What must happen to a payment when another hand pays the same thing, by how far it was. */
export const mustBe = (hand: Hand, payment: Payment, stage: Stage): Must =>
  (payment === 1 ? FIRST_DEPOSIT : TOP_UP)[hand][stage]

export type Deed = { world: World; user: User; session: Session; payment: Payment }

/** Pays as the wizard is about to. Resolves to the hash, or to nothing where the chain does not take it any more. */
export async function payAs(
  hand: Exclude<Hand, 'by a second computer'>,
  deed: Deed,
): Promise<Hex | undefined> {
  const { world, user, payment } = deed
  const data = calldataOf(deed)
  const value = gweiToWei(AGREED[payment - 1] ?? AGREED[0])
  if (hand === 'from another account') {
    const stranger = await contractAccount(world.devnet)
    await stranger.carryOut({ to: CONTRACT, value, data })
  }
  const nonce = payment - (hand === 'by hand with the next nonce' ? 0 : 1)
  const raw = await user.account.signTransaction({
    chainId: world.devnet.descriptor.chainId,
    type: 'eip1559',
    nonce,
    to: CONTRACT,
    data,
    value,
    gas: 500_000n,
    maxFeePerGas: DEAR_WEI,
    maxPriorityFeePerGas: DEAR_WEI / 2n,
  })
  const sent =
    hand === 'from another account'
      ? undefined
      : await user.rpc('eth_sendRawTransaction', [raw]).catch(() => undefined)
  await world.clock.resting.sleep(BLOCKS_MS)
  return sent as Hex | undefined
}

/** The same calldata: of the deposit as it was signed here, or of the top-up. */
function calldataOf({ user, session, payment }: Deed): Hex {
  const { pubkey } = user
  if (payment === 2) return encodeTopUp({ pubkey })
  const { signature } = session.facts()
  if (signature === undefined) throw new Error('nothing is signed yet')
  const operator = signature.operator.toLowerCase() as Hex
  return encodeFirstDeposit({ pubkey, ...signature, operator })
}
