import { endpointFault, isSameServer } from '../core/format/endpoint-url.ts'
import { validatorTextFault } from './validator-text.ts'

const URL_FIELDS = new Set(['execution', 'node', 'engine', 'secondExecution'])

const WORDS = {
  'no-address': 'Type an address such as http://127.0.0.1:8545.',
  credentials: 'Leave the name and password out: what is typed here is kept for the next start.',
}

const SAME_SERVER =
  'The same server as the first one: it counts once. Give one of another operator, or leave this empty.'

/** Why the text of a setup field is not accepted beside those before it, or undefined when it is. */
export function checkField(
  field: string,
  text: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  if (text === '' && field === 'keystore') return undefined
  if (field === 'validator') return validatorTextFault(text)
  if (!URL_FIELDS.has(field)) return text === '' ? 'Type a path.' : undefined
  if (text === '' && field === 'secondExecution') return undefined
  if (text === '' && field === 'engine' && values.validator !== undefined) return undefined
  const fault = endpointFault(text)
  if (fault !== undefined) return WORDS[fault]
  return field === 'secondExecution' && isSameServer(text, values.execution ?? '') ? SAME_SERVER : undefined
}
