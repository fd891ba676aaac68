import type { GenesisDeposit } from '../deposit/genesis-root.ts'
import { badGenesisField, genesisNotJson, genesisWithoutDeposits } from '../errors/genesis-file.ts'
import { type FieldReader, readFields } from '../format/fields.ts'
import type { Hex } from '../format/hex.ts'
import { type SafeText, safeText } from '../format/text.ts'

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

/**
 * Reads the text of an engine genesis.json strictly. Amounts may be hex or decimal texts. Throws
 * `genesis-file.not-json`, `genesis-file.bad-field` (naming the field) and `genesis-file.no-deposits` for the
 * file of a home that was never given the network's own (facts, "Home directory").
 */
export function readGenesis(text: string): Genesis {
  const file = readFields(parseJson(text), { path: '', fail: badGenesisField })
  const beacon = file.object('app_state').object('beacon')
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
    deposits: readDeposits(beacon),
    execution: readExecution(beacon.object('execution_payload_header')),
  }
}

function readDeposits(beacon: FieldReader): readonly SignedGenesisDeposit[] {
  const list = beacon.has('deposits') ? beacon.list('deposits') : []
  if (list.length === 0) throw genesisWithoutDeposits()
  return list.map((value, position) => {
    const path = `${beacon.name('deposits')}[${position}]`
    const deposit = readFields(value, { path, fail: badGenesisField })
    if (deposit.has('index') && deposit.index('index') !== position) deposit.fail('index', String(position))
    return {
      pubkey: deposit.hex('pubkey', 48),
      withdrawalCredentials: deposit.hex('credentials', 32),
      amountGwei: deposit.uint64('amount'),
      signature: deposit.hex('signature', 96),
    }
  })
}

function readExecution(header: FieldReader): Genesis['execution'] {
  return {
    blockHash: header.hex('blockHash', 32),
    blockNumber: header.uint64('blockNumber'),
    timestampSeconds: header.uint64('timestamp'),
    stateRoot: header.hex('stateRoot', 32),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw genesisNotJson(text.length)
  }
}
