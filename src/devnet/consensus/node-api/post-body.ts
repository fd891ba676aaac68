import { NodeRefusal } from '../../../core/errors/devnet.ts'

/** `{"ids": [...], "statuses": [...]}`, both optional. Throws the 400 of the node for anything else. */
export function readFilterBody(body: string): { ids: readonly string[]; statuses: readonly string[] } {
  const value = parseBody(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongType('object')
  const { ids, statuses } = value as { ids?: unknown; statuses?: unknown }
  return { ids: texts(ids ?? []), statuses: texts(statuses ?? []) }
}

/** A bare list of ids. Throws the 400 of the node for anything else. */
export function readIdsBody(body: string): readonly string[] {
  return texts(parseBody(body))
}

function texts(value: unknown): readonly string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw wrongType('[]string')
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw syntaxFault(body, cause instanceof Error ? cause.message : '')
  }
}

/** Says where the text stops being JSON, in the words of the node's parser. */
function syntaxFault(body: string, message: string): NodeRefusal {
  const position = Number(/position (\d+)/.exec(message)?.[1] ?? body.length)
  const character = body.charAt(position)
  if (character === '') return bindFault('unexpected EOF')
  const place = /property name/.test(message) ? 'object key string' : 'value'
  const what = `invalid character '${character}' looking for beginning of ${place}`
  return bindFault(`Syntax error: offset=${position + 1}, error=${what}, internal=${what}`)
}

function wrongType(expected: string): NodeRefusal {
  return bindFault(`Unmarshal type error: expected=${expected}`)
}

function bindFault(what: string): NodeRefusal {
  return new NodeRefusal(400, `invalid request: failed to bind request: code=400, message=${what}`)
}
