import { BRANCHES, type Branch } from './branches.ts'
import type { Rule } from './judge.ts'
import { play } from './play.ts'
import { type Schedule, scheduleOf } from './schedule.ts'
import { CALM } from './user.ts'
import type { Plants } from './world.ts'

/** A seed that the judge objects to, made as small as it stays so, with its story. */
export type Failure = { seed: number; rule: Rule; words: string; schedule: Schedule; story: string }

/** What a run of seeds came to. `branches`: in how many seeds each was reached. */
export type Outcome = {
  seeds: number
  slots: number
  branches: Record<Branch, number>
  failures: readonly Failure[]
}

const noBranches = (): Record<Branch, number> =>
  Object.fromEntries(Object.keys(BRANCHES).map((branch) => [branch, 0])) as Record<Branch, number>

/** Plays as many seeds, one after the other. `told` hears of each. */
export async function simulate(
  { from, seeds, plants = {}, most = 3 }: { from: number; seeds: number; plants?: Plants; most?: number },
  told: (done: number, failures: number) => void = () => undefined,
): Promise<Outcome> {
  const branches = noBranches()
  const failures: Failure[] = []
  let [done, slots] = [0, 0]
  for (; done < seeds && failures.length < most; done += 1) {
    const schedule = scheduleOf(from + done)
    const verdict = await play(schedule, { plants })
    slots += verdict.slots
    for (const branch of verdict.branches) branches[branch] += 1
    const { objection } = verdict
    if (objection !== undefined) failures.push(await failureOf(schedule, objection.rule, plants))
    told(done + 1, failures.length)
  }
  return { seeds: done, slots, branches, failures }
}

/** The branches that no seed reached. */
export const unreached = (branches: Outcome['branches']): Branch[] =>
  (Object.keys(BRANCHES) as Branch[]).filter((branch) => branches[branch] === 0)

/** A schedule with less and less in it, as long as the judge objects under the same rule; and its story. */
export async function failureOf(schedule: Schedule, rule: Rule, plants: Plants = {}): Promise<Failure> {
  const fails = async (one: Schedule) => (await play(one, { plants })).objection?.rule === rule
  let small = schedule
  for (let before: Schedule | undefined; before !== small; ) {
    before = small
    for (const less of smaller(small)) {
      if (!(await fails(less))) continue
      small = less
      break
    }
  }
  const { objection, story } = await play(small, { plants, tells: true })
  return { seed: schedule.seed, rule, words: objection?.words ?? '', schedule: small, story }
}

/** Schedules that are one step simpler, the largest steps first. */
function smaller(schedule: Schedule): Schedule[] {
  const { happenings, manners, slots } = schedule
  const without = (from: number, count: number): Schedule => ({
    ...schedule,
    happenings: happenings.filter((_, at) => at < from || at >= from + count),
  })
  const half = Math.ceil(happenings.length / 2)
  const halves = happenings.length > 1 ? [without(0, half), without(half, half)] : []
  const singles = happenings.map((_, at) => without(at, 1))
  const last = Math.max(1, ...happenings.map(({ slot }) => slot + 1))
  const calmer = (['mischief', 'slips', 'refusals'] as const)
    .filter((name) => manners[name] > 0)
    .map((name): Schedule => ({ ...schedule, manners: { ...manners, [name]: CALM[name] } }))
  return [
    ...halves,
    ...singles,
    ...calmer,
    ...(schedule.withWatch ? [{ ...schedule, withWatch: false }] : []),
    ...(slots > last ? [{ ...schedule, slots: last }] : []),
  ]
}

/** A failure as it is printed. */
export function failureText({ seed, rule, words, schedule, story }: Failure): string {
  return [
    `seed ${seed}: ${rule}: ${words}`,
    `the least that shows it: ${JSON.stringify(schedule)}`,
    story,
    '',
  ].join('\n')
}
