import type { MoneyBand } from '../view.ts'
import type { SendState } from './state.ts'

/** The money band while the end of a payment is only what the journal says. */
export function rememberedMoney({ phase, mined }: SendState, left: string): MoneyBand {
  const block = mined === undefined ? '' : `, block ${mined.blockNumber}`
  const what = phase === 'final' ? `${left} left the wallet` : NOT_SENT[phase]
  return {
    line: `remembered${block}: ${what ?? 'nothing'} · asking the chain`,
    worst: 'worst case here: none. Nothing is sent before the chain has confirmed it.',
  }
}

const NOT_SENT: Partial<Record<SendState['phase'], string>> = {
  reverted: 'the contract refused the payment',
  foreign: 'another transaction took the nonce',
  cancelled: 'the payment was cancelled',
}
