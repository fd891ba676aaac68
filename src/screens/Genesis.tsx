import { StepScreen, type StepScreenProps } from './StepScreen.tsx'

const SECTIONS = ['intro', 'facts', 'fields', 'notes'] as const

/** Step 1: is this the chain that it says it is? The sources of its root, side by side. */
export function Genesis(props: StepScreenProps) {
  return <StepScreen {...props} sections={SECTIONS} />
}
