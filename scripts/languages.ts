import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '../src/compose/choose-language.ts'
import { lacksOf } from './build/lacks.ts'
import type { Language } from './build/translate.ts'

/**
 * `node scripts/languages.ts LANGUAGE [PATH…]`: the texts of the sources (below these paths of `src`, else of all) that
 * the language has not, as an entry of its files for somebody to fill.
 */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [language, ...below] = process.argv.slice(2)
if (!isLanguage(language)) throw new Error(`give one of ${LANGUAGES.join(', ')}, but not en`)

const missing: Record<string, Record<string, string>> = {}
for (const { path, text } of lacksOf(root, language)) {
  if (below.length > 0 && !below.some((each) => path.startsWith(each))) continue
  missing[path] = { ...missing[path], [text]: '' }
}
console.log(JSON.stringify(missing, null, 2))

function isLanguage(code: string | undefined): code is Language {
  return code !== 'en' && LANGUAGES.some((each) => each === code)
}
