import { loadLanguage } from '../core/base/format/texts.ts'

/** Loads the language that the parent names. Imported first: the texts of all other modules are constants. */
const [language] = process.argv.slice(2)
// The parent has told of a file that cannot be read.
if (language !== undefined) await loadLanguage(language)
