import { checkFolders } from './vectors/check-folders.ts'

/**
 * `npm run vectors -- [--precompiles] DIR…`: checks every file of vectors below the folders with the product's own
 * functions. One line a file, the first differences in full, and at the end how many passed and failed. With
 * `--precompiles` an execution client's curve precompiles judge each deposit as well. Exit 1 on any failure.
 */
const args = process.argv.slice(2)
const folders = args.filter((text) => !text.startsWith('--'))
const precompiles = args.includes('--precompiles')
const unknown = args.filter((text) => text.startsWith('--') && text !== '--precompiles')

if (folders.length === 0 || unknown.length > 0) {
  console.error('usage: npm run vectors -- [--precompiles] DIR…')
  process.exit(2)
}
// npm runs scripts in the project's folder; the user is in another one.
const from = process.env.INIT_CWD ?? '.'
process.exit(await checkFolders(folders, { from, precompiles, say: console.log }))
