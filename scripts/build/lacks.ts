import { isSaid } from './not-said.ts'
import { type Catalogue, type Language, readCatalogue, readSources, textsIn } from './translate.ts'

/** A text that somebody reads and that a language has not: it is English there. */
export type Lack = { path: string; text: string }

/**
 * Where a language is never partial: what is agreed to before money moves, the money itself, and errors. Somebody who reads
 * half of these in a foreign tongue agrees to what he did not read.
 */
const NEVER_PARTIAL =
  /^core\/(?:base\/errors|chain\/deposit|pay|steps\/(?:sign|deposit|confirm|topup))\/|^core\/base\/format\/amount\.ts$|^signer\//

/** What a language lacks of the sources, in their order. Throws where a file of the language cannot be read. */
export function lacksOf(root: string, language: Language): Lack[] {
  return lacksIn(readSources(root), readCatalogue(root, language))
}

/** What a catalogue lacks of sources by their paths below `src`. */
export function lacksIn(sources: ReadonlyMap<string, string>, catalogue: Catalogue): Lack[] {
  return [...sources].flatMap(([path, source]) => {
    const known = catalogue.get(path) ?? {}
    const texts = new Set(textsIn(source, path).map(({ text }) => text))
    return [...texts]
      .filter((text) => isSaid(path, text) && !Object.hasOwn(known, text))
      .map((text) => ({ path, text }))
  })
}

/** Whether it is one that no release may have. */
export const isNeverPartial = ({ path }: Lack): boolean => NEVER_PARTIAL.test(path)

/** What a build says of a language that is partial; undefined of one that is whole. */
export function partialWords(language: Language, lacks: readonly Lack[]): string | undefined {
  const [first] = lacks
  if (first === undefined) return undefined
  const many = lacks.length === 1 ? '1 text is' : `${lacks.length} texts are`
  const kept = lacks.filter(isNeverPartial).length
  const held = kept === 0 ? '' : ` No release is made without ${kept} of them: money, or errors.`
  return `${language}: ${many} English still, the first one in src/${first.path}.${held} \`node scripts/languages.ts ${language}\` prints them.`
}
