import { resolve, sep } from 'node:path'
import type { KeyFacts } from '../core/base/effects/effects.ts'
import { badUsage } from '../core/base/errors/base.ts'
import { formatGwei, type Gwei } from '../core/base/format/amount.ts'
import { groupHex, type Hex, sameHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import { credentialsOf, type SignedDeposit } from '../core/chain/deposit/credentials.ts'
import { writeDepositFile } from '../core/chain/deposit/deposit-file.ts'
import { depositSelfTest } from '../core/chain/deposit/self-test.ts'
import { verifyDeposit } from '../core/chain/deposit/verify.ts'
import type { NodeSetup, Setup } from '../core/chain/facts.ts'
import { checkAddress } from '../core/chain/identity/check-address.ts'
import { keyPlaceOf } from '../core/chain/identity/home-files.ts'
import { findNodeTool, toolCreateValidator } from '../core/chain/identity/run-tool.ts'
import { type Network, typedAmount } from '../core/chain/network/network.ts'
import { contractAddressFault } from '../core/chain/network/pools.ts'
import { keyAllowed, keyText } from '../core/steps/identity/facts.ts'
import { keepsShut } from '../core/view/view.ts'
import { readKept } from '../core/wizard/journal/guard-file.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf, pathOf, toolFault } from './command.ts'
import type { SignFields } from './documents/sign.ts'
import { firstDepositReport } from './first-deposit-rows.ts'
import { notAskedRow } from './key-chain-rows.ts'
import { openRows } from './open-rows.ts'
import { type Report, type ReportEnding, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import { requireHome, setupOf } from './setup.ts'
import { libraryRow } from './verify-subject.ts'

/** The command `sign`. */
export const sign = commandOf('sign', run)

type Key = { file: string; facts: KeyFacts; homePath: string | undefined }

async function run(call: Call): Promise<ExitCode> {
  requireNamedNetwork(call)
  const setup = await setupOf(call)
  const order = readSignOrder(call, setup.network)
  depositSelfTest()
  const key = await keyOf(call, setup)
  const rows = [
    keyRow(key, setup),
    ...orderRows(order, setup),
    ...openRows(await readKept(call.effects.store, setup), {
      pubkey: key.facts.pubkey,
      step: 'sign',
      network: setup.network,
    }),
    ...(await chainRows(call, setup, key, order)),
  ]
  if (rows.some(keepsShut)) return tell(call, setup, { rows })
  const path = outOf(call, setup, key)
  const deposit = await signed(call, setup, key, order)
  const { withdrawalAddress } = order
  rows.push(...(await signOpinions(call, setup, { deposit, withdrawalAddress, homePath: key.homePath })))
  if (rows.some(keepsShut)) return tell(call, setup, { rows })
  const { id, executionChainId } = setup.network
  const file = { ...deposit, network: id, executionChainId, operator: order.operator }
  await call.effects.store.writeText(path, writeDepositFile(file), { replace: false })
  return tell(call, setup, { rows: [...rows, ...madeRows(deposit, path)], data: { deposit: file, path } })
}

async function keyOf(call: Call, setup: NodeSetup): Promise<Key> {
  const { network, homePath } = setup
  const { keyTypePrefix } = network.names
  const given = call.options['key-file']
  if (given === undefined) await requireHome(call, setup, 'Or give the key file itself: --key-file FILE.')
  const place =
    given === undefined
      ? await keyPlaceOf(call.effects, { homePath })
      : { keyFile: pathOf(given, call.environment), remoteSigner: '' }
  if (place.remoteSigner !== '') {
    const next = 'Run this where that signer keeps the key, with --key-file.'
    throw badUsage({
      sentence: 'The config.toml of this home names a remote signer: the key is not here.',
      next,
    })
  }
  const facts = await call.effects.signer.inspect({ keyFile: place.keyFile, keyTypePrefix })
  return { file: place.keyFile, facts, homePath: given === undefined ? homePath : undefined }
}

const ENDPOINTS = ['execution', 'second-execution', 'node', 'devnet'] as const

/** What the chain knows of the key, where an endpoint is named: the machine of the key may have none, and needs none. */
async function chainRows(
  call: Call,
  setup: Setup,
  { facts: { pubkey } }: Key,
  { operator }: SignOrder,
): Promise<readonly ReportRow[]> {
  if (!isAsked(call)) return [{ ...notAskedRow('give --execution and --node'), step: 'sign' }]
  const { rows } = await firstDepositReport(call, setup, { pubkey, operator })
  return rows
}

function isAsked({ options }: Call): boolean {
  return options.network === 'rehearsal' || ENDPOINTS.some((name) => options[name] !== undefined)
}

async function signed(
  call: Call,
  { network }: NodeSetup,
  key: Key,
  order: SignOrder,
): Promise<SignedDeposit> {
  const { genesisValidatorsRoot, genesisForkVersion, names } = network
  const { pubkey, fileHash } = key.facts
  const message = {
    pubkey,
    withdrawalCredentials: credentialsOf(order.withdrawalAddress),
    amountGwei: order.amountGwei,
    genesisValidatorsRoot,
    genesisForkVersion,
  }
  const { keyTypePrefix } = names
  const { signature } = await call.effects.signer.signDeposit({
    ...message,
    keyFile: key.file,
    fileHash,
    keyTypePrefix,
  })
  return { ...message, signature }
}

/** Where the deposit file goes: never into the node's home. */
function outOf(call: Call, { homePath }: NodeSetup, { facts }: Key): string {
  const path = pathOf(call.options.out ?? `deposit-${facts.pubkey.slice(2, 10)}.json`, call.environment)
  if (!path.startsWith(`${resolve(homePath)}${sep}`)) return path
  const next = 'Give --out with a path elsewhere.'
  throw badUsage({ sentence: "Nothing is written into the node's home.", found: path, next })
}

function keyRow({ file, facts }: Key, setup: NodeSetup): ReportRow {
  return {
    step: 'sign',
    id: 'key',
    label: 'validator',
    mark: keyAllowed(facts, setup) ? 'proven' : 'refused',
    value: keyText(facts, setup),
    long: facts.pubkey,
    source: file,
  }
}

function orderRows(order: SignOrder, { network }: NodeSetup): ReportRow[] {
  const shape = { step: 'sign', mark: 'given', source: 'you' } as const
  const { genesisValidatorsRoot: root, names } = network
  const amount = `${formatGwei(order.amountGwei)} ${names.token}`
  return [
    { ...shape, id: 'network', label: ROWS_TEXT.network, value: network.label, long: root, source: 'root' },
    { ...shape, id: 'withdrawal', label: ROWS_TEXT.withdrawal, value: groupHex(order.withdrawalAddress) },
    { ...shape, id: 'operator', label: ROWS_TEXT.operator, value: groupHex(order.operator) },
    { ...shape, id: 'amount', label: ROWS_TEXT.amount, value: amount },
  ]
}

function madeRows({ signature }: SignedDeposit, path: string): ReportRow[] {
  const shape = { step: 'sign', mark: 'proven', value: '' } as const
  return [
    { ...shape, id: 'signature', label: ROWS_TEXT.signature, long: signature, source: 'this computer' },
    { ...shape, id: 'file', label: 'deposit file', value: path, source: 'new' },
  ]
}

function tell(
  call: Call,
  { network }: NodeSetup,
  { rows, data }: { rows: readonly ReportRow[]; data?: Report<SignFields>['data'] },
): ExitCode {
  const notes =
    data === undefined
      ? ['No signature is shown.']
      : [
          'Take the file to the machine with the wallet: its wizard checks it again and sends exactly this amount.',
        ]
  const signedWords = isAsked(call)
    ? 'Signed and verified; the deposit file is written.'
    : 'Signed and verified; the deposit file is written. The chain was not asked about the key.'
  const sentence = ({ which }: ReportEnding) =>
    data === undefined ? `No deposit file was written: see "${which}".` : signedWords
  const report = { document: 'sign' as const, network: network.id, rows, notes, sentence }
  return tellReport<SignFields>({ ...report, data: data ?? { deposit: null, path: null } }, call)
}

/** What is to be signed; every field checked as the wizard checks it. */
export type SignOrder = { withdrawalAddress: Hex; operator: Hex; amountGwei: Gwei }

const NAMING = ['network', 'spec', 'devnet'] as const

/** Refuses a call that leaves the network to a guess: a signature is made for one network. Throws `usage.option`. */
export function requireNamedNetwork({ options }: Call): void {
  if (NAMING.some((name) => options[name] !== undefined)) return
  const next = 'Give --network mainnet, bepolia or a network FILE.json, or --spec with --genesis.'
  throw badUsage({ sentence: 'Nothing says for which network this is to be signed.', next })
}

/**
 * The two addresses and the amount from the options: addresses in their EIP-55 form and not a known dead end, the
 * amount in tokens and within the limits of the network. Throws `usage.option` that names the option.
 */
export function readSignOrder({ options }: Call, network: Network): SignOrder {
  const { withdrawal, operator, amount } = options
  return {
    withdrawalAddress: addressOf('withdrawal', withdrawal, network),
    operator: addressOf('operator', operator, network),
    amountGwei: amountOf(amount, network),
  }
}

function addressOf(option: string, text: string | undefined, network: Network): Hex {
  if (text === undefined)
    throw missing(option, 'an address, 0x and 40 characters 0–9 a–f, with the capitals of its checksum')
  const error = contractAddressFault(text, network) ?? checkAddress(text)
  if (error === undefined) return text as Hex
  const next = 'Copy the address from your own record.'
  throw badUsage({ sentence: `--${option}: ${error}`, found: safeText(text, 60), next })
}

function amountOf(text: string | undefined, network: Network): Gwei {
  if (text === undefined) throw missing('amount', 'tokens, such as 10000')
  const typed = typedAmount(text, network)
  if ('amountGwei' in typed) return typed.amountGwei
  const next = 'The amount is in whole tokens, not in gwei.'
  throw badUsage({ sentence: `--amount: ${typed.error}`, found: safeText(text, 60), next })
}

function missing(option: string, expected: string) {
  return badUsage({ sentence: `--${option} is missing.`, next: `Give --${option}: ${expected}.` })
}

export type Made = { deposit: SignedDeposit; withdrawalAddress: Hex; homePath: string | undefined }

/**
 * What judges on this computer alone say of a signature that was just made: the verification here, and the node tool
 * where it is installed and the key lies in a home of its own, which must make the same 96 bytes.
 */
export async function signOpinions(call: Call, setup: Setup, made: Made): Promise<ReportRow[]> {
  return [libraryRow(verifyDeposit(made.deposit)), ...(await toolRow(call, setup, made))]
}

async function toolRow({ effects }: Call, { network }: Setup, made: Made): Promise<ReportRow[]> {
  const { deposit, withdrawalAddress, homePath: home } = made
  const { nodeTool } = network.names
  const tool = await findNodeTool(effects, nodeTool)
  if (tool === undefined || home === undefined) return []
  const row = { step: 'sign', id: 'tool', label: 'node tool signs', source: tool.path } as const
  try {
    const { genesisValidatorsRoot, amountGwei } = deposit
    const order = { home, withdrawalAddress, amountGwei, genesisValidatorsRoot }
    const theirs = await toolCreateValidator(tool, order)
    const same = sameHex(theirs.signature, deposit.signature) && sameHex(theirs.pubkey, deposit.pubkey)
    const value = same ? 'the same 96 bytes' : 'other bytes than ours'
    return [{ ...row, mark: same ? 'proven' : 'refused', value }]
  } catch (thrown) {
    const next = `see what ${nodeTool} deposit create-validator says by itself`
    return [{ ...row, ...toolFault(thrown), next }]
  }
}
