import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { contractAccount } from './contract-account.ts'
import { userOf } from './user-of.ts'
import type { World } from './world.ts'

/** Somebody else pays for the same key; what a nonce protects against does not protect here. */
export async function strangerPays(world: World, sleep: World['clock']['sleep']): Promise<void> {
  await world.clock.during(async () => {
    const { pubkey } = await userOf(world.devnet)
    const stranger = await contractAccount(world.devnet)
    const to = world.devnet.chain.input.spec.depositContract
    const value = gweiToWei(tokens(270_000n))
    await stranger.carryOut({ to, value, data: encodeTopUp({ pubkey }) })
  })
  await sleep(3000)
}
