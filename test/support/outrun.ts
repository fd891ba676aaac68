import { numberToHex, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { decodeDepositCalldata, encodeFirstDeposit } from '../../src/core/chain/deposit/calldata.ts'
import { sentBytes } from './sent-bytes.ts'
import { userOf } from './user-of.ts'
import type { World } from './world.ts'

/** So that the stranger's deposit is in a block before the other one arrives. */
const BLOCKS_MS = 2500

/**
 * A stranger who reads a first deposit on its way and is there before it: the same key, amount, withdrawal address and
 * signature, with an operator of their own.
 */
export async function outrunBy(world: World): Promise<(effects: Effects) => Effects> {
  const { rpc } = await userOf(world.devnet)
  const stranger = privateKeyToAccount(`0x${'5a'.repeat(32)}`)
  await world.devnet.execution.rpc('hardhat_setBalance', [stranger.address, numberToHex(10n ** 24n)])
  const operator = stranger.address.toLowerCase() as Hex
  let isDone = false
  const outrun = async (raw: Hex) => {
    isDone = true
    const { chainId, value = 0n, to, data = '0x' } = parseTransaction(raw as `0x02${string}`)
    const stolen = encodeFirstDeposit({ ...decodeDepositCalldata(data), operator })
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n, gas: 500_000n }
    const call = { chainId, nonce: 0, to: to ?? null, value, data: stolen, ...fees }
    await rpc('eth_sendRawTransaction', [await stranger.signTransaction({ type: 'eip1559', ...call })])
    await world.clock.resting.sleep(BLOCKS_MS)
  }
  return (effects) => ({
    ...effects,
    http: {
      async request(asked) {
        const raw = sentBytes(asked)
        if (raw !== undefined && !isDone) await outrun(raw)
        return effects.http.request(asked)
      },
    },
  })
}
