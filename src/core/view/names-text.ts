import { STEP_IDS, type StepId } from './view.ts'

/** What a step is called: `name` in the line of steps, in lines and reports, `title` above its page. */
type StepName = { name: string; title: string }

const of: Readonly<Record<StepId, StepName>> = {
  genesis: { name: 'genesis', title: 'Check the chain' },
  identity: { name: 'identity', title: 'Check the key' },
  sign: { name: 'sign', title: 'Sign the first deposit' },
  deposit: { name: 'deposit', title: 'Send the first deposit' },
  confirm: { name: 'confirm', title: 'Prove the registration' },
  topup: { name: 'top-up', title: 'Top up the stake' },
  status: { name: 'status', title: 'Follow the validator' },
}

/** Where a step stands in the order, with its name: `1 of 7, genesis`. */
const place = (step: StepId): string =>
  `${STEP_IDS.indexOf(step) + 1} of ${STEP_IDS.length}, ${of[step].name}`

/** The two names of each step. Whoever names a step takes them from here, so that it is called the same everywhere. */
export const STEP_NAMES_TEXT = { of, place }
