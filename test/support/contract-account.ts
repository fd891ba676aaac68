import { type Hex, numberToHex, padHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { getAddress } from 'viem/utils'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { userOf } from './user-of.ts'

/** Pays the value of the first word to the deposit contract, with all that follows as calldata; fails with the call. */
const CODE: Hex = `0x602036038060205f375f5f915f5f3573${'42'.repeat(20)}5af1602c575f5ffd5b00`

const RICH_WEI = 10n ** 24n

/** A contract account on a rehearsal network, carried out by an account of one of its owners. */
export async function contractAccount(devnet: Devnet) {
  const { rpc } = await userOf(devnet)
  const safe = getAddress(`0x${'5afe'.repeat(10)}`)
  const owner = privateKeyToAccount(`0x${'77'.repeat(32)}`)
  const direct = devnet.execution.rpc
  await direct('anvil_setCode', [safe, CODE])
  for (const address of [safe, owner.address])
    await direct('anvil_setBalance', [address, numberToHex(RICH_WEI)])
  return {
    address: safe,
    /** One of the owners carries a call out; it is in the next block. */
    async carryOut(call: { value: bigint; data: Hex }): Promise<void> {
      const nonce = Number(await rpc('eth_getTransactionCount', [owner.address, 'pending']))
      const raw = await owner.signTransaction({
        chainId: devnet.descriptor.chainId,
        type: 'eip1559',
        nonce,
        to: safe,
        data: `0x${padHex(numberToHex(call.value), { size: 32 }).slice(2)}${call.data.slice(2)}`,
        value: 0n,
        gas: 500_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 10n ** 9n,
      })
      await rpc('eth_sendRawTransaction', [raw])
    },
  }
}
