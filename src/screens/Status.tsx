import { StepScreen, type StepScreenProps } from './StepScreen.tsx'

const SECTIONS = ['intro', 'timeline', 'facts', 'summary', 'notes'] as const

/** Step 7: the path to the active set, and the validator's health on it. */
export function Status(props: StepScreenProps) {
  return <StepScreen {...props} sections={SECTIONS} />
}
