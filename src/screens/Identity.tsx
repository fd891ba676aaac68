import { StepScreen, type StepScreenProps } from './StepScreen.tsx'

const SECTIONS = ['intro', 'facts', 'fields', 'notes'] as const

/** Step 2: the key, and whether it was ever used. */
export function Identity(props: StepScreenProps) {
  return <StepScreen {...props} sections={SECTIONS} />
}
