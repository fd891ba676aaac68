import { type Fate, fateOfAbandoned } from '../payment/abandoned.ts'
import { look, withPart } from '../payment/look-track.ts'
import { isAnswer, type Said } from '../payment/round.ts'
import { type Following, notMade, type Refusal } from './following.ts'
import { GATE_TEXT } from './text.ts'

/**
 * Looks whether an abandoned draft was sent after all. Then it is the payment, and is told as found. Throws a `WalletError`
 * in that case, while it may be on its way, and while an endpoint does not tell: no other nonce may be taken then.
 */
export async function requireUnusedAbandoned(following: Following): Promise<void> {
  const { world, getState, kind } = following
  if (getState().abandoned.length === 0) return
  const { said } = await withPart(await look(following), 'deposits', following)
  const answers = said.filter(isAnswer)
  const fate = fateOfAbandoned(getState(), answers)
  if (fate.is === 'sent' && answers.length === said.length) {
    const { draft, hash, valueWei } = fate
    const { nonce, data } = draft.transaction
    await world.dispatch({ step: kind.step, type: 'found', from: draft.from, nonce, hash, valueWei, data })
    throw notMade(GATE_TEXT.abandoned.sent, { what: 'in-use', money: 'moved' })
  }
  if (fate.is === 'unused' && answers.length === said.length) return
  throw notMade(abandonedDoubt(fate, said), { what: 'in-use', retryable: true })
}

/** Why it is not settled what became of an abandoned draft: an endpoint is silent or does not tell, or it may be on its way. */
export function abandonedDoubt({ is }: Fate, said: readonly Said[]): Refusal {
  const silent = said.filter((one) => !isAnswer(one)).map(({ endpoint }) => endpoint)
  if (silent.length > 0) return GATE_TEXT.abandoned.silent(silent.join(' and '))
  return is === 'unknown' ? GATE_TEXT.abandoned.untold : GATE_TEXT.abandoned.maybe
}
