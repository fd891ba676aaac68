import type { Names } from '../core/format/next-text.ts'
import type { Screen } from '../core/launch/state.ts'
import { STEP_NAMES_TEXT } from '../core/steps/names-text.ts'
import type { ErrorFacts } from '../core/steps/observation.ts'
import type { Problem } from '../core/steps/view.ts'
import type { ResumeView } from '../hooks/resume-view.ts'
import type { NetworkBadge, WayBack } from '../hooks/shell.tsx'
import {
  BACK_WORD,
  FAILURE_MONEY,
  failureProblem,
  journalLost,
  rehearsalWays,
  WAITS,
  type Way,
} from '../screens/words.ts'
import type { Page } from './page.ts'
import { badgeWords, factSaid, moneySaid, problemSaid } from './rows.ts'

/** A line that was typed. */
export type Line = {
  text: string
  /** When what is known of it first came, on our own clock: its first letter, or the whole line. */
  begunAtMs: number
  /** Whether it came as a paste does: together with other lines. */
  atOnce: boolean
}

/** What follows from a line: what is said about it, and whether the page is said again from its beginning. */
export type Reply = {
  say?: readonly string[]
  /** Commands of a shell, said behind it: each stays one line, however wide the terminal is. */
  commands?: readonly string[]
  again?: true
}

/** A page with what the lines that are typed below it do: exactly what it says, however the world went on. */
export type Turn = {
  page: Page
  /** `askedAtMs`: when the page had been printed and the line was asked for. */
  answer(line: Line, askedAtMs: number): Promise<Reply> | Reply
}

/** A key by what is typed for it. */
export type Key = { typed: readonly string[]; name: string; label: string; run: () => void }

/** The line of keys. */
const helpOf = (keys: readonly Key[]): string =>
  keys.map(({ name, label }) => (name === label ? name : `${name} ${label}`.trim())).join(', ')

/** The key that a line means. */
export const keyOf = (keys: readonly Key[], text: string): Key | undefined =>
  keys.find(({ typed }) => typed.includes(text))

/** What is said where a line means no key. */
export const noSuchKey = (text: string): string =>
  text === '' ? 'Enter alone does nothing here.' : `There is no ${text} here.`

/** A table of keys as a turn: what stands in it is what may be typed. */
export function keysTurn(page: Omit<Page, 'ask'>, keys: readonly Key[]): Turn {
  return {
    page: { ...page, ask: { kind: 'keys', help: helpOf(keys) } },
    answer({ text }) {
      const key = keyOf(keys, text)
      if (key === undefined) return { say: [noSuchKey(text)] }
      key.run()
      return {}
    },
  }
}

/** Enter, as it is typed: nothing, or its name. */
export const ENTER = ['', 'enter', 'Enter']
/** The way back, as it is typed. */
export const BACK = ['b', 'back']

const quitKey = (quit: () => void): Key => ({ typed: ['q'], name: 'q', label: 'quit', run: quit })
const backKey = (label: string, run: () => void): Key => ({ typed: BACK, name: 'b', label, run })

/** What is waited for while a network starts or its endpoints are asked for the first time. */
export function openingTurn(
  { words, sinceMs }: Extract<Screen, { phase: 'opening' }>,
  keys: { back(): void; quit(): void },
): Turn {
  const waiting = { label: WAITS[words], sinceMs }
  const said = [
    {
      key: 'wait',
      lines: [`One moment: waiting ${WAITS[words]}.`],
      news: 'none' as const,
      pending: true as const,
    },
  ]
  return keysTurn({ id: `opening.${words}.${sinceMs}`, said, waiting }, [
    backKey(BACK_WORD, keys.back),
    quitKey(keys.quit),
  ])
}

type FailureKeys = {
  choose(way: Way): void
  retry(): void
  back(): void
  quit(): void
  run?: Names['run'] | undefined
}

/** A network that could not be opened: what, why, where the money is, what to do next. */
export function failedTurn(screen: Extract<Screen, { phase: 'failed' }>, keys: FailureKeys): Turn {
  const { error } = screen
  const ways = rehearsalWays(screen).map((way): Key => {
    return { typed: [way.key], name: way.key, label: way.label, run: () => keys.choose(way) }
  })
  return keysTurn(failurePage(error.code, failureProblem(error, keys.run)), [
    ...ways,
    { typed: ['r'], name: 'r', label: 'try again', run: keys.retry },
    backKey(BACK_WORD, keys.back),
    quitKey(keys.quit),
  ])
}

/** A journal that cannot be written any more: nothing goes on. */
export const lostTurn = (error: ErrorFacts, quit: () => void): Turn =>
  keysTurn(failurePage('journal.refused', journalLost(error)), [quitKey(quit)])

function failurePage(code: string, problem: Problem) {
  const band = { line: FAILURE_MONEY[problem.money], worst: 'worst case here: none. Nothing is sent here.' }
  const title = { key: 'title', lines: [code], news: 'none' as const }
  return { id: `failed.${code}`, said: [title, problemSaid(problem), ...moneySaid(band)] }
}

/** What was left open when the program ended, and that nothing of it is repeated. */
export function resumeTurn(
  view: ResumeView,
  badge: NetworkBadge,
  keys: { proceed(): void; wayBack: WayBack | undefined; quit(): void },
): Turn {
  const { wayBack } = keys
  const title = view.paymentOpen ? 'Welcome back. One thing is open.' : 'Welcome back.'
  const promise = view.paymentOpen ? ['Nothing will be sent again for this step, whatever you press.'] : []
  const page = {
    id: 'resume',
    said: [
      { key: 'title', lines: [`${title} (${badgeWords(badge)})`], news: 'none' as const },
      { key: 'open', lines: view.open, news: 'all' as const },
      // Until the chain has been asked nothing is known to be done, and it would go on at the beginning.
      ...(view.step === 'genesis'
        ? [{ key: 'asking', lines: [], news: 'none', pending: true } as const]
        : []),
      ...view.facts.map((row) => factSaid(row, 'fact')),
      { key: 'promise', lines: promise, news: 'all' as const },
      ...moneySaid(view.money),
    ],
  }
  return keysTurn(page, [
    {
      typed: ENTER,
      name: 'Enter',
      label: `go on to ${STEP_NAMES_TEXT.of[view.step].name}`,
      run: keys.proceed,
    },
    ...(wayBack === undefined ? [] : [backKey(wayBack.label, wayBack.run)]),
    quitKey(keys.quit),
  ])
}
