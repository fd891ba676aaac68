import { WalletError } from '../../errors/wallet.ts'
import { fateOfAbandoned } from '../payment/abandoned.ts'
import { look, withPart } from '../payment/look-track.ts'
import { isAnswer } from '../payment/round.ts'
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
  throw new WalletError('in-use', 'The transaction you abandoned may have been sent.', {
    details: [
      'A transaction with its nonce is in the mempool, or not every endpoint shows it yet. Nothing else is sent until that is clear.',
    ],
    retryable: true,
    nextSteps: ['wait, then ask again'],
  })
}
