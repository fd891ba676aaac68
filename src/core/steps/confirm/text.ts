import { formatCount, formatGwei, formatWei } from '../../base/format/amount.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import type { Evidence } from '../../chain/network/anchors.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { PROOF_FAULT_WORDS } from '../../chain/proofs/verify.ts'
import { chainSentence } from '../../observe/node-text.ts'
import { EVIDENCE_TEXT } from '../../view/evidence-text.ts'
import { STEP_NAMES_TEXT } from '../../view/names-text.ts'
import type { FactTexts } from '../../view/rows.ts'
import { STEP_TEXT } from '../../view/text.ts'
import {
  type AboutConfirm,
  type ConfirmAnswers,
  type EventFound,
  isAdopted,
  type RecordFault,
} from './facts.ts'

const theirs = (facts: Facts) => (isAdopted(facts) ? 'you adopted' : 'you signed')
const tokenOf = ({ setup }: AboutConfirm) => setup.network.names.token
const holds = (value: { holds: boolean }) => (value.holds ? 'confirms the root' : 'names another root')

type Field = Extract<EventFound, { is: 'not-as-signed' }>['fields'][number]
const FIELDS: Readonly<Record<Field, string>> = {
  key: 'key',
  credentials: 'credentials',
  amount: 'amount',
  signature: 'signature',
}

/** What the event of the contract is, beside what was signed. */
function eventText(found: EventFound): string {
  switch (found.is) {
    case 'as-signed':
      return `as you signed it, deposit ${found.index}`
    case 'not-as-signed':
      return `not as signed: ${found.fields.map((field) => FIELDS[field]).join(', ')}`
    case 'not-one':
      return `${found.events} deposit events instead of one`
    case 'nothing-to-compare':
      return 'there is no deposit to compare with'
  }
}

const facts: FactTexts<ConfirmAnswers, AboutConfirm> = {
  event: {
    label: 'event',
    say: eventText,
    unasked: (about) => (isAdopted(about.facts) ? 'not asked: adopted validator' : undefined),
    explain: {
      what: 'The deposit event of the contract, with the running number of the deposit, compared field by field with what you signed.',
      who: 'The transaction receipt, from the execution endpoint.',
      later: 'No.',
    },
  },
  balance: {
    label: 'wallet',
    say: (value, about) => fellText(value, tokenOf(about)),
    unasked: (about) => {
      if (isAdopted(about.facts)) return 'not asked: adopted validator'
      return about.facts.deposit?.contract === true ? 'not compared: a contract account' : undefined
    },
    explain: {
      what: 'The balance of the account before and after that block, compared with the stake and the fee. This row is for information and decides nothing: others can pay into the account in the same block. An execution client in full mode keeps the balances of the last 128 blocks; only an archive endpoint knows older ones.',
      who: 'The execution endpoint.',
      later: 'No.',
    },
  },
  beacon: {
    label: 'beacon state',
    say: (value, about) => {
      if (value !== 'absent')
        return `validator ${value.index}, ${formatGwei(value.balanceGwei)} ${tokenOf(about)}`
      const { doubt } = about
      return doubt === undefined
        ? 'does not know the key yet'
        : `did not know the key at slot ${formatCount(doubt.slot)}`
    },
    explain: {
      what: 'The record of the validator: it must name the planned withdrawal address and must not be leaving.',
      who: 'The node API. The next rows prove it.',
      later: 'The balance: yes. The withdrawal address: never.',
    },
  },
  proofs: {
    label: 'proofs',
    say: ({ fault, slot }, about) =>
      fault === undefined ? `valid, slot ${formatCount(slot)}` : faultText(fault, about.facts),
    explain: {
      what: 'Merkle proofs (chains of hashes) that connect key, credentials and balance with the root of a beacon block. They are checked on this computer.',
      who: 'The node gives the hashes; this computer does the arithmetic.',
      later: 'Yes: a proof is for one slot only.',
    },
  },
  signed: {
    label: 'signature',
    say: (value) => {
      if ('unproven' in value) return value.unproven
      if ('unavailable' in value) return `no signature to check: ${value.unavailable}`
      return value.holds ? EVIDENCE_TEXT.signed(value.signed) : 'signed a block with another root'
    },
    explain: {
      what: 'More than two thirds of the validators sign each block with one signature. It is verified on this computer, so no endpoint can make up the block.',
      who: 'The validator set. It doesn’t matter which endpoint passes the signature on.',
      later: 'No.',
    },
  },
  anchor: {
    label: 'anchor',
    say: holds,
    explain: {
      what: 'The execution chain keeps the roots (hashes) of the recent beacon blocks. The proof must end in exactly such a root.',
      who: 'The beacon-roots contract (EIP-4788), through the execution endpoint.',
      later: 'No.',
    },
  },
  secondAnchor: {
    label: 'second anchor',
    say: holds,
    unasked: ({ setup }) =>
      setup.endpoints.secondExecution === undefined ? 'needs a second execution endpoint' : undefined,
    explain: {
      what: 'The same root from a second execution endpoint on another server. Then your own node alone cannot have invented it.',
      who: 'The second execution endpoint.',
      later: 'No.',
    },
  },
}

/** Every sentence of the step that proves the registration. */
export const CONFIRM_TEXT = {
  facts,
  event: eventText,
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

function faultText(fault: RecordFault, about: Facts): string {
  switch (fault.is) {
    case 'not-proven':
      return `not proven: ${PROOF_FAULT_WORDS[fault.reason]}`
    case 'other-credentials':
      return `proven, but with other credentials than ${theirs(about)}`
    case 'other-index':
      return `proven, but as validator ${fault.index}, not ${fault.typedIndex}`
    case 'other-record':
      return 'the node reports another record than the proven one'
    case 'leaving':
      return 'proven, but leaving the active set'
  }
}

/** What has left the wallet, and whether only the journal says so. */
function leftText({ deposit }: Facts, token: string): string {
  if (deposit === undefined) return `0 ${token}`
  const left = `${formatWei(deposit.valueWei)} ${token}`
  return deposit.remembered === true
    ? `${left}, as remembered, block ${formatCount(deposit.blockNumber)}`
    : left
}

function fellText(value: ConfirmAnswers['balance'], token: string): string {
  if ('block' in value) return `not kept any more: block ${formatCount(value.block)} is older than 128 blocks`
  const overWei = value.fellByWei - value.expectedWei
  if (overWei === 0n) return `fell by ${formatWei(value.fellByWei)} ${token}`
  return overWei > 0n
    ? `fell by ${formatWei(overWei)} ${token} more than you paid`
    : `fell by the expected amount; ${formatWei(-overWei)} ${token} also arrived`
}
