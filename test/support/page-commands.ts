import { codeSpansOf, type Page, shellLinesOf } from './markdown.ts'

/** A command line, and the page that shows or names it. */
export type Shown = { path: string; line: string }

/** The lines in the shell blocks of pages. */
export const shownLines = (pages: readonly Page[]): Shown[] =>
  pages.flatMap(({ path, text }) => shellLinesOf(text).map((line) => ({ path, line })))

/** The commands of this program that the sentences of pages name. */
export const namedCommands = (pages: readonly Page[]): Shown[] =>
  pages.flatMap(({ path, text }) =>
    codeSpansOf(text)
      .filter((code) => !code.startsWith('bearings →') && ownOf(code).length > 0)
      .map((line) => ({ path, line })),
  )

/** The lines that call this program, npm or npx in a block that is not one of a shell, where no test would read them. */
export const strayLines = (pages: readonly Page[]): Shown[] =>
  pages.flatMap(({ path, text }) => {
    let language: string | undefined
    return text.split('\n').flatMap((each) => {
      const fence = /^ *```(.*)$/.exec(each)
      if (fence !== null) language = language === undefined ? fence[1] : undefined
      const line = each.trim().replace(/^\$ /, '')
      const isStray = fence === null && language !== undefined && language !== 'sh'
      return isStray && /^(?:bearings|npm|npx)(?: |$)/.test(line) ? [{ path, line }] : []
    })
  })

/** The simple commands of a line of a shell, in their order. */
const simpleOf = (line: string): string[] =>
  line.split(/\s*(?:&&|\||;)\s+/).map((part) => part.replace(/\s+>.*$/, ''))

/** What follows the name of this program in each of its calls in a line; from a checkout its name is `npm start --`. */
export const ownOf = (line: string): string[] =>
  simpleOf(line).flatMap((part) => {
    const [called, rest = ''] = /^(?:bearings|npm start(?: --silent)? --)(?: (.*)|$)/.exec(part) ?? []
    return called === undefined ? [] : [rest]
  })

const NPM_ITSELF = ['ci', 'pack', 'install', 'audit']

/** What is wrong with the calls of npm and npx in a line: a script, or a program, that this project does not have. */
export const npmFaults = (line: string, has: { scripts: readonly string[]; programs: readonly string[] }) =>
  simpleOf(line).flatMap((part) => {
    const [, tool, run, name = ''] = /^(npm|npx)(?: (run))?(?: (\S+))?/.exec(part) ?? []
    if (tool === undefined || name === '') return []
    const called = run === undefined ? [...NPM_ITSELF, 'start', 'test'] : has.scripts
    const known = tool === 'npx' ? has.programs : called
    return known.includes(name) ? [] : [`${part}: ${tool} knows no ${name} here`]
  })

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const HASH = `0x${'5e'.repeat(32)}`

/** What stands for a word that a page leaves to its reader: by the option before it, and by the word itself. */
export type Fills = { after: Readonly<Record<string, string>>; alone: Readonly<Record<string, string>> }

/** Words that are well written, of no network that runs. */
export const FILLS: Fills = {
  after: {
    '--network': 'mainnet',
    '--scenario': 'set-full',
    '--port-base': '28545',
    '--amount': '10000',
    '--topup': '20000',
    '--withdrawal': ADDRESS,
    '--operator': ADDRESS,
    '--validator': '11',
    '--metrics': '127.0.0.1:9478',
    '--execution': 'http://127.0.0.1:8545',
    '--node': 'http://127.0.0.1:3500',
  },
  alone: {
    PATH: '/eth/v1/node/version',
    WHAT: HASH,
    TRANSACTION_HASH: HASH,
    KEY: '11',
    VALIDATOR: '11',
  },
}

/** A command as a page names it, as one that can be typed: the first of several ways, with what the reader would fill in. */
export function typed(text: string, fills: Fills = FILLS): string[] {
  const words = text
    .replace(/\[=\w+\]/g, '')
    .replace(/[[\]']/g, '')
    .split(/\s+/)
    .map((word) => word.split('|')[0] ?? '')
  return words.flatMap((word, at) => {
    const before = words[at - 1] ?? ''
    const isOpen = /^(?:[A-Z][A-Z_]+|N|…|\.\.\.|0x…|[A-Z]+:[A-Z]+)$/.test(word)
    if (!isOpen) return [word]
    if (before.startsWith('--')) return [fills.after[before] ?? word]
    return /^(?:…|\.\.\.)$/.test(word) ? [] : [fills.alone[word] ?? word]
  })
}
