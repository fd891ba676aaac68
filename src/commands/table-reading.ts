import { ASKING } from './table-asks.ts'
import {
  COMMON,
  type CommandSpec,
  DEVNET,
  GENESIS,
  JSON_OPTION,
  NETWORK,
  NODE_AFTER,
  nodeOptions,
  SPEC,
  STATE_OPTION,
  VALIDATOR,
} from './table-options.ts'

const CHECKING: readonly CommandSpec[] = [
  {
    name: 'genesis',
    usage: ['genesis [FILE] [options]'],
    summary: 'is this the chain it says it is?',
    about: `Is this the chain it says it is? The root of the genesis file is computed here
and compared with the built-in one, the running node's and the node tool's; so
are chain ids, first block, contract code, and what the node says of its deposit
contract and of its forks. One line a source, the verdict last.
With a FILE and no endpoint it works offline: root, fork version and number of
validators of that file, computed with the limits of --network or --spec, else
with Berachain's; the node tool is asked too where it is installed.`,
    takes: { most: 1, kind: 'file' },
    options: nodeOptions(),
    after: NODE_AFTER,
  },
  {
    name: 'keys',
    usage: ['keys [--validator PUBKEY|INDEX] [options]'],
    summary: "what may be known of the home's key",
    about: `What may be known of the home's validator key: its public key in both forms, its
engine address, whether the file agrees with itself, who may read it, which key
the running engine signs with, and what the node tool says where it is
installed. The private key is opened by a separate short-lived process that
tells only this. To copy a long value whole, use --json.

Where a network is named, also what the chain knows of that key, or with
--validator of another one: unused, not counted yet, lost, registered, exiting,
exited or withdrawn; the operator as each endpoint gives it, the record, the
deposits that are not counted yet; and who vouches for each. Then 0: unused, not
counted yet or registered; 1: lost, exiting, exited or withdrawn; 3: a part is
not known.`,
    options: [
      {
        ...VALIDATOR,
        what: "0x and 96 characters 0-9 a-f, the engine's base64, or the index, which the node resolves; no home is needed",
      },
      {
        ...VALIDATOR,
        name: 'key',
        what: 'the same under its name of before, and the running engine must sign with it; the next version does not take it',
      },
      ...nodeOptions(),
    ],
    after: NODE_AFTER,
  },
  {
    name: 'sign',
    usage: ['sign --network NAME --withdrawal ADDRESS --operator ADDRESS --amount TOKENS [options]'],
    summary: "a first deposit's signature, on the machine of the key",
    about: `The signature of a first deposit, made where the key is. Nothing is sent, and no
endpoint is asked unless one is named: with --execution and --node (or --devnet)
nothing is signed with a key that the chain knows already. The key is opened by
a separate short-lived process that signs this one message and ends. What it
made is verified here, and by the node tool where it is installed; only then is
it shown and written to a deposit file, which the wizard takes on the machine
with the wallet (docs/split-machine.md).`,
    options: [
      {
        name: 'withdrawal',
        value: 'ADDRESS',
        what: 'where the stake is paid out, with the capitals of its checksum; it can never be changed',
      },
      {
        name: 'operator',
        value: 'ADDRESS',
        what: "who manages and receives the validator's rewards; the same form",
      },
      {
        name: 'amount',
        value: 'TOKENS',
        what: 'of the first deposit, such as 10000: exactly this must be sent',
      },
      NETWORK,
      SPEC,
      GENESIS,
      DEVNET,
      {
        name: 'home',
        value: 'DIR',
        kind: 'folder',
        what: "the node's home; its config.toml names the key file",
      },
      {
        name: 'key-file',
        value: 'FILE',
        kind: 'file',
        what: 'the key file itself, where there is no home',
      },
      { name: 'out', value: 'FILE', kind: 'file', what: 'the deposit file; it must not be there yet' },
      { name: 'execution', value: 'URL', kind: 'url', what: 'execution RPC: is the key unused?' },
      { name: 'second-execution', value: 'URL', kind: 'url', what: 'one more, of another operator' },
      { name: 'node', value: 'URL', kind: 'url', what: 'node API: is the key unused?' },
      { ...STATE_OPTION, what: 'where rehearsals are kept' },
      JSON_OPTION,
      ...COMMON,
    ],
    after: `Exit codes: 0 signed and verified, 1 refused, 2 wrong use, 3 could not find out.
Only 0 leaves a file.`,
  },
  {
    name: 'verify',
    usage: [
      'verify WHAT [options]',
      'verify --pubkey HEX --credentials HEX --amount TOKENS --signature HEX (--network NAME | --root HEX --fork-version HEX) [options]',
    ],
    summary: 'will the chain take this deposit? was it counted?',
    about: `Will the chain take this deposit, or was it counted or burnt? WHAT is a file,
the text itself, or - for stdin, and holds one of
  a deposit file           of bearings sign, or of the wizard
  the node tool's text     what deposit create-validator prints; --network names
                           the chain
  a signed transaction     0x02..., from any wallet; nothing is sent. Where the
                           owners of a Safe carry a deposit out, that is judged
  a transaction hash       asked of --execution, or of those of --network
  calldata                 of the deposit contract, with --amount and --network;
                           or of a Safe's execTransaction

It says what is judged: the chain, the key, the amount and where it is paid out.
The chain is the one that is named here, else the one that the file or the
transaction names. The signature library here always judges; the execution
client's precompiles where --execution (or --devnet) names one; the node tool
where it is installed, in --home or in none. A refusal says what made the
signature, where that can be found out. What the chain knows of the key is asked
of --execution and --node, of --devnet, or of what was set up before: a first
deposit for a key that is not unused is a no, a transaction that is only in the
mempool is not counted yet, and of one in a block the beacon state says whether
it counted. Where nobody is named it says that it was not asked.`,
    takes: { most: 1, kind: 'file' },
    options: [
      { name: 'pubkey', value: 'HEX', what: '48 bytes' },
      { name: 'credentials', value: 'HEX', what: '32 bytes' },
      { name: 'amount', value: 'TOKENS', kind: 'tokens', what: 'such as 10000; not in gwei' },
      { name: 'signature', value: 'HEX', what: '96 bytes' },
      { name: 'root', value: 'HEX', kind: { bytes: 32 }, what: 'genesis validators root' },
      { name: 'fork-version', value: 'HEX', kind: { bytes: 4 }, what: 'genesis fork version' },
      ...nodeOptions(),
    ],
    after: NODE_AFTER,
  },
]

export const READING_COMMANDS: readonly CommandSpec[] = [...CHECKING, ...ASKING]
