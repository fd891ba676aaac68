import { expect, test } from 'vitest'
import type { JournalEvent } from '../../../../src/core/wizard/journal/events.ts'
import { standingOf } from '../../../../src/core/wizard/launch/standing.ts'

type Body = { type: string; [field: string]: unknown }
const of = (step: 'deposit' | 'topup' | 'sign' | 'identity', ...bodies: Body[]) =>
  bodies.map((body) => ({ step, ...body }) as unknown as JournalEvent)

const AGREED = { type: 'agreed' }
const PREPARED = { type: 'prepared', draft: { signer: 'keystore' } }
const EXPORTED = { type: 'prepared', draft: { signer: 'external' } }
const SIGNED = { type: 'signed' }
const SENT = { type: 'handed-over' }
const INCLUDED = { type: 'included', blockNumber: 224n }
const PAID = { type: 'ended', outcome: { is: 'paid' } }
const CANCELLED = { type: 'ended', outcome: { is: 'cancelled' } }
const ADOPTED = of('identity', { type: 'adopted' })
const DEPOSIT = of('deposit', AGREED, PREPARED, SIGNED, SENT, INCLUDED, PAID)

test.each<[string, JournalEvent[]]>([
  ['begun, nothing signed', []],
  ['step 3 of 7, not signed', of('sign', { type: 'planned' })],
  ['step 4 of 7, nothing sent', of('sign', { type: 'planned' }, { type: 'signed' })],
  ['begun, nothing signed', of('sign', { type: 'planned' }, { type: 'signed' }, { type: 'dropped' })],
  ['deposit agreed to, not signed', of('deposit', AGREED)],
  ['deposit agreed to, not signed', of('deposit', AGREED, PREPARED)],
  ['deposit exported to your wallet', of('deposit', AGREED, EXPORTED)],
  ['deposit signed, not sent', of('deposit', AGREED, PREPARED, SIGNED)],
  ['deposit sent, waits for its block', of('deposit', AGREED, PREPARED, SIGNED, SENT)],
  ['deposit in block 224, not final', of('deposit', SIGNED, SENT, INCLUDED)],
  ['deposit sent, waits for its block', of('deposit', SIGNED, SENT, INCLUDED, { type: 'orphaned' })],
  ['deposit was not paid', of('deposit', SIGNED, SENT, CANCELLED)],
  ['step 5 of 7, deposit paid', DEPOSIT],
  ['deposit sent, waits for its block', [...DEPOSIT, ...of('deposit', { type: 'contradicted' })]],
  ['begun, nothing signed', of('deposit', AGREED, EXPORTED, { type: 'abandoned' })],
  ['top-up sent, waits for its block', [...DEPOSIT, ...of('topup', AGREED, PREPARED, SIGNED, SENT)]],
  ['step 7 of 7, top-up paid', [...DEPOSIT, ...of('topup', SIGNED, SENT, INCLUDED, PAID)]],
  ['step 7 of 7, top-up paid', [...DEPOSIT, ...of('topup', PAID, AGREED, EXPORTED, { type: 'abandoned' })]],
  ['top-up exported to your wallet', [...DEPOSIT, ...of('topup', PAID, AGREED, EXPORTED)]],
  ['adopted; next: prove it again', ADOPTED],
  ['top-up signed, not sent', [...ADOPTED, ...of('topup', AGREED, PREPARED, SIGNED)]],
])('a journal is told as "%s"', (words, events) => {
  expect(standingOf(events)).toBe(words)
})
