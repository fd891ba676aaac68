import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { SECOND } from '../support/adopting.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { atSending } from '../support/kills.ts'
import type { Life } from '../support/life.ts'
import { beginWithSecond, decided, sessionOfKind } from '../support/real-money.ts'
import { type Ending, register } from '../support/register.ts'
import { unsigned } from '../support/unsigned.ts'
import type { LifeOptions, World } from '../support/world.ts'
import { burnt, falseEnds, wrongMoney } from './chain-itself.ts'
import { type Liar, liarOf, NOBODY } from './liar.ts'
import type { Believed, Expected, Lie, OfPayment, Payment, Stranded } from './lie.ts'
import { type Heard, hear } from './reported.ts'
import { secretsIn, secretsOf, textBelow } from './secrets.ts'

/** Who else is asked beside the liar. */
type Setting = 'alone' | 'beside' | 'asSecond'

/** A lie as it is tried once. `isSigned`: engines serve what the validator set signed. */
export type Trial = { lie: Lie; setting: Setting; payment: Payment; isSigned?: boolean }

/** How long a lie is told at most, in seconds of the chain: whole registrations take 31. */
const LYING_SECONDS = { always: 20, later: 45, registers: 80 }
const HONEST_SECONDS = 400

/** What happened under a lie, and after it. */
export type Tale = {
  under: Ending
  /** Deposits of the key on the chain when the lie ended. */
  paidUnder: number
  /** How it went on with the truth: in the same session, or in one that was started anew. */
  after: Ending
  /** What is wrong with the money, with what was told, and with secrets; nothing when all is well. */
  wrong: readonly string[]
  /** How often the lie was told. */
  times: number
  words: readonly string[]
}

/** All that is tried with a lie. */
export function trialsOf(lie: Lie): Trial[] {
  const settings: readonly Setting[] = [
    'alone',
    'beside',
    ...(lie.asSecond === undefined ? [] : (['asSecond'] as const)),
  ]
  const payments: readonly Payment[] = lie.since === 'always' ? [1] : lie.payments
  return settings.flatMap((setting) => payments.map((payment) => ({ lie, setting, payment })))
}

export function expectationOf({ lie, setting, payment }: Trial): Expected | Believed | Stranded {
  const expected: OfPayment<Expected | Believed | Stranded> | undefined = lie[setting]
  if (expected === undefined) throw new Error(`${lie.name} is not tried ${setting}`)
  if ('end' in expected) return expected
  return payment === 1 ? expected[0] : expected[1]
}

function lyingSeconds(trial: Trial): number {
  if (expectationOf(trial).end === 'registers') return LYING_SECONDS.registers
  return trial.lie.since === 'always' ? LYING_SECONDS.always : LYING_SECONDS.later
}

/** A registration under a lie, until it ends or waits; then the truth is told, and the registration goes on. */
export async function tellLie(world: World, trial: Trial): Promise<Tale> {
  const { lie, setting, payment } = trial
  const { clock } = world
  const liar = await liarOf(world, lie, payment)
  const heard: Heard[] = []
  const begin = (dies: Pick<LifeOptions, 'dies'> = {}) => beginLife(world, trial, liar, dies)
  const open = async (life: Life): Promise<Session> => {
    const session = setting === 'alone' ? await world.session(life) : await sessionOfKind(world, life, 'real')
    heard.push(hear(session, () => world.devnet.chain.history.head.header.slot))
    return decided(session)
  }
  const goOn = async (session: Session, patienceSeconds: number) =>
    clock.flow(() => register(world, session, { patienceSeconds }))

  if (lie.since === 'at restart') {
    const first = begin({ dies: atSending(payment, 'after') })
    await clock.flow(async () => Promise.race([register(world, await open(first)), first.died]))
    liar.restarted()
  }
  const life = begin()
  const session = await clock.flow(() => open(life))
  const under = await goOn(session, lyingSeconds(trial))
  const paidUnder = (await depositsOf(world.devnet.descriptor.urls.execution, liar.user.pubkey)).length
  liar.repent()
  const goesOn = under.end === 'active' || (under.end === 'waiting' && expectationOf(trial).end === 'waits')
  if (!goesOn) {
    life.kill()
    await clock.flow(() => life.died)
  }
  const next = goesOn ? session : await clock.flow(() => open(begin()))
  const after = under.end === 'active' ? under : await goOn(next, HONEST_SECONDS)
  const happened = { user: liar.user, departures: liar.departures, heard }
  const mayTellFalse = expectationOf(trial).end === 'believes'
  return {
    under,
    paidUnder,
    after,
    wrong: [
      ...(await wrongMoney(world, liar.user)),
      ...burnt(world, happened),
      ...(mayTellFalse ? [] : await falseEnds(happened)),
      ...leaks(world, liar.requests, heard),
    ],
    times: liar.times(),
    words: heard.flatMap(({ words }) => [...words]),
  }
}

function beginLife(world: World, trial: Trial, liar: Liar, dies: LifeOptions): Life {
  const { lie, setting, isSigned = false } = trial
  const url = setting === 'asSecond' ? SECOND : world.devnet.descriptor.urls[lie.service]
  // What the set signs makes most lies of execution endpoints harmless before they are told.
  const mutate = (effects: Effects) => liar.before(isSigned ? effects : unsigned(effects), url)
  const options: LifeOptions = { ...dies, mutate }
  return setting === 'alone' ? world.begin(options) : beginWithSecond(world, options)
}

/** Secrets in what left the program, in what it wrote and in what it said; and questions to a stranger. */
function leaks(world: World, requests: readonly string[], heard: readonly Heard[]): string[] {
  const secrets = secretsOf(world.devnet.descriptor.seed)
  const places = {
    'a request': requests.join('\n'),
    'the journal': textBelow(`${world.directory}/journal`),
    'the screens': heard.flatMap(({ words }) => [...words]).join('\n'),
  }
  const leaked = Object.entries(places).flatMap(([place, text]) =>
    secretsIn(text, secrets).map((what) => `${what} in ${place}`),
  )
  const followed = requests.filter((text) => text.includes(NOBODY))
  return [...leaked, ...followed.map((text) => `asked a stranger: ${text}`)]
}
