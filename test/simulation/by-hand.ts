import { privateKeyToAccount } from 'viem/accounts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { DEPOSIT_CONTRACT } from '../../src/devnet/execution/contracts.ts'
import { GWEI, offerTo, readTx, stateOf } from './execution.ts'
import type { World } from './world.ts'

const FEE_WEI = 90n * GWEI
const made = new Map<string, Promise<Hex>>()

/** Who pays past the program, and what. */
export type ByHand = 'other-transaction' | 'stranger-tops-up'

/** Somebody pays past the program: the user's account sends something else, or a stranger tops the key up. */
export async function payByHand({ network, ground, story }: World, what: ByHand): Promise<void> {
  const { user, stranger, fresh } = ground.plan
  const who = what === 'other-transaction' ? user : stranger
  const state = stateOf(ground.genesis, network.blocks)
  const nonce = state.nonce(who.address)
  if (
    what === 'stranger-tops-up' &&
    !network.consensus.state().validators.some(({ pubkey }) => pubkey === fresh.pubkey)
  )
    return
  const isTopUp = what === 'stranger-tops-up'
  const key = `${what} ${nonce}`
  const signing =
    made.get(key) ??
    privateKeyToAccount(who.privateKey).signTransaction({
      type: 'eip1559',
      chainId: ground.genesis.chainId,
      nonce,
      to: isTopUp ? DEPOSIT_CONTRACT : who.address,
      value: isTopUp ? 20_000n * 10n ** 18n : 1n,
      data: isTopUp ? encodeTopUp({ pubkey: fresh.pubkey }) : '0x',
      gas: 100_000n,
      maxFeePerGas: FEE_WEI,
      maxPriorityFeePerGas: FEE_WEI,
    })
  made.set(key, signing)
  const tx = await readTx(await signing)
  if (tx === undefined) throw new Error('what was signed by hand cannot be read')
  story.note('by hand', () => `${what}, nonce ${nonce}`)
  story.reached(isTopUp ? 'stranger-topped-up' : 'nonce-used-by-hand')
  offerTo(network.pool, tx, nonce)
}
