import { toOwnFileError } from '../../src/core/base/effects/node-file-fault.ts'
import * as anvil from '../../src/core/base/errors/anvil.ts'
import * as base from '../../src/core/base/errors/base.ts'
import * as client from '../../src/core/base/errors/client.ts'
import * as deposit from '../../src/core/base/errors/deposit.ts'
import * as devnet from '../../src/core/base/errors/devnet.ts'
import * as exec from '../../src/core/base/errors/exec.ts'
import * as file from '../../src/core/base/errors/file.ts'
import * as genesisFile from '../../src/core/base/errors/genesis-file.ts'
import * as guard from '../../src/core/base/errors/guard.ts'
import * as http from '../../src/core/base/errors/http.ts'
import * as journal from '../../src/core/base/errors/journal.ts'
import * as keyFile from '../../src/core/base/errors/key-file.ts'
import * as wallet from '../../src/core/base/errors/wallet.ts'
import * as watchConfig from '../../src/core/base/errors/watch-config.ts'
import { type ErrorFacts, errorFacts } from '../../src/core/view/observation.ts'

type Errors = readonly [base.BaseError, ...base.BaseError[]]

/** What makes an error of one exported thing: a class whose first argument is one of several kinds has a sample of each kind. */
type SampleOf<Thing> = Thing extends abstract new (
  kind: infer Kind,
  ...rest: never[]
) => base.BaseError
  ? string extends Kind
    ? Errors
    : Kind extends string
      ? Readonly<Record<Kind, Errors>>
      : Errors
  : Thing extends (...given: never[]) => base.BaseError
    ? Errors
    : never

/** Samples of all that a module exports to make errors. One that is missing does not compile. */
type Samples<Module> = {
  readonly [Name in keyof Module as SampleOf<Module[Name]> extends never ? never : Name]: SampleOf<
    Module[Name]
  >
}

const HOME = '/home/ann/.beacond'
const PROGRAM = '/usr/local/bin/beacond'
const ANVIL = '/home/ann/bearings/node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil'
const STATE = '/home/ann/.local/state/bearings'
const JOURNAL = `${STATE}/bepolia/journal-3cbcf75b02fe-a1b2c3d4e5f6.jsonl`
const NODE = 'http://127.0.0.1:3500'
const EXECUTION = 'http://127.0.0.1:8545'
const KEY = `0x${'a1'.repeat(48)}`
const HASH = `0x${'5e'.repeat(32)}`
const OTHER_HASH = `0x${'7c'.repeat(32)}`
const ADDRESS = '0x1111111111111111111111111111111111111111'
const OTHER_ADDRESS = '0x2222222222222222222222222222222222222222'
const HOLDER = journal.heldHere({ path: `${JOURNAL}.lock`, pid: 4711, host: 'validator-1' })
const CAUSE = new Error('the cause')
const FIELD = { field: 'amount', found: '9,000 BERA', expected: 'at least 10,000 BERA' }

const ofClient = (fault: client.ClientFault): Errors => [
  new client.ClientError(fault, { service: 'node API', endpoint: NODE, what: 'states/head/validators' }),
]

const ANVIL_ERRORS: Samples<typeof anvil> = {
  anvilMissing: [
    anvil.anvilMissing({
      machine: 'linux x64',
      wanted: { name: '@foundry-rs/anvil-linux-amd64', version: '1.7.1' },
    }),
    anvil.anvilMissing({ machine: 'freebsd x64', wanted: undefined }),
  ],
  anvilLoaderMissing: [anvil.anvilLoaderMissing(ANVIL, CAUSE)],
  anvilLibraryTooOld: [anvil.anvilLibraryTooOld(ANVIL)],
  anvilForbidden: [anvil.anvilForbidden(ANVIL, CAUSE)],
  anvilWrongMachine: [anvil.anvilWrongMachine(ANVIL, CAUSE)],
  anvilUnusable: [anvil.anvilUnusable(ANVIL, 'Illegal instruction')],
  anvilNotReady: [anvil.anvilNotReady('It was not ready within 10 s.', 'Address already in use')],
  anvilForeignChain: [anvil.anvilForeignChain(OTHER_HASH, HASH)],
  anvilDied: [anvil.anvilDied('It ended with exit code 1.', 'out of memory')],
  anvilUnreachable: [anvil.anvilUnreachable('evm_mine', CAUSE)],
  slotRefused: [anvil.slotRefused('time', '1763800000', 'later than 1763800001')],
  RpcFailure: [new anvil.RpcFailure('eth_call', { code: -32000, message: 'insufficient funds' })],
}

const CLIENT_ERRORS: Samples<typeof client> = {
  ClientError: {
    unreachable: ofClient('unreachable'),
    timeout: ofClient('timeout'),
    'says-nothing': ofClient('says-nothing'),
    malformed: ofClient('malformed'),
    'too-large': ofClient('too-large'),
    unusable: ofClient('unusable'),
    'wrong-service': ofClient('wrong-service'),
    unauthorized: ofClient('unauthorized'),
    'rate-limited': ofClient('rate-limited'),
    'not-offered': ofClient('not-offered'),
    'not-found': ofClient('not-found'),
    'not-ready': ofClient('not-ready'),
    'bad-request': ofClient('bad-request'),
    reverted: ofClient('reverted'),
    rejected: ofClient('rejected'),
    failed: ofClient('failed'),
  },
}

const DEPOSIT_ERRORS: Samples<typeof deposit> = {
  DepositError: [deposit.badDepositField(FIELD)],
  badDepositField: [deposit.badDepositField(FIELD)],
  badAddress: [deposit.badAddress({ found: `${ADDRESS.slice(0, -1)}`, expected: '0x and 40 hex digits' })],
  badCredentials: [deposit.badCredentials(`0x00${'ab'.repeat(31)}`)],
  badCalldata: [deposit.badCalldata('field: signature, found: 95 bytes, expected: 96 bytes')],
  badDepositLog: [deposit.badDepositLog('field: pubkey, found: 47 bytes, expected: 48 bytes')],
  badDepositFile: [
    deposit.badDepositFile({ field: 'signature', found: 'nothing', expected: '96 bytes of hex' }),
  ],
  otherDeposit: [deposit.otherDeposit({ field: 'operator', found: OTHER_ADDRESS, expected: ADDRESS })],
  signatureNotTaken: [deposit.signatureNotTaken(["made with Ethereum's domain tag"])],
  selfTestFailed: [deposit.selfTestFailed('Three real deposits are refused.')],
  slotOutOfOrder: [deposit.slotOutOfOrder(12n, 11n)],
  validatorNotInState: [deposit.validatorNotInState(KEY, 1200n)],
  amountNotUsable: [deposit.amountNotUsable('topUp', 0n, '1 gwei or more')],
  ProofTargetError: [new deposit.ProofTargetError(69, 69)],
  StateMismatchError: [
    new deposit.StateMismatchError({
      node: NODE,
      slot: 1200n,
      what: 'block root',
      computed: HASH,
      holder: EXECUTION,
      held: OTHER_HASH,
    }),
    new deposit.StateMismatchError({
      node: NODE,
      slot: 1200n,
      what: 'block root',
      computed: HASH,
      confirmedBy: EXECUTION,
      holder: 'https://rpc.example.org',
      held: OTHER_HASH,
    }),
  ],
  StateUnprovenError: [
    new deposit.StateUnprovenError('The validator set is not proven', `${EXECUTION} has no such block`),
  ],
  receiptsDiffer: [
    deposit.receiptsDiffer([
      { endpoint: EXECUTION, words: 'deposit 81' },
      { endpoint: 'https://rpc.example', words: 'no deposit' },
    ]),
  ],
  noPrecompileVerdict: [deposit.noPrecompileVerdict('The execution client does not answer the precompile.')],
  transactionNotFound: [deposit.transactionNotFound(EXECUTION, HASH)],
}

const DEVNET_ERRORS: Samples<typeof devnet> = {
  signatureUndecided: [devnet.signatureUndecided(KEY, 'the execution client does not answer')],
  devnetRefused: [devnet.devnetRefused('--slot-ms takes a whole number from 50 to 600000.', ['found: 10'])],
  portUnavailable: [devnet.portUnavailable(28545, CAUSE)],
  NodeRefusal: [new devnet.NodeRefusal(404, 'Validator not found')],
  rehearsalEnded: [devnet.rehearsalEnded(`${STATE}/rehearsal/network-1`)],
  rehearsalNotTyped: [devnet.rehearsalNotTyped(`${STATE}/rehearsal/network-1`)],
  rehearsalGone: [devnet.rehearsalGone()],
  otherScenario: [devnet.otherScenario('set-full', 'burnt-deposit')],
  wishRefused: [devnet.wishRefused('HTTP status 404')],
  rehearsalNotStarted: [
    devnet.rehearsalNotStarted(['no line within 20 s'], `${STATE}/rehearsal/network-1/network.log`, CAUSE),
  ],
  EngineFault: [
    new devnet.EngineFault({
      code: -32602,
      message: 'Invalid params',
      data: 'height must be greater than 0',
    }),
  ],
}

const NO_ROOM: Errors = [
  exec.noRoomToStart('EMFILE', () => 40) ?? never('EMFILE'),
  ...['ENFILE', 'EAGAIN', 'ENOMEM'].map((code) => exec.noRoomToStart(code) ?? never(code)),
]

function never(code: string): never {
  throw new Error(`${code} has no sentence`)
}

const EXEC_ERRORS: Samples<typeof exec> = {
  ExecError: {
    missing: [exec.execMissing(PROGRAM, 'ENOENT')],
    'not-executable': [exec.execNotExecutable(PROGRAM, 'EACCES')],
    unsafe: [exec.execUnsafe(PROGRAM, 'found permissions 777')],
    timeout: [exec.execTimeout(PROGRAM, 10_000)],
    'too-much-output': [exec.execTooMuchOutput(PROGRAM, 1_048_576)],
    killed: [exec.execKilled(PROGRAM, 'SIGKILL')],
    'no-room': NO_ROOM,
  },
  execMissing: [exec.execMissing(PROGRAM, 'ENOENT')],
  execNotExecutable: [exec.execNotExecutable(PROGRAM, 'EACCES')],
  execUnsafe: [exec.execUnsafe(PROGRAM, 'found permissions 777')],
  execTimeout: [exec.execTimeout(PROGRAM, 10_000)],
  execTooMuchOutput: [exec.execTooMuchOutput(PROGRAM, 1_048_576)],
  execKilled: [exec.execKilled(PROGRAM, 'SIGKILL')],
  ToolError: {
    failed: [exec.toolFailed('deposit validate', 2, 'panic')],
    unreadable: [exec.toolUnreadable('deposit validator-keys', 'pubkey', 'nothing')],
    'other-answer': [
      exec.toolOtherAnswer('status', 'network', { found: 'test-1', expected: 'mainnet-beacon-80094' }),
    ],
    'home-incomplete': [exec.toolHomeIncomplete(HOME, 'config/app.toml')],
    'not-asked': [exec.toolNotAsked('This program is not the node tool.')],
  },
  toolFailed: [exec.toolFailed('deposit validate', 2, 'panic')],
  toolUnreadable: [exec.toolUnreadable('deposit validator-keys', 'pubkey', 'nothing')],
  toolOtherAnswer: [
    exec.toolOtherAnswer('status', 'network', { found: 'test-1', expected: 'mainnet-beacon-80094' }),
  ],
  toolHomeIncomplete: [exec.toolHomeIncomplete(HOME, 'config/app.toml')],
  toolNotAsked: [exec.toolNotAsked('This program is not the node tool.')],
}

const FILE = `${HOME}/config/genesis.json`

const GENESIS_FIELD = { field: 'chain_id', found: 'nothing', expected: 'a text' }

const FILE_ERRORS: Samples<typeof file> = {
  FileError: {
    missing: [file.fileSystemError(FILE, 'ENOENT')],
    denied: [
      file.fileSystemError(FILE, 'EACCES'),
      file.fileSystemError(FILE, 'EROFS'),
      file.directoryNotMade(STATE, 'EACCES'),
    ],
    'not-a-file': [
      file.fileNotRegular(FILE),
      toOwnFileError(`${STATE}/journal.jsonl`, file.fileNotRegular(`${STATE}/journal.jsonl`)),
      file.fileSystemError(FILE, 'EISDIR'),
      file.fileSystemError(FILE, 'ELOOP'),
    ],
    'too-large': [file.fileTooLarge(FILE, 1_048_576)],
    exists: [file.fileSystemError('deposit.json', 'EEXIST')],
    'not-ours': [file.fileOfAnother(STATE)],
    'open-to-others': [file.fileOpenToOthers(STATE, '777')],
    'no-space': [file.fileSystemError(JOURNAL, 'ENOSPC'), file.fileSystemError(JOURNAL, 'EDQUOT')],
    poisoned: [file.filePoisoned(JOURNAL)],
    failed: [file.fileSystemError(JOURNAL, 'EIO'), file.fileChanged(JOURNAL, 4096, 'nothing')],
  },
  fileSystemError: [file.fileSystemError(FILE, 'ENOENT')],
  fileNotRegular: [file.fileNotRegular(FILE)],
  fileTooLarge: [file.fileTooLarge(FILE, 1_048_576)],
  filePoisoned: [file.filePoisoned(JOURNAL)],
  fileChanged: [file.fileChanged(JOURNAL, 4096, 'nothing')],
  directoryNotMade: [file.directoryNotMade(STATE, 'EACCES')],
  fileOfAnother: [file.fileOfAnother(STATE)],
  fileOpenToOthers: [file.fileOpenToOthers(STATE, '777')],
  HomeError: {
    missing: [file.homeFileMissing(HOME, 'config/app.toml')],
    unreadable: [file.homeUnreadable(HOME, 'config/app.toml', 'line 12 has no value')],
    field: [
      file.homeField(HOME, 'config/config.toml', {
        path: 'rpc.laddr',
        found: 'nothing',
        expected: 'an address such as tcp://127.0.0.1:26657',
      }),
    ],
  },
  homeFileMissing: [file.homeFileMissing(HOME, 'config/app.toml')],
  homeUnreadable: [file.homeUnreadable(HOME, 'config/app.toml', 'line 12 has no value')],
  homeField: [
    file.homeField(HOME, 'config/config.toml', {
      path: 'rpc.laddr',
      found: 'nothing',
      expected: 'an address such as tcp://127.0.0.1:26657',
    }),
  ],
}

const GENESIS_FILE_ERRORS: Samples<typeof genesisFile> = {
  GenesisFileError: [genesisFile.badGenesisField(GENESIS_FIELD)],
  badGenesisField: [genesisFile.badGenesisField(GENESIS_FIELD)],
  genesisNotJson: [genesisFile.genesisNotJson('the text ends inside an object')],
  genesisWithoutDeposits: [genesisFile.genesisWithoutDeposits()],
  genesisOfAnotherRoot: [genesisFile.genesisOfAnotherRoot({ found: OTHER_HASH, expected: HASH })],
}

const SPEC_FIELD = { path: 'slots-per-epoch', found: '0', expected: 'a whole number from 1' }

const NO_CONNECTION: Errors = [
  http.httpNoRoom(EXECUTION, 'EMFILE', () => 32) ?? never('EMFILE'),
  http.httpNoRoom(EXECUTION, 'ENFILE') ?? never('ENFILE'),
]

const HTTP_ERRORS: Samples<typeof http> = {
  HttpError: {
    'bad-url': [http.httpBadUrl()],
    unreachable: [http.httpUnreachable(EXECUTION, 'ECONNREFUSED')],
    local: NO_CONNECTION,
    timeout: [
      http.httpTimeout(EXECUTION, 10_000),
      http.httpSilent(EXECUTION, 5000),
      http.httpGivenUp(EXECUTION, 8000),
    ],
    closed: [http.httpClosed(EXECUTION, 'ECONNRESET', 0)],
    redirect: [http.httpRedirect(EXECUTION, 301, 'https://rpc.example')],
    'too-large': [http.httpTooLarge(EXECUTION, 1_048_576)],
    tls: [http.httpTls('https://rpc.example', 'CERT_HAS_EXPIRED')],
    'no-tls': [http.httpNoTls('https://rpc.example', 'EPROTO')],
    'not-http': [http.httpNotHttp(EXECUTION, 'HPE_INVALID_CONSTANT')],
  },
  httpBadUrl: [http.httpBadUrl()],
  httpUnreachable: [http.httpUnreachable(EXECUTION, 'ECONNREFUSED')],
  httpTimeout: [http.httpTimeout(EXECUTION, 10_000)],
  httpSilent: [http.httpSilent(EXECUTION, 5000)],
  httpGivenUp: [http.httpGivenUp(EXECUTION, 8000)],
  httpClosed: [http.httpClosed(EXECUTION, 'ECONNRESET', 0)],
  httpRedirect: [http.httpRedirect(EXECUTION, 301, 'https://rpc.example')],
  httpTooLarge: [http.httpTooLarge(EXECUTION, 1_048_576)],
  httpTls: [http.httpTls('https://rpc.example', 'CERT_HAS_EXPIRED')],
  httpNoTls: [http.httpNoTls('https://rpc.example', 'EPROTO')],
  httpNotHttp: [http.httpNotHttp(EXECUTION, 'HPE_INVALID_CONSTANT')],
  NetworkError: [http.networkField('spec file', SPEC_FIELD)],
  networkUnreadable: [http.networkUnreadable('network file', 'JSON', 'the text ends inside an object')],
  networkField: [http.networkField('spec file', SPEC_FIELD)],
  networkClash: [http.networkClash('network file', 'executionChainId 80094 is that of Berachain')],
}

const GUARD_ERRORS: Samples<typeof guard> = {
  GuardError: {
    bytes: [guard.guardBytes(`${STATE}/mainnet/guard/members.json`, 'no such file')],
    refused: [guard.guardRefused('This validator has a guard already. Cancel it first.')],
    there: [guard.guardThere(2)],
  },
  guardBytes: [guard.guardBytes(`${STATE}/mainnet/guard/members.json`, 'no such file')],
  guardRefused: [guard.guardRefused('This validator has a guard already. Cancel it first.')],
  guardThere: [guard.guardThere(2)],
}

const JOURNAL_ERRORS: Samples<typeof journal> = {
  JournalError: {
    damaged: [journal.journalDamaged(7, 'the checksum does not fit')],
    newer: [journal.journalNewer(1, 3)],
    older: [journal.journalOlder(1, 1)],
    another: [journal.journalOfAnother('pubkey', KEY, `0x${'b2'.repeat(48)}`)],
    held: [journal.journalHeld(JOURNAL, HOLDER), journal.keyHeld(KEY, HOLDER)],
    unwritable: [journal.journalUnwritable('signed', 'raw is no hex')],
  },
  journalDamaged: [journal.journalDamaged(7, 'the checksum does not fit')],
  journalNewer: [journal.journalNewer(1, 3)],
  journalOlder: [journal.journalOlder(1, 1)],
  journalUnwritable: [journal.journalUnwritable('signed', 'raw is no hex')],
  journalOfAnother: [journal.journalOfAnother('pubkey', KEY, `0x${'b2'.repeat(48)}`)],
  journalHeld: [journal.journalHeld(JOURNAL, HOLDER)],
  keyHeld: [journal.keyHeld(KEY, HOLDER)],
  noKernelLock: [journal.noKernelLock(`${STATE}/locks`, 'ENOLCK')],
  olderLock: [journal.olderLock({ path: `${STATE}/journals/journal.jsonl.lock`, pid: 7025 })],
  noLockPlace: [
    journal.noLockPlace({ field: 'home', found: '/nonexistent', expected: 'a directory of this user' }),
  ],
  journalClosed: [journal.journalClosed()],
  looksOnly: [journal.looksOnly()],
  questionLeft: [journal.questionLeft()],
  questionRepeated: [journal.questionRepeated()],
  settingsDamaged: [journal.settingsDamaged(`${STATE}/settings.json`, CAUSE)],
  settingsOfLaterVersion: [journal.settingsOfLaterVersion(`${STATE}/settings.json`, { found: 2, known: 1 })],
}

const BASE_ERRORS: Samples<Omit<typeof base, 'BaseError'>> = {
  badUsage: [
    base.badUsage({
      sentence: 'There is no option --netwrok.',
      near: '--network',
      next: 'See bearings status --help.',
    }),
  ],
  noSuchCommand: [base.noSuchCommand('stauts', 'status')],
  noNetwork: [base.noNetwork()],
  noSuchNetwork: [base.noSuchNetwork('mainet', 'mainnet')],
  noHome: [base.noHome(HOME, ["Give the node's home with --home."])],
  noRehearsal: [base.noRehearsal()],
  unknownIndex: [base.unknownIndex(4711, 'Berachain')],
  forbiddenByNode: [
    base.forbiddenByNode('Cannot load native addon because loading addons is disabled.', CAUSE),
  ],
  temporaryUnusable: [
    base.temporaryUnusable({ directory: '/nowhere', variable: 'TMPDIR', found: 'ENOENT' }, CAUSE),
  ],
  libraryFailed: [base.libraryFailed("Cannot find module '@chainsafe/blst-linux-x64-gnu'", CAUSE)],
}

const KEY_FIELD = { field: 'priv_key.value', found: '31 bytes', expected: '32 bytes' }
const OLD_KEYSTORE = { field: 'version', found: '1', expected: '3' }

const WALLET_ERRORS: Samples<typeof wallet> = {
  WalletError: {
    unreadable: [wallet.unreadableTransaction(CAUSE)],
    'not-as-prepared': [wallet.notAsPrepared('value', '9999', '10000')],
    'gate-closed': [wallet.nonceInUse('nonce 7 is that of your first deposit')],
    'in-use': [wallet.accountInUse(HOLDER)],
    'no-account': [wallet.noAccount('The keystore file does not name its account.')],
  },
  unreadableTransaction: [wallet.unreadableTransaction(CAUSE)],
  notAsPrepared: [wallet.notAsPrepared('value', '9999', '10000')],
  nonceInUse: [wallet.nonceInUse('nonce 7 is that of your first deposit')],
  feeTooHigh: [wallet.feeTooHigh({ foundGwei: 1200n, mostGwei: 1000n })],
  accountInUse: [wallet.accountInUse(HOLDER)],
  noAccount: [wallet.noAccount('The keystore file does not name its account.')],
  KeystoreError: [wallet.badKeystoreField(OLD_KEYSTORE)],
  keystoreNotJson: [wallet.keystoreNotJson(120)],
  badKeystoreField: [wallet.badKeystoreField(OLD_KEYSTORE)],
  keystoreTooHeavy: [wallet.keystoreTooHeavy({ found: '4 GiB', expected: 'at most 1 GiB' })],
  wrongPassword: [wallet.wrongPassword()],
  wrongDescriptorPassword: [wallet.wrongDescriptorPassword()],
  otherAccount: [wallet.otherAccount({ found: OTHER_ADDRESS, expected: ADDRESS })],
  SignerError: [wallet.signingStopped()],
  refusedBySigner: [wallet.wrongPassword()],
  badSignerRequest: [wallet.badSignerRequest({ field: 'kind', found: 'other', expected: 'deposit' })],
  unsafeSecretFile: [
    wallet.unsafeSecretFile(FILE, 'Others may read this file.', 'Take the right away: chmod 600.'),
  ],
  keyFileChanged: [wallet.keyFileChanged()],
  otherKey: [wallet.otherKey(`0x${'b2'.repeat(48)}`, KEY)],
  noTerminal: [wallet.noTerminal()],
  signingStopped: [wallet.signingStopped()],
  descriptorRefused: [wallet.descriptorRefused('The chain id is that of Berachain.')],
  otherPurpose: [wallet.otherPurpose('The receiver is not the deposit contract.')],
  signerFailed: [wallet.signerFailed('It ended with exit code 1.')],
}

const KEY_FILE_ERRORS: Samples<typeof keyFile> = {
  KeyFileError: [keyFile.badKeyField(KEY_FIELD)],
  badKeyField: [keyFile.badKeyField(KEY_FIELD)],
  keyNotJson: [keyFile.keyNotJson(120)],
  wrongKeyType: [
    keyFile.wrongKeyType({
      field: 'pub_key.type',
      found: 'tendermint/PubKeyEd25519',
      expected: 'cometbft/PubKeyBls12_381',
    }),
  ],
  scalarOutOfRange: [keyFile.scalarOutOfRange()],
  noKeyToCompare: [keyFile.noKeyToCompare()],
}

const FAULT = {
  field: 'channel[1].url',
  found: 'nothing',
  expected: 'an https address',
  next: 'Give the address that the service shows you.',
}

const WATCH_ERRORS: Samples<typeof watchConfig> = {
  WatchConfigError: [watchConfig.watchConfigFields([FAULT])],
  watchConfigUnreadable: [
    watchConfig.watchConfigUnreadable({ line: 3, column: 9, reason: 'a text has no end' }),
  ],
  watchConfigFields: [watchConfig.watchConfigFields([FAULT])],
  portTaken: [watchConfig.portTaken('127.0.0.1:9478', 'EADDRINUSE', CAUSE)],
  outboxDamaged: [
    watchConfig.outboxDamaged(`${STATE}/mainnet/outbox.json`, 'the text ends inside an object'),
  ],
  watchHeld: [watchConfig.watchHeld(HOLDER)],
  watchNotKept: [
    watchConfig.watchNotKept(`${STATE}/mainnet/watch.json`, file.fileSystemError(STATE, 'ENOSPC')),
  ],
  watchDamaged: [
    watchConfig.watchDamaged(`${STATE}/mainnet/watch.json`, new Error('format: found 9, expected 1')),
  ],
}

const MODULES: readonly Readonly<Record<string, Errors | Readonly<Record<string, Errors>>>>[] = [
  ANVIL_ERRORS,
  CLIENT_ERRORS,
  DEPOSIT_ERRORS,
  DEVNET_ERRORS,
  EXEC_ERRORS,
  FILE_ERRORS,
  GENESIS_FILE_ERRORS,
  HTTP_ERRORS,
  GUARD_ERRORS,
  JOURNAL_ERRORS,
  BASE_ERRORS,
  WALLET_ERRORS,
  KEY_FILE_ERRORS,
  WATCH_ERRORS,
]

const isList = (of: Errors | Readonly<Record<string, Errors>>): of is Errors => Array.isArray(of)

/** A sample of everything that the program tells as an error, its own faults among them; no two are the same. */
export function errorSamples(): readonly ErrorFacts[] {
  const all = MODULES.flatMap((module) =>
    Object.values(module).flatMap((of) => (isList(of) ? of : Object.values(of).flat())),
  )
  const facts = [...all, new Error('something that nobody thought of')].map(errorFacts)
  const byWords = new Map(facts.map((each) => [JSON.stringify(each), each]))
  return [...byWords.values()]
}
