import { StepScreen, type StepScreenProps } from './StepScreen.tsx'

const SECTIONS = ['intro', 'facts', 'ladder', 'fields', 'notes', 'checks'] as const

/** Step 6: which amount takes which seat, on the ladder of stakes. */
export function TopUp(props: StepScreenProps) {
  return <StepScreen {...props} sections={SECTIONS} />
}
