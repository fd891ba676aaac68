/** The word nearest to what was typed, by letters to change, add or leave out; undefined where none is near. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const text = typed.slice(0, MOST_LETTERS).toLowerCase()
  const begun = text.length < 3 ? [] : words.filter((word) => word.startsWith(text))
  if (begun.length === 1) return begun[0]
  const ranked = words.map((word) => ({ word, steps: stepsBetween(text, word.toLowerCase()) }))
  const [first] = ranked.sort((one, other) => one.steps - other.steps)
  return first !== undefined && first.steps <= Math.max(2, first.word.length / 3) ? first.word : undefined
}

const MOST_LETTERS = 60

/** How many letters must be changed, added or left out to make one text of the other. */
function stepsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (other[column - 1] === letter ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
