import { getAddress } from 'viem/utils'
import { addressOf } from '../core/deposit/credentials.ts'
import type { SignedDeposit } from '../core/deposit/deposit.ts'
import type { DepositFile } from '../core/deposit/deposit-file.ts'
import { formatGwei, gwei } from '../core/format/amount.ts'
import { groupHex, type Hex, isHex, sameHex } from '../core/format/hex.ts'
import { safeText } from '../core/format/text.ts'
import { BERACHAIN_NAMES } from '../core/network/presets.ts'
import type { ReportRow } from './report-lines.ts'
import type { Question } from './verify-input.ts'

/**
 * What a verdict is about: the chain and who chose it, key, amount, where it is paid out, who is the operator, and
 * whether a file is of the chain that it is judged for. Never throws.
 */
export function subjectRows(question: Question): ReportRow[] {
  const { deposit, network, file } = question
  const { token } = network?.names ?? BERACHAIN_NAMES
  const source = file === undefined ? 'you' : 'the file'
  const said = (id: string, label: string, value: string, long?: string): ReportRow =>
    subject(id, label, { mark: 'proven', value, source, ...(long === undefined ? {} : { long }) })
  return [
    networkRow(question),
    ...(file === undefined ? [] : fileRows(file, question)),
    said('pubkey', 'validator', '', safeText(deposit.pubkey, 200)),
    said('amount', 'amount', `${formatGwei(gwei(deposit.amountGwei))} ${token}`),
    withdrawalRow(deposit, source),
    ...(file === undefined
      ? []
      : [said('operator', 'operator', `${addressWords(file.operator)}, not part of what is signed`)]),
  ]
}

/** Whether a file names the root and the fork version that its deposit is judged for. */
export function isOfItsChain(
  file: DepositFile,
  { genesisValidatorsRoot, genesisForkVersion }: SignedDeposit,
) {
  const sameRoot = sameHex(file.genesisValidatorsRoot, genesisValidatorsRoot)
  return sameRoot && sameHex(file.genesisForkVersion, genesisForkVersion)
}

function networkRow({ deposit, network, chosenBy, file }: Question): ReportRow {
  const long = safeText(deposit.genesisValidatorsRoot, 200)
  const row = (said: Pick<ReportRow, 'mark' | 'value'>) =>
    subject('network', 'judged for', { ...said, long, source: chosenBy })
  const { genesisForkVersion: fork } = deposit
  if (network !== undefined && !sameHex(fork, network.genesisForkVersion)) {
    const value = `${network.label}, which has the fork version ${network.genesisForkVersion}, not ${safeText(fork, 20)}`
    return row({ mark: 'refused', value })
  }
  if (network !== undefined) return row({ mark: 'proven', value: network.label })
  const name = chosenBy === 'the file' && file !== undefined ? `which the file calls ${file.network}` : ''
  return row({
    mark: 'unasked',
    value: ['a network that is not built in', name].filter((part) => part !== '').join(', '),
  })
}

/** A file of another chain than the one that was asked about, or one that contradicts itself. */
function fileRows(file: DepositFile, { deposit, network }: Question): ReportRow[] {
  const { executionChainId, genesisValidatorsRoot, network: name } = file
  const row = (said: Pick<ReportRow, 'mark' | 'value'> & { long?: Hex; fix?: string }) => [
    subject('file', 'network of the file', { ...said, source: 'the file' }),
  ]
  const own = `${name}, chain ${executionChainId}`
  if (!isOfItsChain(file, deposit)) {
    const value = `another than ${network?.label ?? 'the one it is judged for'}: ${own}`
    const fix = 'give the file that was made for this network, or name the network of the file'
    return row({ mark: 'refused', value, long: genesisValidatorsRoot, fix })
  }
  if (network === undefined) return []
  if (executionChainId === network.executionChainId) return row({ mark: 'proven', value: own })
  const value = `${own}: its root is of chain ${network.executionChainId}`
  return row({ mark: 'refused', value, fix: 'make the file anew: it was altered' })
}

function withdrawalRow({ withdrawalCredentials }: SignedDeposit, source: string): ReportRow {
  const row = (said: Pick<ReportRow, 'mark' | 'value' | 'long'>) =>
    subject('withdrawal', 'withdrawal', { ...said, source })
  try {
    return row({ mark: 'proven', value: addressWords(addressOf(withdrawalCredentials)) })
  } catch {
    const value = 'these credentials name no address: the stake could never be paid out'
    return row({ mark: 'unasked', value, long: safeText(withdrawalCredentials, 200) })
  }
}

function addressWords(address: Hex): string {
  return isHex(address, 20) ? groupHex(getAddress(address)) : safeText(address, 60)
}

function subject(id: string, label: string, said: Omit<ReportRow, 'step' | 'id' | 'label'>): ReportRow {
  return { step: 'sign', id, label, ...said }
}
