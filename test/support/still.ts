/** A screen with its spinner at rest: how far it has turned depends on the speed of the machine. */
export function still(screen: string): string {
  return screen.replace(/^ [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /gmu, ' ⠋ ').replace(/^ [|/\\-] (?=.* \d+ s$)/gm, ' | ')
}
