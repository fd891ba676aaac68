/** A screen with its spinner at rest: how far it has turned depends on the speed of the machine. */
export function still(screen: string): string {
  return screen.replace(/^ [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /gmu, ' ⠋ ').replace(/^ [|/\\-] (?=.* \d+ s$)/gm, ' | ')
}

/** A screen without what differs from run to run: the ports of the network, its chain, how long it waits, and which characters are asked for. */
export function sameEveryRun(screen: string): string {
  return screen
    .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:#####')
    .replace(/rehearsal-beacon-\d+/g, 'rehearsal-beacon-#########')
    .replace(/(?<!\.)\b\d{9}\b/g, '#########')
    .replace(/(characters|withdrawal|operator) \d+( to |[–-])\d+(?!\s*a[–-]f|\d)/g, '$1 #$2#')
    .replace(/ · \d+ s$/gm, ' · # s')
    .replace(/ - \d+ s$/gm, ' - # s')
    .replace(/(?<=[\da-fA-F]{4})[[\]](?=[\da-fA-F]{4})/g, ' ')
}
