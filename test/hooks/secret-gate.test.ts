import { describe, expect, test } from 'vitest'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { errorFacts } from '../../src/core/view/observation.ts'
import { transition } from '../../src/core/wizard/procedure.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { type Event, initialState, type State } from '../../src/core/wizard/state.ts'
import { createSecretGate } from '../../src/hooks/secret-gate.ts'
import { watchConsents } from '../../src/hooks/watch-consents.ts'
import { ESCAPE_KEY } from '../../src/terminal/keys.ts'
import { draftWith, preparing, replacementFor, SENDER, SIGNED, signedPayment } from '../support/payments.ts'
import { SETUP } from '../support/written-journal.ts'

const TYPED: Setup = { ...SETUP, keystore: '/keystore' }
const CTRL_C = '\u0003'
const ENTER = '\r'
const STEP = { step: 'topup' } as const

const AGREED: Event = { ...STEP, type: 'agreed', ...draftWith().agreement }
const PREPARED = { ...STEP, ...preparing()[1] } as Event
const failed = (error: Error): Event => ({ ...STEP, type: 'failed', error: errorFacts(error) })
const SILENT = walletError('wallet.gate-closed', { short: 'An endpoint did not answer.' })
const AGREED_GUARD: Event = {
  ...STEP,
  type: 'guardAgreed',
  agreed: { capGwei: 1n, untilSeconds: 1n, slotsToHuman: 1, from: SENDER, nonce: 5, feeLimitWei: 1n },
}
const TOLD: Event = { ...STEP, type: 'guardTold', here: 'none', isOver: true }

/** A gate in front of a session that has events alone, on a clock of its own. */
function opened(setup = TYPED, from: State = initialState) {
  let [state, nowMs, refuses] = [from, 1_000, false]
  const listeners = new Set<Parameters<Session['subscribe']>[0]>()
  const gate = createSecretGate({ monotonicMs: () => nowMs })
  const opening = {
    setup,
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async dispatch(event) {
      if (refuses) return false
      state = transition(state, event, setup)[0]
      for (const listener of listeners) listener(state, event)
      return true
    },
  } as Partial<Session> as Session
  const session = watchConsents(opening, gate)
  return {
    gate,
    happens: async (...events: readonly Event[]) => {
      for (const event of events) await session.dispatch(event)
    },
    begins: (event: Event) => session.dispatch(event),
    refuse: () => {
      refuses = true
    },
    /** The keys that are heard, so many milliseconds one behind the other. */
    heard(keys: readonly string[], afterMs = 100) {
      return keys.filter((key) => {
        nowMs += afterMs
        return gate.mayHear(key)
      })
    },
    is: () => gate.get()?.is,
  }
}

const withTopUp = (send: State['topup']['send']): State => ({
  ...initialState,
  topup: { ...initialState.topup, send },
})

describe('after a word', () => {
  test('no key is heard but Ctrl-C from that moment on, before anything has followed from it', () => {
    const { begins, heard } = opened()
    expect(heard(['q', ENTER])).toEqual(['q', ENTER])
    void begins(AGREED)
    expect(heard(['q', ENTER, ESCAPE_KEY, '\u001b[5~', '\u001b[200~pasted\u001b[201~', CTRL_C])).toEqual([
      CTRL_C,
    ])
  })

  test.each([
    ['prepared', PREPARED],
    ['told of again', { ...STEP, type: 'waiting', what: 'checks', sinceMs: 0 } satisfies Event],
  ])('while the transaction is %s, keys are still dropped', async (_, event) => {
    const { gate, happens, heard } = opened()
    await happens(AGREED, event)
    expect(heard(['q', ENTER, 'u', ENTER, ENTER])).toEqual([])
    expect(gate.get()).toMatchObject({ is: 'coming', hasDropped: true })
  })

  test('keys are heard once the prompt was there, with a signature or without', async () => {
    for (const refusal of ['keystore.wrong-password', 'signer.cancelled', undefined] as const) {
      const { gate, happens, heard } = opened()
      await happens(AGREED, PREPARED)
      const thrown =
        refusal === 'signer.cancelled' ? walletError(refusal) : walletError('keystore.wrong-password')
      const asked = gate.asked(refusal === undefined ? Promise.resolve() : Promise.reject(thrown))
      await asked.catch(() => undefined)
      expect(heard(['q'])).toEqual(['q'])
      await happens(refusal === undefined ? { ...STEP, ...SIGNED } : failed(thrown))
      expect(heard(['q'])).toEqual(['q'])
    }
  })

  test('a signer that could not ask is no prompt', async () => {
    const { gate, happens, heard, is } = opened()
    await happens(AGREED, PREPARED)
    const thrown = walletError('signer.no-terminal')
    await gate.asked(Promise.reject(thrown)).catch(() => undefined)
    expect(heard(['q'])).toEqual([])
    await happens(failed(thrown))
    expect(is()).toBe('none')
  })
})

describe('where no prompt opens', () => {
  test.each([ENTER, ESCAPE_KEY])('keys are heard again after %j on the screen that says why', async (key) => {
    const { happens, heard, is } = opened()
    await happens(AGREED, failed(SILENT))
    expect(is()).toBe('none')
    expect(heard(['q', '\u001b[6~', 'u'])).toEqual(['\u001b[6~'])
    const answers = key === ENTER ? [ENTER, ENTER] : [ESCAPE_KEY]
    expect(heard([...answers, 'q'])).toEqual(['q'])
  })

  test('the Enter that ends a password is no answer, whenever it was begun', async () => {
    const { happens, heard } = opened()
    await happens(AGREED)
    expect(heard(['q', 'u', 'a'])).toEqual([])
    await happens(failed(SILENT))
    expect(heard(['r', 'k', ENTER, 'q', 'u'])).toEqual([])
    expect(heard([ENTER, 'q', ENTER, 'q'])).toEqual([])
    expect(heard([ENTER, ENTER, 'q'])).toEqual(['q'])
  })

  test('a key within 30 ms of another one is no answer', async () => {
    const { happens, heard } = opened()
    await happens(AGREED, failed(SILENT))
    expect(heard([ENTER])).toEqual([])
    await happens(AGREED, failed(SILENT))
    expect(heard(['q', ENTER])).toEqual([])
    expect(heard([ENTER, ESCAPE_KEY, 'q'], 29)).toEqual([])
    expect(heard([ENTER, ENTER, 'q'])).toEqual(['q'])
  })

  test('what the step refuses to begin is said', async () => {
    const { refuse, happens, is } = opened()
    refuse()
    await happens(AGREED)
    expect(is()).toBe('refused')
  })

  test.each<[string, Event, State]>([
    ['is voided', { ...STEP, type: 'guardTakenBack' }, initialState],
    ['is sent again', { ...STEP, type: 'sending-again' }, withTopUp(signedPayment())],
  ])('nothing is signed where something %s: keys are heard once that was read', async (_, event, from) => {
    const { happens, heard, is } = opened(TYPED, from)
    await happens(event)
    expect(is()).toBe('unneeded')
    expect(heard(['q', ENTER, ENTER, 'q'])).toEqual(['q'])
  })

  test('a journal that takes nothing any more, or a fault of the step, ends the wait as well', async () => {
    const ends: readonly Event[] = [
      { step: 'session', type: 'refused', error: errorFacts(SILENT) },
      { step: 'session', type: 'faulted', at: 'topup', error: errorFacts(SILENT) },
    ]
    for (const end of ends) {
      const { happens, is } = opened()
      await happens(AGREED, end)
      expect(is()).toBe('none')
    }
  })
})

test('a replacement and a guard lead to a prompt as a payment does', async () => {
  const live = signedPayment()
  const replacing: Event = { ...STEP, type: 'replacing', replacement: replacementFor(live, 'cancellation') }
  for (const [event, from, end] of [
    [replacing, withTopUp({ ...live, memory: { ...live.memory, inMempool: true } }), failed(SILENT)],
    [AGREED_GUARD, initialState, TOLD],
  ] as const) {
    const { happens, is } = opened(TYPED, from)
    await happens(event)
    expect(is()).toBe('coming')
    await happens(end)
    expect(is()).toBe('none')
  }
})

test.each<[string, Setup]>([
  ['in a rehearsal', { ...TYPED, passwordDescriptor: '/descriptor' }],
  ['with an external signer', SETUP],
])('no key is dropped %s, where no password is typed', async (_, setup) => {
  const { gate, happens, heard } = opened(setup)
  await happens(AGREED)
  gate.refused(setup)
  expect(heard(['q', ENTER])).toEqual(['q', ENTER])
})
