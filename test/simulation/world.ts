import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { endpointLabel } from '../../src/core/base/format/endpoint-url.ts'
import type { Forger } from '../../src/core/chain/network/scenario-names.ts'
import { type Behaving, behave, behaveAs } from '../../src/devnet/behaviors.ts'
import type { FrontAnswer, FrontCall } from '../../src/devnet/execution/client.ts'
import type { FrontDelivery } from '../../src/devnet/execution/start.ts'
import type { Lie } from '../hostile/lie.ts'
import { responderOf, tellingEffects } from '../hostile/proxy.ts'
import { forgeCheaply } from '../support/cheap-curve.ts'
import { createDisk, type SimDisk } from './disk.ts'
import { seenEvent } from './event.ts'
import { createJudge, type Judge } from './judge.ts'
import { createNetwork, type Ground, type Network, type Role, URLS } from './network.ts'
import type { Random } from './random.ts'
import { createStory, type Story } from './story.ts'
import { createTime, type Time } from './time.ts'

export const ROLES = Object.keys(URLS) as Role[]
export const WEBHOOK = 'https://hooks.example/alarms/'
export const CONFIG = '/home/user/watch.toml'
export const STATE = '/home/user/state'

/** How a service answers: it does, it refuses, it takes the question and is silent, or it ends once it has done what was asked. */
export type Manner = 'answers' | 'refuses' | 'is silent' | 'dies'

/** What a planted fault of the world or of the program changes. */
export type Plants = {
  disk?: Parameters<typeof createDisk>[1]
  ignoresLocks?: true
  /** Makes other effects of those of each process. */
  change?: (effects: Effects) => Effects
}

/** Everything outside of the processes. */
export type World = {
  readonly time: Time
  readonly network: Network
  readonly ground: Ground
  readonly disk: SimDisk
  readonly judge: Judge
  readonly story: Story
  readonly random: Random
  readonly plants: Plants
  readonly manner: Record<Role | 'webhook', Manner>
  /** What the clocks of the computer show beside the time of the chain. */
  wall: { offsetMs: number; standsAtMs: number | undefined }
  /** Whether the disk takes nothing any more, whoever writes. */
  isDiskFull: boolean
  /** Whether the disk has failed anybody so far. */
  hadDiskTrouble: boolean
  /** Whether its user wants a guard. */
  readonly isGuarded: boolean
  /** Which lie is told by whom. */
  lie: { told: Lie; by: Role } | undefined
  /** The chain of a forger, which follows the true one until all endpoints show it. */
  readonly forged: Network | undefined
  isForged: boolean
  /** How endpoints behave that answer truly else. */
  readonly behaving: Partial<Record<Role, Behaving>>
  /** Locks of the computer, by path. */
  readonly locks: Map<string, object>
  /** Events that the webhook has taken, by their sequence and change. */
  readonly received: Set<string>
  /** The power fails: every process ends, and the disk keeps what was synced, and of the rest what chance leaves. */
  losePower(): void
  /** The processes that run, and those that have ended. */
  readonly processes: { kill(): void }[]
  /** Answers a request as the network does; the question has its effect where it comes so far. */
  answer(request: HttpRequest): Promise<HttpReply>
}

const MANNERS = {
  refuses: 'endpoint-refused',
  'is silent': 'endpoint-silent',
  dies: 'endpoint-died',
} as const

const ENCODER = new TextEncoder()
const reply = (text: string, status = 200, type = 'application/json'): HttpReply => ({
  status,
  headers: { 'content-type': type },
  body: ENCODER.encode(text),
})

function whole(delivery: Exclude<FrontDelivery, { answer: FrontAnswer }>): HttpReply | 'close' {
  if (delivery === 'close') return delivery
  const { status, contentType, body, headers } = delivery
  return { ...reply(body, status), headers: { ...headers, 'content-type': contentType } }
}

/** A world at its beginning. */
export async function createWorld(
  ground: Ground,
  {
    random,
    plants,
    tells,
    isGuarded,
    isCalm,
    watchesOnly = false,
    isSteady = false,
    forger,
  }: {
    random: Random
    plants: Plants
    tells: boolean
    isGuarded: boolean
    watchesOnly?: boolean | undefined
    isSteady?: boolean | undefined
    /** Whether all is as the user wants it, but for endpoints that behave. */
    isCalm: boolean
    forger?: Forger | undefined
  },
): Promise<World> {
  const time = createTime()
  const network = await createNetwork(ground)
  const forged =
    forger === undefined ? undefined : await createNetwork(ground, forgeCheaply(ground.plan, forger))
  const disk = createDisk(['/home/user', '/locks'], plants.disk)
  const story = createStory({ time, network, tells })
  const received = new Set<string>()
  const judge = createJudge({
    ground,
    network,
    disk,
    story,
    received,
    failsOwn: () => Object.keys(world.behaving).some((role) => role !== 'second'),
    watchesOnly,
    isSteady,
    conditions: {
      nowMs: time.nowMs,
      isSilent: (role) => manner[role] !== 'answers',
      isDiskFull: () => world.isDiskFull,
      isForged: () => world.isForged,
    },
    met: {
      nowMs: time.nowMs,
      isLying: () => world.isForged || world.lie !== undefined,
      behaving: () => world.behaving,
      isCalm,
    },
  })
  const manner: World['manner'] = {
    execution: 'answers',
    second: 'answers',
    node: 'answers',
    engine: 'answers',
    webhook: 'answers',
  }

  const roleOf = (url: string): Role | 'webhook' | undefined =>
    url.startsWith(WEBHOOK) ? 'webhook' : ROLES.find((role) => url.startsWith(URLS[role]))

  async function serve(
    role: Role | 'webhook',
    { url, method, body = '' }: HttpRequest,
  ): Promise<HttpReply | 'close'> {
    if (role === 'webhook') {
      const seen = seenEvent(body)
      if ('error' in seen) throw new Error(`an error was sent as an alarm: ${body}`)
      received.add(seen.key)
      judge.arrived(seen)
      return reply('{}')
    }
    const shown = world.isForged && forged !== undefined ? forged : network
    if (role === 'execution' || role === 'second') {
      const { id, ...call } = JSON.parse(body) as FrontCall & { id: number }
      const { answer } = shown.endpoints[role]
      const delivery = await behave(world.behaving[role], {
        call,
        ask: ({ method: asked, params } = call) => answer(asked, params),
        wait: time.sleep,
      })
      if (delivery === 'close' || 'status' in delivery) return whole(delivery)
      return reply(JSON.stringify({ jsonrpc: '2.0', id, ...delivery.answer }))
    }
    const { pathname, searchParams } = new URL(url)
    const said = await behaveAs(
      world.behaving[role],
      shown[role],
      time.sleep,
    )({
      method,
      path: pathname,
      query: searchParams,
      headers: {},
      body,
    })
    if (said === 'close') return said
    const text = pathname === '/net_info' ? said.body.replace('"n_peers":"0"', '"n_peers":"3"') : said.body
    return {
      ...reply(text, said.status, said.contentType),
      headers: { ...said.headers, 'content-type': said.contentType },
    }
  }

  async function honest(request: HttpRequest): Promise<HttpReply> {
    const role = roleOf(request.url)
    if (role === undefined) throw httpError('http.unreachable', endpointLabel(request.url), 'ENOTFOUND')
    const how = manner[role]
    const label = endpointLabel(request.url)
    if (how !== 'answers') story.reached(role === 'webhook' ? 'webhook-failed' : MANNERS[how])
    if (how === 'refuses') throw httpError('http.unreachable', label, 'ECONNREFUSED')
    if (how === 'is silent') {
      await time.sleep(Math.min(request.deadlineMs, request.idleMs ?? request.deadlineMs), request.signal)
      throw httpError('http.timeout', label, request.deadlineMs)
    }
    const late = (): Promise<undefined> =>
      time
        .sleep(Math.min(request.deadlineMs, request.idleMs ?? request.deadlineMs), request.signal)
        .then(() => undefined)
    const serving = serve(role, request)
    const answer =
      role === 'webhook' || world.behaving[role] === undefined
        ? await serving
        : await Promise.race([serving, late()])
    if (answer === 'close') throw httpError('http.closed', label, 'ECONNRESET', 0)
    if (answer === undefined) throw httpError('http.timeout', label, request.deadlineMs)
    if (answer.body.length > request.maxBytes) throw httpError('http.too-large', label, request.maxBytes)
    if (how === 'dies')
      throw httpError('http.closed', label, 'ECONNRESET', Math.floor(answer.body.length / 2))
    return answer
  }

  const world: World = {
    time,
    network,
    ground,
    disk,
    judge,
    story,
    random,
    plants,
    manner,
    wall: { offsetMs: 0, standsAtMs: undefined },
    forged,
    isForged: false,
    behaving: {},
    isDiskFull: false,
    hadDiskTrouble: false,
    isGuarded,
    lie: undefined,
    locks: new Map(),
    received,
    processes: [],
    losePower() {
      for (const each of world.processes) each.kill()
      const { lost, torn } = disk.losePower(random)
      story.note('WORLD', () => `the power was gone: ${lost} writes lost, ${torn} torn`)
      if (lost > 0) story.reached('write-lost')
      judge.checkFiles()
    },
    async answer(request) {
      const { lie } = world
      if (lie === undefined || roleOf(request.url) !== lie.by) return honest(request)
      const { plan } = ground
      const ask = async (method: string, params: readonly unknown[]) => {
        const answer = await network.endpoints.execution.answer(method, params)
        return 'result' in answer ? answer.result : undefined
      }
      const insight = {
        pubkey: plan.fresh.pubkey,
        account: plan.user.address,
        withdrawalCredentials: `0x01${'00'.repeat(11)}${plan.user.address.slice(2)}` as const,
        elsewhere: 'http://elsewhere.test:1/',
        ask,
      }
      const responder = responderOf(lie.told.tells, insight, () => true)
      const effects = { http: { request: honest } } as unknown as Parameters<typeof tellingEffects>[0]
      return tellingEffects(effects, URLS[lie.by], time, responder).http.request(request)
    },
  }
  return world
}
