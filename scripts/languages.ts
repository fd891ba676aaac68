import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '../src/compose/choose-language.ts'
import { type Language, readCatalogue, textsIn } from './build/translate.ts'

/**
 * `node scripts/languages.ts LANGUAGE [PATH…]`: the texts of the sources (below these paths of `src`, else of all) that
 * the language has not, as an entry of its files for somebody to fill.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [language, ...below] = process.argv.slice(2)
if (!isLanguage(language)) throw new Error(`give one of ${LANGUAGES.join(', ')}, but not en`)

const catalogue = readCatalogue(root, language)
const missing: Record<string, Record<string, string>> = {}
for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).sort()) {
  if (!/\.tsx?$/.test(path) || !(below.length === 0 || below.some((each) => path.startsWith(each)))) continue
  const texts = textsIn(readFileSync(join(root, 'src', path), 'utf8'), path)
  const known = catalogue.get(path) ?? {}
  const absent = texts
    .map(({ text }) => text)
    .filter((text) => /\p{L}{2}/u.test(text) && !Object.hasOwn(known, text))
  if (absent.length > 0) missing[path] = Object.fromEntries(absent.map((text) => [text, '']))
}
console.log(JSON.stringify(missing, null, 2))

function isLanguage(code: string | undefined): code is Language {
  return code !== 'en' && LANGUAGES.some((each) => each === code)
}
