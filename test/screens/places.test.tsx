import { afterEach, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { SetupDraft } from '../../src/core/wizard/launch/choice.ts'
import type { PlacesKnown } from '../../src/core/wizard/launch/places.ts'
import { LAUNCH_TEXT } from '../../src/core/wizard/launch/text.ts'
import { openLaunch } from '../support/early.tsx'
import { talkWith } from '../support/plain-talk.ts'
import type { TestTerminal } from '../support/terminal.tsx'
import { worldClock } from '../support/world-clock.ts'

const EXPLAIN = { what: 'Where it is.', who: 'You.', later: 'Yes.' }
const DRAFT: SetupDraft = {
  badge: { kind: 'real', label: 'Berachain' },
  title: 'Your node for Berachain',
  intro: 'Only the places are asked for.',
  fields: [{ id: 'homePath', label: 'node home', value: '', hint: 'a folder', explain: EXPLAIN }],
  places: 'asked',
}
const KNOWN: PlacesKnown = {
  taken: 61,
  places: 69,
  lastGwei: tokens(250_000n),
  allGwei: tokens(260_000n),
  token: 'BERA',
  isProven: true,
}
const initial = { kind: 'network', id: 'mainnet' } as const

let terminal: TestTerminal | undefined
afterEach(async () => {
  await terminal?.close()
  terminal = undefined
})

test('the form takes what is typed while the places are asked for, and shows them when they come', async () => {
  const answer = Promise.withResolvers<PlacesKnown>()
  const signals: AbortSignal[] = []
  const price = (_: unknown, signal: AbortSignal) => {
    signals.push(signal)
    return answer.promise
  }
  const shown = await openLaunch({ initial, draft: async () => DRAFT, price })
  terminal = shown
  await expect.poll(() => shown.screen()).toContain(LAUNCH_TEXT.places.by.before.asking)
  await shown.press(...'/srv/node')
  expect(shown.screen()).toContain('/srv/node')
  answer.resolve(KNOWN)
  await expect.poll(() => shown.screen()).toContain('Places: 61 of 69 taken; the last has 250,000 BERA')
  expect(shown.screen()).toContain(LAUNCH_TEXT.places.by.before.proven)
  expect(shown.screen()).toContain('/srv/node')
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
})

test('a key asks the addresses that stand in the form, and shows what they say', async () => {
  const asked: unknown[] = []
  const fields = ['homePath', 'execution', 'node'].map((id) => ({
    id,
    label: id,
    value: `http://127.0.0.1/${id}`,
    hint: '',
    explain: EXPLAIN,
  }))
  const price = async ({ endpoints }: { endpoints?: unknown }) => {
    asked.push(endpoints)
    return KNOWN
  }
  const shown = await openLaunch({
    initial,
    draft: async () => ({ ...DRAFT, fields, places: 'unnamed' }),
    price,
  })
  terminal = shown
  await expect.poll(() => shown.screen()).toContain(LAUNCH_TEXT.keys.price)
  expect(asked).toEqual([])
  await shown.press('\u001BOQ')
  await expect.poll(() => shown.screen()).toContain(LAUNCH_TEXT.places.by.typed.proven)
  expect(shown.screen()).toContain('61 of 69')
  expect(asked).toEqual([{ execution: 'http://127.0.0.1/execution', node: 'http://127.0.0.1/node' }])
})

test('an answer that nobody waits for any more is given up with the form', async () => {
  const signals: AbortSignal[] = []
  const price = (_: unknown, signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<never>(() => undefined)
  }
  const shown = await openLaunch({ initial, draft: async () => DRAFT, price })
  terminal = shown
  await expect.poll(() => signals.length).toBe(1)
  await shown.press('\u001B')
  await expect.poll(() => shown.screen()).toContain('What do you want to do?')
  expect(signals[0]?.aborted).toBe(true)
})

test('the lines say that the places are not known, and why', async () => {
  const launcher = {
    initial,
    draft: async () => DRAFT,
    price: () => Promise.reject(new Error('nobody answers')),
  }
  const open = () => Promise.reject(new Error('there is no session'))
  await talkWith({ clock: worldClock() }, { open, launcher }, async (talk) => {
    await talk.asked('node home (a folder): ')
    await talk.asked('Places: not known: ')
    talk.types('<')
    await talk.asked('What do you want to do?')
    talk.types('q')
    await talk.over
  })
})
