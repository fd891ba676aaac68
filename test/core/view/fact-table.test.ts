import { describe, expect, test } from 'vitest'
import type { Offered } from '../../../src/core/chain/network/offered.ts'
import { errorFacts, type Observation } from '../../../src/core/view/observation.ts'
import { factIds, gateHolds, rowsVerdict, tableRows } from '../../../src/core/view/rows.ts'
import { keepsShut, type Mark } from '../../../src/core/view/view.ts'
import { saidVerdict } from '../../support/said.ts'

type Verdict = boolean | 'given' | 'asking' | 'unasked' | undefined
type About = { verdict: Verdict; isThere?: boolean }
type Answers = { fact: string }

const text = {
  fact: {
    label: 'fact',
    say: (value: string) => value,
    unasked: () => 'nobody to ask',
    explain: { what: '', who: '', later: '' },
  },
}

const known: Observation<string> = { status: 'known', value: 'there', source: 'x', atMs: 0 }
const failed: Observation<string> = { status: 'failed', error: errorFacts('no'), source: 'x', atMs: 0 }
const asking: Observation<string> = { status: 'asking' }
const unasked: Observation<string> = { status: 'unasked' }

const table = (gate: 'needed' | 'where asked' | 'where answered' | 'told') => ({
  fact: {
    gate,
    judge: (_: string, { verdict }: About) => verdict,
    isAsked: ({ isThere = true }: About) => isThere,
  },
})

const holds = (gate: Parameters<typeof table>[0], observation: Observation<string>, about: About) =>
  gateHolds<Answers, About>(table(gate), { fact: observation }, about)

describe('a gate that waits for a fact', () => {
  test.each([
    ['needed', { known: true, refused: false, failed: false, asking: false, unasked: false }],
    ['where asked', { known: true, refused: false, failed: false, asking: false, unasked: true }],
    ['where answered', { known: true, refused: false, failed: true, asking: false, unasked: true }],
    ['told', { known: true, refused: true, failed: true, asking: true, unasked: true }],
  ] as const)('%s', (gate, expected) => {
    expect({
      known: holds(gate, known, { verdict: true }),
      refused: holds(gate, known, { verdict: false }),
      failed: holds(gate, failed, { verdict: true }),
      asking: holds(gate, asking, { verdict: true }),
      unasked: holds(gate, unasked, { verdict: true }),
    }).toEqual(expected)
  })

  test('is opened by nothing but what holds', () => {
    for (const verdict of [false, 'given', 'asking', 'unasked', undefined] as const)
      expect(holds('needed', known, { verdict })).toBe(false)
  })

  test('does not wait for a fact that nobody is there to ask for', () => {
    expect(holds('needed', unasked, { verdict: true, isThere: false })).toBe(true)
  })

  test('may be content with less than a row needs to look proven', () => {
    const reported = { fact: { gate: 'needed', judge: () => undefined, suffices: () => true } } as const
    expect(gateHolds<Answers, null>(reported, { fact: known }, null)).toBe(true)
    expect(tableRows<Answers, null>(reported, text, { fact: known }, null)[0]?.mark).toBe('unknown')
  })

  test('takes what is not offered for no fault', () => {
    const facts = {
      fact: { gate: 'needed', isOptional: true, judge: (value: string) => value === 'good' },
    } as const
    const seen = (value: Offered<string>) => ({ fact: { ...known, value } })
    const open = (value: Offered<string>) =>
      gateHolds<{ fact: Offered<string> }, null>(facts, seen(value), null)
    expect(open({ offer: 'yes', value: 'good' })).toBe(true)
    expect(open({ offer: 'yes', value: 'bad' })).toBe(false)
    expect(open({ offer: 'no' })).toBe(true)
  })
})

describe('the row of a fact', () => {
  test.each([
    [true, 'proven'],
    [false, 'refused'],
    [undefined, 'unknown'],
    ['given', 'given'],
    ['asking', 'asking'],
    ['unasked', 'unasked'],
  ] as const)('that comes to %s is marked %s', (verdict, mark) => {
    const [row] = tableRows<Answers, About>(table('needed'), text, { fact: known }, { verdict })
    expect(row).toMatchObject({ id: 'fact', label: 'fact', value: 'there', mark })
  })

  test('says why it was not asked', () => {
    const [row] = tableRows<Answers, About>(table('needed'), text, { fact: unasked }, { verdict: true })
    expect(row).toMatchObject({ mark: 'unasked', value: 'nobody to ask' })
  })

  test('is not there for a fact without words', () => {
    expect(tableRows<Answers, About>(table('told'), {}, { fact: known }, { verdict: true })).toEqual([])
    expect(factIds<Answers, About>(table('told'))).toEqual(['fact'])
  })
})

describe('what was given', () => {
  const row = (mark: Mark) => ({
    ...tableRows<Answers, About>(table('told'), text, { fact: known }, { verdict: true })[0],
    mark,
  })

  test('keeps nothing shut, and is no check that is counted', () => {
    expect(keepsShut({ mark: 'given' })).toBe(false)
    const rows = [row('given'), row('proven'), row('refused')] as Parameters<typeof rowsVerdict>[0]
    expect(saidVerdict(rowsVerdict(rows, { isOpen: false, good: 'all good' }))).toEqual({
      mark: 'refused',
      text: '1 of 2 checks refuses: fact: there.',
      next: 'r asks again',
    })
  })

  test.each(['there', 'there.', 'there。'])('ends a reason once: %s', (value) => {
    const rows = [{ ...row('refused'), value }] as Parameters<typeof rowsVerdict>[0]
    const { text } = rowsVerdict(rows, { isOpen: false, good: 'all good' })
    expect(text).toBe('1 of 1 checks refuses: fact: there.')
  })
})
