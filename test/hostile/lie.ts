import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Reply } from './wire.ts'

export type Service = 'execution' | 'node' | 'engine'

/** From which moment on a lie is told. All but the first and the last are moments of one of the two payments. */
export type Since = 'always' | 'after signing' | 'after hand-over' | 'after inclusion' | 'at restart'

/** Which payment a moment is of: the first deposit, or the top-up. */
export type Payment = 1 | 2

/** A question on its way to a service. */
export type Asked = {
  /** Path and query of the address. */
  path: string
  /** The JSON-RPC call, where it is one. */
  call?: { id: number; method: string; params: readonly unknown[] }
}

/** What the service itself answers; asked for once at most, so a liar that does not ask keeps the question to itself. */
export type Truth = {
  reply(): Promise<Reply>
  text(): Promise<string>
  /** The result of a JSON-RPC call, or the whole JSON of another reply. */
  value(): Promise<unknown>
}

/** What a liar knows. */
export type Insight = {
  pubkey: Hex
  account: Hex
  withdrawalCredentials: Hex
  /** An address that nobody may ever ask. */
  elsewhere: string
  /** A call that the true execution endpoint answers. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>
}

/** Answers one question: a `Wire`, `PASS` for the truth, `failure(…)`, or the value that takes the place of the truth. */
export type Telling = (asked: Asked, truth: Truth, insight: Insight) => unknown

/** By the name of a JSON-RPC call, or by a path in which `*` stands for anything. */
export type Tellings = Readonly<Record<string, Telling>>

/** How many payments. */
export type Count = 0 | 1 | 2

/**
 * What must happen while the lie is told. `more` counts the payments that are on the chain then, beyond those that were
 * there before the moment of the lie.
 *
 * - `registers`: both steps are paid once, and the validator is active.
 * - `waits`: nothing is refused and nothing more is paid. When the lie ends, the same session goes on and registers.
 * - `refuses`: a problem is told. The next session, with honest endpoints, goes on and registers.
 * - `stops`: either of the two, and the next session registers.
 */
export type Expected = { end: 'registers' } | { end: 'waits' | 'refuses' | 'stops'; more: Count }

/**
 * Only with nobody beside the liar: it is believed, and what is told of the end of a payment may be false. What it costs
 * is time: never a second payment, and the next session, with honest endpoints, puts it right and registers.
 */
export type Believed = { end: 'believes'; more: Count }

/**
 * Only with nobody beside the liar: a transaction is signed that the chain cannot take. It is told as that, and nothing
 * is paid in its place before somebody fills the nonces before it.
 */
export type Stranded = { end: 'strands' }

export type Lie = {
  /** A short sentence. */
  name: string
  service: Service
  since: Since
  /** Which payments it is tried with, where the moment is of one. */
  payments: readonly Payment[]
  tells: (insight: Insight) => Tellings
  /** One execution endpoint, asked by the rules of a rehearsal. */
  alone: OfPayment<Expected | Believed | Stranded>
  /** The liar with an honest second execution endpoint, by the rules of real money. */
  beside: OfPayment<Expected>
  /** An honest first execution endpoint, and the liar as the second one. For lies of the execution endpoint only. */
  asSecond?: OfPayment<Expected>
}

/** The same for both payments, or one for the first deposit and one for the top-up. */
export type OfPayment<T> = T | readonly [T, T]

export const registers: Expected = { end: 'registers' }
export const waits = (more: Count = 0): Expected => ({ end: 'waits', more })
export const refuses = (more: Count = 0): Expected => ({ end: 'refuses', more })
export const stops = (more: Count = 0): Expected => ({ end: 'stops', more })
export const believes = (more: Count = 0): Believed => ({ end: 'believes', more })
export const strands: Stranded = { end: 'strands' }

/** A liar that says the truth for once. */
export const PASS = Symbol('pass')

/** An error of JSON-RPC. */
export class Failure {
  readonly error: { code: number; message: string; data?: unknown }

  constructor(error: Failure['error']) {
    this.error = error
  }
}

export const failure = (message: string, code = -32_000, data?: unknown): Failure =>
  new Failure({ code, message, ...(data === undefined ? {} : { data }) })
