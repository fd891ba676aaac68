import { decide, type Row, TABLE } from '../../src/core/pay/payment/decide.ts'
import type { Limits } from '../../src/core/pay/payment/payment-picture.ts'
import { isReply, type Round } from '../../src/core/pay/payment/round.ts'
import { HONEST } from './endpoint.ts'
import type { Decide } from './pure.ts'
import type { Schedule } from './schedule.ts'

/** Decides a round with these thresholds. */
export type DecideWithin = (
  state: Parameters<Decide>[0],
  round: Parameters<Decide>[1],
  limits: Limits,
) => ReturnType<Decide>

const withoutDeposits: (round: Round) => Round = ({ byEndpoint, ...round }) => ({
  ...round,
  byEndpoint: byEndpoint.map((one) => (isReply(one) ? { ...one, deposits: [] } : one)),
})

/** Faults that were planted, so that it is known that the judge would see them. */
export const PLANTED: readonly { name: string; rule: string; decideBy: DecideWithin }[] = [
  {
    name: 'the word of one endpoint is enough',
    rule: 'c',
    decideBy: (state, round, limits) =>
      decide(state, { ...round, byEndpoint: round.byEndpoint.slice(0, 1) }, { limits }),
  },
  {
    name: 'an endpoint that is silent is left out',
    rule: 'c',
    decideBy: (state, round, limits) =>
      decide(state, { ...round, byEndpoint: round.byEndpoint.filter(isReply) }, { limits }),
  },
  {
    name: 'what was agreed to is not looked at again',
    rule: 'b',
    decideBy: (state, round, limits) =>
      decide(state, { ...round, keyChecks: [{ good: true, words: '' }] }, { limits }),
  },
  {
    name: 'a look at the world counts for ever',
    rule: 'b',
    decideBy: (state, round, limits) =>
      decide(state, withoutDeposits(round), { limits: { ...limits, look: 1_000_000 } }),
  },
  {
    name: 'bytes are given again without a look at the deposits',
    rule: 'h',
    decideBy: (state, round, limits) => decide(state, withoutDeposits(round), { limits }),
  },
  {
    name: 'a nonce that is used once is lost',
    rule: 'c',
    decideBy: (state, round, limits) => decide(state, round, { limits: { ...limits, nonceTaken: 0 } }),
  },
  {
    name: 'a block that is not final ends a payment',
    rule: 'c',
    decideBy: (state, { byEndpoint, ...round }, limits) => {
      const final = byEndpoint.map((one) => (isReply(one) ? { ...one, finalizedNumber: 1_000_000n } : one))
      return decide(state, { ...round, byEndpoint: final }, { limits: { ...limits, final: 0 } })
    },
  },
  {
    name: 'a block that is gone is waited for, for ever',
    rule: 'e',
    decideBy: (state, round, limits) => decide(state, round, { limits: { ...limits, orphaned: 1_000_000 } }),
  },
  {
    name: 'deposits for the key are never found',
    rule: 'c',
    decideBy: (state, round, limits) => decide(state, withoutDeposits(round), { limits }),
  },
]

/** A fault in one row of the table, `undefined` where the row is left out; `schedule` where few orders of events show it. */
export type RowFault = {
  row: string
  fault: string
  change: Partial<Row> | undefined
  schedule?: Schedule
  /** Another beginning, where it is seen sooner. */
  seed?: number
}

/** A pool that is said to have the bytes, while the nonce is used at both endpoints. */
export const KNOWN_THOUGH_USED: Schedule = {
  setting: { kind: 'top-up', signedBy: 'keystore', liar: 1, computers: 1, person: 'abandons' },
  actions: [
    { do: 'endpoint', at: 1, stance: { ...HONEST, lies: ['knows'] } },
    { do: 'by-hand', what: 'cancel', same: false },
    { do: 'any', who: 0, nth: 0 },
    { do: 'slots', count: 1, empty: false },
    { do: 'go-on', who: 0 },
  ],
}

/** One fault for each row of the table. */
export const FAULTS: readonly RowFault[] = [
  {
    row: 'nobody answers',
    fault: 'silence is taken for a lost nonce',
    change: {
      follows: () => ({
        events: [{ type: 'ended', outcome: { is: 'nonce-taken', otherDeposit: undefined } }],
      }),
    },
  },
  {
    row: 'every endpoint shows the same end twice',
    fault: 'the first sight of one endpoint ends it',
    change: { holds: ({ inBlock }) => inBlock !== undefined },
  },
  {
    row: 'an endpoint has it in a block',
    fault: 'a block that was seen once is there for ever',
    change: { holds: ({ inBlock, payment }) => inBlock !== undefined || payment.included !== undefined },
  },
  { row: 'every endpoint lacks the block for long', fault: 'left out', change: undefined },
  {
    row: 'a replacement is to be exported',
    fault: 'nothing but that is done meanwhile, and it is never shown',
    change: { holds: ({ payment }) => payment.replacement !== undefined, follows: () => ({}) },
  },
  {
    row: 'a pool holds it',
    fault: 'a pool counts for more than a used nonce',
    change: { holds: ({ isKnown }) => isKnown },
    schedule: KNOWN_THOUGH_USED,
  },
  { row: 'the deposits for the key tell', fault: 'left out', change: undefined },
  { row: 'the nonce, or the contract account', fault: 'left out', change: undefined },
  { row: 'the nonce is lost, and a later one', fault: 'left out', change: undefined },
  { row: 'the nonce is used, and a deposit', fault: 'left out', change: undefined },
  { row: 'the nonce is lost to another', fault: 'left out', change: undefined },
  { row: 'the nonce is used by the word of some', fault: 'left out', change: undefined },
  { row: 'the nonce is not reached', fault: 'left out', change: undefined, seed: 21 },
  { row: 'nothing is signed here', fault: 'left out', change: undefined },
  { row: 'nobody has it', fault: 'left out', change: undefined },
]

/** The decisions with a fault in one row. */
export function withRowFault({ row, change }: Pick<RowFault, 'row' | 'change'>): DecideWithin {
  const table = TABLE.flatMap((one) => {
    if (!one.name.startsWith(row)) return [one]
    return change === undefined ? [] : [{ ...one, ...change }]
  })
  return (state, round, limits) => decide(state, round, { table, limits })
}
