import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { DEPOSIT_CONTRACT } from '../../src/devnet/execution/genesis.ts'
import { GWEI, offerTo, readTx, stateOf } from './execution.ts'
import { RIVAL_KEY } from './network.ts'
import type { World } from './world.ts'

const FEE_WEI = 90n * GWEI
const made = new Map<string, Promise<Hex>>()

/** Who pays past the program, and what. */
export type ByHand = keyof typeof BY_HAND

/** What a deposit by hand adds, to whom, in whole tokens; none for another transaction of the account. */
const BY_HAND = {
  'other-transaction': undefined,
  'stranger-tops-up': { to: 'own', amount: 20_000n },
  'friend-rescues': { to: 'own', amount: 60_000n },
  // Above what anybody needs for the last place.
  'rival-outbids': { to: 'rival', amount: 280_000n },
  // Where both the rival and who would drop out in its place add, what was enough is enough no more.
  'rival-adds': { to: 'rival', amount: 20_000n },
  'next-adds': { to: 'next', amount: 20_000n },
} as const

const REACHES = {
  'other-transaction': 'nonce-used-by-hand',
  'stranger-tops-up': 'stranger-topped-up',
  'friend-rescues': 'stranger-topped-up',
  'rival-outbids': 'rival-outbid',
  'rival-adds': 'rival-outbid',
  'next-adds': 'rival-outbid',
} as const

/** The active validator with the least stake beside the user's. */
function nextOf({ consensus }: World['network'], own: Hex): Hex {
  const { validators, balancesGwei } = consensus.state()
  const [least] = validators
    .map(({ pubkey, activationEpoch, exitEpoch }, at) => ({
      pubkey,
      isActive: activationEpoch !== FAR_FUTURE_EPOCH && exitEpoch === FAR_FUTURE_EPOCH,
      stake: balancesGwei[at] ?? 0n,
    }))
    .filter(({ pubkey, isActive }) => isActive && pubkey !== own)
    .toSorted((one, other) => Number(one.stake - other.stake))
  return least?.pubkey ?? own
}

/** Somebody pays past the program: the user's account sends something else, or a stranger tops the key up. */
export async function payByHand({ network, ground, story }: World, what: ByHand): Promise<void> {
  const { user, stranger, fresh } = ground.plan
  const deposit = BY_HAND[what]
  const who = deposit === undefined ? user : stranger
  const pubkeys = { own: fresh.pubkey, rival: RIVAL_KEY.pubkey, next: nextOf(network, fresh.pubkey) }
  const pubkey = pubkeys[deposit?.to ?? 'own']
  const state = stateOf(ground.genesis, network.blocks)
  const nonce = state.nonce(who.address)
  if (deposit !== undefined && !network.consensus.state().validators.some((each) => each.pubkey === pubkey))
    return
  const key = `${what} ${pubkey} ${nonce}`
  const signing =
    made.get(key) ??
    privateKeyToAccount(who.privateKey).signTransaction({
      type: 'eip1559',
      chainId: ground.genesis.chainId,
      nonce,
      to: deposit === undefined ? who.address : DEPOSIT_CONTRACT,
      value: deposit === undefined ? 1n : deposit.amount * 10n ** 18n,
      data: deposit === undefined ? '0x' : encodeTopUp({ pubkey }),
      gas: 100_000n,
      maxFeePerGas: FEE_WEI,
      maxPriorityFeePerGas: FEE_WEI,
    })
  made.set(key, signing)
  const tx = await readTx(await signing)
  if (tx === undefined) throw new Error('what was signed by hand cannot be read')
  story.note('by hand', () => `${what}, nonce ${nonce}`)
  story.reached(REACHES[what])
  offerTo(network.pool, tx, nonce)
}
