import { formatCount, formatWei } from '../../base/format/amount.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import type { Evidence } from '../../chain/network/anchors.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { chainSentence } from '../../observe/node-text.ts'
import { EVIDENCE_TEXT } from '../../view/evidence-text.ts'
import { STEP_NAMES_TEXT } from '../../view/names-text.ts'
import { STEP_TEXT } from '../../view/text.ts'
import { isAdopted, theirs } from './facts.ts'

/** Every sentence of the step that proves the registration, beside those of its facts. */
export const CONFIRM_TEXT = {
  title: STEP_NAMES_TEXT.of.confirm.title,
  factsTitle: 'Does the chain know this validator?',
  good: (index: number | undefined, about: Facts) =>
    `The chain holds validator ${index ?? ''} as ${isAdopted(about) ? 'you adopted it' : 'you signed it'}, proven. Enter goes on.`,
  intro: (about: Facts) =>
    isAdopted(about)
      ? 'The validator was registered without this program. The beacon state must hold it as you adopted it, proven now.'
      : 'The contract took the deposit. Only the beacon state, the list of all validators, says whether the validator is registered.',
  waiting: (about: Facts) => (isAdopted(about) ? 'for the proofs' : 'for the chain to count the deposit'),
  money: (about: Facts, token: string, isProven: boolean) =>
    `left the wallet ${leftText(about, token)}${isProven ? ' (proven)' : ''} · this step sends nothing`,
  /** The worst case: of nothing, of a proof that is invented, of a validator that is gone, or of a deposit that is refused. */
  worst: {
    none: 'worst case here: none.',
    proven: 'worst case: the endpoints that were asked invented this proof.',
    left: 'worst case: none left. The place is lost, the stake is not.',
    open: 'worst case: the chain refused the deposit and it is lost. Nothing you do here changes that.',
  },
  anchored: ({ anchors, signed }: Evidence, { homePath }: Setup) => {
    if (signed !== undefined) return `Proven on this computer: ${EVIDENCE_TEXT.signed(signed)}.`
    return anchors > 1
      ? 'Proven on this computer, held by two execution endpoints.'
      : `Proven on this computer and anchored in the execution chain of ${homePath === undefined ? 'the endpoint that you named' : 'your own node'}.`
  },
  /** What is the matter with a node that is silent or stands still, and what to do. */
  doubt: ({ is, slot, beside }: NodeDoubt) => {
    const own =
      is === 'silent' ? 'Your node does not answer.' : `Your node stands still at slot ${formatCount(slot)}.`
    const act = is === 'silent' ? 'Start it again' : 'Restart it'
    return `${own} ${chainSentence(beside)} ${act}; waiting loses nothing.`
  },
  notFinal:
    'The chain does not say that the first deposit is final. Esc goes back to the step that looks for it.',
  keys: { askAgain: 'ask again', onlyWatch: 'status only' },
  unread: {
    receipt: 'the receipt',
    root: 'the beacon root of its latest block',
    signature: 'no engine served the block',
  },
  left: {
    title: 'Stop: your validator has left the active set, or is leaving it.',
    lines: (about: Facts) => [
      `The chain knows it with the address that ${theirs(about)}. The stake comes back to that address by itself.`,
      'This key never becomes active again; more money sent for it comes back the same way.',
    ],
    next: ['do not top up', 'a new attempt needs a new key'],
  },
  otherData: {
    title: 'Stop: the chain has other data for this key than yours.',
    found: 'credentials in the beacon state',
    expected: (about: Facts) => `credentials that ${theirs(about)}`,
    lines: (about: Facts) => [
      isAdopted(about)
        ? 'More money would go there, too.'
        : 'Somebody registered the key first. More money would go there, too.',
    ],
    next: ['do not top up', STEP_TEXT.verdict.askAgain],
  },
  otherEvent: {
    title: 'Stop: the deposit on chain is not what you signed.',
    next: ['do not top up', STEP_TEXT.verdict.askAgain],
  },
}

/** What has left the wallet, and whether only the journal says so. */
function leftText({ deposit }: Facts, token: string): string {
  if (deposit === undefined) return `0 ${token}`
  const left = `${formatWei(deposit.valueWei)} ${token}`
  return deposit.remembered === true
    ? `${left}, as remembered, block ${formatCount(deposit.blockNumber)}`
    : left
}
