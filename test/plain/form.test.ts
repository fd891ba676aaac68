import { expect, test } from 'vitest'
import type { SetupDraft } from '../../src/core/wizard/launch/choice.ts'
import { PLAIN_TEXT } from '../support/plain-steps.ts'
import { talkWith } from '../support/plain-talk.ts'
import { worldClock } from '../support/world-clock.ts'

const EXPLAIN = { what: 'Where the node answers.', who: 'You.', later: 'Yes.' }
const field = (id: string, label: string) => ({ id, label, value: '', hint: 'an address', explain: EXPLAIN })

const DRAFT: SetupDraft = {
  badge: { kind: 'real', label: 'Berachain' },
  title: 'Your node for Berachain',
  intro: 'Nothing is asked before you continue.',
  fields: [field('execution', 'execution RPC'), field('node', 'node API')],
}

test('a form is filled field by field, a wrong address corrected, and the others kept', async () => {
  const opened: Readonly<Record<string, string>>[] = []
  const launcher = {
    initial: undefined,
    draft: async () => DRAFT,
    check: (_: string, text: string) =>
      text.startsWith('http') ? undefined : 'An address begins with http.',
    open: async (_: unknown, values: Readonly<Record<string, string>>) => {
      opened.push(values)
      throw new Error('nobody answers')
    },
  }
  const world = { clock: worldClock() }
  const open = () => Promise.reject(new Error('there is no session'))
  const transcript = await talkWith(world, { open, launcher }, async (talk) => {
    await talk.asked('What do you want to do?')
    talk.types('3')
    await talk.asked('execution RPC (an address): ')
    talk.types('?')
    await talk.asked('what: Where the node answers.')
    talk.types('127.0.0.1')
    await talk.asked('An address begins with http.')
    talk.types('http://127.0.0.1:1')
    await talk.asked('node API (an address): ')
    talk.types('<')
    await talk.asked('execution RPC (an address; Enter keeps http://127.0.0.1:1): ')
    talk.types('http://127.0.0.1:8545')
    await talk.asked('node API (an address): ')
    talk.types('http://127.0.0.1:3500')
    await talk.asked('Enter continues with these')
    talk.types('')
    await talk.asked('b back')
    talk.types('b')
    await talk.asked('Enter continues with these')
    talk.types('q')
    await talk.over
    return talk.transcript()
  })
  expect(opened).toEqual([{ execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' }])
  expect(transcript).toMatch(PLAIN_TEXT)
  expect(transcript).toMatchSnapshot()
})

test('in the form of a network $ asks what a place costs before any home, each time it is typed, in the way of F2', async () => {
  const asked: unknown[] = []
  const clock = worldClock()
  const known = {
    taken: 61,
    places: 69,
    lastGwei: 10n ** 9n,
    allGwei: 2n * 10n ** 9n,
    token: 'BERA',
    isProven: true,
  }
  const url = (id: string) => ({ ...field(id, id), suggestion: `http://127.0.0.1/${id}` })
  const fields = [field('homePath', 'node home'), url('execution'), url('node')]
  const launcher = {
    initial: undefined,
    draft: async () => ({ ...DRAFT, fields, places: 'unnamed' as const }),
    price: async ({ endpoints }: { endpoints?: unknown }) => {
      asked.push(endpoints)
      await clock.sleep(3_000)
      return known
    },
  }
  const open = () => Promise.reject(new Error('there is no session'))
  await talkWith({ clock }, { open, launcher }, async (talk) => {
    await talk.asked('What do you want to do?')
    talk.types('3')
    await talk.asked(/\$ price of a place[\s\S]*node home \(an address\): $/)
    for (const times of [1, 2]) {
      talk.types('$')
      await talk.asked('61 of 69')
      expect(asked).toHaveLength(times)
    }
  })
  expect(asked[0]).toEqual({ execution: 'http://127.0.0.1/execution', node: 'http://127.0.0.1/node' })
})

test('a prompt is wrapped between its words at the width of the terminal', async () => {
  const kept = 'http://127.0.0.1:8545'
  const execution = {
    ...field('execution', 'execution RPC'),
    suggestion: kept,
    hint: 'an address of your own client',
  }
  const launcher = { initial: undefined, draft: async () => ({ ...DRAFT, fields: [execution] }) }
  const open = () => Promise.reject(new Error('there is no session'))
  await talkWith({ clock: worldClock() }, { open, launcher, columns: 40 }, async (talk) => {
    await talk.asked('What do you want to do?')
    talk.types('3')
    await talk.asked('execution RPC (an address of your own\nclient; Enter keeps\nhttp://127.0.0.1:8545): ')
  })
})
