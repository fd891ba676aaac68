import {
  COMMON,
  type CommandSpec,
  DEVNET,
  GENESIS,
  JSON_OPTION,
  NETWORK,
  NODE_AFTER,
  NODE_DEFAULTS,
  nodeOptions,
  SPEC,
  STATE_OPTION,
  VALIDATOR,
} from './table-options.ts'

/** The commands that answer one question about a deposit or an endpoint. */
const ASKING: readonly CommandSpec[] = [
  {
    name: 'api',
    usage: ['api PATH [ARGUMENT] [options]'],
    summary: 'one endpoint, typed and checked; --verify for proofs',
    about: `Asks one endpoint and prints the typed, checked answer as JSON. Every call there
is stands in docs/endpoints.md.
  /eth/..., /bkit/v1/proof/..., /cometbft/...
                           the node API; quote a path with a query
  /status, /validators, /block, /commit, /net_info
                           the engine RPC; /validators reads all pages
  getOperator PUBKEY, depositCount, eth_getBlockByNumber [BLOCK], ...
                           the execution RPC
A path without a typed reading is asked all the same and shown as the node gave
it. A call takes the arguments and query fields that it knows, and no others.
Only an endpoint that a network, a home, the settings or an option names is
asked.`,
    takes: { most: 2 },
    options: [
      {
        name: 'verify',
        what: "for a proof or a whole state: recompute it up to the header's root, then look for that root in the execution chain (EIP-4788) by --execution and --second-execution; says which level it got",
      },
      {
        name: 'body',
        value: 'JSON',
        what: 'asks by POST (validators, validator_balances); it still only reads',
      },
      ...nodeOptions(),
    ],
    after: `${NODE_AFTER}
"Not offered" is a normal answer of a node and ends with 3; a validator that the
state does not know with 1.`,
  },
  {
    name: 'status',
    usage: ['status [--validator PUBKEY|INDEX] [options]'],
    summary: 'one look at the validator',
    about: `One look at a validator: where it stands, what is staked and what of it counts,
its rank at the next epoch boundary, the engine's weight for it, and the
outlook: when it drops out if nothing else happens, the least top-up that keeps
its place, and the block by which to send it. A line says whether record and set
are proven or only reported. 0 when it is active, in the engine's set and does
not drop out within five epochs. Nothing is sent. With --json, status is a name
of the node API such as active_ongoing, rank and places are numbers, the same in
every language; status and rank are null where there is none.`,
    options: [VALIDATOR, ...nodeOptions()],
    after: NODE_AFTER,
  },
  {
    name: 'topup-plan',
    usage: ['topup-plan [--amount TOKENS] [--validator PUBKEY|INDEX] [options]'],
    summary: 'what a place in the active set needs',
    about: `What the chain's own rules, run forward on the present set with all deposits
that are not counted yet, say about a top-up: without an amount the least one
that keeps a place in the active set with a margin, what exactly the threshold
would buy, and the rank table around the place; with an amount what exactly that
one does. Then what happens without any: when the validator drops out, the least
top-up that keeps its place, and the block by which it must be sent. A least
top-up is the least in steps of the effective balance (10,000 BERA): between two
steps an amount seldom buys anything. A line says whether the set is proven or
only reported. Nothing is sent: the wizard proves the registration before it
lets a top-up out.
Without a home and a validator, and with --execution and --node, it says what a
place costs now: how many are taken, what the last one has, what a new validator
needs, and what steps around that buy; an amount is then first deposit and
top-up in one. With --execution alone it says what the deposits say: never who
has a place, which is then not known, and it ends with 3.`,
    options: [
      {
        name: 'amount',
        value: 'TOKENS',
        what: 'such as 260,000 or 260000.5: 0 when it keeps the place, or stays below the threshold and loses nothing; 1 when it would be burnt, come back, be lost, tie for the last place, or not keep the validator from dropping out',
      },
      VALIDATOR,
      ...nodeOptions(),
    ],
    after: NODE_AFTER,
  },
  {
    name: 'leave',
    usage: ['leave [--amount TOKENS] [--validator PUBKEY|INDEX] [options]'],
    summary: 'what a withdrawal request would do, for the wallet that can make it',
    about: `What the chain's own rules make of a withdrawal request (EIP-7002) now, behind
all deposits, requests and parts that wait: without an amount of the exit, with
one of a part of the stake. When it is paid, and what the place is worth after.
The chain drops a request that it cannot use without a word, and the fee is
spent: then none is made, and the reason is said. Else the call is made for the
wallet of the withdrawal address, read back and dry-run at every endpoint: a
command for an external signer, or a batch for a Safe. This program signs and
sends nothing of it. What became of requests that were made stands first: in a
block, taken or dropped and why, left, paid. An endpoint that does not answer,
or a set that is not proven, closes it (docs/leaving.md).`,
    options: [
      {
        name: 'amount',
        value: 'TOKENS',
        kind: 'tokens',
        what: 'a part of the stake, such as 10,000 or 10000.5: the chain pays at most what lies above 250,000',
      },
      VALIDATOR,
      {
        name: 'out',
        value: 'FILE',
        kind: 'file',
        what: 'writes the batch for a Safe, or the command for each kind of wallet; it must not be there yet',
      },
      ...nodeOptions(),
    ],
    after: `${NODE_DEFAULTS}
Exit codes: 0 the request can be made, 1 it would be dropped or refused, 2 wrong
use, 3 could not find out.`,
  },
  {
    name: 'doctor',
    usage: ['doctor [options]'],
    summary: 'every check of a node on one page',
    about: `Every check of a node on one page: chain, the node's own claims of contract and
fork, home and its settings, key, permissions, fee recipient, exposure, peers,
health and finality where the node tells them, precompiles, proofs and their
anchor, sync, age and advance of the head, both clients on the same block, the
block interval, and the clock. Below a line that refuses stands what to change,
and where; below one that is not known what may help. It waits for up to ten
slots for a new head, the one sign of life that a stopped chain cannot give.
Nothing is changed and nothing is sent.
With --standby only this is asked, before a node is started with a key: do the
last blocks hold votes of it that this node did not make (docs/moving.md)?`,
    options: [
      {
        name: 'standby',
        what: 'does another node sign with the key? 0: nothing shows it; 1: start no node with it; 3: not known',
      },
      {
        name: 'second-engine',
        value: 'URL',
        kind: 'url',
        what: "with --standby: engine RPC of somebody else's node, where the own one is stopped",
      },
      {
        ...VALIDATOR,
        what: 'what the chain knows of this key as well: the lines of bearings keys --validator',
      },
      {
        name: 'backup',
        value: 'FILE',
        kind: 'file',
        what: 'a copy of priv_validator_key.json: does it hold the key of the home? A process of its own reads it',
      },
      ...nodeOptions(),
    ],
    after: NODE_AFTER,
  },
]

/** The commands that look or sign, and never send. */

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
