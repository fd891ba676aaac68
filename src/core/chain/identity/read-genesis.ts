import { homeError } from '../../base/errors/home.ts'
import { cutJson } from '../../base/format/cut-json.ts'
import { type FieldReader, readFields } from '../../base/format/fields.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { JsonFault } from '../../base/format/strict-json.ts'
import { type SafeText, safeText } from '../../base/format/text.ts'
import { type GenesisDeposit, type GenesisLimits, genesisRoots } from '../deposit/genesis-root.ts'
import type { Network } from '../network/network.ts'
import { genesisFileOf, type HomeEffects } from './home-files.ts'
import { requirePlainUtf8 } from './plain-utf8.ts'

/** Some eight million validators. Nothing of that size is ever held: 32 bytes a validator are. */
const MAX_GENESIS_BYTES = 4 * 1024 * 1024 * 1024

/** A genesis file, and the root that its deposits make. */
export type GenesisFile = GenesisHead & { root: Hex }

/**
 * Reads a genesis file from the disk while its genesis validators root is made, with the limits of the network that it
 * is held against. `see` gets the public key of each validator in turn. Throws a `genesis-file.*` error, `home.encoding`
 * or a `file.*`.
 */
export async function readGenesisFile(
  { files }: Pick<HomeEffects, 'files'>,
  { path, limits, see }: { path: string; limits: GenesisLimits; see?: (pubkey: Hex) => void },
): Promise<GenesisFile> {
  const roots = genesisRoots(limits)
  const reader = genesisReader((deposit) => {
    roots.add(deposit)
    see?.(deposit.pubkey)
  })
  let isFirst = true
  const sink = (piece: Uint8Array) => {
    if (isFirst) requirePlainUtf8(piece, 'genesis.json')
    isFirst = false
    reader.write(piece)
  }
  sink(await files.read(path, { maxBytes: MAX_GENESIS_BYTES, sink }))
  return { ...reader.end(), root: roots.root() }
}

type SignedGenesisDeposit = GenesisDeposit & { signature: Hex }

/** What the engine's genesis file says. */
export type Genesis = {
  engineChainId: SafeText
  genesisForkVersion: Hex
  /** As written, and in whole Unix seconds. Networks may go by their spec file's time instead. */
  genesisTime: SafeText
  genesisTimeSeconds: bigint
  deposits: readonly SignedGenesisDeposit[]
  /** The execution chain's first block. */
  execution: { blockHash: Hex; blockNumber: bigint; timestampSeconds: bigint; stateRoot: Hex }
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** A genesis file without its deposits, which were handed on one by one. */
type GenesisHead = Omit<Genesis, 'deposits'> & { validators: number }

export type GenesisReader = {
  write(piece: Uint8Array): void
  end(): GenesisHead
}

const DEPOSITS = 'app_state.beacon.deposits'
/** All of the file but its deposits. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024

/**
 * Reads an engine genesis.json strictly and piece by piece: the deposits of a million validators are half a gigabyte,
 * so each goes to `take` in its turn and is not kept here. Amounts may be hex or decimal texts. `write` and `end`
 * throw `genesis-file.not-json`, `genesis-file.bad-field` (naming the field) and `genesis-file.no-deposits` for the
 * file of a home that was never given the network's own.
 */
export function genesisReader(take: (deposit: SignedGenesisDeposit) => void): GenesisReader {
  let validators = 0
  const cutter = cutJson(
    {
      [DEPOSITS]: (entries) => {
        for (const entry of entries) {
          take(readDeposit(entry, validators))
          validators += 1
        }
      },
    },
    { maxHeldBytes: MAX_HEAD_BYTES },
  )
  return {
    write: (piece) => asGenesis(() => cutter.write(piece)),
    end: () => asGenesis(() => readHead(cutter.end(), validators)),
  }
}

/** Reads the whole text of an engine genesis.json, as `genesisReader` does. */
export function readGenesis(text: string): Genesis {
  const deposits: SignedGenesisDeposit[] = []
  const reader = genesisReader((deposit) => void deposits.push(deposit))
  reader.write(new TextEncoder().encode(text))
  const { validators: _, ...head } = reader.end()
  return { ...head, deposits }
}

function asGenesis<T>(read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    throw thrown instanceof JsonFault ? homeError('genesis-file.not-json', thrown.message) : thrown
  }
}

function readHead(content: unknown, validators: number): GenesisHead {
  const file = readFields(content, {
    path: '',
    fail: (problem) => homeError('genesis-file.bad-field', problem),
  })
  const beacon = file.object('app_state').object('beacon')
  if (beacon.has('deposits')) beacon.list('deposits')
  if (validators === 0) throw homeError('genesis-file.no-deposits')
  const genesisTime = file.text('genesis_time')
  if (!TIME.test(genesisTime) || Number.isNaN(Date.parse(genesisTime))) {
    file.fail('genesis_time', 'a time such as 2025-01-20T14:00:00Z')
  }
  const engineChainId = file.text('chain_id')
  if (!/^[\x21-\x7e]{1,100}$/.test(engineChainId))
    file.fail('chain_id', 'a name of 1 to 100 plain characters')
  return {
    engineChainId: safeText(engineChainId),
    genesisForkVersion: beacon.hex('fork_version', 4),
    genesisTime: safeText(genesisTime),
    genesisTimeSeconds: BigInt(Math.floor(Date.parse(genesisTime) / 1000)),
    validators,
    execution: readExecution(beacon.object('execution_payload_header')),
  }
}

function readDeposit(value: unknown, position: number): SignedGenesisDeposit {
  const deposit = readFields(value, {
    path: `${DEPOSITS}[${position}]`,
    fail: (problem) => homeError('genesis-file.bad-field', problem),
  })
  if (deposit.has('index') && deposit.index('index') !== position) deposit.fail('index', String(position))
  return {
    pubkey: deposit.hex('pubkey', 48),
    withdrawalCredentials: deposit.hex('credentials', 32),
    amountGwei: deposit.uint64('amount'),
    signature: deposit.hex('signature', 96),
  }
}

function readExecution(header: FieldReader): Genesis['execution'] {
  return {
    blockHash: header.hex('blockHash', 32),
    blockNumber: header.uint64('blockNumber'),
    timestampSeconds: header.uint64('timestamp'),
    stateRoot: header.hex('stateRoot', 32),
  }
}

/**
 * Whether a key is a validator since the first slot: its operator in the contract is zero and yet the chain knows it,
 * so a first deposit for it would be somebody's top-up. The home's genesis file is read anew and counts
 * only when its deposits make the network's genesis validators root; then its list is the whole one.
 *
 * Throws `genesis-file.other-root` and the other faults of that file, a `home.*` error, or a `file.*` error.
 */
export async function isGenesisKey(
  effects: HomeEffects,
  { homePath, network, pubkey }: { homePath: string; network: Network; pubkey: Hex },
): Promise<boolean> {
  const path = await genesisFileOf(effects, { homePath })
  let known = false
  const see = (one: Hex) => {
    known ||= sameHex(one, pubkey)
  }
  const { root: found } = await readGenesisFile(effects, { path, limits: network.spec, see })
  const expected = network.genesisValidatorsRoot
  if (!sameHex(found, expected)) throw homeError('genesis-file.other-root', { found, expected })
  return known
}
