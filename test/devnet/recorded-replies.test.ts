import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recorded, recordedNetwork } from '../support/recorded-network.ts'
import { shape } from '../support/shape.ts'

/** One recorded exchange; `failed` where the connection closed without a reply. */
type Row = {
  api: 'node-api' | 'engine'
  method: string
  path: string
  requestBody?: string
  status?: number
  contentType?: string
  body?: string
  failed?: string
  situation: string
}

const rows = recorded('http.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row)
const of = (situation: string): Row[] => rows.filter((row) => row.situation.startsWith(situation))

let network: Awaited<ReturnType<typeof recordedNetwork>>

beforeAll(async () => {
  network = await recordedNetwork()
})

afterAll(() => network.end())

async function advanceTo(slot: bigint): Promise<void> {
  while (network.devnet.state().slot < slot) {
    // Of its validators one ran.
    const [, ...stopped] = network.devnet.state().validators
    network.devnet.chain.withhold(stopped.map(({ pubkey }) => pubkey))
    await network.advance()
  }
}

type Exchange = { status: number; contentType: string; body: string } | 'closed'

function exchange(row: Row): Promise<Exchange> {
  const { urls } = network.devnet.descriptor
  const base = row.api === 'engine' ? urls.engine : urls.node
  return new Promise((resolve) => {
    const headers = row.requestBody === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(`${base}${row.path}`, { method: row.method, headers }, (reply) => {
      const contentType = String(reply.headers['content-type'])
      text(reply).then(
        (body) => resolve({ status: reply.statusCode ?? 0, contentType, body }),
        () => resolve('closed'),
      )
    })
    sent.on('error', () => resolve('closed'))
    sent.end(row.requestBody)
  })
}

/** Heights, lengths and the place in the node's own source differ from run to run. */
function refusal(body: string): string {
  return body.replaceAll(/ \[[\w/]+\.go:\d+\]/g, '').replaceAll(/\b\d+\b/g, 'N')
}

async function compare(row: Row): Promise<void> {
  const ours = await exchange(row)
  if (row.failed !== undefined) {
    expect(ours).toBe('closed')
    return
  }
  if (ours === 'closed') throw new Error('the connection closed')
  const theirs = row.body ?? ''
  expect([ours.status, ours.contentType]).toEqual([row.status, row.contentType])
  expect(ours.body.endsWith('\n')).toBe(theirs.endsWith('\n'))
  if (row.status === 200) expect(shape(JSON.parse(ours.body))).toEqual(shape(JSON.parse(theirs)))
  else expect(refusal(ours.body)).toBe(refusal(theirs))
}

async function compareExactly(row: Row): Promise<void> {
  const ours = await exchange(row)
  expect(ours === 'closed' ? ours : ours.body).toBe(row.body)
}

/** Replies whose values must be the same too: nothing in them depends on block hashes or on the wall clock. */
const EXACT =
  /^\/eth\/v1\/(beacon\/(genesis|states\/(head|genesis)\/(validators|validator_balances|fork|pending_partial_withdrawals)|rewards|blob)|config\/spec|node\/(syncing|version))/

const named = (list: readonly Row[]) =>
  list.map((row) => [`${row.method} ${row.path} ${row.requestBody ?? ''}`, row] as const)
const exact = (list: readonly Row[]) => list.filter((row) => row.status === 200 && EXACT.test(row.path))

const running = of('running network, slot 186')
/** The last two were recorded later. */
const atSlot187 = running.slice(0, -2)
const atSlot446 = running.slice(-2)
const atSlot900 = of('running network, after')

describe('before the first block', () => {
  test.each(named(of('node just started')))('%s', (_, row) => compare(row))
})

describe('in slot 187', () => {
  beforeAll(() => advanceTo(187n))
  test.each(named(atSlot187))('%s', (_, row) => compare(row))
  test.each(named(exact(atSlot187)))('%s says the very same', (_, row) => compareExactly(row))
})

describe('in slot 446', () => {
  beforeAll(() => advanceTo(446n))
  test.each(named(atSlot446))('%s', (_, row) => compare(row))
  test.each(named(exact(atSlot446)))('%s says the very same', (_, row) => compareExactly(row))
})

describe('in slot 900', () => {
  beforeAll(() => advanceTo(900n))
  test.each(named(atSlot900))('%s', (_, row) => compare(row))
  test.each(named(exact(atSlot900)))('%s says the very same', (_, row) => compareExactly(row))
})
