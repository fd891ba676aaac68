import { toFunctionSelector } from 'viem'
import { isError } from '../../src/core/base/errors/base.ts'
import { ClientError } from '../../src/core/base/errors/client.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { decodeContractError, OPERATOR_UPDATED_TOPIC } from '../../src/core/chain/deposit/abi.ts'
import {
  decodeDepositCalldata,
  encodeFirstDeposit,
  encodeRescueDeposit,
  encodeTopUp,
} from '../../src/core/chain/deposit/calldata.ts'
import { decodeDepositLog, pubkeyTopic } from '../../src/core/chain/deposit/event.ts'
import { call, getOperator } from '../../src/core/clients/execution/call.ts'
import { createExecutionClient, type ExecutionClient } from '../../src/core/clients/execution/client.ts'
import {
  type CallRow,
  type ContractRow,
  type DepositRow,
  difference,
  type OperatorRow,
  type RecordedReply,
} from './contract-rows.ts'
import { playback } from './playback.ts'

const CONTRACT: Hex = '0x4242424242424242424242424242424242424242'
const REVERTED = 3

/**
 * What the product's own client, ABI, event reader and error decoder make of a recorded row that is not what the row
 * says; an empty list when they agree.
 */
export function checkCodec(row: ContractRow): Promise<string[]> {
  if (row.kind === 'eth_call') return checkCall(row)
  return row.kind === 'getOperator' ? checkOperator(row) : checkDeposit(row)
}

async function checkCall(row: CallRow): Promise<string[]> {
  const { from, data, valueWei, reply } = row
  const found = await outcome(
    call(playing(reply), { from, to: CONTRACT, data, valueWei: BigInt(valueWei), block: 'latest' }),
  )
  if (reply.error === undefined) return difference('result', found, String(reply.result).toLowerCase())
  if (!(found instanceof ClientError)) return ['an error was read as a result']
  if (reply.error.code !== REVERTED) return difference('data of a failure', found.data, undefined)
  const revertData = (reply.error.data ?? '0x').toLowerCase()
  return [
    ...difference('kind of failure', found.fault, 'reverted'),
    ...difference('revert data', found.data, revertData),
    ...(revertData.length === 10 ? namedError(revertData) : []),
  ]
}

/** A custom error without arguments: the name that is read must be the one that has this selector. */
function namedError(revertData: string): string[] {
  const read = decodeContractError(revertData)
  if (read === undefined) return [`no name for the error ${revertData}`]
  return difference('error', toFunctionSelector(`${read.name}()`), revertData)
}

async function checkOperator(row: OperatorRow): Promise<string[]> {
  const result = `0x${'00'.repeat(12)}${row.operator.slice(2)}`
  const found = await getOperator(playing({ result }), { depositContract: CONTRACT, pubkey: row.pubkey })
  return difference('operator', found, row.operator.toLowerCase())
}

async function checkDeposit(row: DepositRow): Promise<string[]> {
  return [...checkCalldata(row), ...row.logs.flatMap((log) => checkLog(row, log))]
}

/** A deposit that fits none of the shapes that may be sent must not be read as one. */
function checkCalldata(row: DepositRow): string[] {
  const { pubkey, credentials: withdrawalCredentials, signature, operator } = row
  const kind = kindOf(row)
  const read = attempt(() => decodeDepositCalldata(row.input))
  if (kind === undefined) return read === undefined ? [] : [`read as ${read.kind}`]
  if (read === undefined) return ['its call data is refused']
  const signed = { pubkey, withdrawalCredentials, signature }
  const made = {
    first: () => encodeFirstDeposit({ ...signed, operator }),
    rescue: () => encodeRescueDeposit(signed),
    'top-up': () => encodeTopUp({ pubkey }),
  }
  return [
    ...difference('kind', read.kind, kind),
    ...difference('pubkey', read.pubkey, pubkey),
    ...difference('credentials', read.withdrawalCredentials, withdrawalCredentials),
    ...difference('signature', read.signature, signature),
    ...difference('operator', read.operator, operator.toLowerCase()),
    ...difference('call data', made[kind](), row.input),
  ]
}

function kindOf({ credentials, signature, operator }: DepositRow) {
  const [noCredentials, noSignature, noOperator] = [credentials, signature, operator].map((hex) =>
    /^0x0*$/.test(hex),
  )
  if (noSignature) return noCredentials && noOperator ? 'top-up' : undefined
  if (!credentials.startsWith(`0x01${'00'.repeat(11)}`)) return undefined
  return noOperator ? 'rescue' : 'first'
}

function checkLog(row: DepositRow, log: DepositRow['logs'][number]): string[] {
  const deposit = decodeDepositLog(log, CONTRACT)
  if (deposit !== undefined) {
    return [
      ...difference('logged pubkey', deposit.pubkey, row.pubkey),
      ...difference('logged credentials', deposit.withdrawalCredentials, row.credentials),
      ...difference('logged amount', String(deposit.amountGwei), row.amountGwei),
      ...difference('logged signature', deposit.signature, row.signature),
    ]
  }
  // The log of the operator is looked for by its topics; who the operator is, the contract is asked.
  return [
    ...difference('topic', log.topics[0], OPERATOR_UPDATED_TOPIC),
    ...difference('logged key', log.topics[1], pubkeyTopic(row.pubkey)),
  ]
}

function playing(reply: RecordedReply): ExecutionClient {
  const body = JSON.stringify({ ...reply, jsonrpc: '2.0', id: 1 })
  return createExecutionClient(
    playback({ status: 200, contentType: 'application/json', body }),
    'http://127.0.0.1:1',
  )
}

async function outcome<T>(run: Promise<T>): Promise<T | ClientError> {
  try {
    return await run
  } catch (thrown) {
    if (thrown instanceof ClientError) return thrown
    throw thrown
  }
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (thrown) {
    if (isError(thrown, 'deposit')) return undefined
    throw thrown
  }
}
