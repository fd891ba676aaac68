const LEAST_LENGTH = 6
const COVER = '***'

/** What of an address may be a key: its path, its query, and each of their parts. Nothing for a text that is no URL. */
export function urlSecrets(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { pathname, search, searchParams } = new URL(text)
  const values = [...searchParams].map(([name, value]) => (value === '' ? name : value))
  return [pathname, `${pathname}${search}`, search, ...pathname.split('/'), ...values]
}

/**
 * Each secret as it is, and as URLs, JSON and base64 write it; the longest first, so that no end of one is left. What is
 * shorter than six characters is no secret.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const long = secrets.filter((secret) => secret.length >= LEAST_LENGTH)
  const all = long.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    safeDecode(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ])
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

/** The text with every form covered, and also the beginning of one where the text was cut off with `…`. */
export function withoutSecrets(text: string, forms: readonly string[]): string {
  const whole = forms.reduce((rest, form) => rest.replace(new RegExp(literal(form), 'gi'), COVER), text)
  const cutAt = /…"?$/.exec(whole)?.index
  if (cutAt === undefined) return whole
  const head = whole.slice(0, cutAt)
  const begun = Math.max(0, ...forms.map((form) => lengthBegun(head, form)))
  return begun === 0 ? whole : `${head.slice(0, -begun)}${COVER}${whole.slice(cutAt)}`
}

/** How much of a form stands at the end of a text; too little to tell is none. */
function lengthBegun(text: string, form: string): number {
  const [end, begin] = [text.toLowerCase(), form.toLowerCase()]
  for (let length = begin.length - 1; length >= LEAST_LENGTH; length -= 1) {
    if (end.endsWith(begin.slice(0, length))) return length
  }
  return 0
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
