import { StepScreen, type StepScreenProps } from './StepScreen.tsx'

const SECTIONS = ['intro', 'timeline', 'facts', 'summary', 'notes'] as const
/** With an alarm on top, what decides comes next, so that all of it is in sight at once. */
const ALARM = ['facts', 'timeline', 'intro', 'notes'] as const

/** Step 7: the path to the active set, and the validator's health on it. */
export function Status(props: StepScreenProps) {
  return <StepScreen {...props} sections={props.view.problem === undefined ? SECTIONS : ALARM} />
}
