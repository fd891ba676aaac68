import { formatCount, formatGwei, formatWei, type Gwei, type Wei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { anchorsNeeded, type Evidence, type SignedBy } from '../../chain/network/network.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { PROOF_FAULT_WORDS, type ProofFault } from '../../chain/proofs/verify.ts'
import { chainSentence } from '../../observe/findings.ts'
import { known, type Observations, SOURCES } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'
import { EVIDENCE_TEXT, STEP_NAMES_TEXT, STEP_TEXT } from '../../view/text.ts'

/** What the contract's event of our transaction is, beside what was signed. */
export type EventFound =
  | { is: 'as-signed'; index: bigint }
  /** The receipt is forgotten, and the transaction that was signed is in its block. */
  | { is: 'in-block'; block: bigint }
  | { is: 'not-as-signed'; fields: readonly ('key' | 'credentials' | 'amount' | 'signature')[] }
  | { is: 'not-one'; events: number }
  | { is: 'nothing-to-compare' }

/** Why the proven record is not that of a validator of the user's. */
export type RecordFault =
  | { is: 'not-proven'; reason: ProofFault }
  | { is: 'other-credentials' }
  | { is: 'other-index'; index: number; typedIndex: number }
  | { is: 'other-record' }
  | { is: 'leaving' }

/** Answers that together prove the registration. */
export type ConfirmAnswers = {
  event: EventFound
  /** `block`: the endpoint does not keep the balances of that block any more, so nobody looked at them. */
  balance: { fellByWei: Wei; expectedWei: Wei } | { block: bigint }
  beacon:
    | { index: number; withdrawalCredentials: Hex; balanceGwei: Gwei; status: string; exiting: boolean }
    | 'absent'
  proofs: { index: number; slot: bigint; blockRoot: Hex; balanceGwei: Gwei; fault: RecordFault | undefined }
  /** The set's signature of the block that holds the root; else why it isn't to be had, or why nothing is proven. */
  signed:
    | { holds: boolean; blockRoot: Hex; signed: SignedBy }
    | { unavailable: string }
    | { unproven: string }
  anchor: { holds: boolean; blockRoot: Hex }
  secondAnchor: { holds: boolean; blockRoot: Hex }
}

/** What the answers are judged by: what was signed or adopted, the node's own life, and what was chosen. */
export type AboutConfirm = {
  observed: Observations<ConfirmAnswers>
  doubt: NodeDoubt | undefined
  facts: Facts
  setup: Setup
}

/** Returns the root that the validator set signed; undefined where no signed evidence is to be had. */
export function signedRoot({ signed }: Observations<ConfirmAnswers>) {
  const found = known(signed)
  return found !== undefined && 'signed' in found ? found : undefined
}

/** Whether the validator was registered before this wizard ran, so that nothing was paid for it here. */
export const isAdopted = ({ validator }: Facts): boolean => validator?.origin === 'adopted'

/** Returns by what the user knows the validator: it was adopted, or signed here. */
const theirs = (facts: Facts) => (isAdopted(facts) ? 'you adopted' : 'you signed')
const tokenOf = ({ setup }: AboutConfirm) => setup.network.names.token
const sayAnchor = ({ holds }: { holds: boolean }) => (holds ? 'confirms the root' : 'names another root')

/**
 * What together proves the registration, in the order of the rows. The wallet's balance has no part in it: anybody can pay
 * into the account in the same block, and the proof does not need it. How many anchors are needed is counted apart.
 */
export const CONFIRM_FACTS: FactTable<ConfirmAnswers, AboutConfirm> = {
  event: {
    gate: 'needed',
    source: SOURCES.execution,
    isAsked: ({ facts }) => facts.validator?.origin === 'registered-here',
    judge: ({ is }) => is === 'as-signed' || is === 'in-block',
    label: 'event',
    say: eventText,
    unasked: (about) => (isAdopted(about.facts) ? 'not asked: adopted validator' : undefined),
    explain: {
      what: 'The deposit event of the contract, with the running number of the deposit, compared field by field with what you signed.',
      who: 'The transaction receipt, from the execution endpoint. Nodes forget receipts within hours: then the block, which still lists the transaction that you signed.',
      later: 'No.',
    },
  },
  balance: {
    gate: 'told',
    source: SOURCES.execution,
    // What nobody could look at is neither good nor bad, and nothing waits for it.
    judge: (value) => ('block' in value ? 'unasked' : value.fellByWei <= value.expectedWei),
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
    gate: 'needed',
    source: SOURCES.node,
    // A node that hangs does not know what has happened since.
    judge: (value, { doubt, facts }) =>
      value === 'absent' && doubt !== undefined ? undefined : confirmedRecordFits(value, facts),
    label: 'beacon state',
    say: (value, about) => {
      const { doubt } = about
      if (value !== 'absent')
        return `validator ${value.index}, ${formatGwei(value.balanceGwei)} ${tokenOf(about)}`
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
    gate: 'needed',
    source: SOURCES.node,
    judge: ({ fault }) => fault === undefined,
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
    gate: 'told',
    judge: (value) => {
      if ('unproven' in value) return undefined
      return 'unavailable' in value ? 'unasked' : value.holds
    },
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
  // Beside the signature of the set no endpoint is asked for the root.
  anchor: {
    gate: 'told',
    source: SOURCES.execution,
    hasRow: ({ observed }) => signedRoot(observed) === undefined,
    judge: ({ holds }) => holds,
    label: 'anchor',
    say: sayAnchor,
    explain: {
      what: 'The execution chain keeps the roots (hashes) of the recent beacon blocks. The proof must end in exactly such a root.',
      who: 'The beacon-roots contract (EIP-4788), through the execution endpoint.',
      later: 'No.',
    },
  },
  secondAnchor: {
    gate: 'told',
    source: SOURCES.secondExecution,
    hasRow: ({ observed, setup }) =>
      signedRoot(observed) === undefined &&
      (setup.endpoints.secondExecution !== undefined || anchorsNeeded(setup) > 1),
    judge: ({ holds }) => holds,
    label: 'second anchor',
    say: sayAnchor,
    unasked: ({ setup }) =>
      setup.endpoints.secondExecution === undefined ? 'needs a second execution endpoint' : undefined,
    explain: {
      what: 'The same root from a second execution endpoint on another server. Then your own node alone cannot have invented it.',
      who: 'The second execution endpoint.',
      later: 'No.',
    },
  },
}

/** Whether the beacon state holds this validator with the planned credentials and without an exit. */
export function confirmedRecordFits(value: ConfirmAnswers['beacon'], facts: Facts): boolean {
  return value !== 'absent' && !value.exiting && ownCredentials(value, facts)
}

/** Whether a beacon record pays out to the credentials that were signed here or adopted. */
export function ownCredentials(value: { withdrawalCredentials: Hex }, facts: Facts): boolean {
  return sameHex(value.withdrawalCredentials, facts.validator?.withdrawalCredentials ?? '')
}

const FIELDS: Readonly<Record<Extract<EventFound, { is: 'not-as-signed' }>['fields'][number], string>> = {
  key: 'key',
  credentials: 'credentials',
  amount: 'amount',
  signature: 'signature',
}

/** Returns what the event of the contract is, beside what was signed. */
export function eventText(found: EventFound): string {
  switch (found.is) {
    case 'as-signed':
      return `as you signed it, deposit ${found.index}`
    case 'in-block':
      return `as you signed it, in block ${formatCount(found.block)}; its receipt is not kept`
    case 'not-as-signed':
      return `not as signed: ${found.fields.map((field) => FIELDS[field]).join(', ')}`
    case 'not-one':
      return `${found.events} deposit events instead of one`
    case 'nothing-to-compare':
      return 'there is no deposit to compare with'
  }
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
      return `proven, but it ${STANDING_TEXT.isLeaving}`
  }
}

function fellText(value: ConfirmAnswers['balance'], token: string): string {
  if ('block' in value) return `not kept any more: block ${formatCount(value.block)} is older than 128 blocks`
  const overWei = value.fellByWei - value.expectedWei
  if (overWei === 0n) return `fell by ${formatWei(value.fellByWei)} ${token}`
  return overWei > 0n
    ? `fell by ${formatWei(overWei)} ${token} more than you paid`
    : `fell by the expected amount; ${formatWei(-overWei)} ${token} also arrived`
}

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
    left: STANDING_TEXT.worstLost,
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
    title: `Stop: your validator ${STANDING_TEXT.hasLeftOrLeaves}.`,
    lines: (about: Facts) => [
      `The chain knows it with the address that ${theirs(about)}. The stake comes back to that address by itself.`,
      STANDING_TEXT.forEver,
    ],
    next: ['do not top up', STANDING_TEXT.newAttempt],
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
