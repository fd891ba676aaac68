import { describe, expect, test } from 'vitest'
import { fileSystemError } from '../../../../src/core/base/errors/file.ts'
import { errorFacts } from '../../../../src/core/view/observation.ts'
import { lostView } from '../../../../src/core/wizard/launch/launch-view.ts'
import type { LaunchEvent } from '../../../../src/core/wizard/launch/state.ts'
import { ASK_FILE, atMs, DRAFT, launched, UNDER_WAY, WAYS } from '../../../support/early-views.ts'

/** The view after what a key gives, and so on: the way of somebody who presses them. */
function pressed(events: readonly LaunchEvent[], ...keys: readonly string[]) {
  return pressedFor(undefined, events, keys)
}

/** The same for a validator that was named before its network. */
function pressedFor(
  validator: string | undefined,
  events: readonly LaunchEvent[],
  keys: readonly string[],
): ReturnType<typeof launched> {
  let all = events
  for (const key of keys) {
    const does = launched(all, validator).view.keys.find((one) => one.key === key)?.does
    if (does === undefined) throw new Error(`${key} is no key here`)
    all = [...all, Object.assign({ atMs }, does)]
  }
  return launched(all, validator)
}

const chosenOf = (events: readonly LaunchEvent[]) => {
  const [list] = launched(events).view.parts
  if (list?.is !== 'offers') throw new Error('no list')
  return list.sections.flatMap(({ offers }) => offers)[list.chosen]?.id
}

describe('the first screen', () => {
  test('offers the rehearsal first, and nothing is begun by one key', () => {
    expect(chosenOf([])).toBe('rehearsal')
    expect(pressed([], 'return').state.place).toEqual({ list: 'scenario' })
    expect(pressed([], 'return', 'return').state.screen).toMatchObject({ phase: 'opening' })
  })

  test('waits for what is under way, which comes on top and takes the cursor from nobody who moved it', () => {
    expect(launched([]).view.isPending).toBe(true)
    const listed: LaunchEvent = { type: 'listed', rows: [UNDER_WAY], atMs }
    const error = errorFacts(fileSystemError('/state', 'EACCES'))
    // What can't be read is no first day.
    expect(launched([{ ...listed, rows: [], error }]).view.error?.text).toContain('/state')
    expect(chosenOf([listed])).toBe(UNDER_WAY.id)
    expect(launched([listed]).view.intro).toBeUndefined()
    const moved: LaunchEvent = { type: 'place', to: { chosen: 'bepolia' } }
    expect(chosenOf([moved, listed])).toBe('bepolia')
    expect(pressed([listed], 'return').state.pending).toMatchObject({ of: 'draft', choice: UNDER_WAY.choice })
  })

  test('begins with the networks of a validator that was named, and takes it there', () => {
    const { view } = launched([], '11')
    expect(view.id).toContain('validator')
    const { pending } = pressedFor('11', [], ['2', 'return']).state
    expect(pending).toMatchObject({ choice: { id: 'bepolia', validator: '11' } })
  })

  test('goes no further than its ends, and no digit is a choice by itself', () => {
    expect(chosenOf([{ type: 'place', to: { chosen: 'file' } }])).toBe('file')
    expect(pressed([], 'up').state.place.chosen).toBe('rehearsal')
    expect(pressed([], '5', 'down').state.place.chosen).toBe('file')
    expect(pressed([], '3').state).toMatchObject({ screen: { phase: 'choose' }, pending: undefined })
  })

  test('says why a file was not taken until its field is left, and keeps the path', () => {
    const refused = WAYS['a file that was not taken']
    const { view, state } = launched(refused)
    expect(view.error).toMatchObject({ of: 1 })
    expect(view.typing?.state.text).toBe('/no/such.json')
    expect(pressed(refused, 'return').view.error).toBeUndefined()
    expect(pressed(refused, 'escape').view).toMatchObject({ id: expect.not.stringContaining('file') })
    expect(pressed(refused, 'escape').view.error).toBeUndefined()
    expect(state.place.file?.text).toBe('/no/such.json')
  })

  test.each(['', '   ', 'f00dfeed'.repeat(8)])('opens no file named %j', (text) => {
    const asked: LaunchEvent[] = [
      ASK_FILE,
      ...[...text].map((letter): LaunchEvent => ({ type: 'edited', edit: { kind: 'insert', text: letter } })),
    ]
    const { state, view } = pressed(asked, 'return')
    expect(state.pending).toBeUndefined()
    expect(view.typing?.state).toMatchObject({ text: '', fault: { text: '' } })
  })
})

describe('what is read in the place of a screen', () => {
  test.each([
    ['the first list', '?'],
    ['the first list', 'c'],
    ['a form that is filled', '?'],
    ['the second field of a form', 'f1'],
  ] as const)('%s is left by %s, and by the same key or Esc is there again as it was', (name, key) => {
    const before = launched(WAYS[name]).view
    expect(pressed(WAYS[name], key).view.id).not.toBe(before.id)
    expect(pressed(WAYS[name], key, key).view).toEqual(before)
    expect(pressed(WAYS[name], key, 'escape').view).toEqual(before)
  })

  test('is of one screen: the next one begins with itself', () => {
    const read: LaunchEvent = { type: 'place', to: { panel: 'explain' } }
    expect(launched([...WAYS['a form'], read, { type: 'back', atMs }]).state.place.panel).toBeUndefined()
  })
})

describe('the form', () => {
  test('says that it is ready only when every text counts, and leads back from its first field', () => {
    const { view } = launched(WAYS['a form'])
    expect(view.intro).toEqual({ text: DRAFT.intro })
    expect(view.typing).toMatchObject({ field: { id: 'execution' }, left: { type: 'back' } })
    expect(launched(WAYS['the second field of a form']).view.typing?.left).toMatchObject({ type: 'form' })
    const ready = launched(WAYS['a form that is filled']).view
    expect(ready.intro?.isNews).toBe(true)
    expect(ready.typing).toBeUndefined()
    expect(ready.keys[0]?.does).toEqual({ type: 'proceeded' })
  })
})

describe('what cannot go on', () => {
  test('a failure leads to another try and back, and to a rehearsal by a key alone', () => {
    const failed = launched(WAYS['a network that could not be opened']).view
    expect(failed.keys.map(({ key }) => key)).toEqual(['r', 'escape'])
    const ended = launched(WAYS['a rehearsal that has ended']).view
    expect(ended.keys.map(({ does }) => does)).toEqual([
      { type: 'chosen', choice: { kind: 'rehearsal', which: 'new', scenario: 'set-full' } },
      { type: 'retried' },
      { type: 'back' },
    ])
  })

  test('a journal that is lost has no key, and does not say that no money moved', () => {
    const view = lostView({ ...errorFacts(new Error('disk full')), money: 'untouched' })
    expect(view.keys).toEqual([])
    expect(view.parts[0]).toMatchObject({ problem: { money: 'unknown' } })
  })
})

test('the way back leads to the list that was chosen from', () => {
  const stories = pressed([], 'return', 'return', 'escape')
  expect(stories.view.id).toContain('scenario')
  const form = launched([...WAYS['the path of a file'], { type: 'entered', atMs }])
  expect(form.state.place.file?.text).toBe('/no/such.json')
})
