import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../../src/core/base/errors/journal.ts'
import { parseStrictJson } from '../../../../src/core/base/format/strict-json.ts'
import { readEvents } from '../../../../src/core/wizard/journal/entry.ts'
import { decodeEvent, encodeEvent, type JournalEvent } from '../../../../src/core/wizard/journal/events.ts'
import { canonicalJson, type JsonData } from '../../../../src/core/wizard/journal/fields.ts'
import { runsOf } from '../../../support/hard.ts'
import { anyJournalEvent } from '../../../support/journal-events.ts'
import { entriesOf, HEADER, type Line } from '../../../support/journal-lines.ts'
import { changesOf } from '../../../support/json-changes.ts'

const numRuns = runsOf({ suite: 300, hard: 20_000 })
const DROPPED: Line = { type: 'sign.dropped', data: {} }

/** What is wrong with a line behind two sound ones; undefined where nothing is. */
function faultOf(line: Line): JournalError | undefined {
  try {
    readEvents(entriesOf([HEADER, DROPPED, line]).slice(1))
    return undefined
  } catch (thrown) {
    if (thrown instanceof JournalError) return thrown
    throw thrown
  }
}

/** As it stands in the file, and comes back from there. */
const stored = (data: JsonData): JsonData => parseStrictJson(canonicalJson(data)) as JsonData

const HASH = `0x${'a1'.repeat(32)}` as const
const ADDRESS = `0x${'B2'.repeat(20)}` as const
const PLAN = { to: ADDRESS, valueWei: 10n ** 22n, data: '0xe12cf4cb' } as const
const WORLD = {
  about: 'validator',
  block: 9n,
  balanceGwei: 10n ** 13n,
  stakeToBeGwei: undefined,
  outcome: 'keeps-place',
} as const
const SENT_DRAFT = {
  signer: 'contract',
  from: ADDRESS,
  transaction: {
    chainId: 80094,
    nonce: 5,
    ...PLAN,
    gasLimit: 180_000n,
    maxFeePerGasWei: 3n,
    maxPriorityFeePerGasWei: 1n,
  },
  baseline: { blockNumber: 8n, blockHash: HASH, balanceWei: 7n, seenSentAt: 9n },
} as const

describe('an event in a journal', () => {
  test('comes back as it was', () => {
    fc.assert(
      fc.property(anyJournalEvent, (event) => {
        const { type, data } = encodeEvent(event)
        expect(decodeEvent(type, stored(data))).toStrictEqual(event)
      }),
      { numRuns },
    )
  })

  test.each<[string, JournalEvent, JsonData]>([
    [
      'topup.agreed',
      { step: 'topup', type: 'agreed', plan: PLAN, world: WORLD },
      {
        plan: { to: ADDRESS, valueWei: '10000000000000000000000', data: '0xe12cf4cb' },
        world: { ...WORLD, block: '9', balanceGwei: '10000000000000', stakeToBeGwei: null },
      },
    ],
    [
      'deposit.ended',
      { step: 'deposit', type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: { hash: HASH } } },
      { outcome: { is: 'nonce-taken', otherDeposit: { hash: HASH } } },
    ],
    [
      'deposit.handed-over',
      { step: 'deposit', type: 'handed-over', attempt: 2, endpoint: '127.0.0.1:8545' },
      { attempt: 2, endpoint: '127.0.0.1:8545' },
    ],
    [
      'deposit.prepared',
      { step: 'deposit', type: 'prepared', draft: SENT_DRAFT },
      {
        draft: {
          signer: 'contract',
          from: ADDRESS,
          transaction: {
            chainId: 80094,
            nonce: 5,
            to: ADDRESS,
            valueWei: '10000000000000000000000',
            data: '0xe12cf4cb',
            gasLimit: '180000',
            maxFeePerGasWei: '3',
            maxPriorityFeePerGasWei: '1',
          },
          baseline: { blockNumber: '8', blockHash: HASH, balanceWei: '7', seenSentAt: '9' },
        },
      },
    ],
    ['topup.reopened', { step: 'topup', type: 'reopened' }, {}],
    [
      'sign.planned',
      {
        step: 'sign',
        type: 'planned',
        plan: { withdrawalAddress: ADDRESS, operator: ADDRESS, amountGwei: 5n, rescue: false },
      },
      {
        plan: {
          withdrawalAddress: ADDRESS,
          operator: ADDRESS,
          amountGwei: '5',
          rescue: false,
          elsewhere: false,
        },
      },
    ],
  ])('is written with all its fields: %s', (type, event, data) => {
    expect(encodeEvent(event)).toStrictEqual({ type, data })
  })

  test('keeps which block held a payment before its draft was made', () => {
    const event = { step: 'deposit', type: 'prepared', draft: SENT_DRAFT } as const
    const { type, data } = encodeEvent(event)
    expect(decodeEvent(type, stored(data))).toStrictEqual(event)
  })

  test('is refused with the line named where any single field is gone, of another kind, or too many', () => {
    fc.assert(
      fc.property(anyJournalEvent, (event) => {
        const { type, data } = encodeEvent(event)
        expect(faultOf({ type, data })).toBeUndefined()
        for (const change of changesOf(data)) {
          const fault = faultOf({ type, data: change.data })
          const where = `${type}: ${change.path} ${change.kind}`
          expect(fault, where).toMatchObject({ code: 'journal.unknown', line: 3 })
          expect(fault?.details.join(' '), where).toContain(change.path)
        }
      }),
      { numRuns },
    )
  })

  test('is refused or read, whatever stands in its place', () => {
    const type = anyJournalEvent.map((event) => encodeEvent(event).type)
    const json = fc.jsonValue({ maxDepth: 4 }).filter(isWritable)
    const bent = fc
      .tuple(anyJournalEvent, json, fc.nat())
      .map(([event, value, at]): JsonData => bend(encodeEvent(event).data, value, at))
    fc.assert(
      fc.property(type, fc.oneof(json, bent), (name, data) => {
        if (faultOf({ type: name, data }) !== undefined) return
        expect(encodeEvent(decodeEvent(name, data))).toEqual({ type: name, data })
      }),
      { numRuns: 3 * numRuns },
    )
  })

  test.each([
    'journal',
    'deposit',
    'deposit.',
    'deposit.confirmed',
    'deposit.observed',
    'topup.toString',
    'sign.entered',
    'identity.finished',
    'constructor',
  ])('is refused where no event is called so: %s', (type) => {
    const fault = faultOf({ type, data: {} })
    expect(fault).toMatchObject({ code: 'journal.unknown', line: 3 })
    expect(fault?.details[1]).toMatch(/^reason: type: expected an event of .+, found ".*"$/)
  })

  test.each<[string, string, JsonData, string]>([
    [
      'a number for an amount',
      'topup.agreed',
      { plan: { to: ADDRESS, valueWei: 5, data: '0x' }, world: null },
      'plan.valueWei: expected a decimal number of at most 256 bits, found 5',
    ],
    [
      'an end that there is not',
      'topup.ended',
      { outcome: { is: 'final' } },
      'outcome.is: expected one of paid, cancelled, reverted, nonce-taken, found "final"',
    ],
    [
      'half a hash',
      'deposit.signed',
      { raw: '0x02', hash: '0xa1' },
      'hash: expected 32 bytes of 0x hexadecimal, found "0xa1"',
    ],
    [
      'a nonce below zero',
      'deposit.found',
      { from: ADDRESS, hash: HASH, valueWei: '1', nonce: -1, data: null },
      'nonce: expected a whole number below 2^53, found -1',
    ],
    [
      'a world of nothing',
      'deposit.agreed',
      { plan: { to: ADDRESS, valueWei: '5', data: '0x' } },
      'world: expected a record, found nothing',
    ],
  ])('is refused with the reason: %s', (_, type, data, reason) => {
    expect(faultOf({ type, data })?.details).toEqual(['line: 3', `reason: ${reason}`])
  })
})

function isWritable(value: unknown): value is JsonData {
  try {
    canonicalJson(value as JsonData)
    return true
  } catch {
    return false
  }
}

/** The data with one of its own fields, the `at`th of the first level, replaced. */
function bend(data: JsonData, value: JsonData, at: number): JsonData {
  const fields = Object.entries(data as { [field: string]: JsonData })
  const [key] = fields[at % Math.max(fields.length, 1)] ?? []
  return key === undefined ? value : { ...Object.fromEntries(fields), [key]: value }
}
