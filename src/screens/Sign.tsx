import { StepScreen, type StepScreenProps } from './StepScreen.tsx'

const SECTIONS = ['intro', 'fields', 'facts', 'notes'] as const

/** Step 3: the addresses and the amount are typed, then every opinion on the signature stands below them. */
export function Sign(props: StepScreenProps) {
  return <StepScreen {...props} sections={SECTIONS} />
}
