import { describe, expect, test } from 'vitest'
import { playback, type Recorded } from '../../../scripts/vectors/playback.ts'
import { createNodeClock } from '../../../src/core/base/effects/node-clock.ts'
import { createNodeHttp } from '../../../src/core/base/effects/node-http.ts'
import { ClientError } from '../../../src/core/base/errors/client.ts'
import { createNodeClient } from '../../../src/core/clients/node/client.ts'
import { getValidators, streamValidators } from '../../../src/core/clients/node/validators.ts'
import { registryEntry, serveRegistry } from '../../support/large-registry.ts'

const NAMES = { proofNamespace: 'bkit/v1' }
const random = { bytes: (length: number) => new Uint8Array(length) }
const realNode = (url: string) =>
  createNodeClient({ http: createNodeHttp(), clock: createNodeClock(), random }, url, NAMES)
const played = (body: string, more: Recorded = {}) =>
  createNodeClient(
    playback({ status: 200, contentType: 'application/json', body, ...more }),
    'http://127.0.0.1:1',
    NAMES,
  )
const listOf = (...entries: readonly string[]) => `{"finalized":true,"data":[${entries.join(',')}]}`

/** The processor time of each turn of the event loop in ms; unlike the time of day it is not others' work. */
function workOfTurns(): { end(): number[] } {
  const worksMs: number[] = []
  let last = process.cpuUsage()
  const turn = () => {
    const { user, system } = process.cpuUsage(last)
    last = process.cpuUsage()
    worksMs.push((user + system) / 1000)
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  return {
    end() {
      clearImmediate(next)
      return worksMs
    },
  }
}

/** Counts, and adds the balances up. */
const sum = () => {
  let count = 0
  let gwei = 0n
  return {
    add: ({ balanceGwei }: { balanceGwei: bigint }) => {
      count += 1
      gwei += balanceGwei
    },
    done: () => ({ count, gwei }),
  }
}

async function faultOf(run: Promise<unknown>): Promise<ClientError> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (thrown instanceof ClientError) return thrown
  throw new Error(`expected a ClientError, got ${String(thrown)}`)
}

describe('a registry read while it arrives', () => {
  test('gives 100,000 validators in order, without holding the screen up', async () => {
    const count = 100_000
    const server = await serveRegistry(count)
    const turns = workOfTurns()
    const found = await streamValidators(realNode(server.url), { state: 'head', taker: sum })
    const workMs = turns.end()
    server.end()
    expect(found).toEqual({ count, gwei: 250_000_000_000_000n * 100_000n + (99_999n * 100_000n) / 2n })
    const wholeMs = workMs.reduce((whole, ms) => whole + ms, 0)
    expect(Math.max(...workMs)).toBeLessThan(wholeMs / 5)
  })

  test('gives the same records as a list of ids', async () => {
    const body = listOf(registryEntry(0), registryEntry(1), registryEntry(2))
    const whole = await getValidators(played(body), { state: 'head' })
    expect(whole).toEqual(await getValidators(played(body), { state: 'head', ids: [0, 1, 2] }))
    expect(whole.map(({ index }) => index)).toEqual([0, 1, 2])
  })

  test('may be empty', async () => {
    expect(await getValidators(played(listOf()), { state: 'head' })).toEqual([])
  })

  test.each([
    ['an index that comes twice', [0, 1, 1], 'field: data[2].index'],
    ['an index out of order', [0, 2, 1], 'field: data[1].index'],
    ['a gap', [0, 1, 3], 'field: data[2].index'],
    ['a list that does not begin at zero', [1, 2], 'field: data[0].index'],
  ])('refuses %s', async (_, indexes, field) => {
    const fault = await faultOf(
      getValidators(played(listOf(...indexes.map(registryEntry))), { state: 'head' }),
    )
    expect(fault.fault).toBe('malformed')
    expect(fault.details).toContain(field)
  })

  test('lets a filter by status leave gaps, but never go back', async () => {
    const ask = (...indexes: number[]) =>
      getValidators(played(listOf(...indexes.map(registryEntry))), {
        state: 'head',
        statuses: ['active_ongoing'],
      })
    expect((await ask(3, 7)).map(({ index }) => index)).toEqual([3, 7])
    expect((await faultOf(ask(7, 3))).details).toContain('field: data[1].index')
    expect((await faultOf(ask(3, 3))).details).toContain('field: data[1].index')
  })

  test.each([
    [
      'an odd field',
      registryEntry(0).replace('"slashed":false', '"slashed":"no"'),
      'field: data[0].validator.slashed',
    ],
    [
      'a key twice',
      registryEntry(0).replace('"balance"', '"index":"0","balance"'),
      'not JSON: the same key comes twice',
    ],
    ['a cut text', '{"index":', 'not JSON: a value is missing'],
  ])('refuses %s', async (_, entry, detail) => {
    const fault = await faultOf(getValidators(played(listOf(entry)), { state: 'head' }))
    expect(fault.fault).toBe('malformed')
    expect(fault.details.join('\n')).toContain(detail)
  })

  test.each([
    ['{"finalized":true}', 'field: data'],
    ['{"data":null}', 'field: data'],
    [`{"d\\u0061ta":[${registryEntry(0)}]}`, 'field: data'],
  ])('does not take %s for an empty one', async (body, field) => {
    const fault = await faultOf(getValidators(played(body), { state: 'head' }))
    expect(fault.details).toContain(field)
  })

  test('keeps the meaning of every other reply', async () => {
    const ask = async (body: string, more: Recorded) =>
      (await faultOf(getValidators(played(body, more), { state: 'head' }))).fault
    expect(await ask('{"code":404,"message":"no"}', { status: 404 })).toBe('not-found')
    expect(await ask('{"message":"Not Found"}', { status: 404 })).toBe('not-offered')
    const unimplemented = '{"code":500,"message":"x is not yet implemented"}'
    expect(await ask(unimplemented, { status: 500 })).toBe('not-offered')
    expect(await ask('', {})).toBe('says-nothing')
    expect(await ask('<html>', { contentType: 'text/html' })).toBe('malformed')
    expect(await ask('', { failed: 'ECONNRESET' })).toBe('says-nothing')
  })

  test('begins anew when an attempt breaks off', async () => {
    let attempt = 0
    const effects = playback(() => ({}))
    const body = new TextEncoder().encode(listOf(registryEntry(0), registryEntry(1)))
    const node = createNodeClient(
      {
        ...effects,
        http: {
          async request(request) {
            attempt += 1
            if (attempt > 1) return { status: 200, headers: { 'content-type': 'application/json' }, body }
            request.sink?.(body.subarray(0, body.length - 20))
            return { status: 500, headers: {}, body: new Uint8Array() }
          },
        },
      },
      'http://127.0.0.1:1',
      NAMES,
    )
    expect(await streamValidators(node, { state: 'head', taker: sum })).toEqual({
      count: 2,
      gwei: 500_000_000_000_001n,
    })
  })
})
