import { beforeAll, describe, expect, test } from 'vitest'
import { doctor } from '../../src/commands/doctor.ts'
import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { CATCHES_UP, intervalWords, RESTART_NODE } from '../../src/core/observe/findings.ts'
import { answering } from '../support/answering.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { networkOf } from '../support/network-of.ts'
import { runCommandWith } from '../support/run-command.ts'

const { devnet, effects } = lookingWorld()

const examine = async (beside: Effects, ...more: string[]) => {
  const argv = ['--devnet', JSON.stringify(devnet().descriptor), '--json', ...more]
  const { code, json } = await runCommandWith(doctor, argv, beside)
  const row = (id: string) => json().rows.find((each) => each.id === id)
  return { code, row }
}

const syncing = (result: unknown) =>
  answering(effects(), ({ method }) => (method === 'eth_syncing' ? Promise.resolve(result) : undefined))

/** What an archive client says for a minute after its start, while it takes every new block. */
const INDEXING = {
  startingBlock: '0x0',
  currentBlock: '0x142',
  highestBlock: '0x0',
  stateIndexRemaining: '0x1',
  txIndexFinishedBlocks: '0x142',
}

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
      value: expect.stringContaining('block 322 of 512'),
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
      const reply = await effects().http.request(asked)
      if (!asked.url.startsWith(devnet().descriptor.urls.engine) || !asked.url.endsWith('/status'))
        return reply
      looks += 1
      return when(looks) ? edited(reply, '"catching_up":false', '"catching_up":true') : reply
    }
    return { ...effects(), http: { request } }
  }

  test('is neither good nor bad, and it is said what that means', async () => {
    const { code, row } = await examine(catchingUp(() => true))
    expect(row('sync')).toMatchObject({
      mark: 'unknown',
      value: `the engine ${CATCHES_UP}`,
      fix: expect.stringContaining('restart the node'),
    })
    expect(code).toBe(3)
  })
})

describe('the time between two blocks of the engine', () => {
  /** An engine whose blocks before the last ones were made so much earlier. */
  const earlierBy = (seconds: number): Effects => {
    const request = async (asked: HttpRequest): Promise<HttpReply> => {
      const reply = await effects().http.request(asked)
      if (!asked.url.startsWith(devnet().descriptor.urls.engine) || !asked.url.includes('/commit'))
        return reply
      const [, time = ''] = /"time":"([^"]+)"/.exec(Buffer.from(reply.body).toString('utf8')) ?? []
      return edited(reply, time, new Date(Date.parse(time) - seconds * 1000).toISOString())
    }
    return { ...effects(), http: { request } }
  }

  // A chain that has just begun has no twenty blocks to measure.
  beforeAll(async () => {
    while (devnet().chain.history.head.header.slot <= 20n) await devnet().advanceSlot()
  })

  const interval = (intervalMs: number) => intervalWords({ intervalMs, blocks: 20n }, networkOf(devnet()))

  test('is shown beside that of the network where it is much longer, and refused where the chain hardly goes on', async () => {
    expect((await examine(effects())).row('interval')).toMatchObject({
      mark: 'proven',
      value: interval(1000),
    })
    expect((await examine(earlierBy(80))).row('interval')).toMatchObject({
      mark: 'proven',
      value: interval(5000),
    })
    const { code, row } = await examine(earlierBy(600))
    expect(row('interval')).toMatchObject({
      mark: 'refused',
      value: expect.stringContaining('31.0 s a block'),
      fix: expect.stringContaining('of the engine'),
    })
    expect(code).toBe(1)
  })

  test('is not known where times run backwards', async () => {
    const { code, row } = await examine(earlierBy(-600))
    expect(row('interval')).toMatchObject({ mark: 'unknown' })
    // A header with another time isn't the one that the set signed.
    expect(row('signed')).toMatchObject({ mark: 'refused' })
    expect(code).toBe(1)
  })
})

describe('a node that hangs at one height', () => {
  /** Everything of the own node answers, and for ever as it did first. */
  const hanging = (): Effects => {
    const first = new Map<string, Promise<HttpReply>>()
    const own = Object.values(devnet().descriptor.urls)
    const request = async (asked: HttpRequest): Promise<HttpReply> => {
      if (!own.some((url) => asked.url.startsWith(url)) || !isHead(asked))
        return effects().http.request(asked)
      const id = /"id":\d+/.exec(asked.body ?? '')?.[0] ?? ''
      const key = `${asked.url} ${asked.body?.replace(id, '') ?? ''}`
      const reply = first.get(key) ?? effects().http.request(asked)
      first.set(key, reply)
      return edited(await reply, /"id":\d+/, id)
    }
    return { ...effects(), http: { request } }
  }
  const second = () => devnet().descriptor.urls.execution.replace('127.0.0.1', 'localhost')

  test('is named where another endpoint goes on, with what to do', async () => {
    const { code, row } = await examine(hanging(), '--second-execution', second())
    expect(row('advance')).toMatchObject({
      mark: 'refused',
      value: expect.stringMatching(/ slot \d+ for \d s, .*localhost:\d+ .* block \d+$/),
      fix: RESTART_NODE,
    })
    expect(code).toBe(1)
  })

  test('is a chain of which nobody knows whether it goes on where there is one endpoint', async () => {
    const { row } = await examine(hanging())
    expect(row('advance')).toMatchObject({
      mark: 'refused',
      value: expect.stringMatching(/ slot \d+ for \d s; /),
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
