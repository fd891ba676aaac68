import { depositError } from '../../base/errors/deposit.ts'
import { readFields, readJson } from '../../base/format/fields.ts'
import { type Hex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import { addressOf, type SignedDeposit } from './credentials.ts'
import { inputOf, nameInput } from './input-kind.ts'

/** What travels from the machine that holds the key to the one that holds the wallet. No secrets. */
export type DepositFile = SignedDeposit & {
  /** Name of the network, for people. */
  network: string
  executionChainId: number
  operator: Hex
}

const FORMAT = 'bearings-deposit'
const VERSION = 1
const MAX_CHARACTERS = 16_384
const FIELDS = {
  file: ['format', 'version', 'network', 'message', 'signature', 'operator'],
  network: ['name', 'executionChainId', 'genesisValidatorsRoot', 'genesisForkVersion'],
  message: ['pubkey', 'withdrawalCredentials', 'amountGwei'],
} as const

/** Returns the text of a deposit file: indented JSON, version 1, the amount as a decimal text in gwei. */
export function writeDepositFile(deposit: DepositFile): string {
  const { genesisValidatorsRoot, genesisForkVersion, pubkey, withdrawalCredentials } = deposit
  const content = {
    format: FORMAT,
    version: VERSION,
    network: {
      name: deposit.network,
      executionChainId: deposit.executionChainId,
      genesisValidatorsRoot,
      genesisForkVersion,
    },
    message: { pubkey, withdrawalCredentials, amountGwei: deposit.amountGwei.toString() },
    signature: deposit.signature,
    operator: deposit.operator,
  }
  return `${JSON.stringify(content, undefined, 2)}\n`
}

/**
 * Reads a deposit file strictly: every field present, of one form, none besides. The signature is not checked
 * here: the caller verifies it under its own pinned network. Throws `deposit.bad-file` and
 * `deposit.bad-credentials`.
 */
export function parseDepositFile(text: string): DepositFile {
  const file = readFields(wholeText(text), {
    path: '',
    fail: (problem) => depositError('deposit.bad-file', problem),
  })
  if (file.text('format') !== FORMAT) file.fail('format', FORMAT)
  if (file.index('version') !== VERSION) file.fail('version', String(VERSION))
  file.only(FIELDS.file)
  const network = file.object('network')
  network.only(FIELDS.network)
  const message = file.object('message')
  message.only(FIELDS.message)
  const withdrawalCredentials = message.hex('withdrawalCredentials', 32)
  addressOf(withdrawalCredentials)
  const operator = file.hex('operator', 20)
  if (operator === ZERO_ADDRESS) file.fail('operator', 'an address other than zero')
  return {
    network: safeText(network.text('name'), 60),
    executionChainId: network.index('executionChainId'),
    genesisValidatorsRoot: network.hex('genesisValidatorsRoot', 32),
    genesisForkVersion: network.hex('genesisForkVersion', 4),
    pubkey: message.hex('pubkey', 48),
    withdrawalCredentials,
    amountGwei: message.uint64('amountGwei'),
    signature: file.hex('signature', 96),
    operator,
  }
}

function wholeText(text: string): unknown {
  const odd = (found: string, expected: string) =>
    depositError('deposit.bad-file', { field: 'the whole text', found, expected })
  if (text.length > MAX_CHARACTERS)
    throw odd(`${text.length} characters`, `at most ${MAX_CHARACTERS} characters`)
  const input = inputOf(text)
  const name = input.kind === 'deposit-file' ? undefined : nameInput(input)
  if (name !== undefined) throw odd(name, 'a deposit file of this program')
  return readJson(text, () => odd(`"${safeText(text, 60)}"`, 'JSON'))
}
