import { effectsUntil } from '../../src/core/base/effects/effects-until.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { PaymentFact, Setup } from '../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../src/core/chain/network/presets.ts'
import { gateOffer, termsOf } from '../../src/core/pay/desk/offer.ts'
import type { AgreedKeyState } from '../../src/core/pay/gate/consent.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import { ownNonces } from '../../src/core/pay/gate/nonce.ts'
import { gateRows } from '../../src/core/pay/gate/view.ts'
import {
  draftOf,
  endedOf,
  initialPayment,
  liveOf,
  newestBytes,
} from '../../src/core/pay/payment/candidates.ts'
import { runPayment } from '../../src/core/pay/payment/commands.ts'
import { paymentTransition } from '../../src/core/pay/payment/machine.ts'
import type {
  PaymentCommand,
  PaymentEvent,
  PaymentState,
  Replacement,
} from '../../src/core/pay/payment/payment.ts'
import { asRemembered, paymentFact, resumePayment } from '../../src/core/pay/payment/remembered.ts'
import { exportedOf, fits, mayAbandon, PAYMENT_DURABLE } from '../../src/core/pay/payment/sign-again.ts'
import { errorFacts } from '../../src/core/view/observation.ts'
import { type Chain, SAFE } from './chain.ts'
import { offersOf, storyOf } from './offers.ts'
import { type Adapter, Died, type Host, type Program, type Told, wordIn } from './program.ts'
import { agreedFacts, shownWorld } from './rules.ts'
import { PUBKEY, planOf, txOf } from './txs.ts'
import { createEngine, FIRST_URL, NODE_URL, PAYER, SECOND_URL, signWithKey } from './whole-effects.ts'
import { rulesOf } from './whole-rules.ts'

const SAFE_TYPED = '0x5afe5afE5afE5afE5afE5aFe5aFe5Afe5Afe5AfE'

type Payment = { send: PaymentState; finished: readonly PaymentFact[] }
type Running = { controller: AbortController; done: Promise<void>; scope: PaymentCommand['scope'] }

const encode = (event: PaymentEvent): string =>
  JSON.stringify(event, (_, part: unknown) =>
    typeof part === 'bigint' ? { $bigint: part.toString() } : part,
  )

const decode = (line: string): PaymentEvent =>
  JSON.parse(line, (_, part: unknown) => {
    const digits = (part as Record<string, unknown> | null)?.$bigint
    return typeof digits === 'string' ? BigInt(digits) : part
  }) as PaymentEvent

const hashIn = (event: PaymentEvent): Hex | undefined =>
  event.type === 'signed' || event.type === 'replaced' ? event.hash : undefined

/** A payment and the paid ones before it, after one event. */
function after(
  { send, finished }: Payment,
  event: PaymentEvent,
): readonly [Payment, readonly PaymentCommand[]] {
  const [next, commands] = paymentTransition(send, event)
  const outcome = endedOf(send)?.outcome
  if (event.type === 'contradicted') {
    const kept = finished.filter(({ hash }) => outcome?.is !== 'paid' || hash !== outcome.included.hash)
    return [{ send: next, finished: kept }, commands]
  }
  const fact = event.type === 'ended' && event.step === 'topup' ? paymentFact(next) : undefined
  return [{ send: next, finished: fact === undefined ? finished : [...finished, fact] }, commands]
}

/** The program as it is: the real commands, transitions and journal lines of a payment, in the world of the model. */
export const WHOLE: Adapter = {
  name: 'the program as it is',
  async sign({ unsigned, isCall }, chain: Chain) {
    if (isCall) return txOf(unsigned, SAFE, ZERO)
    const { tx } = await signWithKey(unsigned)
    chain.signed.set(tx.hash, tx)
    return tx
  },
  async start(host) {
    const program = createProgram(host)
    await program.begin()
    return program
  },
}

const ZERO: Hex = `0x${'00'.repeat(32)}`

function setupOf({ signedBy }: Host): Setup {
  return {
    network: BEPOLIA,
    homePath: '/home',
    endpoints: { execution: FIRST_URL, node: NODE_URL, secondExecution: SECOND_URL },
    ...(signedBy === 'keystore' ? { keystore: '/keystore' } : {}),
    journalDirectory: '/journals',
    lockDirectories: [],
    outputDirectory: '/out',
  }
}

function createProgram(host: Host): Program & { begin(): Promise<void> } {
  const step = host.kind === 'first' ? 'deposit' : 'topup'
  const setup = setupOf(host)
  const engine = createEngine(host)
  const { effects } = engine
  const running = new Map<string, Running>()
  const self = {}
  let payment: Payment = { send: initialPayment, finished: [] }
  let queue: Promise<unknown> = Promise.resolve()
  let agreed: AgreedKeyState | undefined
  let slots = 0

  const state = () => payment.send
  const rulesWith = (world: { effects: typeof effects }) =>
    rulesOf(host, step, { context: { ...world, setup }, state })

  /** As the session does it: what is durable is written first, then applied, and only then do commands run. */
  async function handle(event: PaymentEvent): Promise<boolean> {
    engine.stir()
    if (PAYMENT_DURABLE.includes(event.type)) {
      if (!fits(state(), event)) return false
      if (engine.isDead()) return new Promise(() => undefined)
      try {
        host.append({ type: event.type, hash: hashIn(event), data: encode(event), word: wordIn(event) })
      } catch (thrown) {
        if (!(thrown instanceof Died)) throw thrown
        engine.kill()
        return new Promise(() => undefined)
      }
    }
    const [next, commands] = after(payment, event)
    payment = next
    for (const command of commands) run(command)
    return true
  }

  function dispatch(event: PaymentEvent, signal?: AbortSignal): Promise<boolean> {
    const result = queue.then(() => (signal?.aborted === true ? false : handle(event)))
    queue = result.catch(() => undefined)
    return result
  }

  function run(command: PaymentCommand): void {
    const key = command.type
    const before = running.get(key)
    before?.controller.abort(new BaseError('session.repeated', { short: 'This question is asked anew.' }))
    const controller = new AbortController()
    const { signal } = controller
    const limited = effectsUntil(effects, signal)
    const world = {
      effects: limited,
      setup,
      offers: new Map(),
      facts: () => ({
        identity: {
          pubkey: PUBKEY,
          uncompressedPubkey: PUBKEY,
          address: '',
          key: { kind: 'elsewhere' as const },
        },
        nonces: [
          ...ownNonces(state(), step),
          ...payment.finished.map(
            ({ from, nonce, hash }) => ({ from, nonce, hash, use: 'used', step }) as const,
          ),
        ],
      }),
      async dispatch(event: PaymentEvent): Promise<void> {
        signal.throwIfAborted()
        await dispatch(event, signal)
        signal.throwIfAborted()
      },
      signal,
      openJournal: async () => undefined,
      guards: () => undefined,
      kept: async () => ({ guards: [], payments: [], windows: [] }),
      async lock(name: string) {
        if (engine.isDead()) return new Promise<undefined>(() => undefined)
        const holder = host.locks.get(name)
        if (holder !== undefined && holder !== self) return 'another window'
        host.locks.set(name, self)
        return undefined
      },
    }
    const done = (before?.done ?? Promise.resolve())
      .then(() =>
        signal.aborted
          ? undefined
          : runPayment(command, { context: world, getState: state, kind: rulesWith(world) }),
      )
      .catch(async (thrown: unknown) => {
        if (signal.aborted) return
        await dispatch({ step, type: 'failed', error: errorFacts(thrown) })
      })
      .finally(() => {
        engine.stir()
        if (running.get(key)?.controller === controller) running.delete(key)
      })
    running.set(key, { controller, done, scope: command.scope })
  }

  async function tell(...events: PaymentEvent[]): Promise<void> {
    for (const event of events) await Promise.race([dispatch(event), engine.settle()])
    await engine.settle()
    await typeAccount()
    if (engine.isDead()) throw new Died('in the middle')
  }

  /** Without a keystore somebody types whose account pays. */
  async function typeAccount(): Promise<void> {
    if (host.signedBy === 'keystore' || state().payment.phase !== 'open' || state().sender !== undefined)
      return
    const text = host.signedBy === 'contract' ? SAFE_TYPED : PAYER.address
    await dispatch({ step, type: 'senderTyped', text })
    await engine.settle()
  }

  /** The world on the screen is read every other slot while nothing is agreed to. */
  function lookAround(): void {
    if (state().payment.phase === 'open' && host.kind === 'top-up') agreed = shownWorld(host) ?? agreed
  }

  const mayAgree = (): boolean => {
    const { key } = state().observed
    // An exact first deposit that is there already is taken up by agreeing, too.
    if (key.status === 'known' && key.value.sent !== undefined) return true
    const isShown = host.kind === 'first' || agreed !== undefined
    return isShown && gateIsOpen(state().observed, setup) && !running.has('check')
  }

  async function agree(): Promise<void> {
    const world: AgreedKeyState | undefined = host.kind === 'first' ? { about: 'unused-key' } : agreed
    host.agreed(agreedFacts(host, world))
    const plan = planOf(host.kind, host.amount)
    const gate = gateOffer(state(), plan, setup)
    const terms = termsOf({ kind: 'top-up', level: 'send', ...gate, world, deposits: [], isFollowed: false })
    await tell({ step, type: 'agreed', plan, world, ...(terms === undefined ? {} : { terms }) })
  }

  async function replace(kind: Replacement['kind']): Promise<void> {
    await tell({ step, type: 'quoteAsked', kind })
    const { quote } = state()
    if (quote?.price.status !== 'known') return tell({ step, type: 'quoteLeft' })
    const { transaction } = quote.price.value
    await tell({ step, type: 'replacing', replacement: { kind, transaction } })
  }

  async function enter(): Promise<void> {
    if (state().payment.phase === 'open') return tell({ step, type: 'checkAsked' })
    const [send, commands] = resumePayment(state(), step)
    payment = { ...payment, send }
    for (const command of commands) run(command)
    await tell()
  }

  return {
    async begin() {
      for (const { data } of host.lines()) payment = after(payment, decode(data as string))[0]
      const [send, commands] = resumePayment(asRemembered(payment.send), step)
      payment = { ...payment, send }
      for (const command of commands) run(command)
      lookAround()
      await tell(...(send.payment.phase === 'open' ? [{ step, type: 'checkAsked' } as const] : []))
    },
    offers: () =>
      offersOf(state(), step, { isPrompted: engine.prompt() !== undefined, mayAgree: mayAgree() }),
    async press(offer) {
      switch (offer) {
        case 'agree':
          return agree()
        case 'sign':
        case 'refuse':
          engine.prompt()?.answer(offer === 'sign')
          return tell()
        case 'import': {
          const unsigned = exportedOf(state())
          if (unsigned === undefined) return
          return tell({ step, type: 'imported', text: (await signWithKey(unsigned)).raw })
        }
        case 'speed-up':
          return replace('speed-up')
        case 'cancel':
          return replace('cancellation')
        case 'send-again':
          return tell({ step, type: 'sending-again' })
        case 'abandon': {
          const type = mayAbandon(state()) ? 'abandoned' : 'reopened'
          lookAround()
          return tell({ step, type }, { step, type: 'checkAsked' })
        }
        case 'open-again':
          lookAround()
          return tell({ step, type: 'reopened' }, { step, type: 'checkAsked' })
        case 'look-again':
          lookAround()
          return enter()
      }
    },
    async slot(nowMs) {
      slots += 1
      if (slots % 2 === 0) lookAround()
      await engine.pass(nowMs)
      await tell()
    },
    told,
    shown() {
      const unsigned = exportedOf(state())
      if (unsigned === undefined) return undefined
      const kind = liveOf(state())?.replacement?.kind ?? 'payment'
      return { unsigned, kind, isCall: draftOf(state())?.signer === 'contract' }
    },
    gapFrom: () => state().memory.gapFrom,
    end() {
      engine.kill()
      for (const { controller } of running.values())
        controller.abort(new BaseError('session.left', { short: 'Given up.' }))
    },
  }

  function told(): Told {
    const ended = endedOf(state())
    const outcome = ended?.outcome
    const hash = outcome !== undefined && 'included' in outcome ? outcome.included.hash : undefined
    return {
      payment: state().ordinal,
      end: outcome?.is,
      remembered: ended?.remembered === true,
      hash: hash ?? newestBytes(state())?.hash,
      nonce: draftOf(state())?.transaction.nonce,
      words: () => storyOf(state(), closed),
    }
  }

  function closed(): string {
    return gateRows(state(), setup)
      .filter(({ mark }) => mark === 'refused' || mark === 'unknown')
      .map(({ label, value }) => `${label}: ${value}`)
      .join('; ')
  }
}
