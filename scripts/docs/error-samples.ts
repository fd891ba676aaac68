import { toOwnFileError } from '../../src/core/base/effects/node-file-fault.ts'
import { BaseError, type ErrorsOf, type Given, programError } from '../../src/core/base/errors/base.ts'
import { ClientError, type ClientFault } from '../../src/core/base/errors/client.ts'
import { depositError } from '../../src/core/base/errors/deposit.ts'
import { devnetError, EngineFault, NodeRefusal, RpcFailure } from '../../src/core/base/errors/devnet.ts'
import { execError } from '../../src/core/base/errors/exec.ts'
import { directoryNotMade, fileError, fileSystemError } from '../../src/core/base/errors/file.ts'
import { guardError } from '../../src/core/base/errors/guard.ts'
import { homeError } from '../../src/core/base/errors/home.ts'
import { httpError, networkError } from '../../src/core/base/errors/http.ts'
import { heldHere, journalError, sessionError } from '../../src/core/base/errors/journal.ts'
import { rehearsalError } from '../../src/core/base/errors/rehearsal.ts'
import { noRoom } from '../../src/core/base/errors/room.ts'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import { watchError } from '../../src/core/base/errors/watch-config.ts'
import { type ErrorFacts, errorFacts } from '../../src/core/view/observation.ts'

type Words = (...given: never[]) => unknown

/** Whether an entry asks for nothing but texts, and a cause. */
type OnlyTexts<Entry> =
  Given<Entry> extends infer All extends readonly unknown[]
    ? { [At in keyof All]: string extends All[At] ? never : unknown }[number] extends never
      ? true
      : false
    : never

type Sample<Entry> = readonly [Given<Entry> | BaseError, ...(Given<Entry> | BaseError)[]]

/**
 * What each entry of a catalogue that asks for something is given, or an error that has its code. One that is missing does
 * not compile, unless it asks for texts alone: each of those stands in its own name then, as PATH.
 */
type Samples<Catalogue> = {
  readonly [Code in keyof Catalogue as Catalogue[Code] extends Words
    ? OnlyTexts<Catalogue[Code]> extends true
      ? never
      : Code
    : never]: Sample<Catalogue[Code]>
} & { readonly [Code in keyof Catalogue]?: Sample<Catalogue[Code]> }

/** The names of the parameters of an entry, as they are shown where there is no sample. */
function placeholders(entry: unknown): string[] {
  const [, names = ''] = /^\(?([\w,\s]*?)\)? =>/.exec(String(entry)) ?? []
  return names.split(',').map((name) =>
    name
      .trim()
      .replace(/(?=[A-Z])/g, '_')
      .toUpperCase(),
  )
}

/** An error of each code of a catalogue, in its order, and one more for each further sample. */
function samplesOf<Catalogue>(
  make: ErrorsOf<Catalogue, BaseError>,
  samples: Samples<Catalogue>,
): BaseError[] {
  const given: Readonly<Record<string, readonly (readonly unknown[] | BaseError)[]>> = samples
  const makeAny = make as unknown as (code: string, ...given: readonly unknown[]) => BaseError
  return Object.entries(make.catalogue as object).flatMap(([code, entry]) =>
    (given[code] ?? [placeholders(entry)]).map((each) =>
      each instanceof BaseError ? each : makeAny(code, ...each),
    ),
  )
}

const HOME = '/home/ann/.beacond'
const PROGRAM = '/usr/local/bin/beacond'
const STATE = '/home/ann/.local/state/bearings'
const JOURNAL = `${STATE}/bepolia/journal-3cbcf75b02fe-a1b2c3d4e5f6.jsonl`
const NODE = 'http://127.0.0.1:3500'
const EXECUTION = 'http://127.0.0.1:8545'
const KEY = `0x${'a1'.repeat(48)}`
const HASH = `0x${'5e'.repeat(32)}`
const OTHER_HASH = `0x${'7c'.repeat(32)}`
const ADDRESS = '0x1111111111111111111111111111111111111111'
const OTHER_ADDRESS = '0x2222222222222222222222222222222222222222'
const HOLDER = heldHere({ path: `${JOURNAL}.lock`, pid: 4711, host: 'validator-1' })
const CAUSE = new Error('the cause')
const FIELD = { field: 'amount', found: '9,000 BERA', expected: 'at least 10,000 BERA' }

const SPEC_FIELD = { path: 'slots-per-epoch', found: '0', expected: 'a whole number from 1' }
const FILE = `${HOME}/config/genesis.json`
const MISMATCH = { node: NODE, slot: 1200n, what: 'block root', computed: HASH, held: OTHER_HASH }
const FAULT = {
  field: 'channel[1].url',
  found: 'nothing',
  expected: 'an https address',
  next: 'Give the address that the service shows you.',
}

const CLIENT_FAULTS: Readonly<Record<ClientFault, true>> = {
  unreachable: true,
  timeout: true,
  'says-nothing': true,
  malformed: true,
  'too-large': true,
  unusable: true,
  'wrong-service': true,
  unauthorized: true,
  'rate-limited': true,
  'not-offered': true,
  'not-found': true,
  'not-ready': true,
  'bad-request': true,
  reverted: true,
  rejected: true,
  failed: true,
}

const isClientFault = (name: string): name is ClientFault => Object.hasOwn(CLIENT_FAULTS, name)

const CLIENT_ERRORS = Object.keys(CLIENT_FAULTS)
  .filter(isClientFault)
  .map(
    (fault) =>
      new ClientError(fault, { service: 'node API', endpoint: NODE, what: 'states/head/validators' }),
  )

function never(code: string): never {
  throw new Error(`${code} has no sentence`)
}

const ALL: readonly BaseError[] = [
  new RpcFailure('eth_call', { code: -32000, message: 'insufficient funds' }),
  ...CLIENT_ERRORS,
  ...samplesOf(depositError, {
    'deposit.bad-field': [[FIELD]],
    'deposit.bad-address': [[{ found: `${ADDRESS.slice(0, -1)}`, expected: '0x and 40 hex digits' }]],
    'deposit.bad-credentials': [[`0x00${'ab'.repeat(31)}`]],
    'deposit.bad-calldata': [['field: signature, found: 95 bytes, expected: 96 bytes']],
    'deposit.bad-log': [['field: pubkey, found: 47 bytes, expected: 48 bytes']],
    'deposit.bad-file': [[{ field: 'signature', found: 'nothing', expected: '96 bytes of hex' }]],
    'deposit.other-deposit': [[{ field: 'operator', found: OTHER_ADDRESS, expected: ADDRESS }]],
    'deposit.not-taken': [[["made with Ethereum's domain tag"]]],
    'deposit.self-test-failed': [['Three real deposits are refused.']],
    'consensus.slot_order': [[12n, 11n]],
    'consensus.unknown_validator': [[KEY, 1200n]],
    'consensus.amount': [['topUp', 0n, '1 gwei or more']],
    'proofs.no-such-validator': [[69, 69]],
    'proofs.state-mismatch': [
      [{ ...MISMATCH, holder: EXECUTION }],
      [{ ...MISMATCH, confirmedBy: EXECUTION, holder: 'https://rpc.example.org' }],
    ],
    'proofs.state-unproven': [['The validator set is not proven', `${EXECUTION} has no such block`]],
    'proofs.receipts-differ': [
      [
        [
          { endpoint: EXECUTION, words: 'deposit 81' },
          { endpoint: 'https://rpc.example', words: 'no deposit' },
        ],
      ],
    ],
    'sign.no-precompile': [['The execution client does not answer the precompile.']],
    'verify.not-found': [[EXECUTION, HASH]],
  }),
  ...samplesOf(devnetError, {
    'devnet.signature-undecided': [[KEY, 'the execution client does not answer']],
    'devnet.client-missing': [
      [{ machine: 'linux x64', wanted: '@nomicfoundation/edr-linux-x64-gnu@0.20.0' }],
      [{ machine: 'freebsd x64', wanted: undefined }],
    ],
    'devnet.client-not-started': [['It was not ready within 20 s.', 'Cannot find module']],
    'devnet.client-ended': [['It ended with exit code 1.', 'out of memory']],
    'devnet.client-silent': [['evm_mine', CAUSE]],
    'devnet.slot-refused': [['time', '1763800000', 'later than 1763800001']],
    'devnet.port': [[28545, CAUSE]],
  }),
  ...samplesOf(rehearsalError, {
    'devnet.refused': [['--slot-ms takes a whole number from 50 to 600000.', ['found: 10']]],
    'rehearsal.ended': [[`${STATE}/rehearsal/network-1`]],
    'rehearsal.not-typed': [[`${STATE}/rehearsal/network-1`]],
    'rehearsal.wish': [['HTTP status 404']],
    'rehearsal.not-started': [[['no line within 20 s'], `${STATE}/rehearsal/network-1/network.log`, CAUSE]],
  }),
  new NodeRefusal(404, 'Validator not found'),
  new EngineFault({ code: -32602, message: 'Invalid params', data: 'height must be greater than 0' }),
  ...samplesOf(execError, {
    'exec.missing': [[PROGRAM, 'ENOENT']],
    'exec.not-executable': [[PROGRAM, 'EACCES']],
    'exec.unsafe': [[PROGRAM, 'found permissions 777']],
    'exec.timeout': [[PROGRAM, 10_000]],
    'exec.too-much-output': [[PROGRAM, 1_048_576]],
    'exec.no-room': [
      [noRoom('program', 'EMFILE', () => 40) ?? never('EMFILE')],
      [noRoom('program', 'ENFILE') ?? never('ENFILE')],
      [noRoom('program', 'EAGAIN') ?? never('EAGAIN')],
      [noRoom('program', 'ENOMEM') ?? never('ENOMEM')],
    ],
    'exec.killed': [[PROGRAM, 'SIGKILL']],
    'tool.failed': [['deposit validate', 2, 'panic']],
    'tool.unreadable': [['deposit validator-keys', 'pubkey', 'nothing']],
    'tool.other-answer': [['status', 'network', { found: 'test-1', expected: 'mainnet-beacon-80094' }]],
    'tool.home-incomplete': [[HOME, 'config/app.toml']],
    'tool.not-asked': [['This program is not the node tool.']],
  }),
  fileSystemError(FILE, 'ENOENT'),
  fileSystemError(FILE, 'EACCES'),
  fileSystemError(FILE, 'EROFS'),
  directoryNotMade(STATE, 'EACCES'),
  ...samplesOf(fileError, {
    'file.not-a-file': [
      [FILE],
      toOwnFileError(`${STATE}/journal.jsonl`, fileError('file.not-a-file', `${STATE}/journal.jsonl`)),
      fileSystemError(FILE, 'EISDIR'),
      fileSystemError(FILE, 'ELOOP'),
    ],
    'file.too-large': [[FILE, 1_048_576]],
    'file.not-ours': [[STATE]],
    'file.open-to-others': [[STATE, '777']],
    'file.poisoned': [[JOURNAL]],
    'file.failed': [fileSystemError(JOURNAL, 'EIO'), [JOURNAL, 4096, 'nothing']],
  }),
  fileSystemError('deposit.json', 'EEXIST'),
  fileSystemError(JOURNAL, 'ENOSPC'),
  fileSystemError(JOURNAL, 'EDQUOT'),
  ...samplesOf(homeError, {
    'home.missing': [[HOME, 'config/app.toml']],
    'home.unreadable': [[HOME, 'config/app.toml', 'line 12 has no value']],
    'home.field': [
      [
        HOME,
        'config/config.toml',
        { path: 'rpc.laddr', found: 'nothing', expected: 'an address such as tcp://127.0.0.1:26657' },
      ],
    ],
    'home.encoding': [['genesis.json', 'utf-16le']],
    'genesis-file.bad-field': [[{ field: 'chain_id', found: 'nothing', expected: 'a text' }]],
    'genesis-file.not-json': [['the text ends inside an object']],
    'genesis-file.other-root': [[{ found: OTHER_HASH, expected: HASH }]],
    'key-file.bad-field': [[{ field: 'priv_key.value', found: '31 bytes', expected: '32 bytes' }]],
    'key-file.not-json': [[120]],
    'key-file.wrong-type': [
      [
        {
          field: 'pub_key.type',
          found: 'tendermint/PubKeyEd25519',
          expected: 'cometbft/PubKeyBls12_381',
        },
      ],
    ],
  }),
  ...samplesOf(httpError, {
    'http.unreachable': [[EXECUTION, 'ECONNREFUSED']],
    'http.local': [
      [EXECUTION, noRoom('connection', 'EMFILE', () => 32) ?? never('EMFILE')],
      [EXECUTION, noRoom('connection', 'ENFILE') ?? never('ENFILE')],
    ],
    'http.timeout': [
      [EXECUTION, 10_000],
      [EXECUTION, 5000, 'silent'],
      [EXECUTION, 8000, 'over'],
    ],
    'http.closed': [
      [EXECUTION, 'ECONNRESET', 0],
      [EXECUTION, 'body cut', 23],
    ],
    'http.redirect': [[EXECUTION, 301, 'https://rpc.example']],
    'http.too-large': [[EXECUTION, 1_048_576]],
    'http.tls': [['https://rpc.example', 'CERT_HAS_EXPIRED']],
    'http.no-tls': [['https://rpc.example', 'EPROTO']],
    'http.needs-tls': [[EXECUTION]],
    'http.not-http': [[EXECUTION, 'HPE_INVALID_CONSTANT']],
  }),
  ...samplesOf(networkError, {
    'network.field': [['spec file', SPEC_FIELD]],
    'network.unreadable': [['network file', 'JSON', 'the text ends inside an object']],
    'network.clash': [['network file', 'executionChainId 80094 is that of Berachain']],
  }),
  ...samplesOf(guardError, {
    'guard.void-asked': [[`${STATE}/mainnet/guard/void-asked`]],
    'guard.bytes': [[`${STATE}/mainnet/guard/members.json`, 'no such file']],
    'guard.newer': [[`${STATE}/mainnet/guard/members.json`, 2]],
    'guard.there': [[2]],
    'guard.refused': [['This validator has a guard already. Cancel it first.']],
  }),
  ...samplesOf(journalError, {
    'journal.damaged': [[7, 'the checksum does not fit']],
    'journal.newer': [[1, 3]],
    'journal.unknown': [[7, 'type: found "topup.moved", expected an event of this format']],
    'journal.older': [[1, 1]],
    'journal.another': [
      ['opened', { field: 'pubkey', found: `0x${'b2'.repeat(48)}`, expected: KEY }],
      ['open', { field: 'pubkey', found: `0x${'b2'.repeat(48)}`, expected: KEY }],
    ],
    'journal.held': [
      [{ path: JOURNAL }, HOLDER],
      [{ pubkey: KEY }, HOLDER],
    ],
    'journal.unwritable': [['signed', 'raw is no hex']],
  }),
  ...samplesOf(sessionError, {
    'lock.unavailable': [[`${STATE}/locks`, 'ENOLCK']],
    'lock.older-version': [[{ path: `${STATE}/journals/journal.jsonl.lock`, pid: 7025 }]],
    'lock.no-place': [[{ field: 'home', found: '/nonexistent', expected: 'a directory of this user' }]],
    'settings.damaged': [[`${STATE}/settings.json`, CAUSE]],
    'settings.later-version': [[`${STATE}/settings.json`, { found: 2, known: 1 }]],
  }),
  ...samplesOf(programError, {
    'usage.option': [
      [
        {
          sentence: 'There is no option --netwrok.',
          near: '--network',
          next: 'See bearings status --help.',
        },
      ],
    ],
    'usage.no-such-command': [['stauts', 'status']],
    'usage.no-such-network': [['mainet', 'mainnet']],
    'usage.no-home': [[HOME, ["Give the node's home with --home."]]],
    'validator.unknown-index': [[4711, 'Berachain']],
    'install.forbidden': [['Cannot load native addon because loading addons is disabled.', CAUSE]],
    'install.temporary': [[{ directory: '/nowhere', variable: 'TMPDIR', found: 'ENOENT' }, CAUSE]],
    'install.library': [["Cannot find module '@chainsafe/blst-linux-x64-gnu'", CAUSE]],
  }),
  ...samplesOf(walletError, {
    'wallet.unreadable': [[CAUSE]],
    'wallet.not-as-prepared': [[{ field: 'value', found: '9999', expected: '10000' }]],
    'wallet.gate-closed': [
      [{ nonceFault: 'nonce 7 is that of your first deposit' }],
      [{ foundGwei: 1200n, mostGwei: 1000n }],
    ],
    'wallet.in-use': [[{ heldBy: HOLDER }]],
    'wallet.no-account': [['The keystore file does not name its account.']],
    'keystore.bad-field': [[{ field: 'version', found: '1', expected: '3' }]],
    'keystore.not-json': [[120]],
    'keystore.too-heavy': [[{ found: '4 GiB', expected: 'at most 1 GiB' }]],
    'keystore.wrong-password': [[], ['descriptor']],
    'keystore.other-account': [[{ found: OTHER_ADDRESS, expected: ADDRESS }]],
    'signer.bad-request': [[{ field: 'kind', found: 'other', expected: 'deposit' }]],
    'signer.unsafe-file': [[FILE, 'Others may read this file.', 'Take the right away: chmod 600.']],
    'signer.other-key': [[`0x${'b2'.repeat(48)}`, KEY]],
    'signer.descriptor-refused': [['The chain id is that of Berachain.']],
    'signer.other-purpose': [['The receiver is not the deposit contract.']],
    'signer.failed': [['It ended with exit code 1.']],
  }),
  ...samplesOf(watchError, {
    'watch-config.fields': [[[FAULT]]],
    'watch-config.empty': [['/home/ann/watch.toml']],
    'watch-config.unreadable': [[{ line: 3, column: 9, reason: 'a text has no end' }]],
    'watch.port': [['127.0.0.1:9478', 'EADDRINUSE', CAUSE]],
    'outbox.damaged': [[`${STATE}/mainnet/outbox.json`, 'the text ends inside an object']],
    'outbox.newer': [[`${STATE}/mainnet/watch-outbox.json`, { found: 2, known: 1 }]],
    'watch.newer': [[`${STATE}/mainnet/watch.json`, { found: 2, known: 1 }]],
    'watch.held': [[HOLDER]],
    'watch.not-kept': [[`${STATE}/mainnet/watch.json`, fileSystemError(STATE, 'ENOSPC')]],
    'watch.acknowledged': [
      [`${STATE}/mainnet/watch-acknowledged.json`, new Error('acknowledged: found 9, expected a list')],
    ],
    'watch.damaged': [[`${STATE}/mainnet/watch.json`, new Error('format: found 9, expected 1')]],
  }),
]

/** A sample of everything that the program tells as an error, its own faults among them; no two are the same. */
export function errorSamples(): readonly ErrorFacts[] {
  const facts = [...ALL, new Error('something that nobody thought of')].map(errorFacts)
  const byWords = new Map(facts.map((each) => [JSON.stringify(each), each]))
  return [...byWords.values()]
}
