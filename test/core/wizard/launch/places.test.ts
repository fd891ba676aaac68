import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import { PLACE_COST_TEXT } from '../../../../src/core/view/place-cost-text.ts'
import type { SetupDraft } from '../../../../src/core/wizard/launch/choice.ts'
import { formTransition, openForm } from '../../../../src/core/wizard/launch/form.ts'
import { formView } from '../../../../src/core/wizard/launch/launch-view.ts'
import { launchTransition } from '../../../../src/core/wizard/launch/machine.ts'
import type { PlacesKnown, PlacesSeen } from '../../../../src/core/wizard/launch/places.ts'
import { LAUNCH_TEXT } from '../../../../src/core/wizard/launch/text.ts'
import { launched } from '../../../support/early-views.ts'

const { by: TEXT } = LAUNCH_TEXT.places
const EXPLAIN = { what: 'Where the node answers.', who: 'You.', later: 'Yes.' }
const draftOf = (places?: 'asked' | 'unnamed'): SetupDraft => ({
  badge: { kind: 'real', label: 'Berachain' },
  title: 'Your node for Berachain',
  intro: 'Only the places are asked for.',
  fields: [{ id: 'homePath', label: 'node home', value: '', hint: 'a folder', explain: EXPLAIN }],
  ...(places === undefined ? {} : { places }),
})
const CHOICE = { kind: 'network', id: 'mainnet' } as const
const opened = (places?: 'asked' | 'unnamed') =>
  openForm({ id: 4, choice: CHOICE, draft: draftOf(places) }, () => undefined)

const KNOWN: PlacesKnown = {
  taken: 61,
  places: 69,
  lastGwei: tokens(250_000n),
  allGwei: tokens(260_000n),
  token: 'BERA',
  isProven: true,
}

/** What the form says of the places. */
function said(seen: PlacesSeen): readonly string[] {
  const [form] = formTransition(opened('asked')[0], { type: 'placed', places: seen }, () => undefined)
  const part = formView(form).parts.find(({ is }) => is === 'sentences')
  return part?.is === 'sentences' ? part.sentences : []
}

describe('what the form of a network says of its places', () => {
  test('is asked for where endpoints were named before, and only there', () => {
    expect(opened('asked')[1]).toEqual([{ type: 'price', form: 4, choice: CHOICE }])
    expect(opened('unnamed')[1]).toEqual([])
    expect(opened()).toMatchObject([{ phase: 'form' }, []])
    expect(opened()[0]).not.toHaveProperty('places')
  })

  test('is how many are taken, what the last has, what a new one needs, and who says so', () => {
    expect(said({ is: 'known', known: KNOWN })).toEqual([
      'Places: 61 of 69 taken; the last has 250,000 BERA; a new one needs 260,000 BERA in all.',
      TEXT.before.proven,
    ])
    const [, reported] = said({ is: 'known', known: { ...KNOWN, isProven: false } })
    expect(reported).toContain('not proven')
    const [none] = said({ is: 'known', known: { ...KNOWN, lastGwei: undefined, allGwei: undefined } })
    const { taken, noneActive, noAmount } = PLACE_COST_TEXT
    expect(none).toBe(LAUNCH_TEXT.places.now(taken(61, 69), noneActive, noAmount))
  })

  test('is no figure where the set is old, nobody answers, or nobody was named', () => {
    const others: PlacesSeen[] = [
      { is: 'known', known: { ...KNOWN, ageMs: 300_000 } },
      { is: 'failed', why: 'The node API does not answer.' },
      { is: 'unnamed' },
      { is: 'asking' },
    ]
    for (const seen of others) expect(said(seen).join(' ')).not.toMatch(/61|250,000|260,000/)
    expect(said({ is: 'unnamed' })).toContain(LAUNCH_TEXT.places.elsewhere)
    expect(said({ is: 'failed', why: 'It does not answer.' })).toEqual([
      LAUNCH_TEXT.places.failed('It does not answer.'),
    ])
  })

  test('keeps the cursor, what is typed, and who was asked, while the home proposes other addresses', () => {
    const [form] = opened('asked')
    const check = () => undefined
    const [typed] = formTransition(form, { type: 'edited', edit: { kind: 'insert', text: '/srv' } }, check)
    const [placed] = formTransition(typed, { type: 'placed', places: { is: 'known', known: KNOWN } }, check)
    expect([placed.at, placed.fields]).toEqual([typed.at, typed.fields])
    const other = { ...draftOf('unnamed'), intro: 'Nothing is asked before you continue.' }
    const [after] = formTransition(placed, { type: 'proposed', draft: other }, check)
    expect(after).toMatchObject({
      places: { is: 'known' },
      draft: { places: 'asked', intro: form.draft.intro },
    })
  })

  describe('is asked of the two addresses that stand there, before any home, where the user says so', () => {
    const fields = ['homePath', 'execution', 'node', 'engine'].map((id) => {
      const suggestion = id === 'homePath' ? '' : `http://127.0.0.1/${id}`
      return { id, label: id, value: '', hint: '', suggestion, explain: EXPLAIN }
    })
    const draft: SetupDraft = { ...draftOf('unnamed'), fields }
    const check = (id: string, text: string) => (id !== 'homePath' && text === '' ? 'An address.' : undefined)
    const [form] = openForm({ id: 4, choice: CHOICE, draft }, check)
    const asked = { type: 'priceAsked' } as const

    test('and told by them, with the cursor where it was', () => {
      expect(form.at).toBe('homePath')
      const [asking, commands] = formTransition(form, asked, check)
      const endpoints = { execution: 'http://127.0.0.1/execution', node: 'http://127.0.0.1/node' }
      expect(commands).toEqual([{ type: 'price', form: 4, choice: CHOICE, endpoints }])
      expect(asking).toMatchObject({ at: 'homePath', places: { is: 'asking' }, fields: form.fields })
      const [placed] = formTransition(
        asking,
        { type: 'placed', places: { is: 'known', known: KNOWN } },
        check,
      )
      const part = formView(placed).parts.find(({ is }) => is === 'sentences')
      expect(part).toMatchObject({ sentences: [expect.stringContaining('61 of 69'), TEXT.typed.proven] })
    })

    test('and of nobody while one of them cannot be asked: it has the cursor', () => {
      const empty = { ...form, fields: { ...form.fields, node: { ...form.fields.node, text: '' } } }
      const [after, commands] = formTransition(empty as typeof form, asked, check)
      expect(commands).toEqual([])
      expect(after).toMatchObject({
        at: 'node',
        places: { is: 'unnamed' },
        fields: { node: { accepted: false, fault: { words: 'An address.' } } },
      })
    })

    test('and by no key where the form is of no real network', () => {
      const keysOf = (of: SetupDraft) =>
        formView(openForm({ id: 4, choice: CHOICE, draft: of }, check)[0]).keys.map(({ key }) => key)
      expect(keysOf(draft)).toContain('f2')
      const { places: _, ...without } = draft
      expect(keysOf(without)).not.toContain('f2')
      expect(
        formTransition(openForm({ id: 4, choice: CHOICE, draft: without }, check)[0], asked, check)[1],
      ).toEqual([])
    })
  })

  test('is asked for again where the form is come back to, and an answer to an older form is not taken', () => {
    const draft = draftOf('asked')
    const way = [
      { type: 'chosen', choice: CHOICE, atMs: 1 },
      { type: 'drafted', id: 1, draft, atMs: 2 },
    ] as const
    const late = {
      type: 'form',
      form: 9,
      event: { type: 'placed', places: { is: 'known', known: KNOWN } },
    } as const
    expect(launched([...way, late]).state.screen).toMatchObject({ places: { is: 'asking' } })
    const { state } = launched([...way, { type: 'back', atMs: 3 }])
    const [, again] = launchTransition(state, way[0], () => undefined)
    expect(again).toContainEqual({ type: 'price', form: 1, choice: CHOICE })
    const mine = { ...late, form: 1 }
    expect(launched([...way, mine]).state.screen).toMatchObject({ places: { is: 'known' } })
  })
})
