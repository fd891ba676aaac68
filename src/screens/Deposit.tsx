import { StepScreen, type StepScreenProps } from './StepScreen.tsx'

const SECTIONS = ['intro', 'facts', 'fields', 'checks', 'notes'] as const

/** Step 4: everything that will be sent, whole, before a word must be typed. */
export function Deposit(props: StepScreenProps) {
  return <StepScreen {...props} sections={SECTIONS} />
}
