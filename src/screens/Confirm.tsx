import { StepScreen, type StepScreenProps } from './StepScreen.tsx'

const SECTIONS = ['intro', 'timeline', 'facts', 'notes'] as const

/** Step 5: the way of the deposit into the beacon state, and what proves it. */
export function Confirm(props: StepScreenProps) {
  return <StepScreen {...props} sections={SECTIONS} />
}
