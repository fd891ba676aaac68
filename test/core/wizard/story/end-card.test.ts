import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { again, decides, KEY, type Next } from '../../../../src/core/base/format/next.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import {
  type Chronicle,
  type ChronicleEvent,
  readChronicle,
  writtenChronicle,
} from '../../../../src/core/chain/network/chronicle.ts'
import { BERACHAIN_NAMES } from '../../../../src/core/chain/network/presets.ts'
import { SCENARIO_NAMES, type ScenarioName } from '../../../../src/core/chain/network/scenario-names.ts'
import { stepView } from '../../../../src/core/view/step-view.ts'
import { type AnyView, initialState, type State } from '../../../../src/core/wizard/state.ts'
import { endCard } from '../../../../src/core/wizard/story/end-card.ts'
import { STORIES_TEXT } from '../../../../src/core/wizard/story/stories-text.ts'
import { ABOVE_TEXT, withStory } from '../../../../src/core/wizard/story/story-view.ts'

const setup = {
  network: { names: BERACHAIN_NAMES },
  wishes: { url: 'http://127.0.0.1:1', which: { folder: '/tmp/network-1' } },
} as unknown as Setup

const story = (parts: Partial<Chronicle>): Chronicle => ({
  scenario: 'set-full',
  phase: 'over',
  slotMs: 1000,
  pace: 'plain',
  events: [],
  feesWei: 0n,
  ...parts,
})
const SCREEN = { hasKeys: true } as const
const rowsOf = (chronicle: Chronicle) => endCard(chronicle, setup, SCREEN).rows
const textOf = (chronicle: Chronicle, wanted: string) =>
  rowsOf(chronicle).flatMap(({ id, text }) => (id === wanted ? [text] : []))
const at = (slot: bigint, event: Omit<ChronicleEvent, 'slot'>): ChronicleEvent => ({ slot, ...event })

const EVENT = fc.record(
  {
    id: fc.constantFrom('registered', 'topped-up', 'burnt', 'active', 'dropped-out', 'paid-back', 'new-key'),
    slot: fc.bigInt({ min: 0n, max: 2n ** 63n }),
    amountGwei: fc.bigInt({ min: 0n, max: 2n ** 63n }),
    index: fc.nat(),
    blocks: fc.nat(),
    shortGwei: fc.bigInt({ min: 0n, max: 2n ** 63n }),
  },
  { requiredKeys: ['id', 'slot'] },
)

describe('the story file', () => {
  test('is read as it was written, whatever happened', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SCENARIO_NAMES),
        fc.constantFrom('before', 'soon', 'under-way', 'over'),
        fc.array(EVENT),
        fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        (scenario, phase, events, feesWei) => {
          const chronicle = story({ scenario, phase, events, feesWei })
          expect(readChronicle(writtenChronicle(chronicle))).toEqual(chronicle)
        },
      ),
    )
  })

  test.each([
    ['scenario', { scenario: 'set-fool' }],
    ['phase', { phase: 'later' }],
    ['slotMs', { slotMs: 0 }],
    ['pace', { pace: 'fast' }],
    ['events[0].slot', { events: [{ id: 'active', slot: 4 }] }],
    ['events[0].id', { events: [{ id: 'won', slot: '4' }] }],
  ])('is refused by the name of the field that is odd: %s', (path, odd) => {
    const json = JSON.stringify({ ...JSON.parse(writtenChronicle(story({}))), ...odd })
    expect(() => readChronicle(json)).toThrow(expect.objectContaining({ code: 'network.field' }))
    expect(() => readChronicle(json)).toThrow(path)
  })
})

describe('the card of a story', () => {
  test('every story has one for every end, with a next story that is another one, and all are met on the way', () => {
    const met: ScenarioName[] = []
    for (let scenario: ScenarioName = 'set-full'; !met.includes(scenario); ) {
      met.push(scenario)
      const card = endCard(story({ scenario }), setup, SCREEN)
      const next = card.rows.at(-1)
      expect(next?.id).toBe('next')
      const named = SCENARIO_NAMES.find((name) => next?.text.endsWith(`--scenario ${name}`))
      if (named === undefined) throw new Error(`${scenario} leads nowhere`)
      scenario = named
    }
    expect(met.toSorted()).toEqual([...SCENARIO_NAMES].toSorted())
  })

  test('says what happened in its order, and adds up what was paid, lost and missed', () => {
    const events = [
      at(3n, { id: 'burnt', amountGwei: tokens(10_000n) }),
      at(7n, { id: 'registered', amountGwei: tokens(10_000n), index: 12 }),
      at(12n, { id: 'topped-up', amountGwei: tokens(270_000n), index: 12 }),
      at(1234n, { id: 'missed', blocks: 8 }),
      at(1300n, { id: 'node-back', blocks: 40 }),
    ]
    const chronicle = story({ events, feesWei: 123_000_000_000_000n })
    expect(textOf(chronicle, 'happened').map((text) => text.split(':')[0])).toEqual([
      'slot 3',
      'slot 7',
      'slot 12',
      'slot 1,234',
      'slot 1,300',
    ])
    const [cost = ''] = textOf(chronicle, 'cost')
    expect(cost.match(/\d[\d,]*\d/g)).toEqual(['280,000', '10,000', '48', '000123'])
    expect(textOf(story({ events }), 'cost')[0]).not.toMatch(/fee/)
  })

  test('names keys only to somebody who can press them, and a command to everybody else', () => {
    const namesKey = (text: string) => /press [a-z]\b|[kx] for|\? explains/.test(text)
    const openOf = (scenario: ScenarioName, hasKeys: boolean) => {
      const { rows } = endCard(story({ scenario, phase: 'before' }), setup, { hasKeys })
      return rows.flatMap(({ id, text }) => (id === 'saved' ? [text] : [])).join()
    }
    const keyed = SCENARIO_NAMES.filter((scenario) => namesKey(openOf(scenario, true)))
    expect(keyed.toSorted()).toEqual(['burnt-deposit', 'exited-key', 'squatted-key', 'troubles-while-active'])
    for (const scenario of SCENARIO_NAMES) {
      expect(namesKey(openOf(scenario, false))).toBe(false)
      expect(openOf(scenario, false)).toContain(`bearings --scenario ${scenario}`)
    }
  })

  test('is open until the story is over, and names what to wait for; then it has a place or has lost it', () => {
    const out = at(9n, { id: 'dropped-out', amountGwei: tokens(250_000n), index: 12 })
    const open = endCard(story({ phase: 'under-way' }), setup, SCREEN)
    expect(open.end).toBe('open')
    expect(open.rows.map(({ id }) => id)).toContain('waits')
    const kept = endCard(story({}), setup, SCREEN)
    expect(kept.end).toBe('kept')
    expect(kept.rows.map(({ id }) => id)).not.toContain('waits')
    expect(endCard(story({ events: [out] }), setup, SCREEN).end).toBe('out')
    const later = [
      out,
      at(20n, { id: 'new-key' }),
      at(80n, { id: 'active', amountGwei: tokens(280_000n), index: 13 }),
    ]
    expect(endCard(story({ scenario: 'exited-key', events: later }), setup, SCREEN).end).toBe('kept')
  })

  test('names the next story as this program is run', () => {
    const { program, options } = { program: ['node', 'dist/cli.js'] as const, options: [] }
    const nextOf = (...given: Parameters<typeof endCard>) => endCard(...given).command
    expect(nextOf(story({}), setup, SCREEN)).toBe('bearings --scenario as-on-mainnet')
    const run = (words: readonly string[]) => ['npm start --', ...words].join(' ')
    expect(nextOf(story({}), setup, { ...SCREEN, run })).toBe('npm start -- --scenario as-on-mainnet')
    const wizard = { ...setup, own: { program, options, wizard: options } }
    expect(nextOf(story({}), wizard, { ...SCREEN, run })).toBe('node dist/cli.js --scenario as-on-mainnet')
  })

  test('says how much more would have kept a place that was lost, for every story', () => {
    const out = at(9n, {
      id: 'dropped-out',
      amountGwei: tokens(280_000n),
      shortGwei: tokens(20_000n),
      index: 12,
    })
    for (const scenario of SCENARIO_NAMES)
      expect(textOf(story({ scenario, events: [out] }), 'saved')[0]).toMatch(/^20,000 BERA /)
    // Beside a free place it can only have been asked for: then no stake would have helped.
    const { shortGwei: _, ...asked } = out
    const [text] = textOf(story({ events: [asked] }), 'saved')
    expect(text).toContain(STORIES_TEXT.card.left)
  })

  test('says what saved the place by what was done: a top-up in time, another key, or neither', () => {
    const rival = at(9n, { id: 'rival-added', amountGwei: tokens(290_000n), index: 11 })
    const topUp = (slot: bigint) => at(slot, { id: 'topped-up', amountGwei: tokens(30_000n), index: 12 })
    const saved = (scenario: ScenarioName, ...events: ChronicleEvent[]) =>
      textOf(story({ scenario, events }), 'saved')[0]
    expect(saved('outbid-while-active', rival, topUp(12n))).toContain('30,000 BERA')
    expect(saved('outbid-while-active', topUp(7n), rival)).not.toContain('30,000 BERA')
    const burnt = at(1n, { id: 'burnt', amountGwei: tokens(10_000n) })
    expect(saved('burnt-deposit', burnt, at(4n, { id: 'new-key' }))).not.toBe(saved('burnt-deposit', burnt))
  })
})

describe('a step with a story above it', () => {
  const step: AnyView = stepView({
    step: 'genesis',
    title: '',
    sections: ['facts'],
    intro: '',
    money: { line: '', worst: '' },
    actions: [],
    commands: [],
    done: false,
  })
  const shown = (chronicle: Chronicle | undefined, parts: Partial<State> = {}) =>
    withStory(step, { ...initialState, story: chronicle, ...parts }, setup)
  const keys = (chronicle: Chronicle | undefined, parts: Partial<State> = {}) =>
    shown(chronicle, parts).actions.map(({ key }) => key)

  test('is as it is without one, and before anything can happen', () => {
    expect(shown(undefined).facts).toEqual([])
    expect(keys(undefined)).not.toContain('h')
    expect(keys(story({ phase: 'before' }))).not.toContain('h')
  })

  test('says that something comes, and opens the card by a key', () => {
    expect(shown(story({ phase: 'soon' })).facts.map(({ id, mark }) => ({ id, mark }))).toEqual([
      { id: 'story', mark: 'given' },
    ])
    const happens = SCENARIO_NAMES.map(
      (scenario) => shown(story({ scenario, phase: 'under-way' })).facts[0]?.long,
    )
    // Where something comes by itself the words are of that.
    expect(new Set(happens).size).toBe(5)
    expect(keys(story({ phase: 'soon' }))).toContain('h')
    const card = shown(story({}), { storyOpen: true })
    expect(card.facts.at(-1)?.label).toBe(rowsOf(story({})).at(-1)?.label)
    expect(card.actions.map(({ key }) => key)).toEqual(['escape'])
    expect(card.commands).toEqual([expect.stringMatching(/ --scenario [a-z-]+$/)])
    expect(card.facts.at(-1)?.long).toContain(card.commands[0])
  })

  test('says in its first two steps that the way has begun again with a new key, and in no other', () => {
    const events = [at(8n, { id: 'dropped-out', index: 12 }), at(20n, { id: 'new-key' })]
    const chronicle = story({ scenario: 'exited-key', phase: 'before', events })
    const said = (of: AnyView['step'], of2 = chronicle) =>
      withStory({ ...step, step: of }, { ...initialState, story: of2 }, setup).facts.map(({ id }) => id)
    expect(said('genesis')).toEqual(['story'])
    expect(said('identity')).toEqual(['story'])
    expect(said('sign')).toEqual([])
    const registered = at(30n, { id: 'registered', index: 13 })
    expect(said('genesis', story({ ...chronicle, events: [...events, registered] }))).toEqual([])
  })

  test('offers a new key where what stops it names that key, whatever the story', () => {
    const stopped = (next: Next[]): AnyView => ({
      ...step,
      step: 'identity',
      problem: { id: 'out', kind: 'stop', title: '', money: 'untouched', values: [], lines: [], next },
    })
    const offered = (view: AnyView, scenario: ScenarioName) =>
      withStory(view, { ...initialState, story: story({ scenario }) }, setup).actions.map(({ key }) => key)
    for (const scenario of SCENARIO_NAMES) {
      expect(offered(stopped([decides('k')`press ${KEY}`]), scenario)).toContain('k')
      expect(offered(stopped([again`press ${KEY}`]), scenario)).not.toContain('k')
    }
  })

  test('leaves what decides on top where a step is stopped', () => {
    const chronicle = story({ phase: 'under-way' })
    const [of] = shown(chronicle).facts
    if (of === undefined) throw new Error('the story has no row')
    const facts: AnyView['facts'] = [{ ...of, id: 'place', mark: 'refused' }]
    const problem: AnyView['problem'] = {
      id: 'out',
      kind: 'stop',
      title: '',
      money: 'untouched',
      values: [],
      lines: [],
      next: [],
    }
    const ids = (view: AnyView) =>
      withStory(view, { ...initialState, story: chronicle }, setup).facts.map(({ id }) => id)
    expect(ids({ ...step, facts })).toEqual(['story', 'place'])
    // Where a word is asked for, what it agrees to has the room.
    expect(of.consented).toBe(true)
    expect(ids({ ...step, facts, problem })).toEqual(['place', 'story'])
    // Once it is over the way to its card is among what to do next.
    const over = { ...initialState, story: story({ phase: 'over' }) }
    expect(withStory({ ...step, problem }, over, setup).problem?.next).toMatchObject([{ key: 'h' }])
  })

  test('asks who has added stake already for nothing more than to stay', () => {
    const rival = at(9n, { id: 'rival-added', amountGwei: tokens(290_000n), index: 11 })
    const topUp = at(12n, { id: 'topped-up', amountGwei: tokens(30_000n), index: 12 })
    const words = (...events: ChronicleEvent[]) =>
      shown(story({ scenario: 'outbid-while-active', phase: 'under-way', events })).facts[0]?.long
    expect(words(rival, topUp)).toBe(ABOVE_TEXT.acted)
    expect(words(topUp, rival)).toBe(words(rival))
    expect(words(rival)).not.toBe(ABOVE_TEXT.acted)
  })

  test('says of a node that came back that it did, once the story is over', () => {
    const back = at(9n, { id: 'node-back', blocks: 40 })
    const words = (events: ChronicleEvent[]) =>
      shown(story({ scenario: 'node-stops', events })).facts[0]?.long
    expect(words([back])).toBe(`${ABOVE_TEXT.ended['node-back']}${words([])}`)
  })

  test('offers haste where slots are longer, and the way back from it', () => {
    expect(keys(story({ phase: 'under-way', pace: 'slow' }))).toContain('+')
    expect(keys(story({ phase: 'under-way', pace: 'hastened' }))).toContain('-')
    expect(keys(story({ phase: 'under-way' }))).not.toContain('+')
  })
})
