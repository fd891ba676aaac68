import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doctor } from '../../src/commands/doctor.ts'
import { report } from '../../src/commands/support-report.ts'
import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { answering } from '../support/answering.ts'
import { buildSigner } from '../support/build-signer.ts'
import { networkFileOf } from '../support/network-file-of.ts'
import { runCommandWith } from '../support/run-command.ts'
import { testDevnet } from '../support/with-devnet.ts'

let devnet: Devnet
let effects: Effects
let end: () => Promise<void>
const stop = new AbortController()

beforeAll(async () => {
  const { signerPath } = await buildSigner()
  effects = createNodeEffects({ signer: createNodeSigner({ signerPath }) })
  const network = await testDevnet({ clock: createNodeClock(), slotMs: 100 })
  devnet = network.devnet
  const running = devnet.run(stop.signal)
  end = async () => {
    stop.abort()
    await running.catch(() => undefined)
    await network.end()
  }
})

afterAll(() => end())

const examine = async (beside: Effects, ...more: string[]) => {
  const argv = ['--devnet', JSON.stringify(devnet.descriptor), '--json', ...more]
  const { code, json } = await runCommandWith(doctor, argv, beside)
  const row = (id: string) => json().rows.find((each) => each.id === id)
  return { code, row }
}

const syncing = (result: unknown) =>
  answering(effects, ({ method }) => (method === 'eth_syncing' ? Promise.resolve(result) : undefined))

/** What an archive client says for a minute after its start, while it takes every new block. */
const INDEXING = {
  startingBlock: '0x0',
  currentBlock: '0x142',
  highestBlock: '0x0',
  stateIndexRemaining: '0x1',
  txIndexFinishedBlocks: '0x142',
}

describe('a report with a network', () => {
  const onDevnet = () => ['--devnet', JSON.stringify(devnet.descriptor)]
  const reported = async (beside: Effects, named = onDevnet()) => {
    const { json } = await runCommandWith(report, [...named, '--json'], beside)
    return json().node as {
      network: string
      software: unknown[]
      checks: { step: string; check: string; is: string }[]
    }
  }

  test('names every row of doctor', async () => {
    const { json } = await runCommandWith(
      doctor,
      ['--devnet', JSON.stringify(devnet.descriptor), '--json'],
      effects,
    )
    const { checks } = await reported(effects)
    expect(checks.map(({ check, is }) => [check, is])).toEqual(json().rows.map(({ id, mark }) => [id, mark]))
    expect(checks.length).toBeGreaterThan(25)
  })

  test('names clients that it knows by name and version, and no other one', async () => {
    const saying = (version: string) =>
      answering(effects, ({ method }) =>
        method === 'web3_clientVersion' ? Promise.resolve(version) : undefined,
      )
    const softwareOf = async (text: string) => (await reported(saying(text))).software[0]
    const found = { role: 'execution', fault: 'none' }
    expect(await softwareOf('Geth/v1.17.4-stable/linux-amd64')).toEqual({
      ...found,
      client: 'geth',
      version: '1.17.4',
    })
    expect(await softwareOf('ann-node/10.1.2.3')).toEqual({ ...found, client: 'other', version: 'other' })
  })
})

test('a report calls a network by the file of another one own-file, whatever stands in it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'report-'))
  try {
    const [file, state] = [join(directory, 'ann.json'), join(directory, 'state')]
    const described = JSON.parse(networkFileOf(devnet.descriptor)) as object
    writeFileSync(file, JSON.stringify({ ...described, id: 'ann-network', label: 'The network of Ann' }))
    const { out, json } = await runCommandWith(
      report,
      ['--network', file, '--state', state, '--json'],
      effects,
    )
    expect(json().node).toMatchObject({ network: 'own-file', checks: expect.any(Array) })
    expect(out).not.toMatch(/ann/i)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

describe('an execution client that says something of its sync', () => {
  test('is behind only where it knows of a higher block: one that indexes old blocks is not', async () => {
    const { code, row } = await examine(syncing(INDEXING))
    expect(row('sync')).toMatchObject({ mark: 'proven' })
    expect(code).toBe(0)
  })

  test('is behind by the numbers that it gives', async () => {
    const { code, row } = await examine(syncing({ ...INDEXING, highestBlock: '0x200' }))
    expect(row('sync')).toMatchObject({
      mark: 'refused',
      value: 'still syncing: the execution client, at block 322 of 512',
    })
    expect(code).toBe(1)
  })

  test.each([
    ['a height that is none', { ...INDEXING, highestBlock: 'soon' }],
    ['no highest block', { currentBlock: '0x142' }],
    ['a yes without numbers', true],
  ])('is not known to be synced with %s, and the other rows stand', async (_, result) => {
    const { code, row } = await examine(syncing(result))
    expect(row('sync')).toMatchObject({ mark: 'unknown' })
    expect(row('advance')).toMatchObject({ mark: 'proven' })
    expect(code).toBe(3)
  })
})

describe('an engine that says that it catches up', () => {
  const catchingUp = (when: (look: number) => boolean): Effects => {
    let looks = 0
    const request = async (asked: HttpRequest): Promise<HttpReply> => {
      const reply = await effects.http.request(asked)
      if (!asked.url.startsWith(devnet.descriptor.urls.engine) || !asked.url.endsWith('/status')) return reply
      looks += 1
      return when(looks) ? edited(reply, '"catching_up":false', '"catching_up":true') : reply
    }
    return { ...effects, http: { request } }
  }

  test('is neither good nor bad, and it is said what that means', async () => {
    const { code, row } = await examine(catchingUp(() => true))
    expect(row('sync')).toMatchObject({
      mark: 'unknown',
      value: 'the engine catches up: follows blocks and does not vote on them',
      fix: expect.stringContaining('restart the node'),
    })
    expect(code).toBe(3)
  })
})

describe('the time between two blocks of the engine', () => {
  /** An engine whose blocks before the last ones were made so much earlier. */
  const earlierBy = (seconds: number): Effects => {
    const request = async (asked: HttpRequest): Promise<HttpReply> => {
      const reply = await effects.http.request(asked)
      if (!asked.url.startsWith(devnet.descriptor.urls.engine) || !asked.url.includes('/commit')) return reply
      const [, time = ''] = /"time":"([^"]+)"/.exec(Buffer.from(reply.body).toString('utf8')) ?? []
      return edited(reply, time, new Date(Date.parse(time) - seconds * 1000).toISOString())
    }
    return { ...effects, http: { request } }
  }

  test('is shown beside that of the network where it is much longer, and refused where the chain hardly goes on', async () => {
    expect((await examine(effects)).row('interval')).toMatchObject({
      mark: 'proven',
      value: '1.0 s a block, over the last 20',
    })
    expect((await examine(earlierBy(80))).row('interval')).toMatchObject({
      mark: 'proven',
      value: '5.0 s a block, over the last 20; meant are 1 s, so times said ahead come later',
    })
    const { code, row } = await examine(earlierBy(600))
    expect(row('interval')).toMatchObject({
      mark: 'refused',
      value: expect.stringContaining('31.0 s a block'),
      fix: expect.stringContaining('validators that hold places do not run'),
    })
    expect(code).toBe(1)
  })

  test('is not known where times run backwards', async () => {
    const { code, row } = await examine(earlierBy(-600))
    expect(row('interval')).toMatchObject({ mark: 'unknown' })
    expect(code).toBe(3)
  })
})

describe('a node that hangs at one height', () => {
  /** Everything of the own node answers, and for ever as it did first. */
  const hanging = (): Effects => {
    const first = new Map<string, Promise<HttpReply>>()
    const own = Object.values(devnet.descriptor.urls)
    const request = async (asked: HttpRequest): Promise<HttpReply> => {
      if (!own.some((url) => asked.url.startsWith(url)) || !isHead(asked)) return effects.http.request(asked)
      const id = /"id":\d+/.exec(asked.body ?? '')?.[0] ?? ''
      const key = `${asked.url} ${asked.body?.replace(id, '') ?? ''}`
      const reply = first.get(key) ?? effects.http.request(asked)
      first.set(key, reply)
      return edited(await reply, /"id":\d+/, id)
    }
    return { ...effects, http: { request } }
  }
  const second = () => devnet.descriptor.urls.execution.replace('127.0.0.1', 'localhost')

  test('is named where another endpoint goes on, with what to do', async () => {
    const { code, row } = await examine(hanging(), '--second-execution', second())
    expect(row('advance')).toMatchObject({
      mark: 'refused',
      value: expect.stringMatching(
        /^stands still at slot \d+ for \d s, while localhost:\d+ went on to block \d+$/,
      ),
      fix: 'restart the node: it hangs at this height and does not report it',
    })
    expect(code).toBe(1)
  })

  test('is a chain of which nobody knows whether it goes on where there is one endpoint', async () => {
    const { row } = await examine(hanging())
    expect(row('advance')).toMatchObject({
      mark: 'refused',
      value: expect.stringMatching(
        /^stands still at slot \d+ for \d s; whether the chain goes on is not known$/,
      ),
      fix: expect.stringContaining('--second-execution'),
    })
  })
})

function isHead({ url, body = '' }: HttpRequest): boolean {
  return /\/(syncing|status)$/.test(url) || /"eth_blockNumber"|"latest",false/.test(body)
}

function edited(reply: HttpReply, from: string | RegExp, to: string): HttpReply {
  const text = new TextDecoder().decode(reply.body)
  return { ...reply, body: new TextEncoder().encode(text.replace(from, to)) }
}
