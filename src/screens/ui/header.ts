import type { StepId } from '../../core/steps/view.ts'
import type { NetworkBadge } from '../../hooks/shell.tsx'
import { type Line, line, lineCells, type Run, run, spreadLine } from './line.ts'

/** The network in words and tone: what kind of money this is, in every frame. */
function networkRun(network: NetworkBadge): Run {
  switch (network.kind) {
    case 'real':
      return run(` REAL MONEY · ${network.label} `, 'alarm')
    case 'test':
      return run(`TEST · ${network.label} `, 'warn')
    case 'rehearsal':
      return run('REHEARSAL · play money ', 'accent')
  }
}

/** The top line: the program's name and the network. */
export function headerLine(network: NetworkBadge | undefined, columns: number): Line {
  return spreadLine(line(' Bearings', 'strong'), network === undefined ? [] : [networkRun(network)], columns)
}

const STEP_NAMES: Readonly<Record<StepId, string>> = {
  genesis: 'genesis',
  identity: 'identity',
  sign: 'sign',
  deposit: 'deposit',
  confirm: 'confirm',
  topup: 'top-up',
  status: 'status',
}
const STEPS = Object.keys(STEP_NAMES) as StepId[]

/** `step 3 of 7` */
export function stepNumber(step: StepId): string {
  return `step ${STEPS.indexOf(step) + 1} of ${STEPS.length}`
}

/** The path through the steps: done, here, ahead; in short form where the long one does not fit. */
export function stepBar(step: StepId, columns: number): Line {
  const here = STEPS.indexOf(step)
  const long = STEPS.flatMap((id, index): Run[] => {
    const joint = index === 0 ? ' ' : ' ─ '
    return [run(joint, 'dim'), dot(index, here), run(` ${STEP_NAMES[id]}`, index === here ? 'strong' : 'dim')]
  })
  if (lineCells(long) <= columns) return long
  return [run(' '), ...STEPS.map((_, index) => dot(index, here)), run(` ${STEP_NAMES[step]}`, 'strong')]
}

function dot(index: number, here: number): Run {
  if (index < here) return run('●', 'good')
  return index === here ? run('◉', 'accent') : run('○', 'dim')
}
