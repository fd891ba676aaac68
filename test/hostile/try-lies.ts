import { describe, expect, test } from 'vitest'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import { one, sampled } from '../support/hard.ts'
import { anyNumbers } from '../support/pattern.ts'
import { startWorld } from '../support/world.ts'
import type { Believed, Expected, Stranded } from './lie.ts'
import { KINDS_OF_LIES } from './lies.ts'
import { NOT_MET } from './not-met.ts'
import { setPassword } from './secrets.ts'
import { expectationOf, type Tale, type Trial, tellLie, trialsOf } from './tell-lie.ts'

/** What is said of a payment that waits for nonces before its own. */
const TOO_HIGH = anyNumbers(PAYMENT_TEXT.problems.gap(0, 2, { isOut: false, key: 'g' }).title)

/** Payments that are on the chain before the moment of a lie. */
const paidBefore = ({ lie, payment }: Trial) => (lie.since === 'after inclusion' ? payment : payment - 1)

/** What the tale must be, beside that nothing in it is wrong. */
function expectAsStated({ under, after, paidUnder, words, times }: Tale, trial: Trial): void {
  const expected = expectationOf(trial)
  // A second endpoint is not asked everything.
  const mayBeUnasked = trial.setting === 'asSecond' && expected.end === 'registers'
  if (!mayBeUnasked) expect(times, 'how often the lie was told').toBeGreaterThan(0)
  const story = JSON.stringify({ under, paidUnder, after }, null, 1)
  expect(endOf(under, expected), story).toBe(expected.end)
  if (expected.end === 'registers') return
  const more = expected.end === 'strands' ? 0 : expected.more
  expect(paidUnder - paidBefore(trial), `payments while the lie was told: ${story}`).toBe(more)
  if (expected.end === 'strands') expect(words.join('\n')).toMatch(TOO_HIGH)
  else expect(after, 'once the truth was told').toEqual({ end: 'active' })
}

/** Where the set signs, a lie may do less than it is stated to do; in the end the validator is registered all the same. */
function expectNoWorse({ under, after, paidUnder }: Tale, trial: Trial): void {
  const story = JSON.stringify({ under, paidUnder, after }, null, 1)
  expect(['registers', 'waits', expectationOf(trial).end], story).toContain(
    endOf(under, expectationOf(trial)),
  )
  expect(after, story).toEqual({ end: 'active' })
}

/** The end of a tale in the words of an expectation. */
function endOf(under: Tale['under'], { end }: Expected | Believed | Stranded): string {
  if (under.end === 'active') return 'registers'
  if (end === 'believes' || end === 'stops') return end
  if (under.end === 'refused') return 'refuses'
  return end === 'strands' ? 'strands' : 'waits'
}

function titleOf({ lie, setting, payment, isSigned = false }: Trial): string {
  const moment = lie.since === 'always' ? 'from the start' : `${lie.since} of payment ${payment}`
  return `${lie.name} (${setting}${isSigned ? ', signed' : ''}, ${moment})`
}

/** One of the faults that these trials have found. */
const FOUND = 'leaves the deposit out of the receipt (beside, after hand-over of payment 1)'

/** All that is tried, under its title; in the suite one of every fifth kind of lies. */
const TRIALS = KINDS_OF_LIES.map((lies) =>
  lies.flatMap(trialsOf).map((trial) => [titleOf(trial), trial] as const),
)
const RUN = TRIALS.flatMap((kind) => {
  const met = kind.filter(([title]) => !NOT_MET.has(title))
  const some = one(met, Math.floor(met.length / 2))
  return [...some, ...met.filter((trial) => trial[0] === FOUND && !some.includes(trial))]
})

/** The titles of all that could be tried. */
export const TITLES = TRIALS.flat().map(([title]) => title)

async function tryLie(trial: Trial, expects: (tale: Tale, trial: Trial) => void): Promise<void> {
  const world = await startWorld()
  try {
    await setPassword(world.devnet.descriptor, world.directory)
    const tale = await tellLie(world, trial)
    expect(tale.wrong).toEqual([])
    expects(tale, trial)
  } finally {
    await world.end()
  }
}

/** Tries the lies that are told where the liar stands alone, or beside others; they take too long for one file. */
export function tryLies(where: 'alone' | 'beside others'): void {
  const isAlone = where === 'alone'
  describe('an endpoint lies, and the money stays as agreed:', () => {
    const trials = sampled(RUN, 18).filter(([, { setting }]) => (setting === 'alone') === isAlone)
    test.each(trials)('%s', (_, trial) => tryLie(trial, expectAsStated))
    const signed = isAlone ? [] : trials.map(([, trial]) => ({ ...trial, isSigned: true }))
    test.each(signed.map((trial) => [titleOf(trial), trial] as const))('%s', (_, trial) =>
      tryLie(trial, expectNoWorse),
    )
  })
}
