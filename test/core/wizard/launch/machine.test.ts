import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileSystemError } from '../../../../src/core/base/errors/file.ts'
import { errorFacts } from '../../../../src/core/view/observation.ts'
import type { FormChoice, SetupDraft, UnderWay } from '../../../../src/core/wizard/launch/choice.ts'
import { launchTransition } from '../../../../src/core/wizard/launch/machine.ts'
import {
  type LaunchCommand,
  type LaunchEvent,
  type LaunchState,
  launchAtFirst,
} from '../../../../src/core/wizard/launch/state.ts'
import type { Session } from '../../../../src/core/wizard/session.ts'

const MAINNET: FormChoice = { kind: 'network', id: 'mainnet' }
const BEPOLIA: FormChoice = { kind: 'network', id: 'bepolia' }
const REHEARSAL = { kind: 'rehearsal', which: 'new' } as const
const FAULT = errorFacts(new Error('away'))
const atMs = 7

const DRAFT: SetupDraft = {
  badge: { kind: 'real', label: 'Berachain' },
  title: 'Your node',
  intro: '',
  fields: [
    {
      id: 'node',
      label: 'node API',
      value: '',
      hint: '',
      suggestion: 'http://127.0.0.1:3500',
      explain: { what: '', who: '', later: '' },
    },
  ],
}

const row = (parts: Partial<UnderWay> = {}): UnderWay => ({
  id: '/state/mainnet/1/journal.jsonl',
  badge: DRAFT.badge,
  words: 'deposit sent, waits for its block',
  trouble: false,
  choice: MAINNET,
  command: ['--network', 'mainnet'],
  ...parts,
})

const session = (name: string) => ({ name }) as unknown as Session

const accepted = (_: string, text: string) => (text === '' ? 'Type an address.' : undefined)

/** The state after these events, and the commands of the last one. */
function played(events: readonly LaunchEvent[], from: LaunchState = launchAtFirst()) {
  let state = from
  let commands: readonly LaunchCommand[] = []
  for (const event of events) [state, commands] = launchTransition(state, event, accepted)
  return { state, commands, screen: state.screen }
}

const CHOSEN: LaunchEvent = { type: 'chosen', choice: MAINNET, atMs }
const drafted = (id: number): LaunchEvent => ({ type: 'drafted', id, draft: DRAFT, atMs })
const ENTER: LaunchEvent = { type: 'form', event: { type: 'moved', to: 'open' } }
const PROCEED: LaunchEvent = { type: 'proceeded', atMs }
const BACK: LaunchEvent = { type: 'back', atMs }
const opened = (id: number, name = 'one'): LaunchEvent => ({ type: 'opened', id, session: session(name) })

describe('the choice of a network', () => {
  test('asks for its form, which is shown once it comes', () => {
    const chosen = played([CHOSEN])
    expect(chosen.screen.phase).toBe('choose')
    expect(chosen.commands).toEqual([{ type: 'draft', id: 1, choice: MAINNET }])
    expect(played([drafted(1)], chosen.state).screen).toMatchObject({ phase: 'form', at: 'node' })
  })

  test('says why there is no form', () => {
    const { screen } = played([CHOSEN, { type: 'failed', id: 1, error: FAULT }])
    expect(screen).toEqual({ phase: 'choose', error: FAULT.shortMessage })
    const lost = errorFacts(fileSystemError('/nowhere/spec.toml', 'ENOENT'))
    expect(played([CHOSEN, { type: 'failed', id: 1, error: lost }]).screen).toMatchObject({
      error: expect.stringContaining('/nowhere/spec.toml'),
    })
  })

  test('keeps of a form that is left what was typed, but no text that may be a secret', () => {
    const typed = (text: string): LaunchEvent[] =>
      [...text].map((letter) => ({
        type: 'form',
        event: { type: 'edited', edit: { kind: 'insert', text: letter } },
      }))
    const again = (text: string) => {
      const { screen } = played([CHOSEN, drafted(1), ...typed(text), BACK, CHOSEN])
      return screen.phase === 'form' ? screen.fields.node : undefined
    }
    expect(again('http://10.0.0.7')?.text).toBe('http://10.0.0.7')
    const left = again('5a'.repeat(32))
    expect(left?.text).toBe('')
    expect(left?.fault?.words).toMatch(/64 characters were wiped/)
  })

  test('opens a rehearsal network without a form', () => {
    const { screen, commands } = played([{ type: 'chosen', choice: REHEARSAL, atMs }])
    expect(screen).toEqual({ phase: 'opening', sinceMs: atMs, words: 'rehearsal-start' })
    expect(commands).toEqual([{ type: 'open', id: 1, choice: REHEARSAL, values: {} }])
  })

  test('gives up the form before it, which is not shown when it comes', () => {
    const again = played([CHOSEN, { type: 'chosen', choice: REHEARSAL, atMs }])
    expect(again.commands[0]).toEqual({ type: 'giveUp', id: 1 })
    expect(played([drafted(1)], again.state).screen.phase).toBe('opening')
  })
})

describe('another key for the node of a rehearsal', () => {
  const which = { folder: '/tmp/network-3' }
  const withWishes = { setup: { wishes: { url: 'http://127.0.0.1:1', which } } } as unknown as Session
  const running = played([
    { type: 'chosen', choice: REHEARSAL, atMs },
    { type: 'opened', id: 1, session: withWishes },
  ])

  test('ends the session first, then opens the same network anew with it', () => {
    const wished = played([{ type: 'newKeyWished', atMs }], running.state)
    expect(wished.screen.phase).toBe('opening')
    expect(wished.commands.map(({ type }) => type)).not.toContain('open')
    expect(wished.commands).toContainEqual({ type: 'end', session: withWishes })
    const ended = played([{ type: 'ended', atMs }], wished.state)
    expect(ended.commands).toEqual([
      {
        type: 'open',
        id: ended.state.latest,
        choice: { kind: 'rehearsal', which, newKey: true },
        values: {},
      },
    ])
  })

  test('is wished in vain where no session runs, or of a network that gives none', () => {
    expect(played([{ type: 'newKeyWished', atMs }]).screen.phase).toBe('choose')
    const other = played([
      { type: 'chosen', choice: REHEARSAL, atMs },
      { type: 'opened', id: 1, session: { setup: {} } as unknown as Session },
    ])
    expect(played([{ type: 'newKeyWished', atMs }], other.state)).toMatchObject({
      commands: [],
      screen: { phase: 'running' },
    })
  })
})

describe('a choice of the command line', () => {
  const begun = (initial: FormChoice | undefined): LaunchEvent => ({ type: 'begun', initial, atMs })

  test('is waited for until it is known what is under way', () => {
    const { screen, commands } = played([begun(MAINNET)])
    expect(screen).toMatchObject({ phase: 'opening', words: 'list' })
    expect(commands).toEqual([{ type: 'list', rehearsals: false }])
  })

  test.each([
    { found: 'nothing', rows: [] },
    { found: 'something on another network', rows: [row({ choice: BEPOLIA })] },
    { found: 'two things', rows: [row(), row({ id: '/other' })] },
    { found: 'a journal that cannot be continued', rows: [row({ trouble: true })] },
  ])('leads to its form where $found is under way', ({ rows }) => {
    const { state } = played([begun(MAINNET), { type: 'listed', rows, atMs }])
    expect(played([drafted(state.latest)], state).screen.phase).toBe('form')
  })

  test('leads straight on with the one thing that is under way, with its addresses behind it', () => {
    const values = { node: 'http://10.0.0.1:3500' }
    const { state } = played([begun(MAINNET), { type: 'listed', rows: [row({ values })], atMs }])
    const { commands, state: opening } = played([drafted(state.latest)], state)
    expect(commands.at(-1)).toMatchObject({ type: 'open', choice: MAINNET, values })
    const running = played([opened(opening.latest)], opening)
    expect(running.screen.phase).toBe('running')
    const form = played([BACK, { type: 'ended', atMs }], running.state).screen
    expect(form).toMatchObject({ phase: 'form', at: undefined, fields: { node: { text: values.node } } })
  })

  test('stops at the form where an address is not accepted any more', () => {
    const { state } = played([
      begun(MAINNET),
      { type: 'listed', rows: [row({ values: { node: '' } })], atMs },
    ])
    expect(played([drafted(state.latest)], state).screen).toMatchObject({ phase: 'form', at: 'node' })
  })
})

describe('opening a session', () => {
  const OPENING = [CHOSEN, drafted(1), ENTER, PROCEED]

  test('takes the texts of the form, and shows the steps when it comes', () => {
    const { commands, state } = played(OPENING)
    expect(commands).toEqual([
      { type: 'open', id: 2, choice: MAINNET, values: { node: 'http://127.0.0.1:3500' } },
    ])
    const running = played([opened(2)], state)
    expect(running.screen.phase).toBe('running')
    expect(running.commands).toEqual([{ type: 'start', session: session('one') }])
  })

  test('is given up on the way back, and closed when it comes all the same', () => {
    const left = played([...OPENING, BACK])
    expect(left.commands[0]).toEqual({ type: 'giveUp', id: 2 })
    expect(left.screen.phase).toBe('choose')
    const late = played([opened(2)], left.state)
    expect(late.screen.phase).toBe('choose')
    expect(late.commands).toEqual([{ type: 'close', session: session('one') }])
  })

  test('that fails says why, can be tried again with the same texts, and leads back to them', () => {
    const failed = played([...OPENING, { type: 'failed', id: 2, error: FAULT }])
    expect(failed.screen).toMatchObject({ phase: 'failed', error: FAULT })
    expect(played([{ type: 'retried', atMs }], failed.state).commands).toMatchObject([
      { type: 'open', id: 3 },
    ])
    expect(played([BACK], failed.state).screen).toMatchObject({ phase: 'form', at: undefined })
  })

  test('waits for the session that was left', () => {
    const running = played([...OPENING, opened(2)])
    const left = played([BACK, BACK, { type: 'chosen', choice: REHEARSAL, atMs }], running.state)
    expect(left.commands.filter(({ type }) => type === 'open')).toEqual([])
    expect(played([{ type: 'ended', atMs }], left.state).commands).toMatchObject([{ type: 'open' }])
  })
})

test('what is under way is looked up again on the way back to the first screen', () => {
  const running = played([{ type: 'chosen', choice: REHEARSAL, atMs }, opened(1)])
  const back = played([BACK, { type: 'ended', atMs }], running.state)
  expect(back.screen.phase).toBe('choose')
  expect(back.commands).toEqual([{ type: 'list', rehearsals: true }])
})

test('nothing is shown any more once the program was left', () => {
  const left = played([{ type: 'chosen', choice: REHEARSAL, atMs }, { type: 'left' }])
  expect(left.commands).toEqual([{ type: 'giveUp', id: 1 }])
  expect(played([opened(1)], left.state).commands).toEqual([{ type: 'close', session: session('one') }])
})

/** What a user may do, and whether the oldest or the newest question is answered, well or not. */
const step = fc.oneof(
  fc.constantFrom<LaunchEvent>(
    CHOSEN,
    { type: 'chosen', choice: BEPOLIA, atMs },
    { type: 'chosen', choice: REHEARSAL, atMs },
    { type: 'continued', row: row({ values: { node: 'http://10.0.0.1:3500' } }), atMs },
    ENTER,
    PROCEED,
    BACK,
    { type: 'retried', atMs },
  ),
  fc.record({ answers: fc.constantFrom('oldest', 'newest'), fails: fc.boolean() }),
)

type Asked = Extract<LaunchCommand, { type: 'open' | 'draft' | 'end' }>

function answerTo(command: Asked, fails: boolean): LaunchEvent {
  if (command.type === 'end') return { type: 'ended', atMs }
  if (fails) return { type: 'failed', id: command.id, error: FAULT }
  if (command.type === 'draft') return drafted(command.id)
  return { type: 'opened', id: command.id, session: session(`session ${command.id}`) }
}

test('no late answer of an opening that was given up is ever shown, and each session but the shown one is ended', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state = launchAtFirst()
      const waiting: Asked[] = []
      const givenUp = new Set<number>()
      const alive = new Set<string>()
      const nameOf = (one: Session) => (one as unknown as { name: string }).name
      const take = (event: LaunchEvent) => {
        const before = state.screen
        const isLate = 'id' in event && givenUp.has(event.id)
        if (event.type === 'opened') alive.add(nameOf(event.session))
        const [next, commands] = launchTransition(state, event, accepted)
        state = next
        for (const command of commands) {
          if (command.type === 'giveUp') givenUp.add(command.id)
          if (command.type === 'close' || command.type === 'end') alive.delete(nameOf(command.session))
          if (['open', 'draft', 'end'].includes(command.type)) waiting.push(command as Asked)
        }
        const { screen } = state
        const shown = screen.phase === 'running' ? [nameOf(screen.session)] : []
        expect([...alive]).toEqual(shown)
        for (const id of givenUp) expect(shown).not.toContain(`session ${id}`)
        if (isLate) expect(screen).toBe(before)
      }
      for (const next of steps) {
        if ('type' in next) take(next)
        else {
          const command = next.answers === 'oldest' ? waiting.shift() : waiting.pop()
          if (command !== undefined) take(answerTo(command, next.fails))
        }
      }
      take({ type: 'left' })
      for (const command of waiting) {
        const event = answerTo(command, false)
        const [next, commands] = launchTransition(state, event, accepted)
        expect(next.screen).toBe(state.screen)
        if (event.type === 'opened') expect(commands).toEqual([{ type: 'close', session: event.session }])
      }
    }),
  )
})
