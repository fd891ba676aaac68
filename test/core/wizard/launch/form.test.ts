import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SetupDraft } from '../../../../src/core/wizard/launch/choice.ts'
import {
  type FormEvent,
  formTransition,
  formValues,
  isReady,
  openForm,
} from '../../../../src/core/wizard/launch/form.ts'
import { formView } from '../../../../src/core/wizard/launch/launch-view.ts'

const IDS = ['homePath', 'execution', 'node', 'keystore'] as const
const explain = { what: '', who: '', later: '' }
const draftOf = (proposal: string): SetupDraft => ({
  badge: { kind: 'test', label: 'Bepolia' },
  title: '',
  intro: '',
  fields: IDS.map((id) => ({ id, label: id, value: '', hint: '', suggestion: `${id}${proposal}`, explain })),
})
const CHOICE = { kind: 'network', id: 'bepolia' } as const
const check = (_: string, text: string) => (text.includes('!') ? 'No ! here.' : undefined)

const event: fc.Arbitrary<FormEvent> = fc.oneof(
  fc
    .constantFrom('a', 'x', ' ')
    .map((text): FormEvent => ({ type: 'edited', edit: { kind: 'insert', text } })),
  fc
    .constantFrom('left', 'right', 'home', 'end', 'rub', 'rubAhead', 'empty')
    .map((kind): FormEvent => ({ type: 'edited', edit: { kind } })),
  fc.constantFrom('open', 'next', 'before').map((to): FormEvent => ({ type: 'moved', to })),
  fc.constant<FormEvent>({ type: 'tabbed' }),
  fc
    .record({
      field: fc.constantFrom(...IDS),
      text: fc.constantFrom('', 'a', 'homePath'),
      fault: fc.constant('Gone.'),
    })
    .map((found): FormEvent => ({ type: 'looked', ...found })),
  fc.constantFrom('', '2').map((proposal): FormEvent => ({ type: 'proposed', draft: draftOf(proposal) })),
)

test('a field keeps what was typed into it, whatever happens in the others, and only sound texts go on', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), (events) => {
      let [form] = openForm({ id: 1, choice: CHOICE, draft: draftOf('') }, check)
      for (const next of events) {
        const before = form
        form = formTransition(form, next, check)[0]
        for (const id of IDS) {
          const [was, is] = [before.fields[id], form.fields[id]]
          const isProposal = /^(homePath|execution|node|keystore)2?$/.test(was?.text ?? '')
          if (id !== before.at && !isProposal) expect(is?.text).toBe(was?.text)
          expect(is?.cursor).toBeLessThanOrEqual(is?.text.length ?? 0)
          if (is?.fault !== undefined) expect(is.accepted).toBe(false)
        }
        if (!isReady(form)) continue
        for (const [id, text] of Object.entries(formValues(form))) expect(check(id, text)).toBeUndefined()
      }
    }),
  )
})

test('what is wrong with a path stays told when the home brings other proposals', () => {
  const draft = draftOf('')
  const [form] = openForm({ id: 1, choice: CHOICE, draft }, check)
  const events: FormEvent[] = [
    { type: 'moved', to: 'open' },
    { type: 'looked', field: 'homePath', text: 'homePath', fault: 'Gone.' },
    { type: 'proposed', draft: draftOf('2') },
  ]
  const { fields } = events.reduce((state, next) => formTransition(state, next, check)[0], form)
  expect(fields.homePath).toMatchObject({ text: 'homePath', fault: { words: 'Gone.' }, accepted: false })
  expect(fields.node).toMatchObject({ text: 'node2', accepted: false })
})

test('the next question of a form is the first that is open, and after the last one none', () => {
  const [form] = openForm({ id: 1, choice: CHOICE, draft: draftOf('') }, check)
  const at = (...events: FormEvent[]) =>
    events.reduce((state, next) => formTransition(state, next, check)[0], form)
  const enter: FormEvent = { type: 'moved', to: 'open' }
  const down: FormEvent = { type: 'moved', to: 'next' }
  const up: FormEvent = { type: 'moved', to: 'before' }
  expect(at(enter).at).toBe('execution')
  expect(at(enter, enter, up, up).at).toBe('homePath')
  expect(at(enter, enter, up, up, enter).at).toBe('node')
  expect(at(up, down, down, up, down).at).toBe('node')
  expect(at(enter, enter, enter, enter)).toMatchObject({ at: undefined })
  expect(at(enter, enter, enter, enter, up).at).toBe('keystore')
  expect(at(enter, enter, enter, enter, down).at).toBe('homePath')
})

test('what is to be read before the fields is read once: no proposal brings it back, and no field is gone to before', () => {
  const draft = {
    ...draftOf(''),
    before: { is: 'sheet', lines: [{ id: 'password', value: 'abcd' }] },
  } as const
  const [form] = openForm({ id: 1, choice: CHOICE, draft }, check)
  const pageOf = (shown: typeof form) => formView(shown)
  expect(pageOf(form).parts.map(({ is }) => is)).toEqual(['details'])
  expect(pageOf(form).typing).toBeUndefined()
  const read = formTransition(form, { type: 'beforeRead' }, check)[0]
  const proposed = formTransition(read, { type: 'proposed', draft }, check)[0]
  for (const after of [read, proposed]) {
    expect(pageOf(after).parts.map(({ is }) => is)).toEqual(['fields'])
    expect(pageOf(after).typing?.field.id).toBe('homePath')
  }
})

test('the first form of a real network can be left for the rehearsal of it', () => {
  const [form] = openForm(
    { id: 1, choice: CHOICE, draft: { ...draftOf(''), before: { is: 'offer' } } },
    check,
  )
  expect(formView(form).keys.map(({ key, does }) => [key, does])).toEqual([
    ['return', { type: 'form', event: { type: 'beforeRead' } }],
    ['r', { type: 'chosen', choice: { kind: 'as-on-mainnet', which: 'new' } }],
    ['escape', { type: 'back' }],
  ])
})
