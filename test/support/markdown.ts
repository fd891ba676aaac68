import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export type Page = {
  /** From the root of the project, with forward slashes. */
  path: string
  text: string
}

/** Every page of Markdown that the project has for people. */
export function pagesOf(): readonly Page[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'))
  const below = ['docs', '.github'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )
  return [...top, ...below].sort().map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}

/** The text without what stands in fences, and without comments. */
const prose = (text: string): string => text.replace(/^( *)```.*?^\1```$/gms, '').replace(/<!--.*?-->/gs, '')

/** Where links of a page lead, as they are written. */
export function linksOf(text: string): string[] {
  const found = prose(text).replace(/`[^`\n]*`/g, '')
  const inline = [...found.matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)].map(([, target = '']) => target)
  const html = [...found.matchAll(/\b(?:src|href)="([^"]+)"/g)].map(([, target = '']) => target)
  return [...inline, ...html]
}

/** The places of a page that a link may name: its own anchors, and its headings as GitHub names them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const own = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id)
  const seen = new Map<string, number>()
  const headings = [...prose(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  })
  return new Set([...own, ...headings])
}

/** The command lines of a page: those of its shell fences, joined where they go on in the next line, without comments. */
export function shellLinesOf(text: string): string[] {
  return [...text.matchAll(/^( *)```sh\n(.*?)^\1```$/gms)].flatMap(([, , block = '']) =>
    block
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/(?:^|\s+)# .*$/, '').trim())
      .filter((line) => line !== ''),
  )
}

/** What a page names in its text as code. */
export function codeSpansOf(text: string): string[] {
  return [...prose(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'))
}
