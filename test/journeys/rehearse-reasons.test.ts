import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { SecretKey } from '@chainsafe/blst'
import { describe, expect, test } from 'vitest'
import { rehearse } from '../../src/commands/rehearse.ts'
import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import { bytesToHex } from '../../src/core/base/format/hex.ts'
import { nextText, withoutKeys } from '../../src/core/base/format/next.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import { GENESIS_STOPS } from '../../src/core/steps/genesis/view.ts'
import { answering } from '../support/answering.ts'
import { readDocument } from '../support/documents.ts'
import { hardTest, sampled } from '../support/hard.ts'
import { laidOut } from '../support/run-command.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import type { LifeOptions, World, WorldInput } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

type Ways = {
  scenario?: WorldInput['scenario']
  life?: (world: World) => LifeOptions
  args?: (world: World) => string[]
  /** Stops the command as soon as a line begins so; at once where it is empty. */
  stopAt?: string
}

type Document = {
  end?: string
  notes?: string[]
  error?: object
  rows?: { id: string; mark: string; value: string }[]
}

const openWorld = worldsOfTests()

/** The command on a network that is there already, ended in one way or another. */
async function end({ scenario, life, args, stopAt }: Ways) {
  const world = await openWorld(scenario === undefined ? {} : { scenario })
  const stop = new AbortController()
  if (stopAt === '') stop.abort()
  const err: string[] = []
  const out: string[] = []
  const { effects } = world.begin({
    ...life?.(world),
    ...(stopAt === undefined || stopAt === ''
      ? {}
      : { request: ({ url }: HttpRequest) => void (url.includes(stopAt) && stop.abort()) }),
  })
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    signal: stop.signal,
  }
  const argv = args?.(world) ?? ['--devnet', join(world.directory, 'descriptor.json')]
  const stateDirectory = join(world.directory, 'state')
  const code = await world.clock.flow(() =>
    rehearse({ argv: [...argv, '--json'], effects, io, stateDirectory, environment: {} }),
  )
  return {
    code,
    err,
    sent: world.wire.length,
    document: laidOut(readDocument(out.join('\n'))) as unknown as Document,
  }
}

/** No endpoint of the network answers any more, from the first request on that is so. */
function goneFrom(begins: (request: HttpRequest) => boolean): LifeOptions {
  let gone = false
  return {
    request: (asked) => {
      gone ||= begins(asked)
      if (gone) throw httpError('http.unreachable', asked.url, 'ECONNREFUSED')
    },
  }
}

const silent = (name: 'node' | 'execution' | 'engine') => (world: World) => ({
  request: ({ url }: HttpRequest) => {
    if (url.startsWith(world.devnet.descriptor.urls[name]))
      throw httpError('http.unreachable', url, 'ECONNREFUSED')
  },
})

const locked = (name: string) => (): LifeOptions => ({
  mutate: (effects) => ({
    ...effects,
    store: {
      ...effects.store,
      lock: async (path) =>
        path.includes(`${name}-`) ? { heldBy: 'Process 1 holds it.' } : effects.store.lock(path),
    },
  }),
})

const poor = (): LifeOptions => ({
  mutate: (effects) =>
    answering(effects, ({ method }) => (method === 'eth_getBalance' ? Promise.resolve('0x1') : undefined)),
})

/** The third block of a look cannot be read once the payment is agreed to: that with which it is made. So often. */
const unreadable = (most: number) => (): LifeOptions => ({
  mutate: (effects) => {
    let [looks, blocks, rubbish] = [0, 0, 0]
    return answering(effects, ({ method }) => {
      if (method === 'eth_maxPriorityFeePerGas') {
        looks += 1
        blocks = 0
      }
      if (method !== 'eth_getBlockByNumber' || looks < 2 || rubbish >= most) return undefined
      blocks += 1
      if (blocks !== 3) return undefined
      rubbish += 1
      return Promise.resolve('rubbish')
    })
  },
})

/** From the so many-th look at the gate on the engine says something else of itself. */
const engineSays = (look: number, change: (status: string) => string) => (): LifeOptions => ({
  mutate: (effects) => {
    let looks = 0
    const request = async (asked: HttpRequest): Promise<HttpReply> => {
      // It is asked once for each look, and before the engine is.
      if (asked.body?.includes('eth_maxPriorityFeePerGas') === true) looks += 1
      const reply = await effects.http.request(asked)
      if (looks < look || !asked.url.endsWith('/status')) return reply
      const text = new TextDecoder().decode(reply.body)
      return { ...reply, body: new TextEncoder().encode(change(text)) }
    }
    return { ...effects, http: { request } }
  },
})

/** It follows blocks that it does not vote on. */
const engineCatchesUp = (look: number) =>
  engineSays(look, (status) => status.replace('"catching_up":false', '"catching_up":true'))

/** It was started again with another home. */
const OTHER_KEY = bytesToHex(SecretKey.fromKeygen(new Uint8Array(32).fill(7)).toPublicKey().toBytes())
const engineOfAnotherHome = (look: number) =>
  engineSays(look, (status) =>
    status.replace(/("pub_key":\{[^}]*"value":")[^"]+/, `$1${engineKey(OTHER_KEY)}`),
  )

const failing = (signer: Partial<Effects['signer']>) => (): LifeOptions => ({
  mutate: (effects) => ({ ...effects, signer: { ...effects.signer, ...signer } }),
})

const refuse = () =>
  Promise.reject(new BaseError('signer.password', { short: 'The password is not the right one.' }))

const unreadableKeystore = () =>
  Promise.reject(walletError('signer.unsafe-file', '/k.json', 'It is a link.', 'Give the real path.'))

/** In their order every fourth one is of another kind. */
const WAYS: [string, Ways, number, RegExp][] = [
  ['the node API never answers', { life: silent('node') }, 3, /The node API at \S+ does not answer/],
  ['the execution RPC never answers', { life: silent('execution') }, 3, /The execution RPC at \S+ does not/],
  [
    'the network ended with a payment under way',
    { life: () => goneFrom((asked) => sentBytes(asked) !== undefined) },
    3,
    /does not answer/,
  ],
  ['the engine never answers', { life: silent('engine') }, 3, /The engine RPC at \S+ does not answer/],
  ['a step refuses', { scenario: 'exited-key' }, 1, /Stop: this key has left the validator set/],
  [
    'the network ended before anything was sent',
    { life: () => goneFrom(({ body = '' }) => body.includes('eth_estimateGas')) },
    3,
    /does not answer/,
  ],
  ['the gate refuses', { life: poor }, 1, /balance: 0\.0*1 BERA, needs/],
  [
    'the network ended while the registration is proven',
    { life: () => goneFrom(({ url }) => url.includes('/proof/')) },
    3,
    /does not answer/,
  ],
  [
    'the engine catches up when it comes to paying',
    { life: engineCatchesUp(1) },
    3,
    /your node: catches up: follows/,
  ],
  [
    'the engine catches up once the payment is agreed to',
    { life: engineCatchesUp(2) },
    3,
    /your node: catches up: follows/,
  ],
  [
    'the engine runs with another key when it comes to paying',
    { life: engineOfAnotherHome(1) },
    1,
    /the engine runs with another key than this validator/,
  ],
  [
    'the engine runs with another key once the payment is agreed to',
    { life: engineOfAnotherHome(2) },
    1,
    /the engine runs with another key than this validator/,
  ],
  ['the key is locked', { life: locked('key') }, 1, /this key is open in another window/],
  ['the account is locked', { life: locked('funder') }, 1, /Another window of this program pays/],
  ['the message cannot be signed', { life: failing({ signDeposit: refuse }) }, 1, /The password is not/],
  ['the payment cannot be signed', { life: failing({ signTransaction: refuse }) }, 1, /The password is not/],
  ['it is stopped at once', { stopAt: '' }, 4, /stopped before the validator was active/],
  ['it is stopped at once, before any network', { stopAt: '', args: () => [] }, 4, /stopped before the/],
  ['it is stopped on the way', { stopAt: '/proof/' }, 4, /stopped before the validator was active/],
  [
    'the keystore never answers, and so cannot be read',
    { life: failing({ keystoreAddress: unreadableKeystore }) },
    3,
    /A secret file cannot be read safely\.[^\n]*\n *next: Give the real path\.\n *next: run the same/,
  ],
  [
    'a block is unreadable each time the payment is agreed to',
    { life: unreadable(Number.POSITIVE_INFINITY) },
    3,
    /does not fit the question[\s\S]*next: run the same command again/,
  ],
]

describe('a rehearsal that does not end with an active validator', () => {
  test.each(sampled(WAYS, 4))(
    'says why on stderr and in the document, and what to do: %s',
    async (what, ways, wanted, reason) => {
      const { code, err, sent, document } = await end(ways)
      expect({ code, err: err.join('\n') }).toEqual({ code: wanted, err: expect.stringMatching(reason) })
      expect(err.some((line) => /^ *next: /.test(line))).toBe(true)
      const told = document.error === undefined ? document.notes?.join('\n') : JSON.stringify(document.error)
      expect(told).toMatch(reason)
      if (document.error === undefined) expect(document.end).toMatch(/^[a-z-]+(?:\.[a-z0-9-]+)*$/)
      if (wanted === 4) expect(document.end).toBe('stopped')
      if (/never answers|refuses|locked|signed|before anything|catches up|another key/.test(what))
        expect(sent).toBe(0)
    },
  )
})

/** What is said to be done next, of whatever ended it. */
async function nextOf(ways: Ways): Promise<string[]> {
  const { err } = await end(ways)
  return err.filter((line) => /^ *next: /.test(line)).map((line) => line.replace(/^ *next: /, ''))
}

describe('what is to be done next', () => {
  const AGAIN = 'run the same command again, it goes on from there'

  test('names no key of the wizard where an endpoint names another chain', async () => {
    const life = (): LifeOptions => ({
      mutate: (effects) =>
        answering(effects, ({ method }) =>
          method === 'eth_chainId' ? Promise.resolve('0x1234') : undefined,
        ),
    })
    expect(await nextOf({ life })).toEqual([
      ...withoutKeys(GENESIS_STOPS.otherChain.next).next.map((step) => nextText(step)),
      AGAIN,
    ])
  })

  hardTest('names no key where the password of the descriptor does not open the keystore', async () => {
    const signDeposit = () => Promise.reject(walletError('keystore.wrong-password', 'descriptor'))
    const life = failing({ signDeposit })
    expect(await nextOf({ life })).toEqual([
      ...walletError('keystore.wrong-password', 'descriptor').nextSteps.map((step) => nextText(step)),
      AGAIN,
    ])
  })

  test('is the wizard, by its command, where a person must decide', async () => {
    let state = ''
    const life = ({ directory }: World): LifeOptions => {
      state = directory
      return {}
    }
    const next = await nextOf({ scenario: 'burnt-deposit', life })
    expect(next.join('\n')).not.toMatch(/\bx registers/)
    expect(next.join('\n')).toContain(
      `: bearings --devnet ${join(state, 'descriptor.json')} --state ${join(state, 'state')}`,
    )
    expect(next).not.toContain(AGAIN)
  })

  hardTest('is another state where the journal is damaged: run again it would end so again', async () => {
    const life = (): LifeOptions => ({
      mutate: (effects) => {
        const readText = async (path: string) =>
          path.endsWith('journal.jsonl') ? 'rubbish\n' : effects.store.readText(path)
        return { ...effects, store: { ...effects.store, readText } }
      },
    })
    const next = await nextOf({ life })
    expect(next.at(-1)).toMatch(/ --state$/)
    expect(next).not.toContain(AGAIN)
  })
})

/** From the first signed payment on a pool seems to hold its nonce, for so long. */
const takenInPool =
  (ms: number) =>
  ({ clock }: World): LifeOptions => ({
    mutate: (effects) => {
      const { signer } = effects
      let fromMs: number | undefined
      const isTaken = () => fromMs !== undefined && clock.monotonicMs() - fromMs < ms
      const pool = answering(effects, ({ method, params }, truth) =>
        method === 'eth_getTransactionCount' && params[1] === 'pending' && isTaken()
          ? truth().then((count) => `0x${(Number(count) + 1).toString(16)}`)
          : undefined,
      )
      const signTransaction: typeof signer.signTransaction = async (asked) => {
        const signed = await signer.signTransaction(asked)
        fromMs ??= clock.monotonicMs()
        return signed
      }
      return { ...pool, signer: { ...signer, signTransaction } }
    },
  })

describe('a payment that cannot be made at once', () => {
  test('is agreed to once more where one answer of an endpoint was unreadable', async () => {
    const { code, err, sent } = await end({ life: unreadable(1) })
    expect({ code, err, sent }).toEqual({ code: 0, err: [], sent: 2 })
  })
})

test('a rehearsal whose home has lost its key says so at once', async () => {
  const withoutKey = ({ directory }: World): LifeOptions => {
    rmSync(join(directory, 'home/config/priv_validator_key.json'))
    return {}
  }
  const { code, err, sent } = await end({ life: withoutKey })
  expect({ code, sent, why: err[0] }).toEqual({
    code: 1,
    sent: 0,
    why: expect.stringMatching(/^identity: .* \(money untouched\)$/),
  })
})

describe('a payment that waits', () => {
  hardTest('is waited for, however long it is not known whether it may be sent', async () => {
    const { code, err, sent, document } = await end({ life: takenInPool(30_000) })
    expect({ code, err }).toEqual({ code: 0, err: [] })
    expect(sent).toBe(2)
    const chain = (document.rows ?? []).filter(({ id }) => id === 'tracking')
    expect(chain.map(({ mark }) => mark)).toEqual(chain.map(() => 'proven'))
    expect(chain.filter(({ value }) => !/^in block [\d,]+$/.test(value))).toEqual([])
  })
})
