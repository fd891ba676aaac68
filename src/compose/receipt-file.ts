import { dirname } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { formatGwei, formatWei, typedGwei } from '../core/base/format/amount.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { jsonText } from '../core/base/format/strict-json.ts'
import { shellCommand } from '../core/base/format/text.ts'
import type { PaymentFact, RegistrationFact } from '../core/chain/facts.ts'
import { type GuardPayment, guardPayment } from '../core/observe/picture.ts'
import { EVIDENCE_TEXT } from '../core/view/text.ts'
import type { Session } from '../core/wizard/session.ts'
import { isActiveAtLast } from './newest-own.ts'

/** What was paid and proven, for someone who checks it again: no endpoint, no path and no secret is in it. Only the commands of the text have paths. */
export type ReceiptFile = {
  format: 'bearings-receipt'
  version: 1
  writtenAt: string
  network: {
    name: string
    label: string
    token: string
    executionChainId: number
    engineChainId: string
    executionGenesisHash: Hex
    genesisValidatorsRoot: Hex
    genesisForkVersion: Hex
    depositContract: Hex
    proofNamespace: string
  }
  pubkey: Hex
  /** Whether the validator was active when this was written. */
  active: boolean
  signed?: { withdrawalCredentials: Hex; operator: Hex; amountGwei: bigint; signature: Hex }
  /** A validator that was registered without this program, and whose first deposit is not known here. */
  adopted?: { withdrawalCredentials: Hex; operator: Hex }
  deposit?: PaymentFact
  registration?: RegistrationFact
  topUps: readonly PaymentFact[]
  /** What guards have added, in the order of their blocks: top-ups that were signed beforehand. */
  byGuards?: readonly GuardPayment[]
  /** Present where not every guard could be read: what such a one paid is missing above. */
  guardsUnread?: true
}

/** How a shell of this computer starts this program, and the options that name what the receipt is about. */
export type ReceiptCommand = { program: readonly string[]; options: readonly string[] }

/** The receipt of a session; undefined before its first payment is final, by the chain's word in this session. `nowMs` is the wall clock. */
export function receiptOf(session: Session, { nowMs }: { nowMs: number }): ReceiptFile | undefined {
  const { network } = session.setup
  const state = session.getState()
  const { deposit, signature, registration, validator } = session.facts()
  const topUps = [...state.topup.finished, ...topUpNotCounted(session)]
  const { guards = [], isWhole = false } = state.topup.guards ?? {}
  const byGuards = guards
    .flatMap((guard) => guardPayment(guard) ?? [])
    .filter(({ isFinal }) => isFinal)
    .toSorted((a, b) => Number(a.block - b.block))
  const isPaid = deposit !== undefined || topUps.length > 0 || byGuards.length > 0
  if (!isPaid || deposit?.remembered === true || state.journal.status !== 'open') return undefined
  const { executionGenesisHash, pubkey } = state.journal.header
  const { executionChainId, engineChainId, genesisValidatorsRoot, genesisForkVersion, names } = network
  return {
    format: 'bearings-receipt',
    version: 1,
    writtenAt: new Date(nowMs).toISOString(),
    network: {
      name: network.id,
      label: network.label,
      token: names.token,
      executionChainId,
      engineChainId,
      executionGenesisHash,
      genesisValidatorsRoot,
      genesisForkVersion,
      depositContract: network.spec.depositContract,
      proofNamespace: names.proofNamespace,
    },
    pubkey,
    active: isActiveAtLast(state, { pubkey, setup: session.setup }),
    ...(signature === undefined ? {} : { signed: signedPart(signature) }),
    ...(validator?.origin === 'adopted' ? { adopted: adoptedPart(validator) } : {}),
    ...(deposit === undefined ? {} : { deposit }),
    ...(registration === undefined ? {} : { registration: withoutEndpoints(registration) }),
    topUps,
    ...(byGuards.length === 0 ? {} : { byGuards }),
    ...(isWhole ? {} : { guardsUnread: true }),
  }
}

/** A receipt is shown to others: it names no endpoint. */
function withoutEndpoints({ signed, ...registration }: RegistrationFact): RegistrationFact {
  return signed === undefined ? registration : { ...registration, signed: { ...signed, by: '', leftOut: [] } }
}

/** The last top-up, where it is final and not yet among those that were put away. */
function topUpNotCounted(session: Session): PaymentFact[] {
  const { topup } = session.facts()
  const { finished } = session.getState().topup
  return topup === undefined || finished.some(({ hash }) => hash === topup.hash) ? [] : [topup]
}

function adoptedPart({ withdrawalCredentials, operator }: NonNullable<ReceiptFile['adopted']>) {
  return { withdrawalCredentials, operator }
}

function signedPart({
  withdrawalCredentials,
  operator,
  amountGwei,
  signature,
}: NonNullable<ReceiptFile['signed']>) {
  return { withdrawalCredentials, operator, amountGwei, signature }
}

/** The receipt for machines: JSON, amounts as decimal text. */
function receiptJson(receipt: ReceiptFile): string {
  return `${jsonText(receipt, { indent: 2 })}\n`
}

/** The receipt for people: what was paid and proven, and the commands that show it again. */
function receiptMarkdown(receipt: ReceiptFile, own: ReceiptCommand): string {
  const { network, signed, adopted, registration, pubkey, deposit, topUps, byGuards = [] } = receipt
  const head = [
    ['network', `${network.label}, ${network.executionChainId}, ${network.engineChainId}`],
    ['first block', network.executionGenesisHash],
    ['genesis validators root', network.genesisValidatorsRoot],
    ['fork version', network.genesisForkVersion],
    ['deposit contract', network.depositContract],
    ['validator', pubkey],
    ['when this was written', receipt.active ? 'active' : 'not active yet'],
  ]
  const parts = [
    `# Receipt of a validator on ${network.label}`,
    `Written ${receipt.writtenAt}. There is no endpoint and no secret in it. The commands below are for the computer that wrote it.`,
    table(head),
    ...(signed === undefined ? [] : ['## What was signed', table(signedRows(signed, network.token))]),
    ...(adopted === undefined
      ? []
      : ['## What was adopted', 'It was registered without this program.', table(adoptedRows(adopted))]),
    ...(deposit === undefined ? [] : ['## First deposit', table(paymentRows(deposit, network.token))]),
    ...(registration === undefined
      ? []
      : ['## Registration', table(registrationRows(registration, network))]),
    ...topUps.flatMap((payment) => ['## Top-up', table(paymentRows(payment, network.token))]),
    ...byGuards.flatMap((payment) => [
      '## Top-up by a guard',
      table(guardPaymentRows(payment, network.token)),
    ]),
    ...(receipt.guardsUnread === true ? [GUARDS_UNREAD] : []),
    '## To see it again',
    ['```', ...commands(receipt, own), '```'].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

const GUARDS_UNREAD =
  'Not every guard on this computer could be read: an amount that one of them paid may be missing here.'

type Rows = readonly (readonly string[])[]

function table(rows: Rows): string {
  return ['| | |', '|---|---|', ...rows.map(([label, value]) => `| ${label} | ${value} |`)].join('\n')
}

function adoptedRows({ withdrawalCredentials, operator }: NonNullable<ReceiptFile['adopted']>): Rows {
  return [
    ['withdrawal credentials', withdrawalCredentials],
    ['operator', operator],
  ]
}

function signedRows(signed: NonNullable<ReceiptFile['signed']>, token: string): Rows {
  return [
    ['withdrawal credentials', signed.withdrawalCredentials],
    ['operator', signed.operator],
    ['amount', `${formatGwei(signed.amountGwei)} ${token}`],
    ['signature', signed.signature],
  ]
}

function paymentRows(payment: PaymentFact, token: string): Rows {
  return [
    ['transaction', payment.hash],
    ['block', `${payment.blockNumber}, ${payment.blockHash}`],
    ['paid by', `${payment.from}, nonce ${payment.nonce}`],
    ['value', `${formatWei(payment.valueWei)} ${token}`],
    ['fee', `${formatWei(payment.feeWei)} ${token}`],
  ]
}

function guardPaymentRows({ hash, block, from, nonce, amountGwei }: GuardPayment, token: string): Rows {
  return [
    ['transaction', hash],
    ['block', String(block)],
    ['paid by', `${from}, nonce ${nonce}`],
    ['value', `${formatGwei(amountGwei)} ${token}`],
  ]
}

function registrationRows(registration: RegistrationFact, { token }: ReceiptFile['network']): Rows {
  const { validatorIndex, slot, blockRoot, balanceGwei } = registration
  const held = EVIDENCE_TEXT.root(
    registration,
    (anchors) => `held by ${anchors} of the execution endpoints asked`,
  )
  return [
    ['validator index', String(validatorIndex)],
    ['proven in the state of slot', String(slot)],
    ['block root', `${blockRoot}, ${held}`],
    ['balance', `${formatGwei(balanceGwei)} ${token}`],
  ]
}

function commands(receipt: ReceiptFile, own: ReceiptCommand): string[] {
  const { network, pubkey, signed, deposit, registration, topUps, byGuards = [] } = receipt
  return [
    ...[...(deposit === undefined ? [] : [deposit]), ...topUps, ...byGuards].map(({ hash }) =>
      shellCommand('cast', 'receipt', hash, '--rpc-url', RPC),
    ),
    ...(signed === undefined ? [] : [verifyCommand(pubkey, signed, { network, own })]),
    ...(registration === undefined ? [] : [proofCommand(registration, { network, own })]),
    shellCommand(...own.program, 'status', '--validator', pubkey, ...own.options),
  ]
}

type Asking = { network: ReceiptFile['network']; own: ReceiptCommand }

const RPC = 'EXECUTION_RPC'

function verifyCommand(
  pubkey: Hex,
  { withdrawalCredentials, amountGwei, signature }: NonNullable<ReceiptFile['signed']>,
  { network: { genesisValidatorsRoot, genesisForkVersion }, own }: Asking,
): string {
  const amount = typedGwei(amountGwei)
  const deposit = ['--pubkey', pubkey, '--credentials', withdrawalCredentials, '--amount', amount]
  const chain = ['--root', genesisValidatorsRoot, '--fork-version', genesisForkVersion]
  return shellCommand(...own.program, 'verify', ...deposit, '--signature', signature, ...chain)
}

function proofCommand(
  { slot, validatorIndex }: RegistrationFact,
  { network: { proofNamespace }, own }: Asking,
): string {
  const path = `/${proofNamespace}/proof/validator_pubkey/${slot}/${validatorIndex}`
  return shellCommand(...own.program, 'api', path, '--verify', ...own.options)
}

/**
 * Writes the receipt beside the journal, as JSON and as Markdown, in place of an earlier one. Resolves to the path of
 * the Markdown, or to undefined while there is nothing to write. Throws a `file.*` error.
 */
export async function writeReceipt(
  { store, clock }: Pick<Effects, 'store' | 'clock'>,
  session: Session,
  own: ReceiptCommand,
): Promise<string | undefined> {
  const receipt = receiptOf(session, { nowMs: clock.nowMs() })
  const { journal } = session.getState()
  if (receipt === undefined || journal.status !== 'open') return undefined
  const base = `${dirname(journal.path)}/receipt`
  await store.writeText(`${base}.json`, receiptJson(receipt), { replace: true })
  await store.writeText(`${base}.md`, receiptMarkdown(receipt, own), { replace: true })
  return `${base}.md`
}
