import type { Setup } from '../core/chain/facts.ts'
import { isHasty } from '../core/pay/desk/typed-word.ts'
import { SECRET_WORDS as TEXT } from '../core/view/desk-words.ts'
import { errorFacts } from '../core/view/observation.ts'
import type { Session } from '../core/wizard/session.ts'

/** Why no prompt opens: what the word was for was not done, it needs no password, or the screen says what failed. */
type NoPrompt = 'refused' | 'unneeded' | 'none'

/**
 * What is known of the password prompt after a typed word, while no key acts: whoever typed the word may go on with the
 * password at once.
 */
export type SecretWait = {
  is: 'coming' | NoPrompt
  /** Something was typed since the last Enter: the next one ends that line, and answers no screen. */
  isLine: boolean
  lastKeyAtMs: number
  hasDropped: boolean
}

type SecretEvent =
  | { type: 'consented' | 'asked' }
  | { type: 'unasked'; why: NoPrompt }
  | { type: 'pressed'; key: string; nowMs: number }

const CTRL_C = ['\u0003', '\u001b[99;5u']
/** PgUp and PgDn: the reason may be longer than the screen. */
const SCROLLS = ['\u001b[5~', '\u001b[6~']
const ENTER = '\r'
const ESCAPE = '\u001b[27u'

/**
 * Returns the wait after one event; undefined where keys act. Once the screen says why no prompt opens, Esc ends the wait,
 * or an Enter that ends no line that was typed before it; neither does within 30 ms of another key.
 */
function secretWaitAfter(wait: SecretWait | undefined, event: SecretEvent): SecretWait | undefined {
  switch (event.type) {
    case 'consented':
      return { is: 'coming', isLine: false, lastKeyAtMs: Number.NEGATIVE_INFINITY, hasDropped: false }
    case 'asked':
      return undefined
    case 'unasked':
      return wait && { ...wait, is: event.why }
    case 'pressed': {
      if (wait === undefined) return undefined
      const { key, nowMs } = event
      const isAnswer = key === ESCAPE || (key === ENTER && !wait.isLine)
      if (isAnswer && wait.is !== 'coming' && !isHasty(wait, nowMs)) return undefined
      const isText = key !== ENTER && key !== ESCAPE
      const hasDropped = wait.hasDropped || isText
      return { ...wait, isLine: isText || (wait.isLine && key !== ENTER), lastKeyAtMs: nowMs, hasDropped }
    }
  }
}

/** Returns what stands in the place of the keys, in sentences. */
export function secretSentences({ is, hasDropped }: SecretWait): string[] {
  return [TEXT[is], ...(hasDropped ? [TEXT.dropped] : []), ...(is === 'coming' ? [] : [TEXT.answer])]
}

/** What a signer refuses only once it has asked. */
const AFTER_PROMPT = ['keystore.wrong-password', 'keystore.other-account', 'signer.cancelled']

/** Whether passwords are typed here: not those of a rehearsal, nor where an external signer has the key. */
export const asksPasswords = ({ keystore, passwordDescriptor }: Setup): boolean =>
  keystore !== undefined && passwordDescriptor === undefined

/** Keeps keys from everybody between a typed word and its password prompt. */
export type SecretGate = {
  get(): SecretWait | undefined
  subscribe(listener: () => void): () => void
  /** Whether a key may be heard; one that may not is dropped. */
  mayHear(key: string): boolean
  /** Hears how it ended that a signer had the terminal to ask. */
  asked(ended: Promise<void>): Promise<void>
  /** A word was typed and did not count. */
  refused(setup: Setup): void
  /** A word was let go after which a password may be asked for. */
  consented(): void
  /** No prompt opens any more. */
  unasked(why: NoPrompt): void
}

/** Returns a gate through which all keys go. */
export function createSecretGate(clock: Pick<Session['clock'], 'monotonicMs'>): SecretGate {
  const listeners = new Set<() => void>()
  let wait: SecretWait | undefined
  const hear = (event: SecretEvent): void => {
    const before = wait
    wait = secretWaitAfter(wait, event)
    if (wait !== before) for (const listener of listeners) listener()
  }
  return {
    get: () => wait,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    mayHear(key) {
      if (wait === undefined || CTRL_C.includes(key)) return true
      if (wait.is !== 'coming' && SCROLLS.includes(key)) return true
      hear({ type: 'pressed', key, nowMs: clock.monotonicMs() })
      return false
    },
    async asked(ended) {
      try {
        await ended
        hear({ type: 'asked' })
      } catch (thrown) {
        if (AFTER_PROMPT.includes(errorFacts(thrown).code)) hear({ type: 'asked' })
        throw thrown
      }
    },
    refused(setup) {
      if (!asksPasswords(setup)) return
      hear({ type: 'consented' })
      hear({ type: 'unasked', why: 'none' })
    },
    consented: () => hear({ type: 'consented' }),
    unasked: (why) => hear({ type: 'unasked', why }),
  }
}
