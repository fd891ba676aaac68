import { getAddress } from 'viem/utils'
import { formatGwei, gweiToWei, weiToGwei } from '../core/base/format/amount.ts'
import { groupHex, type Hex, isHex, sameHex, ZERO_ADDRESS } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import { addressOf, type SignedDeposit } from '../core/chain/deposit/credentials.ts'
import type { DepositFile } from '../core/chain/deposit/deposit-file.ts'
import type { verifyDeposit } from '../core/chain/deposit/verify.ts'
import type { Network } from '../core/chain/network/network.ts'
import { BERACHAIN_NAMES } from '../core/chain/network/presets.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import { type DepositQuestion, isOfItsChain } from './verify-input.ts'

/** What something of a deposit stood in, in words. */
const SAID_BY: Readonly<Record<DepositQuestion['source'], string>> = {
  you: 'you',
  'the file': 'the file',
  'the node tool': 'the node tool',
  'the transaction': 'the transaction',
  'the calldata': 'the calldata',
}

/** Who said something of a deposit: a transaction that was found by its hash is the word of one endpoint. */
function sourceOf({ source, foundBy }: Pick<DepositQuestion, 'source' | 'foundBy'>): string {
  return foundBy === undefined ? SAID_BY[source] : `${SAID_BY[source]}, ${foundBy}`
}

/**
 * What a verdict is about: the chain and who chose it, key, amount, where it is paid out, who is the operator, and
 * whether a file is of the chain that it is judged for. Never throws.
 */
export function subjectRows(question: DepositQuestion): ReportRow[] {
  const { deposit, file, call } = question
  const source = sourceOf(question)
  const row: MakeRow = (id, label, part) => signRow(id, label, { ...part, source })
  const key = { mark: 'given', value: '', long: safeText(deposit.pubkey, 200) } as const
  return [
    networkRow(question),
    ...transactionRows(question, row),
    ...accountRows(question, row),
    ...callRows(question, row),
    ...(file === undefined ? [] : fileRows(file, question)),
    row('pubkey', 'validator', key),
    amountRow(question, row),
    ...(call?.kind === 'top-up' ? [] : [withdrawalRow(deposit, row), ...operatorRows(question, row)]),
  ]
}

type Part = Omit<ReportRow, 'step' | 'id' | 'label' | 'source'>
/** Makes a row of what the deposit itself stood in. */
type MakeRow = (id: string, label: string, part: Part) => ReportRow

/** What the contract would not take reverts. */
function amountRow({ deposit, network, call, ...by }: DepositQuestion, row: MakeRow): ReportRow {
  const { token } = network?.names ?? BERACHAIN_NAMES
  const value = `${formatGwei(deposit.amountGwei)} ${token}`
  const least = network?.minimumDepositGwei ?? 0n
  // Of a transaction the value says so.
  const isSaid = call?.kind === 'top-up' || by.transaction !== undefined || by.carriedOut !== undefined
  return row(
    'amount',
    ROWS_TEXT.amount,
    deposit.amountGwei >= least || isSaid
      ? { mark: 'given', value }
      : { mark: 'refused', value: `${value}, which reverts: the least is ${formatGwei(least)}` },
  )
}

function operatorRows({ file, call }: DepositQuestion, row: MakeRow): ReportRow[] {
  const operator = file?.operator ?? call?.operator
  if (operator === undefined) return []
  const value = sameHex(operator, ZERO_ADDRESS)
    ? 'none: one must be set already'
    : `${addressWords(operator)}, not part of what is signed`
  return [row('operator', ROWS_TEXT.operator, { mark: 'given', value })]
}

/** Who sends it, on which chain. The sender pays the deposit, unless a contract account does. */
function transactionRows(
  { network, call, transaction, carriedOut, batchChainId }: DepositQuestion,
  row: MakeRow,
): ReportRow[] {
  if (transaction === undefined)
    return batchChainId === undefined ? [] : [chainRow(batchChainId, network, row)]
  const { hash, from, nonce, chainId } = transaction
  const pays = carriedOut === undefined ? 'pays' : 'pays only the fee'
  const kind = KINDS[call?.kind ?? 'first']
  return [
    row('transaction', ROWS_TEXT.transaction, { mark: 'given', value: kind, long: hash }),
    row('sender', ROWS_TEXT.sender, {
      mark: 'proven',
      value: `${addressWords(from)}, nonce ${nonce}, ${pays}`,
    }),
    chainRow(chainId, network, row),
  ]
}

function chainRow(chainId: number, network: Network | undefined, row: MakeRow): ReportRow {
  const isChain = network === undefined || network.executionChainId === chainId
  return row('chain', ROWS_TEXT.chain, {
    mark: isChain ? 'proven' : 'refused',
    value: isChain ? String(chainId) : `${chainId}, which is not ${network.label}`,
  })
}

/** The contract account that makes the deposit: whether its owners have signed is for that contract to say. */
function accountRows({ transaction, carriedOut }: DepositQuestion, row: MakeRow): ReportRow[] {
  if (carriedOut === undefined) return []
  const account = transaction?.to
  const pays = account === undefined ? 'a contract account, not named here' : addressWords(account)
  const value = `${pays}: its owners carry the deposit out`
  const payer = row('payer', ROWS_TEXT.payer, { mark: 'proven', value })
  if (carriedOut.by === undefined) return [payer]
  const calls = `${addressWords(carriedOut.by)} makes the calls, as the account itself: compare it with the Safe’s own MultiSend`
  return [payer, row('batch', ROWS_TEXT.batch, { mark: 'unknown', value: calls })]
}

/** A deposit is one call to the deposit contract of its own network, with enough value. */
function callRows({ network, transaction, carriedOut }: DepositQuestion, row: MakeRow): ReportRow[] {
  const made = carriedOut ?? transaction
  if (made === undefined) return []
  const { to, valueWei } = made
  const isContract = network === undefined || sameHex(to ?? '', network.spec.depositContract)
  const least = network?.minimumDepositGwei ?? 0n
  const isValue = gweiToWei(weiToGwei(valueWei)) === valueWei && weiToGwei(valueWei) >= least
  const reverts = `it reverts: the least is ${formatGwei(least)}, in whole gwei`
  return [
    row('receiver', ROWS_TEXT.receiver, {
      mark: isContract ? 'proven' : 'refused',
      value: isContract ? 'the deposit contract' : 'another address than the deposit contract',
    }),
    ...(isValue ? [] : [row('value', ROWS_TEXT.value, { mark: 'refused', value: reverts })]),
  ]
}

const KINDS = {
  first: 'a first deposit',
  'top-up': 'a top-up',
  rescue: 'a signed deposit for a key that has an operator',
} as const

function networkRow({ deposit, network, chosenBy, file }: DepositQuestion): ReportRow {
  const long = safeText(deposit.genesisValidatorsRoot, 200)
  const row = (part: Pick<ReportRow, 'mark' | 'value'>) =>
    signRow('network', 'judged for', { ...part, long, source: SAID_BY[chosenBy] })
  const { genesisForkVersion: fork } = deposit
  if (network !== undefined && !sameHex(fork, network.genesisForkVersion)) {
    const value = `${network.label}, which has the fork version ${network.genesisForkVersion}, not ${safeText(fork, 20)}`
    return row({ mark: 'refused', value })
  }
  if (network !== undefined) return row({ mark: 'given', value: network.label })
  const name = chosenBy === 'the file' && file !== undefined ? `which the file calls ${file.network}` : ''
  return row({
    mark: 'unasked',
    value: ['a network that is not built in', name].filter((part) => part !== '').join(', '),
  })
}

/** A file of another chain than the one that was asked about, or one that contradicts itself. */
function fileRows(file: DepositFile, { deposit, network }: DepositQuestion): ReportRow[] {
  const { executionChainId, genesisValidatorsRoot, network: name } = file
  const row = (part: Pick<ReportRow, 'mark' | 'value' | 'next'> & { long?: Hex }) => [
    signRow('file', 'network of the file', { ...part, source: 'the file' }),
  ]
  const own = `${name}, chain ${executionChainId}`
  if (!isOfItsChain(file, deposit)) {
    const value = `another than ${network?.label ?? 'the one it is judged for'}: ${own}`
    const next = 'give the file that was made for this network, or name the network of the file'
    return row({ mark: 'refused', value, long: genesisValidatorsRoot, next })
  }
  if (network === undefined) return []
  if (executionChainId === network.executionChainId) return row({ mark: 'proven', value: own })
  const value = `${own}: its root is of chain ${network.executionChainId}`
  return row({ mark: 'refused', value, next: 'make the file anew: it was altered' })
}

function withdrawalRow({ withdrawalCredentials }: SignedDeposit, row: MakeRow): ReportRow {
  const shape = ['withdrawal', ROWS_TEXT.withdrawal] as const
  try {
    return row(...shape, { mark: 'given', value: addressWords(addressOf(withdrawalCredentials)) })
  } catch {
    const value = 'these credentials name no address: the stake could never be paid out'
    return row(...shape, { mark: 'unasked', value, long: safeText(withdrawalCredentials, 200) })
  }
}

/** Returns an address in groups, as the screens show it; what is none as it is, safe to draw. */
export function addressWords(address: Hex): string {
  return isHex(address, 20) ? groupHex(getAddress(address)) : safeText(address, 60)
}

/** Returns a row of what is signed, or of who judges it. */
export function signRow(
  id: string,
  label: string,
  part: Omit<ReportRow, 'step' | 'id' | 'label'>,
): ReportRow {
  return { step: 'sign', id, label, ...part }
}

/** Returns what the library that is built in says of the signature of a deposit. */
export function libraryRow(verdict: ReturnType<typeof verifyDeposit>): ReportRow {
  const accepted = verdict.verdict === 'accepted'
  return signRow('library', 'signature library', {
    mark: accepted ? 'proven' : 'refused',
    value: accepted ? 'accepts' : verdict.words,
    source: 'this computer',
  })
}
