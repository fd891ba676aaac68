/** Where the stake is, as far as this failure lets us say. */
export type MoneyState = 'untouched' | 'unknown' | 'moved'

export type ErrorOptions = {
  /** Lines of detail: what was found, what was expected. Free of secrets and of raw remote text. */
  details?: readonly string[]
  cause?: unknown
  /** What the user can do next, most useful first. */
  nextSteps?: readonly string[]
  /** True when the same call may succeed later without anything being changed. */
  retryable?: boolean
  money?: MoneyState
  /** The other side's own reason, safe to draw in quotes. For people alone: nothing is ever decided by it. */
  said?: string | undefined
}

/**
 * The root of every error that the program raises on purpose.
 *
 * `code` is stable and machine-readable (`domain.what`), `shortMessage` is one sentence for a tired operator.
 */
export class BaseError extends Error {
  readonly code: string
  readonly shortMessage: string
  readonly details: readonly string[]
  readonly nextSteps: readonly string[]
  readonly retryable: boolean
  readonly money: MoneyState
  readonly said: string | undefined

  constructor(code: string, shortMessage: string, options: ErrorOptions = {}) {
    const details = options.details ?? []
    super([shortMessage, ...details].join('\n'), { cause: options.cause })
    this.name = 'BaseError'
    this.code = code
    this.shortMessage = shortMessage
    this.details = details
    this.nextSteps = options.nextSteps ?? []
    this.retryable = options.retryable ?? false
    this.money = options.money ?? 'untouched'
    this.said = options.said
  }
}

/** A failure in one line: what happened and, in quotes and as theirs, the words of the other side. */
export function failureWords({
  shortMessage,
  said,
}: {
  shortMessage: string
  said?: string | undefined
}): string {
  return said === undefined ? shortMessage : `${shortMessage} It said: "${said}"`
}
