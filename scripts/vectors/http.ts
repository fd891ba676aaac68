import type { HttpRequest } from '../../src/core/base/effects/effects.ts'
import { ClientError, type ClientFault } from '../../src/core/base/errors/client.ts'
import { type BeaconState, BeaconStateType } from '../../src/core/chain/proofs/beacon-state.ts'
import { askRow, type HttpRow } from './http-routes.ts'
import { type CheckResult, plain, playback } from './playback.ts'

/** Calls that give the size of what they read instead of the thing itself. */
const SIZED = new Set(['blobs', 'engine-block', 'signed-header', '/commit'])

/**
 * Plays every recorded reply of the node API and the engine RPC back to the product's clients: good ones must be
 * read with the right values, all others must become the right kind of failure.
 */
export async function check(lines: readonly string[]): Promise<CheckResult> {
  const rows = lines.filter((line) => line.trim() !== '').map((line): HttpRow => JSON.parse(line))
  const roots = stateRoots(rows)
  const result: CheckResult = { passed: 0, failures: [] }
  for (const row of rows) {
    const fault = await checkRow(row, roots).catch((thrown: unknown) => `threw ${String(thrown)}`)
    if (fault === undefined) result.passed += 1
    else result.failures.push(`${row.api} ${row.method} ${row.path}: ${fault}`)
  }
  return result
}

async function checkRow(row: HttpRow, roots: ReadonlyMap<string, string>): Promise<string | undefined> {
  const requests: HttpRequest[] = []
  const expected = expectedFault(row)
  try {
    const { name, value } = await askRow(row, playback(row, requests))
    if (expected !== undefined) return `accepted, expected ${expected}`
    return checkUrl(row, requests) ?? checkValue(name, value, row, roots)
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    return thrown.fault === expected
      ? undefined
      : `${thrown.fault} (${thrown.details.join('; ')}), expected ${expected}`
  }
}

function expectedFault(row: HttpRow): ClientFault | undefined {
  if (row.failed !== undefined) return row.failed === 'ECONNREFUSED' ? 'unreachable' : 'says-nothing'
  const { status = 0 } = row
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 429) return 'rate-limited'
  const body = jsonBody(row)
  if (status === 200 && body === undefined) return row.body ? 'malformed' : 'says-nothing'
  return row.api === 'engine' ? expectedEngineFault(row, body) : expectedNodeFault(row, body)
}

function expectedNodeFault(
  { status = 0, path }: HttpRow,
  body: JsonBody | undefined,
): ClientFault | undefined {
  if (status === 200) return undefined
  const message = body?.message ?? ''
  if (status === 503 || message.endsWith('please wait for first block')) return 'not-ready'
  if (status === 501 || status === 405) return 'not-offered'
  if (status === 500 && /(not yet implemented|is deprecated)$/.test(message)) return 'not-offered'
  if (status === 404 && body?.code === undefined) return 'not-offered'
  // Only a node that waits for its first block does not know its genesis.
  if (status === 404) return path === '/eth/v1/beacon/genesis' ? 'not-ready' : 'not-found'
  return status < 500 ? 'bad-request' : 'failed'
}

function expectedEngineFault(row: HttpRow, body: JsonBody | undefined): ClientFault | undefined {
  const { status = 0 } = row
  if (body === undefined && status >= 500) return 'failed'
  if (body === undefined) return status === 404 || status === 405 ? 'not-offered' : 'bad-request'
  // A POST carries its own id, so a client that asks by GET must take the reply for somebody else's.
  if (row.method === 'POST') return 'malformed'
  const { error } = body
  if (error === undefined) return undefined
  if (error.code === -32601) return 'not-offered'
  return error.code === -32602 ? 'bad-request' : 'rejected'
}

type JsonBody = { code?: unknown; message?: string; error?: { code: number } }

/** The JSON of a reply that says that it is JSON; undefined for pages, for plain text and for nothing at all. */
function jsonBody({ contentType = '', body = '' }: HttpRow): JsonBody | undefined {
  if (!contentType.includes('json')) return undefined
  try {
    return JSON.parse(body) as JsonBody
  } catch {
    return undefined
  }
}

function checkUrl(row: HttpRow, requests: readonly HttpRequest[]): string | undefined {
  const asked = new URL(requests[0]?.url ?? '')
  const found = decodeURIComponent(`${asked.pathname}${asked.search}`)
  if (found !== decodeURIComponent(row.path)) return `asked ${found} instead`
  if (requests[0]?.method !== row.method) return `asked by ${requests[0]?.method} instead`
  return row.method === 'POST' ? checkBody(row.requestBody ?? '', requests[0].body ?? '') : undefined
}

function checkBody(expected: string, sent: string): string | undefined {
  const [first, second] = [expected, sent].map((text) => JSON.stringify(JSON.parse(text)))
  return first === second ? undefined : `sent ${sent} instead of ${expected}`
}

/** Compares the values read with the source text, read in another way. */
function checkValue(name: string, value: unknown, row: HttpRow, roots: ReadonlyMap<string, string>) {
  if (name === 'raw') return undefined
  if (name === 'debug') return checkState(value as BeaconState, roots)
  const flatValue = new Set(leaves(plain(value)))
  const source = leaves(JSON.parse(row.body ?? ''))
  const sizes = SIZED.has(name) ? source.flatMap(sizesOf) : []
  const flatSource = new Set([...source, ...sizes])
  const strange = [...flatValue].find((leaf) => !flatSource.has(leaf))
  return strange === undefined ? undefined : `read ${strange}, which the reply does not hold`
}

/** Its length in characters, and in bytes if it is hex; nothing has none. */
function sizesOf(leaf: string): string[] {
  if (leaf === 'null') return ['0']
  return [String(leaf.length), String(leaf.length / 2 - 1)]
}

function checkState(state: BeaconState, roots: ReadonlyMap<string, string>): string | undefined {
  const root = `0x${Buffer.from(BeaconStateType.hashTreeRoot(state)).toString('hex')}`
  const expected = roots.get(state.slot.toString())
  return expected === undefined || expected === root
    ? undefined
    : `state root ${root}, header says ${expected}`
}

function stateRoots(rows: readonly HttpRow[]): Map<string, string> {
  const headers = rows.filter((row) => row.status === 200 && row.path.includes('/proof/'))
  return new Map(
    headers.map((row) => {
      const { slot, state_root } = JSON.parse(row.body ?? '').beacon_block_header
      return [BigInt(slot).toString(), state_root]
    }),
  )
}

/** Every scalar of a JSON value in one form: hex and decimal numbers as decimal, times as milliseconds. */
function leaves(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves)
  const text = String(value)
  if (/^(0x[0-9a-f]{1,16}|\d{1,20})$/i.test(text)) return [BigInt(text).toString()]
  return /^\d{4}-\d\d-\d\dT/.test(text) ? timeForms(text) : [text.toLowerCase()]
}

/** A time in milliseconds, and its whole seconds and nanoseconds apart. */
function timeForms(text: string): string[] {
  const ms = Date.parse(text)
  const [, digits = ''] = /\.(\d+)/.exec(text) ?? []
  return [ms, Math.floor(ms / 1000), Number(digits.padEnd(9, '0'))].map(String)
}
