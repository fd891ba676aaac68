import { secretFault } from './text.ts'

/** What is said of a text that may be a secret, once it was wiped: its length alone. Undefined where it is none. */
export function secretRefusal(text: string): string | undefined {
  const fault = secretFault(text)
  return fault === undefined ? undefined : `${fault} Its ${[...text.trim()].length} characters were wiped.`
}
