/** A shorter text is found in other words too: it is covered only where it stands alone. */
const LONG = 6
/** As much of a short secret, where a text was cut off, tells something of it. */
const LEAST_BEGUN = 3
const REDACTED = '***'

/** What of an address may be a key: its path, its query, and each of their parts. Nothing for a text that is no URL. */
export function urlSecrets(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { pathname, search, searchParams } = new URL(text)
  const values = [...searchParams].map(([name, value]) => (value === '' ? name : value))
  return [pathname, `${pathname}${search}`, search, ...pathname.split('/'), ...values]
}

/**
 * Each secret as it is, and as URLs, JSON and base64 write it; the longest first, so that no end of one is left. What
 * stands in the place of a secret is one, however short; only what has neither letter nor digit is none.
 */
export function secretForms(secrets: readonly string[]): string[] {
  const lettered = secrets.filter((secret) => /[\p{L}\p{N}]/u.test(secret))
  const all = lettered.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    safeDecode(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ])
  return [...new Set(all)].sort((a, b) => b.length - a.length)
}

/** Whether a text is so small a number that it means something else almost wherever it stands. */
function isSmallNumber(form: string): boolean {
  return /^\d{1,2}$/.test(form)
}

/**
 * Where a form stands in a text: a long one anywhere, a short one between the ends of words, and a number of one digit or
 * two only as a part of an address or in quotes.
 */
function standing(form: string): RegExp {
  if (isSmallNumber(form))
    return new RegExp(`(?<=[/=])${form}(?!\\d)|^${form}$|(?<=["'])${form}(?=["'])`, 'g')
  const word = literal(form)
  if (form.length >= LONG) return new RegExp(word, 'gi')
  const [before, after] = [/^[A-Za-z0-9]/.test(form), /[A-Za-z0-9]$/.test(form)]
  return new RegExp(`${before ? '(?<![A-Za-z0-9])' : ''}${word}${after ? '(?![A-Za-z0-9])' : ''}`, 'gi')
}

/** Returns the text with every form covered, and also the beginning of one where the text was cut off with `…`. */
export function withoutSecrets(text: string, forms: readonly string[]): string {
  const whole = forms.reduce((rest, form) => rest.replace(standing(form), REDACTED), text)
  const cutAt = /…"?$/.exec(whole)?.index
  if (cutAt === undefined) return whole
  const head = whole.slice(0, cutAt)
  const begun = Math.max(0, ...forms.map((form) => lengthBegun(head, form)))
  return begun === 0 ? whole : `${head.slice(0, -begun)}${REDACTED}${whole.slice(cutAt)}`
}

/** How much of a form stands at the end of a text; too little to tell is none. */
function lengthBegun(text: string, form: string): number {
  const [end, begin] = [text.toLowerCase(), form.toLowerCase()]
  const isShort = form.length < LONG
  for (let length = begin.length - 1; length >= (isShort ? LEAST_BEGUN : LONG); length -= 1) {
    const before = end.at(-length - 1) ?? ''
    if (end.endsWith(begin.slice(0, length)) && !(isShort && /[a-z0-9]/.test(before))) return length
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
