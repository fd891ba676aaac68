import { resolve, sep } from 'node:path'
import { credentialsOf, type SignedDeposit } from '../core/deposit/credentials.ts'
import { writeDepositFile } from '../core/deposit/deposit-file.ts'
import { depositSelfTest } from '../core/deposit/self-test.ts'
import type { KeyFacts } from '../core/effects/effects.ts'
import { badUsage } from '../core/errors/base.ts'
import type { NodeSetup } from '../core/facts.ts'
import { formatGwei } from '../core/format/amount.ts'
import { groupHex } from '../core/format/hex.ts'
import { keyPlaceOf } from '../core/identity/home.ts'
import { keyAllowed } from '../core/steps/identity/facts.ts'
import { IDENTITY_FACTS_TEXT } from '../core/steps/identity/facts-text.ts'
import { keepsShut } from '../core/steps/view.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import type { ExitCode } from './exit-codes.ts'
import { type Outcome, tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { requireHome, setupOf } from './setup.ts'
import { readSignOrder, requireNamedNetwork, type SignOrder, signOpinions } from './sign-order.ts'

/** The command `sign`. */
export const sign = commandOf('sign', run)

type Key = { file: string; facts: KeyFacts; homePath: string | undefined }

async function run(call: Call): Promise<ExitCode> {
  requireNamedNetwork(call)
  const setup = await setupOf(call)
  const order = readSignOrder(call, setup.network)
  depositSelfTest()
  const key = await keyOf(call, setup)
  const rows = [keyRow(key, setup), ...orderRows(order, setup)]
  if (rows.some(({ mark }) => mark === 'refused')) return tell(call, setup, { rows })
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
    value: IDENTITY_FACTS_TEXT.key(facts, setup),
    long: facts.pubkey,
    source: file,
  }
}

function orderRows(order: SignOrder, { network }: NodeSetup): ReportRow[] {
  const shape = { step: 'sign', mark: 'given', source: 'you' } as const
  const { genesisValidatorsRoot: root, names } = network
  return [
    { ...shape, id: 'network', label: 'network', value: network.label, long: root, source: 'root' },
    { ...shape, id: 'withdrawal', label: 'withdrawal', value: groupHex(order.withdrawalAddress) },
    { ...shape, id: 'operator', label: 'operator', value: groupHex(order.operator) },
    { ...shape, id: 'amount', label: 'amount', value: `${formatGwei(order.amountGwei)} ${names.token}` },
  ]
}

function madeRows({ signature }: SignedDeposit, path: string): ReportRow[] {
  const shape = { step: 'sign', mark: 'proven', value: '' } as const
  return [
    { ...shape, id: 'signature', label: 'signature', long: signature, source: 'signer child' },
    { ...shape, id: 'file', label: 'deposit file', value: path, source: 'new' },
  ]
}

function tell(
  { io, json }: Call,
  { network }: NodeSetup,
  { rows, data }: { rows: readonly ReportRow[]; data?: Record<string, unknown> },
): ExitCode {
  const notes =
    data === undefined
      ? ['No signature is shown.']
      : [
          'Take the file to the machine with the wallet: its wizard checks it again and sends exactly this amount.',
        ]
  const sentence = ({ which }: Outcome) =>
    data === undefined
      ? `No deposit file was written: see "${which}".`
      : 'Signed and verified; the deposit file is written.'
  const report = { command: 'sign', network: network.id, rows, notes, sentence }
  return tellReport(data === undefined ? report : { ...report, data }, io, { json })
}
