import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Effects, HttpReply } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { userOf } from './user-of.ts'
import { beginWatch, type ToldEvent } from './watch-run.ts'
import { startWorld, type World } from './world.ts'

/** How one call is answered: so late, and by this in the place of the truth. */
type Answering = { delayMs?: number; instead?: HttpReply | 'dead' }
/** How an execution endpoint answers a call, which is its n-th. */
export type Endpoint = (method: string, n: number) => Answering

type Beside = {
  own?: Endpoint
  /** The one of somebody else; none where it is left out. */
  other?: Endpoint
  /** Whether an engine serves what the validator set signed. */
  isSigned?: boolean
}

type User = Awaited<ReturnType<typeof userOf>>
type TopUp = Parameters<User['topUp']>

/** An event, and how many slots after the deposit of the story it was told. */
type Told = ToldEvent & { afterSlots: number }

export type WatchBeside = {
  world: World
  pubkey: Hex
  user: User
  /** How the endpoints answer from now on. */
  endpoints: { own: Endpoint; other: Endpoint }
  told: readonly Told[]
  /** Counts the slots of what is told from now on. */
  beginStory(): void
  pass(slots: number): Promise<void>
}

const truly: Endpoint = () => ({})

/** A watch on the rehearsal network, of the validator that has the last place, beside endpoints that behave so. */
export async function watchBeside<T>(
  { own = truly, other, isSigned = true }: Beside,
  story: (it: WatchBeside) => Promise<T>,
): Promise<T> {
  const world = await startWorld({ scenario: 'outbid-while-active' })
  // What is under way when the watch ends takes its time as well.
  return world.clock.flow(async () => {
    try {
      const { descriptor } = world.devnet
      const { execution } = descriptor.urls
      const elsewhere = execution.replace('127.0.0.1', 'localhost')
      const pubkey = validatorKey(descriptor.seed, 'genesis/11').pubkey
      const endpoints = { own, other: other ?? truly }
      const life = world.begin({ mutate: (effects) => answeringAs(effects, { world, endpoints, isSigned }) })
      const run = beginWatch(
        [
          '--devnet',
          join(world.directory, 'descriptor.json'),
          '--execution',
          other === undefined ? execution : `${execution},${elsewhere}`,
          `${pubkey}=mine`,
        ],
        { effects: life.effects, directory: await mkdtemp(join(world.directory, 'state-')) },
      )
      const told: Told[] = []
      let began = 0n
      const pass = async (slots: number) => {
        for (let slot = 0; slot < slots; slot += 1) {
          await world.clock.sleep(descriptor.slotMs)
          const afterSlots = Number(world.devnet.state().slot - began)
          told.push(...run.told.slice(told.length).map((each) => ({ ...each, afterSlots })))
        }
      }
      await pass(12)
      // The execution client is a process of its own: no slot passes while it takes a deposit.
      const { during } = world.clock
      const plain = await during(() => userOf(world.devnet))
      const user = { ...plain, topUp: (...given: TopUp) => during(() => plain.topUp(...given)) }
      const found = await story({
        world,
        pubkey,
        user,
        endpoints,
        told,
        pass,
        beginStory() {
          began = world.devnet.state().slot
          told.length = 0
          run.told.length = 0
        },
      })
      await run.stop()
      if (run.faults.length > 0) throw new Error(run.faults.join('\n'))
      return found
    } finally {
      await world.end()
    }
  })
}

function answeringAs(
  effects: Effects,
  { world, endpoints, isSigned }: Pick<WatchBeside, 'world' | 'endpoints'> & { isSigned: boolean },
): Effects {
  const { execution, engine } = world.devnet.descriptor.urls
  const elsewhere = execution.replace('127.0.0.1', 'localhost')
  const asked = { own: 0, other: 0 }
  const notThere: HttpReply = { status: 404, headers: {}, body: new TextEncoder().encode('404 not found') }
  return {
    ...effects,
    http: {
      async request(request) {
        const { url, body = '{}', deadlineMs } = request
        if (!isSigned && url.startsWith(`${engine}/commit`)) return notThere
        const origins = { own: execution, other: elsewhere }
        const who = (['own', 'other'] as const).find((each) => url.startsWith(origins[each]))
        if (who === undefined) return effects.http.request(request)
        asked[who] += 1
        const { method } = JSON.parse(body) as { method: string }
        const { delayMs = 0, instead } = endpoints[who](method, asked[who])
        await world.clock.resting.sleep(Math.min(delayMs, deadlineMs))
        if (delayMs > deadlineMs) throw httpError('http.timeout', url, deadlineMs)
        if (instead === 'dead') throw httpError('http.unreachable', url, 'ECONNREFUSED')
        return instead === undefined ? effects.http.request(request) : withIdOf(body, instead)
      },
    },
  }
}

/** A reply to this very call. */
function withIdOf(call: string, reply: HttpReply): HttpReply {
  const { id } = JSON.parse(call) as { id: number }
  const text = new TextDecoder().decode(reply.body).replace('"id":0', `"id":${id}`)
  return { ...reply, body: new TextEncoder().encode(text) }
}
