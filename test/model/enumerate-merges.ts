import { createBench, type Pair } from './enumerate.ts'
import { deedsOf, type Step, take, troublesOf, wellStep } from './enumerate-actions.ts'
import type { DeskProgram } from './enumerate-desk.ts'
import { stateText } from './enumerate-state.ts'
import type { Setting } from './schedule.ts'
import { keepWorld, type World } from './world.ts'

/** How two worlds that count as one state went apart. */
export type Apart = { pair: Pair; after: number; what: string }

/**
 * Goes on from both ways to a state in the same manner, by chance, and compares at every step what can be done, what is told
 * and objected to, and the state that follows.
 */
export async function goOn(
  setting: Setting,
  pair: Pair,
  { length, random, log }: { length: number; random: () => number; log?: Step[] },
): Promise<Apart | undefined> {
  const [one, other] = [await createBench(setting), await createBench(setting)]
  const both = [one, other] as const
  for (const [at, bench] of both.entries()) {
    bench.back()
    for (const step of pair[at === 0 ? 0 : 1]) await take(bench.world, step)
    bench.forget()
  }
  const apart = (after: number, what: string): Apart => ({ pair, after, what })
  if (stateText(one.world) !== stateText(other.world)) return apart(0, 'they were never one state')
  for (let after = 1; after <= length; after += 1) {
    const deeds = both.map(({ world }) => deedsOf(world))
    const [first = [], second = []] = deeds
    if (JSON.stringify(first.map(nameOf)) !== JSON.stringify(second.map(nameOf)))
      return apart(after, 'other things can be done')
    const nth = Math.floor(random() * first.length)
    // What may go wrong meanwhile depends on what is asked for, which the deed itself shows once all is well.
    const steps = []
    for (const [at, bench] of both.entries()) {
      const deed = deeds[at]?.[nth]
      if (deed === undefined) return apart(after, 'nothing can be done')
      const back = keepWorld(bench.world)
      bench.forget()
      await take(bench.world, wellStep(deed))
      const noted = bench.note()
      back()
      steps.push([wellStep(deed), ...troublesOf(bench.world, deed, noted)])
    }
    const counts = steps.map(({ length: count }) => count)
    if (counts[0] !== counts[1]) return apart(after, `other troubles: ${counts.join(' and ')}`)
    const chosen = Math.floor(random() * (counts[0] ?? 0))
    for (const [at, bench] of both.entries()) {
      const step = steps[at]?.[chosen]
      if (step !== undefined) await take(bench.world, step)
      if (step !== undefined && at === 0) log?.push(step)
    }
    const told = both.map(({ world }) => tellings(world))
    if (told[0] !== told[1]) return apart(after, `${told[0]} and ${told[1]}`)
    if (both.some((bench) => bench.objection() !== undefined)) {
      const rules = both.map((bench) => bench.objection()?.rule)
      return rules[0] === rules[1] ? undefined : apart(after, `${rules[0]} and ${rules[1]}`)
    }
    if (stateText(one.world) !== stateText(other.world)) return apart(after, 'other states follow')
  }
  return undefined
}

/** A deed, without the number of what is sent again: which one that is depends on all that was ever sent. */
const nameOf = (deed: ReturnType<typeof deedsOf>[number]) => (deed.do === 'resend' ? { do: deed.do } : deed)

/** How far each payment is, and what can be done about it. */
function tellings({ computers }: World): string {
  const each = computers.map(({ program }) => {
    const { end, remembered } = program?.told() ?? {}
    return [end, remembered, (program as DeskProgram | undefined)?.keys().join(',')].join(' ')
  })
  return each.join('; ')
}
