import type { AppendFile, Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { depositsOf } from '../support/deposits-of.ts'
import type { Life } from '../support/life.ts'
import { beginWithSecond, decided, sessionOfKind } from '../support/real-money.ts'
import { type Ending, register } from '../support/register.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import { userOf } from '../support/user-of.ts'
import type { LifeOptions, World } from '../support/world.ts'
import { AGREED, burnt, type Departure, falseEnds, isRegistered, takenOf } from './chain-itself.ts'
import { type Hand, payAs, type Stage } from './hands.ts'
import type { Payment } from './lie.ts'
import { agreedIn, beginAnew, endsPayment, type Heard, hear, signsPayment } from './reported.ts'

/** A moment of a payment, counted from its agreement on: after a line of the journal, or before a question. */
export type Moment = { payment: Payment; at: 'line' | 'question'; place: number }

export type Interfered = {
  /** Nothing where the payment had ended before its moment came. */
  stage: Stage | undefined
  /** Deposits of the key on the chain itself, in gwei, at the end. */
  paid: readonly bigint[]
  /** How many of this payment are of transactions that left here. */
  ours: number
  endings: readonly Ending[]
  wrong: readonly string[]
}

/** A registration in which another hand pays in one moment; all of it by the rules of real money. */
export async function interfere(world: World, hand: Hand, moment: Moment): Promise<Interfered> {
  const { payment } = moment
  const user = await userOf(world.devnet)
  const departures: Departure[] = []
  const heard: Heard[] = []
  let stage: Stage | undefined
  let session: Session | undefined
  let other: Ending | undefined
  let computer: Promise<void> | undefined

  /** One computer: each start of the program on it has the same directory. */
  const computerAt = (directory?: string): Computer => {
    let life: Life | undefined
    return async (mutate) => {
      const before = life
      before?.kill()
      await world.clock.flow(async () => before?.died)
      life = beginWithSecond(world, { mutate: recording(mutate) })
      const places =
        directory === undefined ? {} : { journalDirectory: directory, lockDirectories: [directory] }
      const opened = await sessionOfKind(world, life, 'real', places)
      heard.push(hear(opened, () => world.devnet.chain.history.head.header.slot))
      return decided(opened)
    }
  }
  const recording =
    (mutate: LifeOptions['mutate'] = (effects) => effects) =>
    (effects: Effects): Effects => {
      const request = (asked: HttpRequest) => {
        const raw = sentBytes(asked)
        if (raw !== undefined) departures.push({ raw, registered: isRegistered(world, user) })
        return effects.http.request(asked)
      }
      return mutate({ ...effects, http: { request } })
    }
  const strike = async (now: Stage) => {
    stage = now
    if (session === undefined) throw new Error('the session has not begun')
    if (hand !== 'by a second computer') {
      await payAs(hand, { world, user, session, payment })
      return
    }
    let isAtWork = true
    computer = secondComputer().finally(() => {
      isAtWork = false
    })
    while (isAtWork) await world.clock.resting.sleep(500)
  }
  const secondComputer = async () => {
    const start = computerAt(`${world.directory}/second computer`)
    other = await toTheEnd(world, { start, session: await start(), payment })
  }
  const start = computerAt()
  session = await world.clock.flow(() => start(striking(moment, strike)))
  const ending = await toTheEnd(world, { start, session, payment })
  await world.clock.flow(async () => computer)
  const happened = { user, departures, heard }
  return {
    stage,
    paid: await depositsOf(world.devnet.descriptor.urls.execution, user.pubkey),
    ours: await takenOf(happened, AGREED[payment - 1] ?? 0n),
    endings: other === undefined ? [ending] : [ending, other],
    wrong: [...burnt(world, happened), ...(await falseEnds(happened))],
  }
}

type Computer = (mutate?: LifeOptions['mutate']) => Promise<Session>

/** A registration by somebody who, where the payment came to nothing, begins it anew, and then the whole program. */
async function toTheEnd(
  world: World,
  { start, session, payment }: { start: Computer; session: Session; payment: Payment },
): Promise<Ending> {
  const first = await world.clock.flow(() => register(world, session))
  if (first.end === 'active') return first
  await beginAnew(session, payment)
  const second = await world.clock.flow(() => register(world, session))
  if (second.end === 'active') return second
  return world.clock.flow(async () => register(world, await start()))
}

/** Effects of a process in which something happens once, in the moment. */
function striking(
  { payment, at, place }: Moment,
  strike: (stage: Stage) => Promise<void>,
): (effects: Effects) => Effects {
  let isAgreed = false
  let isOver = false
  let stage: Stage = 'agreed'
  let count = -1
  const pass = async (what: Moment['at']) => {
    if (!isAgreed || isOver || what !== at) return
    count += 1
    if (count === place) await strike(stage)
  }
  const append = async (file: AppendFile, line: string) => {
    await file.append(line)
    const { type } = JSON.parse(line) as { type: string }
    if (agreedIn(type) === payment) isAgreed = true
    if (endsPayment(type) && isAgreed) isOver = true
    if (signsPayment(type) && isAgreed) stage = 'signed'
    await pass('line')
  }
  return (effects) => ({
    ...effects,
    store: {
      ...effects.store,
      async openAppend(path, options) {
        const file = await effects.store.openAppend(path, options)
        return { append: (line) => append(file, line), close: () => file.close() }
      },
    },
    http: {
      async request(asked) {
        await pass('question')
        if (stage === 'signed') stage = 'last look'
        const raw: Hex | undefined = sentBytes(asked)
        if (raw !== undefined && isAgreed) stage = 'handed over'
        return effects.http.request(asked)
      },
    },
  })
}
