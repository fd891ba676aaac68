/** The eight characters that must be typed again, of the address typed before. */
export function challengeOf(address: string, offset: number): string {
  return address.slice(2 + offset, 2 + offset + 8)
}

/** Why the characters typed again are not those at that place of the address, or undefined when they are. */
export function retypeError(address: string | undefined, text: string, offset: number): string | undefined {
  const expected = challengeOf(address ?? '', offset).toLowerCase()
  const typed = text.replace(/\s/g, '').toLowerCase()
  if (typed === expected) return undefined
  const { first, second } = groupsAt(offset)
  const groups = `groups ${first} and ${second}`
  if (typed.length !== expected.length)
    return `Type the ${expected.length} characters of ${groups}, between [ and ]; ${typed.length} were typed.`
  const wrong = [...typed].findIndex((digit, at) => digit !== expected[at])
  return `Not ${groups}: character ${wrong + 1} of ${expected.length} is different. Look it up in your own record.`
}

/** Which of the ten groups of four digits stand at an offset, counted from one. */
export function groupsAt(offset: number): { first: number; second: number } {
  return { first: offset / 4 + 1, second: offset / 4 + 2 }
}
