import { createHash } from 'node:crypto'

/** SHA-256 of a text, in hex. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** So many of all changes by chance: the same ones as long as their lines stay. */
export function drawn(
  changes: readonly { file: string; name: string }[],
  { seed, most }: { seed: string; most: number },
): Readonly<Record<string, readonly string[]>> {
  const chosen = changes
    .map((one) => ({ ...one, place: hashOf(`${seed} ${one.file} ${one.name}`) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, most)
  return Object.fromEntries(
    [...new Set(chosen.map(({ file }) => file))].map((file) => [
      file,
      chosen.filter((one) => one.file === file).map(({ name }) => name),
    ]),
  )
}
