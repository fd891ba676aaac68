import { getAddress } from 'viem/utils'
import { formatGwei, gweiToWei, weiToGwei } from '../core/base/format/amount.ts'
import { groupHex, type Hex, isHex, sameHex, ZERO_ADDRESS } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import { addressOf, type SignedDeposit } from '../core/chain/deposit/credentials.ts'
import type { DepositFile } from '../core/chain/deposit/deposit-file.ts'
import { BERACHAIN_NAMES } from '../core/chain/network/presets.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import { type DepositQuestion, isOfItsChain } from './verify-input.ts'
import type { SignedTransaction } from './verify-material.ts'

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
  const { deposit, file, call, transaction } = question
  const source = sourceOf(question)
  const validator = {
    mark: 'given',
    value: '',
    source,
    long: safeText(deposit.pubkey, 200),
  } as const
  return [
    networkRow(question),
    ...(transaction === undefined ? [] : transactionRows(transaction, question)),
    ...accountRows(question),
    ...callRows(question),
    ...(file === undefined ? [] : fileRows(file, question)),
    subject('pubkey', 'validator', validator),
    amountRow(question),
    ...(call?.kind === 'top-up' ? [] : [withdrawalRow(deposit, source), ...operatorRows(question)]),
  ]
}

/** What the contract would not take reverts. */
function amountRow({ deposit, network, source, foundBy, call, ...by }: DepositQuestion): ReportRow {
  const { token } = network?.names ?? BERACHAIN_NAMES
  const value = `${formatGwei(deposit.amountGwei)} ${token}`
  const least = network?.minimumDepositGwei ?? 0n
  const row = (part: Pick<ReportRow, 'mark' | 'value'>) =>
    subject('amount', ROWS_TEXT.amount, { ...part, source: sourceOf({ source, foundBy }) })
  // Of a transaction the value says so.
  const isSaid = call?.kind === 'top-up' || by.transaction !== undefined || by.carriedOut !== undefined
  if (deposit.amountGwei >= least || isSaid) return row({ mark: 'given', value })
  return row({ mark: 'refused', value: `${value}, which reverts: the least is ${formatGwei(least)}` })
}

function operatorRows({ file, call, source, foundBy }: DepositQuestion): ReportRow[] {
  const operator = file?.operator ?? call?.operator
  if (operator === undefined) return []
  const value = sameHex(operator, ZERO_ADDRESS)
    ? 'none: one must be set already'
    : `${addressWords(operator)}, not part of what is signed`
  return [
    subject('operator', ROWS_TEXT.operator, { mark: 'given', value, source: sourceOf({ source, foundBy }) }),
  ]
}

/** Who sends it, on which chain. The sender pays the deposit, unless a contract account does. */
function transactionRows(
  transaction: SignedTransaction,
  { network, call, source, foundBy, carriedOut }: DepositQuestion,
): ReportRow[] {
  const { hash, from, nonce, chainId } = transaction
  const row = (id: string, label: string, part: Omit<ReportRow, 'step' | 'id' | 'label' | 'source'>) =>
    subject(id, label, { ...part, source: sourceOf({ source, foundBy }) })
  const isChain = network === undefined || network.executionChainId === chainId
  const pays = carriedOut === undefined ? 'pays' : 'pays only the fee'
  return [
    row('transaction', ROWS_TEXT.transaction, {
      mark: 'given',
      value: KINDS[call?.kind ?? 'first'],
      long: hash,
    }),
    row('sender', ROWS_TEXT.sender, {
      mark: 'proven',
      value: `${addressWords(from)}, nonce ${nonce}, ${pays}`,
    }),
    row('chain', ROWS_TEXT.chain, {
      mark: isChain ? 'proven' : 'refused',
      value: isChain ? String(chainId) : `${chainId}, which is not ${network.label}`,
    }),
  ]
}

/** The contract account that makes the deposit: whether its owners have signed is for that contract to say. */
function accountRows({ transaction, carriedOut, source, foundBy }: DepositQuestion): ReportRow[] {
  if (carriedOut === undefined) return []
  const account = transaction?.to
  const pays = account === undefined ? 'a contract account, not named here' : addressWords(account)
  const payer = subject('payer', ROWS_TEXT.payer, {
    mark: 'proven',
    value: `${pays}: its owners carry the deposit out`,
    source: sourceOf({ source, foundBy }),
  })
  if (carriedOut.by === undefined) return [payer]
  const value = `${addressWords(carriedOut.by)} makes the calls, as the account itself: compare it with the Safe’s own MultiSend`
  return [
    payer,
    subject('batch', ROWS_TEXT.batch, { mark: 'unknown', value, source: sourceOf({ source, foundBy }) }),
  ]
}

/** A deposit is one call to the deposit contract of its own network, with enough value. */
function callRows({ network, transaction, carriedOut, source, foundBy }: DepositQuestion): ReportRow[] {
  const made = carriedOut ?? transaction
  if (made === undefined) return []
  const { to, valueWei } = made
  const row = (id: string, label: string, part: Omit<ReportRow, 'step' | 'id' | 'label' | 'source'>) =>
    subject(id, label, { ...part, source: sourceOf({ source, foundBy }) })
  const isContract = network === undefined || sameHex(to ?? '', network.spec.depositContract)
  const least = network?.minimumDepositGwei ?? 0n
  const isValue = gweiToWei(weiToGwei(valueWei)) === valueWei && weiToGwei(valueWei) >= least
  return [
    row('receiver', ROWS_TEXT.receiver, {
      mark: isContract ? 'proven' : 'refused',
      value: isContract ? 'the deposit contract' : 'another address than the deposit contract',
    }),
    ...(isValue
      ? []
      : [
          row('value', ROWS_TEXT.value, {
            mark: 'refused',
            value: `it reverts: the least is ${formatGwei(least)}, in whole gwei`,
          }),
        ]),
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
    subject('network', 'judged for', { ...part, long, source: SAID_BY[chosenBy] })
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
    subject('file', 'network of the file', { ...part, source: 'the file' }),
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

function withdrawalRow({ withdrawalCredentials }: SignedDeposit, source: string): ReportRow {
  const row = (part: Pick<ReportRow, 'mark' | 'value' | 'long'>) =>
    subject('withdrawal', ROWS_TEXT.withdrawal, { ...part, source })
  try {
    return row({ mark: 'given', value: addressWords(addressOf(withdrawalCredentials)) })
  } catch {
    const value = 'these credentials name no address: the stake could never be paid out'
    return row({ mark: 'unasked', value, long: safeText(withdrawalCredentials, 200) })
  }
}

function addressWords(address: Hex): string {
  return isHex(address, 20) ? groupHex(getAddress(address)) : safeText(address, 60)
}

function subject(id: string, label: string, part: Omit<ReportRow, 'step' | 'id' | 'label'>): ReportRow {
  return { step: 'sign', id, label, ...part }
}
