import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNodeEffects } from '../../../../src/core/base/effects/node.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { type OperatorCall, operatorCommand } from '../../../../src/core/chain/deposit/operator-command.ts'
import { getOperator, getQueuedOperator } from '../../../../src/core/clients/execution/call.ts'
import { createExecutionClient } from '../../../../src/core/clients/execution/client.ts'
import { account, validatorKey } from '../../../../src/devnet/keys.ts'
import { testDevnet } from '../../../support/with-devnet.ts'

let network: Awaited<ReturnType<typeof testDevnet>>
beforeAll(async () => {
  network = await testDevnet()
})
afterAll(() => network.end())

const NEW: Hex = `0x${'5a'.repeat(20)}`
const DAY_SECONDS = 86_400

/** What a wallet makes of a printed command: `cast send TO SIGNATURE ARGUMENTS… --from ACCOUNT …`. */
function transactionOf(command: string): { from: Hex; to: Hex; data: Hex } {
  const words = (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))
  const [program, verb, to, signature = '', ...rest] = words
  expect([program, verb]).toEqual(['cast', 'send'])
  const options = rest.findIndex((word) => word.startsWith('--'))
  const from = rest[rest.indexOf('--from') + 1] as Hex
  const abi = parseAbi([`function ${signature}`] as readonly string[])
  return { from, to: to as Hex, data: encodeFunctionData({ abi, args: rest.slice(0, options) }) }
}

describe('the commands of an operator change, carried out by the contract', () => {
  test('take two accounts and a day', async () => {
    const { devnet } = network
    const { seed } = devnet.descriptor
    const contract = devnet.chain.input.spec.depositContract
    const pubkey = validatorKey(seed, 'genesis/2').pubkey
    const operator = account(seed, 'others').address
    const { rpc, addBalance } = devnet.execution
    const client = createExecutionClient(
      createNodeEffects({ signer: undefined as never }),
      devnet.descriptor.urls.execution,
    )
    const asked = { depositContract: contract, pubkey }
    const carryOut = async (call: OperatorCall, from: Hex): Promise<boolean> => {
      const transaction = transactionOf(operatorCommand(call, { contract, pubkey, from }))
      expect(transaction.from.toLowerCase()).toBe(from)
      await addBalance(from, 10n ** 18n)
      await rpc('hardhat_impersonateAccount', [from])
      const hash = await rpc('eth_sendTransaction', [{ ...transaction, value: '0x0', gas: '0x30d40' }])
      await rpc('hardhat_stopImpersonatingAccount', [from])
      await devnet.advanceSlot()
      const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as { status: string }
      return receipt.status === '0x1'
    }
    expect(await getOperator(client, asked)).toBe(operator)
    expect(await carryOut({ does: 'request', newOperator: NEW }, NEW)).toBe(false)
    expect(await carryOut({ does: 'request', newOperator: NEW }, operator)).toBe(true)
    expect((await getQueuedOperator(client, asked))?.operator).toBe(NEW)
    expect(await carryOut({ does: 'cancel' }, operator)).toBe(true)
    expect(await getQueuedOperator(client, asked)).toBeUndefined()
    expect(await carryOut({ does: 'request', newOperator: NEW }, operator)).toBe(true)
    // A day must pass, and nobody else can accept.
    expect(await carryOut({ does: 'accept' }, NEW)).toBe(false)
    const { head } = devnet.chain.history
    await devnet.chain.advance(head.timestampSeconds + DAY_SECONDS)
    const late = devnet.chain.advance.bind(devnet.chain)
    devnet.chain.advance = () => late(devnet.chain.history.head.timestampSeconds + 1)
    expect(await carryOut({ does: 'accept' }, operator)).toBe(false)
    expect(await getOperator(client, asked)).toBe(operator)
    expect(await carryOut({ does: 'accept' }, NEW)).toBe(true)
    expect(await getOperator(client, asked)).toBe(NEW)
    expect(await getQueuedOperator(client, asked)).toBeUndefined()
  })
})
