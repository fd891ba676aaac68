import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { OPERATOR_UPDATED_TOPIC } from '../../../../src/core/chain/deposit/abi.ts'
import { decodeDepositLog, pubkeyTopic, type RawLog } from '../../../../src/core/chain/deposit/event.ts'
import { vectorLines } from '../../../support/vector-lines.ts'

type Recorded = {
  kind: string
  pubkey: Hex
  credentials: Hex
  signature: Hex
  operator: Hex
  amountGwei: string
  status: string
  logs?: RawLog[]
}
const CONTRACT = '0x4242424242424242424242424242424242424242'
const deposits = vectorLines('recorded/contract.jsonl')
  .map((line) => JSON.parse(line) as Recorded)
  .filter(({ kind, status }) => kind === 'deposit' && status === 'success')

function depositLog(): RawLog {
  const log = deposits[0]?.logs?.find(({ topics }) => topics.length === 1)
  if (log === undefined) throw new Error('no Deposit event in the recording')
  return log
}

describe('the Deposit event', () => {
  test('of every recorded deposit says what was sent', () => {
    expect(deposits.length).toBeGreaterThan(5)
    for (const { logs = [], pubkey, credentials, signature, amountGwei } of deposits) {
      const events = logs.flatMap((log) => decodeDepositLog(log, CONTRACT) ?? [])
      expect(events).toHaveLength(1)
      expect(events[0]).toMatchObject({
        pubkey,
        withdrawalCredentials: credentials,
        signature,
        amountGwei: BigInt(amountGwei),
      })
    }
  })

  test('of another contract or kind is not one', () => {
    const log = depositLog()
    expect(decodeDepositLog({ ...log, address: `0x${'43'.repeat(20)}` }, CONTRACT)).toBeUndefined()
    expect(decodeDepositLog({ ...log, topics: [`0x${'11'.repeat(32)}`] }, CONTRACT)).toBeUndefined()
    expect(decodeDepositLog({ ...log, topics: [] }, CONTRACT)).toBeUndefined()
  })

  test('in a wrong form is an error, never a guess', () => {
    const log = depositLog()
    const odd: RawLog[] = [
      { ...log, data: log.data.slice(0, -64) },
      { ...log, data: `${log.data}${'00'.repeat(32)}` },
      { ...log, data: 'nonsense' },
      { ...log, data: log.data.replace(`${'0'.repeat(62)}30`, `${'0'.repeat(62)}2f`) },
      { ...log, topics: [...log.topics, `0x${'11'.repeat(32)}`] },
    ]
    for (const entry of odd) {
      expect(() => decodeDepositLog(entry, CONTRACT)).toThrow(
        expect.objectContaining({ code: 'deposit.bad-log' }),
      )
    }
  })
})

test('the OperatorUpdated event is found by its topic and that of the key', () => {
  const { logs = [], pubkey = '0x' } = deposits[0] ?? {}
  const topics = logs.map((log) => log.topics).filter(({ length }) => length === 2)
  expect(topics).toEqual([[OPERATOR_UPDATED_TOPIC, pubkeyTopic(pubkey)]])
})
