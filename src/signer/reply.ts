import { BaseError } from '../core/errors/base.ts'
import { signerFailed } from '../core/errors/signer.ts'

type ReplyError = {
  code: string
  shortMessage: string
  details: readonly string[]
  nextSteps: readonly string[]
  retryable: boolean
}

/** The one line that the child answers. */
export type Reply = { ok: true; result: Readonly<Record<string, unknown>> } | { ok: false; error: ReplyError }

/**
 * Runs the work and puts its outcome into a reply. An error that was not raised on purpose is reported without
 * its text, which might hold parts of a secret.
 */
export async function toReply(work: () => Promise<Readonly<Record<string, unknown>>>): Promise<Reply> {
  try {
    return { ok: true, result: await work() }
  } catch (error) {
    const known = error instanceof BaseError ? error : signerFailed('It met an unknown error.')
    const { code, shortMessage, details, nextSteps, retryable } = known
    return { ok: false, error: { code, shortMessage, details, nextSteps, retryable } }
  }
}
