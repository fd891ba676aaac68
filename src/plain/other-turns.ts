import type { Screen } from '../core/launch/state.ts'
import type { Problem } from '../core/steps/view.ts'
import type { ResumeView } from '../hooks/resume-view.ts'
import type { NetworkBadge, WayBack } from '../hooks/shell.tsx'
import { FAILURE_MONEY, journalLost, rehearsalWays, WAITS, type Way } from '../screens/words.ts'
import { badgeWords, factSaid, moneySaid, problemSaid } from './rows.ts'
import { BACK, ENTER, type Key, keysTurn, type Turn } from './turn.ts'

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
    backKey('back', keys.back),
    quitKey(keys.quit),
  ])
}

type FailureKeys = { choose(way: Way): void; retry(): void; back(): void; quit(): void }

/** A network that could not be opened: what, why, where the money is, what to do next. */
export function failedTurn(screen: Extract<Screen, { phase: 'failed' }>, keys: FailureKeys): Turn {
  const { shortMessage, money, details, nextSteps, code } = screen.error
  const problem = { title: shortMessage, money, values: [], lines: details, next: nextSteps }
  const ways = rehearsalWays(screen).map((way): Key => {
    return { typed: [way.key], name: way.key, label: way.label, run: () => keys.choose(way) }
  })
  return keysTurn(failurePage(code, problem), [
    ...ways,
    { typed: ['r'], name: 'r', label: 'try again', run: keys.retry },
    backKey('back', keys.back),
    quitKey(keys.quit),
  ])
}

/** A journal that cannot be written any more: nothing goes on. */
export const lostTurn = (reason: string, quit: () => void): Turn =>
  keysTurn(failurePage('journal.refused', journalLost(reason)), [quitKey(quit)])

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
  const place = view.step === 'topup' ? 'top-up' : view.step
  return keysTurn(page, [
    { typed: ENTER, name: 'Enter', label: `go on to ${place}`, run: keys.proceed },
    ...(wayBack === undefined ? [] : [backKey(wayBack.label, wayBack.run)]),
    quitKey(keys.quit),
  ])
}
