import { WalletError } from '../../errors/wallet.ts'
import { type Fate, fateOfAbandoned } from '../payment/abandoned.ts'
import { look, withPart } from '../payment/look-track.ts'
import { isAnswer, type Said } from '../payment/round.ts'
import type { Following } from './rules.ts'

/**
 * Looks whether an abandoned draft was sent after all. Then it is the payment, and is told as found. Throws a `WalletError`
 * in that case, while it may be on its way, and while an endpoint does not tell: no other nonce may be taken then.
 */
export async function requireUnusedAbandoned(following: Following): Promise<void> {
  const { world, getState, rules } = following
  if (getState().abandoned.length === 0) return
  const { said } = await withPart(await look(following), 'deposits', following)
  const answers = said.filter(isAnswer)
  const fate = fateOfAbandoned(getState(), answers)
  if (fate.is === 'sent' && answers.length === said.length) {
    const { draft, hash, valueWei } = fate
    const { nonce, data } = draft.transaction
    await world.dispatch({ step: rules.step, type: 'found', from: draft.from, nonce, hash, valueWei, data })
    throw new WalletError('in-use', 'The transaction you abandoned was sent after all.', {
      details: ['It is watched from now on. Nothing else is sent.'],
      money: 'moved',
    })
  }
  if (fate.is === 'unused' && answers.length === said.length) return
  const { shortMessage, ...why } = abandonedDoubt(fate, said)
  throw new WalletError('in-use', shortMessage, { ...why, retryable: true })
}

/** Why it is not settled what became of an abandoned draft: an endpoint is silent or does not tell, or it may be on its way. */
export function abandonedDoubt(
  { is }: Fate,
  said: readonly Said[],
): { shortMessage: string; details: readonly string[]; nextSteps: readonly string[] } {
  const silent = said.filter((one) => !isAnswer(one)).map(({ endpoint }) => endpoint)
  if (silent.length > 0) {
    return {
      shortMessage: `${UNKNOWN}: no answer from ${silent.join(' and ')}.`,
      details: ['Every execution endpoint must say so before anything else is sent.'],
      nextSteps: [`look at ${silent.join(' and ')}, then ask again`],
    }
  }
  if (is === 'unknown') {
    return {
      shortMessage: `${UNKNOWN}: an endpoint does not tell the deposits since then.`,
      details: ['Nothing else is sent before every execution endpoint has told them, and who made them.'],
      nextSteps: ['ask again', 'if it stays so, set another execution endpoint'],
    }
  }
  return {
    shortMessage: 'The transaction you abandoned may have been sent.',
    details: [
      'A transaction with its nonce is in the mempool, or not every endpoint shows it yet. Nothing else is sent until that is settled.',
    ],
    nextSteps: ['wait, then ask again'],
  }
}

const UNKNOWN = 'It is not known whether the transaction you abandoned was sent'
