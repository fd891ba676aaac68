import { BaseError } from '../../src/core/base/errors/base.ts'
import { journalError } from '../../src/core/base/errors/journal.ts'
import { decodeWhole, FieldFault } from '../../src/core/base/format/decode.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { JsonFault, parseStrictJson } from '../../src/core/base/format/strict-json.ts'
import { decodeDepositCalldata } from '../../src/core/chain/deposit/calldata.ts'
import { parseDepositFile, writeDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import { decodeDepositLog } from '../../src/core/chain/deposit/event.ts'
import { genesisValidatorsRoot } from '../../src/core/chain/deposit/genesis-root.ts'
import { readAppToml, readClientToml, readConfigToml } from '../../src/core/chain/identity/app-toml.ts'
import { readKeyFile } from '../../src/core/chain/identity/key-file.ts'
import { readGenesis } from '../../src/core/chain/identity/read-genesis.ts'
import { readToolDeposit, readToolKeys, readToolRoot } from '../../src/core/chain/identity/run-tool.ts'
import { readNetworkFile } from '../../src/core/chain/network/network-file.ts'
import { BEPOLIA, BERACHAIN_NAMES, MAINNET } from '../../src/core/chain/network/presets.ts'
import { readDescriptor } from '../../src/core/chain/network/rehearsal.ts'
import { readSpecToml } from '../../src/core/chain/network/spec-fields.ts'
import { parseKeystore } from '../../src/core/pay/wallet/keystore.ts'
import { journalEntry, readEvents } from '../../src/core/wizard/journal/entry.ts'
import { decodeEvent } from '../../src/core/wizard/journal/events.ts'
import type { JsonData } from '../../src/core/wizard/journal/fields.ts'
import { readJournal } from '../../src/core/wizard/journal/replay.ts'
import type { Target } from './run-target.ts'
import { vector, vectorRows, withoutRemarks } from './samples.ts'

type DepositRow = {
  pubkey: Hex
  credentials: Hex
  amountGwei: string
  signature: Hex
  genesisForkVersion: Hex
  genesisValidatorsRoot: Hex
}
type ContractRow = { input?: Hex; data?: Hex; logs?: { address: Hex; topics: Hex[]; data: Hex }[] }

const contract = vectorRows<ContractRow>('recorded/contract.jsonl')
const CONTRACT_ADDRESS: Hex = '0x4242424242424242424242424242424242424242'
/** The keys of spec.toml that a network file may hold. */
const READ =
  /^(slots-per-epoch|target-seconds|max-effective|effective-balance|min-activation|hysteresis|validator-set-cap|min-validator|max-withdrawals|max-validators|max-deposits|deposit-|genesis-time|electra|fulu-fork)/

const bytes = (text: string) => new TextEncoder().encode(text)
const home = (file: string, text: string) => ({ home: '/home', file, text })
const toml = (path: string) => withoutRemarks(vector(path))

/** Files of the node, the network and the program itself, and what the node tool prints. */
export const FILE_TARGETS: readonly Target[] = [
  {
    name: 'key files',
    samples: [vector('deposits/priv_validator_key.json')],
    read: (text) => readKeyFile(bytes(text), 'cometbft'),
  },
  {
    name: 'genesis files',
    samples: [
      vector('recorded/genesis.json'),
      vector('deposits/init-genesis.json'),
      vector('networks/bepolia/genesis.json'),
    ],
    read: (text) => genesisValidatorsRoot(readGenesis(text).deposits, MAINNET.spec),
  },
  {
    name: 'app.toml',
    structure: 'toml',
    samples: [toml('home-example/config/app.toml'), toml('networks/mainnet/app.toml')],
    read: (text) => readAppToml(home('config/app.toml', text), BERACHAIN_NAMES),
  },
  {
    name: 'config.toml',
    structure: 'toml',
    samples: [toml('home-example/config/config.toml')],
    read: (text) => readConfigToml(home('config/config.toml', text)),
  },
  {
    name: 'client.toml',
    structure: 'toml',
    samples: [toml('home-example/config/client.toml'), toml('networks/bepolia/client.toml')],
    read: (text) => readClientToml(home('config/client.toml', text)),
  },
  {
    name: 'spec.toml',
    structure: 'toml',
    samples: [toml('recorded/spec.toml'), toml('networks/mainnet/spec.toml')],
    read: readSpecToml,
  },
  {
    name: 'tool output',
    samples: vectorRows<{ stdout: string }>('recorded/tool.jsonl')
      .map(({ stdout }) => stdout)
      .filter((text) => text.length < 2_000),
    read: anyOf(readToolDeposit, readToolKeys, readToolRoot),
  },
  { name: 'journals', structure: 'journal', samples: journals(), read: readWhole },
  { name: 'journal lines', samples: journalLines(), read: (line) => readLine(line, decodeEvent) },
  { name: 'deposit files', samples: depositFiles(), read: parseDepositFile },
  { name: 'descriptors', samples: [descriptor()], read: readDescriptor },
  { name: 'network files', samples: [networkFile()], read: readNetworkFile },
  { name: 'keystores', samples: [keystore()], read: parseKeystore },
  {
    name: 'call data',
    structure: 'words',
    samples: contract.flatMap(({ input, data }) => [input, data].filter((text) => text !== undefined)),
    read: decodeDepositCalldata,
  },
  {
    name: 'event data',
    structure: 'words',
    samples: contract.flatMap(({ logs = [] }) => logs.map((log) => log.data)),
    read: readLogs,
  },
]

/** All readers see each text, so none may crash on what another one takes; refused is what all of them refuse. */
function anyOf(...readers: readonly ((text: string) => unknown)[]) {
  return (text: string): void => {
    const refusals = readers.flatMap((read) => refusalOf(read, text))
    const [first] = refusals
    if (first !== undefined && refusals.length === readers.length) throw first
  }
}

function refusalOf(read: (text: string) => unknown, text: string): BaseError[] {
  try {
    read(text)
    return []
  } catch (thrown) {
    if (thrown instanceof BaseError) return [thrown]
    throw thrown
  }
}

function readLogs(data: string): void {
  const [, deposit] = contract.find(({ logs }) => logs?.length === 2)?.logs ?? []
  decodeDepositLog({ address: CONTRACT_ADDRESS, topics: deposit?.topics ?? [], data }, CONTRACT_ADDRESS)
}

/** Journals, whole and torn. */
function journals(): string[] {
  const [paid, cancelled] = [vector('journals/11.jsonl'), vector('journals/58-cancelled.jsonl')]
  return [paid, cancelled, cancelled.slice(0, -40)]
}

/** Their lines one by one: what is refused here is not the checksum. */
function journalLines(): string[] {
  const lines = journals().flatMap((text) => text.split('\n').slice(1, -1))
  return [...new Map(lines.map((line) => [/"type":"[^"]+","v":\d/.exec(line)?.[0], line])).values()]
}

/** Lines, their chain of checksums, and the events in them. */
function readWhole(text: string): void {
  readEvents(readJournal(text).entries.slice(1))
}

/** Reads one line of a journal, and the event in it. */
export function readLine(line: string, decode: (type: string, data: JsonData) => unknown): void {
  try {
    readEvents([decodeWhole(journalEntry, parseStrictJson(line, { maxDepth: 16 }))], decode)
  } catch (fault) {
    if (fault instanceof FieldFault || fault instanceof JsonFault)
      throw journalError('journal.damaged', 1, fault.message)
    throw fault
  }
}

function depositFiles(): string[] {
  const rows = vectorRows<DepositRow>('deposits/deposits.jsonl').slice(0, 4)
  return rows.map((row) =>
    writeDepositFile({
      ...row,
      withdrawalCredentials: row.credentials,
      amountGwei: BigInt(row.amountGwei),
      network: 'bepolia',
      executionChainId: 80069,
      operator: `0x${'20'.repeat(20)}`,
    }),
  )
}

function descriptor(): string {
  return JSON.stringify({
    urls: { execution: 'http://127.0.0.1:1', node: 'http://127.0.0.1:2', engine: 'http://127.0.0.1:3' },
    chainId: 12345,
    genesisRoot: `0x${'ab'.repeat(32)}`,
    keystore: { path: '/somewhere/keystore.json', password: 'play' },
    home: '/somewhere/home',
    engineChainId: 'rehearsal-1',
    genesisForkVersion: '0x05000000',
    minimumDepositGwei: '10000000000000',
    slotMs: 1000,
    clockIsWall: false,
  })
}

function networkFile(): string {
  return JSON.stringify({
    id: 'mynet',
    label: 'My net',
    kind: 'test',
    executionChainId: 80087,
    engineChainId: 'mynet-1',
    genesisValidatorsRoot: `0x${'ab'.repeat(32)}`,
    genesisForkVersion: '0x05000000',
    depositContractCodeHash: BEPOLIA.depositContractCodeHash,
    spec: Object.fromEntries(
      withoutRemarks(vector('recorded/spec.toml'))
        .split('\n')
        .flatMap((line) => [...line.matchAll(/^([a-z0-9-]+) = "?([\w]+)"?$/g)])
        .filter(([, key = '']) => READ.test(key))
        .map(([, key, value = '']) => [
          key,
          value.startsWith('0x') ? value : Number(value.replaceAll('_', '')),
        ]),
    ),
    names: { token: 'PLAY' },
    endpoints: { execution: 'http://127.0.0.1:8545' },
  })
}

function keystore(): string {
  return JSON.stringify({
    version: 3,
    id: '00000000-0000-0000-0000-000000000000',
    address: '20'.repeat(20),
    crypto: {
      cipher: 'aes-128-ctr',
      cipherparams: { iv: '11'.repeat(16) },
      ciphertext: '22'.repeat(32),
      kdf: 'scrypt',
      kdfparams: { dklen: 32, n: 8192, r: 8, p: 1, salt: '33'.repeat(32) },
      mac: '44'.repeat(32),
    },
  })
}
