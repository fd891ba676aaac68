import { describe, expect, test } from 'vitest'
import { playback, type Recorded } from '../../scripts/vectors/playback.ts'
import { api } from '../../src/commands/api.ts'
import type { HttpRequest } from '../../src/core/base/effects/effects.ts'
import { registryEntry } from '../support/large-registry.ts'
import { bareEffects, runCommandWith } from '../support/run-command.ts'
import { vectorLines } from '../support/vector-lines.ts'

type Row = Recorded & { api: string; method: string; path: string; requestBody?: string; situation?: string }

const rows = vectorLines('recorded/http.jsonl').map((line) => JSON.parse(line) as Row)
const rowOf = (path: string, method = 'GET'): Row => {
  const row = rows.find((each) => each.path === path && each.method === method)
  if (row === undefined) throw new Error(`nothing recorded for ${path}`)
  return row
}

const NAMED = ['--network', 'mainnet']

const ask = async (reply: Recorded | ((request: HttpRequest) => Recorded), ...argv: string[]) => {
  const requests: HttpRequest[] = []
  const ended = await runCommandWith(
    api,
    [...argv, ...NAMED, '--json'],
    bareEffects(playback(reply, requests)),
  )
  return { ...ended, requests }
}
const json = (body: unknown, status = 200): Recorded => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

type EngineSet = {
  height: string
  count: number
  total: number
  validators: Record<string, unknown>[]
}

describe('recorded replies', () => {
  test.each([
    ['/eth/v1/beacon/states/head/randao', expect.stringMatching(/^0x[0-9a-f]{64}$/)],
    ['/eth/v1/beacon/blob_sidecars/head', []],
    ['/eth/v1/beacon/rewards/blocks/head', { proposerIndex: '1', total: '1' }],
    ['/eth/v1/beacon/states/head/validator_balances?id=0', [{ index: '0', balanceGwei: '5000000000000000' }]],
    ['/cometbft/v1/block/3', { header: { height: '3', chainId: 'beacond-2061' } }],
    ['/cometbft/v1/signed_header/3', { header: { height: '3' }, commit: { height: '3' } }],
    ['/commit?height=3', { header: { height: '3' }, commit: { height: '3' } }],
  ])('of %s are typed', async (path, expected) => {
    const { code, json: read } = await ask(rowOf(path), path)
    expect(code).toBe(0)
    const { answer, typed } = read()
    expect(typed).toBe(true)
    if (typeof expected === 'object' && !Array.isArray(expected)) expect(answer).toMatchObject(expected)
    else expect(answer).toEqual(expected)
  })

  test('of a page of the engine’s set are that page, with every number that the engine gives', async () => {
    const path = '/validators?page=1&per_page=100'
    const { code, json: read, requests } = await ask(rowOf(path), path)
    expect(code).toBe(0)
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?page=1&per_page=100'])
    const { answer, typed } = read() as unknown as { answer: EngineSet; typed: boolean }
    expect([typed, answer.height, answer.count, answer.total]).toEqual([true, '189', 3, 3])
    expect(answer.validators[0]).toMatchObject({
      votingPowerGwei: '5000000000000000',
      proposerPriority: '1500000000000000',
    })
    const whole = (await ask(rowOf('/validators'), '/validators')).json() as unknown as { answer: EngineSet }
    expect(whole.answer).toEqual(answer)
  })

  test.each(['/eth/v1/beacon/light_client/updates', '/eth/v1/node/health', '/eth/v1/node/peers'])(
    'of %s are not called typed where nothing was read',
    async (path) => {
      const said = { code: 500, message: 'endpoint x is not yet implemented' }
      const { code, json: read, err } = await ask(json(said, 500), path)
      expect([code, read().offered, read().typed]).toEqual([3, false, false])
      expect(err).not.toContain('typed reading')
    },
  )

  test.each(['/eth/v1/node/health', '/eth/v1/config/fork_schedule'])(
    'of %s mean “not offered”',
    async (path) => {
      const { code, json: read } = await ask(rowOf(path), path)
      expect(code).toBe(3)
      expect(read()).toMatchObject({ offered: false })
    },
  )

  test('of a POST are typed, and asked for with the ids in the body', async () => {
    const path = '/eth/v1/beacon/states/head/validator_balances'
    const { code, json: read, requests } = await ask(rowOf(path, 'POST'), path, '--body', '["0"]')
    expect(code).toBe(0)
    expect(read().answer).toEqual([{ index: '0', balanceGwei: '5000000000000000' }])
    expect(requests[0]).toMatchObject({ method: 'POST', body: '["0"]' })
  })

  test('of a proof are proven up to the first level when no execution client answers', async () => {
    const path = '/bkit/v1/proof/validator_pubkey/head/0'
    const world = (request: HttpRequest): Recorded => {
      if (request.method === 'POST') return { failed: 'ECONNREFUSED' }
      return request.url.includes('/proof/') ? rowOf(path) : rowOf('/eth/v1/beacon/states/head/validators/0')
    }
    const { code, json: read } = await ask(world, path, '--verify')
    expect(code).toBe(3)
    expect(read()).toMatchObject({ verdict: 'unknown', proofLevel: 1 })
  })

  test('of a proof whose one hash was changed are refused', async () => {
    const path = '/bkit/v1/proof/validator_pubkey/head/0'
    const { body = '' } = rowOf(path)
    const changed = body.replace(/("validator_pubkey_proof":\["0x)(.)/, (_, start: string, digit: string) => {
      return `${start}${digit === '0' ? '1' : '0'}`
    })
    const world = (request: HttpRequest): Recorded =>
      request.url.includes('/proof/')
        ? { ...rowOf(path), body: changed }
        : rowOf('/eth/v1/beacon/states/head/validators/0')
    const { code, json: read } = await ask(world, path, '--verify')
    expect(code).toBe(1)
    expect(read()).toMatchObject({ verdict: 'no', proofLevel: 0 })
  })
})

describe('endpoints of the standard that this node lacks', () => {
  const ROOT = `0x${'ab'.repeat(32)}`
  const checkpoint = { epoch: '1', root: ROOT }
  test.each<[string, unknown, unknown]>([
    [
      '/eth/v1/beacon/states/head/finality_checkpoints',
      { previous_justified: checkpoint, current_justified: checkpoint, finalized: checkpoint },
      { finalized: checkpoint },
    ],
    [
      '/eth/v1/config/fork_schedule',
      [{ previous_version: '0x04000000', current_version: '0x05000000', epoch: '7' }],
      [{ previousVersion: '0x04000000', currentVersion: '0x05000000', epoch: '7' }],
    ],
    [
      '/eth/v1/config/deposit_contract',
      { chain_id: '80094', address: `0x${'42'.repeat(20)}` },
      { chainId: 80094, address: `0x${'42'.repeat(20)}` },
    ],
    [
      '/eth/v1/node/peer_count',
      { connected: '5', connecting: '1', disconnected: '0', disconnecting: '0' },
      { connected: 5 },
    ],
  ])('are read where another node has them: %s', async (path, data, expected) => {
    const { code, json: read } = await ask(json({ data }), path)
    expect([code, read().typed]).toEqual([0, true])
    if (typeof expected === 'string') expect(read().answer).toBe(expected)
    else expect(read().answer).toMatchObject(expected as object)
  })

  test.each([
    [200, 0, 'ready'],
    [206, 0, 'syncing'],
    [503, 0, 'not-initialized'],
  ])('health speaks by its status %i alone', async (status, code, answer) => {
    const ended = await ask({ status, contentType: '', body: '' }, '/eth/v1/node/health')
    expect(ended.code).toBe(code)
    expect(ended.json().answer).toBe(answer)
  })
})

describe('a whole list of validators', () => {
  const path = '/eth/v1/beacon/states/head/validators'
  const entries = (count: number) => Array.from({ length: count }, (_, index) => registryEntry(index)).join()
  const listed = (count: number) => ({
    status: 200,
    contentType: 'application/json',
    body: `{"data":[${entries(count)}]}`,
  })

  test.each([0, 1, 500, 501, 1002, 1703])('of %i is one document, one validator a line', async (count) => {
    const { code, out, json: read } = await ask(listed(count), path)
    expect(code).toBe(0)
    const { answer, ...facts } = read()
    expect(facts).toMatchObject({ command: 'api', path, typed: true, offered: true })
    expect((answer as { index: string }[]).map(({ index }) => index)).toEqual(
      [...Array(count).keys()].map(String),
    )
    expect(out.split('\n')).toHaveLength(count + 2)
    const bare = await runCommandWith(api, [path, ...NAMED], bareEffects(playback(listed(count))))
    expect(JSON.parse(bare.out)).toEqual(answer)
  })

  test('by status may have gaps, and asks for no other', async () => {
    const body = `{"data":[${registryEntry(3)},${registryEntry(9)}]}`
    const filtered = `${path}?status=active_ongoing&status=pending_queued`
    const { json: read, requests } = await ask(
      { status: 200, contentType: 'application/json', body },
      filtered,
    )
    expect(read().answer).toMatchObject([{ index: '3' }, { index: '9' }])
    expect(new URL(requests[0]?.url ?? '').search).toBe('?status=active_ongoing&status=pending_queued')
  })

  test('that breaks off is no JSON, is not begun anew, and is unknown', async () => {
    const { code, out, err, requests } = await ask(() => {
      const { body, ...rest } = listed(700)
      return { ...rest, body: body.slice(0, -2) }
    }, path)
    expect(code).toBe(3)
    expect(requests).toHaveLength(1)
    expect(err).toContain('not JSON')
    expect(() => JSON.parse(out)).toThrow(SyntaxError)
  })

  test('that fails before anything was printed tells its failure as one document', async () => {
    const { code, json: read } = await ask({ failed: 'ECONNREFUSED' }, path)
    expect(code).toBe(3)
    expect(read()).toMatchObject({ verdict: 'unknown', error: { code: 'client.unreachable' } })
  })

  test('that a node does not offer is not offered', async () => {
    const { code, json: read } = await ask(json({ message: 'Not Found' }, 404), path)
    expect(code).toBe(3)
    expect(read()).toMatchObject({ offered: false, answer: null })
  })
})

describe('hostile replies', () => {
  test('reach the terminal without control characters', async () => {
    const version = 'evil\u001b[2J\u202eeman\u0000'
    const { out } = await ask(json({ data: { version } }), '/eth/v1/node/version')
    expect(out).toContain('evil·[2J·eman·')
  })

  test.each<[string, Recorded]>([
    ['HTML', { status: 200, contentType: 'text/html', body: '<html>' }],
    ['an empty body', { status: 200, contentType: 'application/json', body: '' }],
    ['a closed connection', { failed: 'UND_ERR_SOCKET' }],
    ['a number in place of a root', json({ data: { root: 5 } })],
  ])('are unknown, never good: %s', async (_what, reply) => {
    const { code, json: read } = await ask(reply, '/eth/v1/beacon/states/head/root')
    expect(code).toBe(3)
    expect(read()).toMatchObject({ verdict: 'unknown' })
  })
})
