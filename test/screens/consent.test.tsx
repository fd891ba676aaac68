import { beforeAll, describe, expect, it } from 'vitest'
import { formatWei } from '../../src/core/base/format/amount.ts'
import { LANGUAGE } from '../../src/core/base/format/language.ts'
import type { Consent } from '../../src/core/view/view.ts'
import type { AnyAction, AnyView, Event } from '../../src/core/wizard/state.ts'
import { finalPage } from '../../src/plain/rows.ts'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { type ConsentView, consentViews } from '../support/consents.ts'
import { sampled } from '../support/hard.ts'
import { openTerminal } from '../support/terminal.tsx'

/** The same file runs in English and, by the second project of its kind, in Chinese. */

const SIZES = [
  [80, 24],
  [81, 24],
  [100, 30],
  [120, 40],
  [200, 60],
] as const

let views: readonly ConsentView[]

beforeAll(async () => {
  views = await consentViews()
})

/** Where a line breaks is no part of what it says. */
const joined = (text: string): string => text.replace(/\s+/g, '')

type Asking = AnyAction & { typed: string; consent: Consent }

const askingIn = ({ actions }: AnyView): Asking[] =>
  actions.flatMap((action) => {
    if (action.typed === undefined) return []
    expect(action.consent, `what stands above "${action.typed}"`).toBeDefined()
    return [action as Asking]
  })

/** What must stand there, whatever else has room. */
const standing = ({ consent, typed }: Asking): string[] => [
  consent.undo,
  consent.stake,
  consent.worst,
  consent.to.name,
  consent.to.address,
  consent.amount,
  consent.fee,
  typed,
]

function transactionOf(event: Event): { to: string; valueWei: bigint } | undefined {
  if (event.type === 'agreed') return event.plan
  return event.type === 'replacing' ? event.replacement.transaction : undefined
}

const CASES = [
  'first deposit',
  'rescue',
  'export of a first deposit',
  'top-up of 270000',
  'top-up of 260000',
  'export of a top-up of 270000',
  'speed-up',
  'cancel',
  'abandoned export',
]

describe('a screen that asks for a word', () => {
  it('is there of every kind', () => {
    const names = views.map(({ name }) => name)
    for (const each of CASES) expect(names).toContain(each)
    const words = new Set(views.flatMap(({ view }) => askingIn(view).map(({ typed }) => typed.split(' ')[0])))
    expect(words).toEqual(new Set(['send', 'prepare', 'rescue', 'risk', 'speed', 'cancel', 'never']))
  })

  it.each(sampled(SIZES, 2))(
    'shows at %i×%i whole what cannot be undone, what is at stake and what is sent',
    async (columns, rows) => {
      for (const { name, view } of views)
        for (const action of askingIn(view)) {
          const terminal = await openTerminal(<StepScreen view={view} dispatch={() => undefined} />, {
            columns,
            rows,
          })
          await terminal.press(action.key === 'return' ? '\r' : action.key)
          const frame = joined(terminal.screen())
          await terminal.close()
          for (const line of standing(action)) expect(frame, `${name}: ${line}`).toContain(joined(line))
        }
    },
  )

  it('needs no scrolling at 80×24 for what a rehearsal sends', async () => {
    for (const each of ['first deposit', 'top-up of 270000']) {
      const view = views.find(({ name }) => name === each)?.view
      if (view === undefined) throw new Error(`there is no ${each}`)
      const terminal = await openTerminal(<StepScreen view={view} dispatch={() => undefined} />)
      await terminal.press('\r')
      expect(terminal.screen(), each).not.toContain('PgDn')
      await terminal.close()
    }
  })

  it('speaks the language of its project', () => {
    expect(LANGUAGE).toBe(process.env.BEARINGS_SPEAKS ?? 'en')
    const consents = views.flatMap(({ view }) => askingIn(view).map(({ consent }) => consent))
    expect(consents.every(({ undo }) => /\p{Script=Han}/u.test(undo))).toBe(LANGUAGE === 'zh')
  })

  it('by lines says the same above the word', () => {
    for (const { name, view } of views)
      for (const action of askingIn(view)) {
        const page = finalPage(view, action, { network: 'x' })
        const { ask } = page
        const said = [...page.blocks.flatMap(({ lines }) => lines), ...(ask.kind === 'word' ? ask.lines : [])]
        const text = joined(said.join('\n')).toLowerCase()
        for (const line of standing(action))
          expect(text, `${name}: ${line}`).toContain(joined(line).toLowerCase())
      }
  })

  it('names receiver and amount of the very transaction that the word lets go', () => {
    for (const { name, view } of views)
      for (const { consent, does } of askingIn(view)) {
        if (typeof does === 'string' || 'edit' in does) throw new Error(`${name} does nothing`)
        for (const event of does) {
          const sent = transactionOf(event)
          if (sent === undefined) continue
          expect(consent.to.address).toBe(sent.to)
          expect(consent.amount).toBe(`${formatWei(sent.valueWei)} BERA`)
        }
      }
  })
})
