import type { Effects, HttpReply, HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'
import { type Departure, isRegistered, type User } from './chain-itself.ts'
import type { Lie, Payment } from './lie.ts'
import { type Responder, responderOf, tellingEffects } from './proxy.ts'

/** Where redirects of a liar point to. Nobody may ever ask there. */
export const NOBODY = 'http://elsewhere.test:1/'

/** One liar, with what it has seen of a registration, and all that left the program meanwhile. */
export type Liar = {
  /** Effects of a process before which the liar stands; addresses of the service begin with `url`. */
  before(effects: Effects, url: string): Effects
  /** A process was killed, and another one follows. */
  restarted(): void
  /** From now on the truth is told. */
  repent(): void
  /** How often a lie was told. */
  times(): number
  /** Whose registration it is. */
  user: User
  departures: readonly Departure[]
  /** Every request as it left: address, head and body. */
  requests: readonly string[]
}

/** A liar that has told nothing yet, and does so from the moment of the lie on. */
export async function liarOf(world: World, lie: Lie, payment: Payment): Promise<Liar> {
  const user = await userOf(world.devnet)
  const departures: Departure[] = []
  const requests: string[] = []
  const handedOver = new Set<Hex>()
  let signed = 0
  let restarts = 0
  let isOver = false
  let times = 0

  const isMoment = async (): Promise<boolean> => {
    switch (lie.since) {
      case 'always':
        return true
      case 'after signing':
        return signed >= payment
      case 'after hand-over':
        return handedOver.size >= payment
      case 'after inclusion':
        return Number(await user.rpc('eth_getTransactionCount', [user.address, 'latest'])) >= payment
      case 'at restart':
        return restarts > 0
    }
  }
  const isTold = async () => !isOver && (await isMoment())
  const { address: account, pubkey, withdrawalCredentials, rpc: ask } = user
  const insight = { account, pubkey, withdrawalCredentials, elsewhere: NOBODY, ask }
  const telling = responderOf(lie.tells, insight, isTold)
  const responder: Responder = async (asked, truth) => {
    const wire = await telling(asked, truth)
    if (wire !== undefined) times += 1
    return wire
  }

  const counting = ({ signer }: Effects): Effects['signer'] => ({
    ...signer,
    async signTransaction(request) {
      const answer = await signer.signTransaction(request)
      signed += 1
      return answer
    },
  })
  return {
    before(effects, url) {
      const lying = tellingEffects(effects, url, world.clock.resting, responder)
      const request = async (asked: HttpRequest): Promise<HttpReply> => {
        requests.push(`${asked.method} ${asked.url} ${JSON.stringify(asked.headers)} ${asked.body}`)
        const raw = sentBytes(asked)
        if (raw === undefined) return lying.http.request(asked)
        departures.push({ raw, registered: isRegistered(world, user) })
        return lying.http.request(asked).finally(() => handedOver.add(raw))
      }
      return { ...lying, signer: counting(effects), http: { request } }
    },
    restarted() {
      restarts += 1
    },
    repent() {
      isOver = true
    },
    times: () => times,
    user,
    departures,
    requests,
  }
}
