/**
 * Who may import whom. Each room of `src` names what it may import of ours, of npm and of Node; everything else is
 * a violation. A file belongs to exactly one room (`test/architecture.test.ts`).
 *
 * `types` may only be imported with `import type`: records of data, no behaviour.
 */

const ERRORS = 'src/core/base/errors/'
const FORMAT = 'src/core/base/format/'
/** What a character is to a terminal: one definition for keys, fields and screens. */
const DRAWABLE = 'src/core/base/format/drawable\\.ts$'
/** What to do next, as data; and in words, by the names of a desk. */
const NEXT = 'src/core/base/format/next\\.ts$'
/** A command over several lines, which a shell reads as one. */
const SHELL_LINES = 'src/core/base/format/shell-lines\\.ts$'
/** In which language the program speaks. */
const LANGUAGE = 'src/core/base/format/language\\.ts$'
/** The texts of a language, and what loads them. */
const TEXTS = 'src/core/base/format/texts\\.ts$'
/** What a key does to a text that is typed, and what is shown of one that may be a secret. */
const EDIT_TEXT = 'src/core/base/format/edit-text\\.ts$'
const EFFECTS = 'src/core/base/effects/effects\\.ts$'
/** The same effects, ended by a signal: made from nothing but the effects that are given. */
const EFFECTS_UNTIL = 'src/core/base/effects/effects-until\\.ts$'
const NETWORK = 'src/core/chain/network/'
const CONSENSUS = 'src/core/chain/consensus/'
const PROOFS = 'src/core/chain/proofs/'
const DEPOSIT = 'src/core/chain/deposit/'
/** Blocks as the validator set signs them. */
const LIGHT = 'src/core/chain/light/'
const IDENTITY = 'src/core/chain/identity/'
/** What the chain knows of one key: values and verdicts. */
const KEY_STATE = 'src/core/chain/key-state/'
/** What a session was given, and what its steps found out for one another: records alone. */
const FACTS = 'src/core/chain/facts\\.ts$'
const PURE = [ERRORS, FORMAT, NETWORK, CONSENSUS, PROOFS, DEPOSIT, IDENTITY, KEY_STATE]
/** What is drawn: rows with their marks, verdicts, fields, keys, alarms. */
const VIEW = 'src/core/view/'
/** What both desks say and how a long value is drawn. */
const DRAWN = 'src/core/view/(?:desk-words|draw-text)\\.ts$'
/** How a mark is drawn. */
const MARKS = 'src/core/view/marks\\.ts$'
/** Names of steps and words that all views share. */
const STEP_NAMES = 'src/core/view/text\\.ts$'
const ALARM_EVENT = 'src/core/view/alarm-event\\.ts$'
const CLIENTS = 'src/core/clients/'
/** What is known, what follows from it, and whose word counts; its `ask*`, `kept-file`, `observer` and `context` reach the world. */
const OBSERVE = 'src/core/observe/'
const ASKING = '(?:ask[a-z-]*|kept-file|observer|context)\\.ts$'
const OBSERVE_PURE = `${OBSERVE}(?!${ASKING})`
/** Which forks a node and its execution client tell of. */
const ASK_NODE = 'src/core/observe/ask-node\\.ts$'
/** What every step's commands get: the context and the clients made from it. */
const CONTEXT = 'src/core/observe/context\\.ts$'
/** What judges the looks of the last step by the rules of a watch: a session is given it. */
const ALARMS = 'src/core/observe/alarms\\.ts$'
/** The watch of validators for as long as they run; its `keep` and `notify` reach the world, all other files are pure. */
const WATCH = 'src/watch/'
const WATCH_PURE = 'src/watch/(?!keep|notify/)'
/** The way of alarms to the user. */
const NOTIFY = 'src/watch/notify/'
const PAY = 'src/core/pay/'
const WALLET = 'src/core/pay/wallet/'
/** What is offered for gas, and never more than. */
const FEES = 'src/core/pay/wallet/fees\\.ts$'
/** Files of a step or a payment that reach the world; all others are pure. */
const COMMANDS = '(?:[a-z-]*commands|following|[a-z-]*track)\\.ts$'
const PAY_PURE = `${PAY}(?!wallet/|[^/]+/${COMMANDS})`
const PAY_COMMANDS = `${PAY}(?!wallet/)[^/]+/${COMMANDS}`
/** What a step that pays nothing may know of paying: what it costs. */
const FUNDS = 'src/core/pay/funds\\.ts$'
/** What the last step says of leaving: a request for the wallet, which this program does not sign. */
const LEAVE = 'src/core/pay/leave/'
const LEAVE_PURE = `${LEAVE}(?!${COMMANDS})`
const STEP_PURE = `src/core/steps/[^/]+/(?!${COMMANDS})`
const STEP_COMMANDS = `src/core/steps/[^/]+/${COMMANDS}`
const OWN_PURE = `src/core/steps/$1/(?!${COMMANDS})`
const OWN_COMMANDS = `src/core/steps/$1/${COMMANDS}`
const PAYING = '(deposit|topup)'
const NOT_PAYING = '((?!deposit/|topup/)[^/]+)'
const JOURNAL = 'src/core/wizard/journal/(?!journal-file|session-locks|guard-file|open-payments)'
const JOURNAL_FILE = 'src/core/wizard/journal/(?:journal-file|session-locks|guard-file|open-payments)\\.ts$'
/** Where guards are kept, as commands are given it: types alone. */
const BOOK = 'src/core/pay/guard/book\\.ts$'
const PROCEDURE = 'src/core/wizard/(?:procedure|state|gates|view-of|any-step)\\.ts$'
/** What the stories of a rehearsal say, and the page of their cards. */
const STORY = 'src/core/wizard/story/'
const SESSION = 'src/core/wizard/session\\.ts$'
/** What stands in the place of the steps: the welcome back, and the end of a lost journal. */
const RESUME = 'src/core/wizard/resume-(?:view|text)\\.ts$'
/** The choice of a network, the form before it and the opening of a session: pure. */
const LAUNCH = 'src/core/wizard/launch/'
const RUN_COMMAND = 'src/core/wizard/run-command\\.ts$'
/** Lines of a command: where they go, and how rows are drawn on them. */
const OUTPUT = 'src/output/'

/** Everything of Node but what opens a connection: that is for the effects and the devnet. */
const NO_SOCKETS = ['(?!(?:net|tls|https?|http2|dgram|dns|inspector)(?:/|$))[a-z_]+']

const rooms = [
  {
    name: 'errors',
    path: `${ERRORS}(?!base\\.ts)`,
    may: ['src/core/base/errors/(?:base|room)\\.ts$', NEXT],
  },
  { name: 'errors-base', path: 'src/core/base/errors/base\\.ts$', may: [NEXT] },
  { name: 'format', path: FORMAT, may: [FORMAT], npm: ['leven', 'typebox'] },
  { name: 'effects', path: EFFECTS, types: [FORMAT] },
  { name: 'effects-until', path: EFFECTS_UNTIL, types: [EFFECTS] },
  {
    name: 'effects-node',
    path: 'src/core/base/effects/(?!effects(?:-until)?\\.ts$)',
    may: [ERRORS, FORMAT, 'src/core/base/effects/'],
    node: ['child_process', 'crypto', 'fs', 'http', 'https', 'net', 'os', 'node:sqlite', 'path', 'timers'],
  },
  { name: 'network', path: NETWORK, may: [ERRORS, FORMAT, NETWORK], npm: ['smol-toml'] },
  { name: 'consensus', path: CONSENSUS, may: [ERRORS, FORMAT, NETWORK, CONSENSUS] },
  {
    name: 'proofs',
    path: PROOFS,
    may: [ERRORS, FORMAT, NETWORK, CONSENSUS, PROOFS],
    npm: ['@chainsafe/ssz', '@chainsafe/persistent-merkle-tree', 'viem'],
    node: ['crypto'],
  },
  {
    name: 'light',
    path: LIGHT,
    may: [FORMAT, NETWORK, CONSENSUS, PROOFS, DEPOSIT, IDENTITY, LIGHT],
    npm: ['@chainsafe/blst', '@chainsafe/ssz'],
    node: ['crypto'],
  },
  {
    name: 'deposit',
    path: DEPOSIT,
    may: [ERRORS, FORMAT, NETWORK, CONSENSUS, PROOFS, DEPOSIT],
    npm: [
      '@chainsafe/blst',
      '@chainsafe/hashtree',
      '@chainsafe/persistent-merkle-tree',
      '@chainsafe/ssz',
      '@noble/curves',
      'viem',
    ],
    node: ['crypto'],
  },
  {
    name: 'identity',
    path: IDENTITY,
    may: PURE,
    npm: ['@chainsafe/blst', '@noble/curves', 'smol-toml', 'viem'],
    node: ['crypto'],
  },
  { name: 'key-state', path: KEY_STATE, may: [FORMAT, NETWORK, CONSENSUS, KEY_STATE] },
  { name: 'facts', path: FACTS, types: PURE },
  { name: 'view', path: VIEW, may: [ERRORS, FORMAT, NETWORK, CONSENSUS, VIEW], types: [FACTS] },
  { name: 'clients', path: CLIENTS, may: [...PURE, LIGHT, CLIENTS], types: [EFFECTS] },
  { name: 'observe', path: OBSERVE_PURE, may: [...PURE, VIEW, OBSERVE_PURE], types: [EFFECTS, FACTS] },
  {
    name: 'observe-asking',
    path: `${OBSERVE}${ASKING}`,
    may: [...PURE, VIEW, CLIENTS, OBSERVE],
    types: [EFFECTS, FACTS],
  },
  { name: 'watch', path: WATCH_PURE, may: [...PURE, VIEW, OBSERVE_PURE, WATCH_PURE], types: [FACTS] },
  {
    name: 'watch-keep',
    path: 'src/watch/keep[a-z-]*\\.ts$',
    may: [...PURE, VIEW, OBSERVE, WATCH],
    types: [EFFECTS, FACTS],
  },
  {
    name: 'notify',
    path: NOTIFY,
    may: [ERRORS, FORMAT, EFFECTS_UNTIL, NOTIFY, ALARM_EVENT],
    types: [EFFECTS],
    npm: ['smol-toml', 'typebox'],
  },
  {
    name: 'wallet',
    path: WALLET,
    may: [...PURE, WALLET],
    types: [EFFECTS],
    npm: ['ox', 'viem'],
    node: ['crypto'],
  },
  // The records that an effect takes and gives are data, and machines keep them: hence the types of Effects.
  {
    name: 'pay-pure',
    path: PAY_PURE,
    may: [...PURE, VIEW, OBSERVE_PURE, PAY_PURE, FEES],
    types: [EFFECTS, FACTS, 'src/core/pay/gate/following\\.ts$'],
  },
  {
    name: 'pay-commands',
    path: PAY_COMMANDS,
    may: [...PURE, VIEW, CLIENTS, OBSERVE_PURE, CONTEXT, ASK_NODE, PAY],
    types: [EFFECTS, FACTS],
  },
  {
    name: 'step-pure',
    path: `src/core/steps/${NOT_PAYING}/(?!${COMMANDS})`,
    may: [...PURE, VIEW, OBSERVE_PURE, FUNDS, LEAVE_PURE, OWN_PURE],
    types: [EFFECTS, FACTS],
  },
  {
    name: 'step-pure-paying',
    path: `src/core/steps/${PAYING}/(?!${COMMANDS})`,
    may: [...PURE, VIEW, OBSERVE_PURE, PAY_PURE, OWN_PURE],
    types: [EFFECTS, FACTS],
  },
  {
    name: 'step-commands',
    path: `src/core/steps/${NOT_PAYING}/${COMMANDS}`,
    may: [...PURE, VIEW, CLIENTS, OBSERVE, FUNDS, LEAVE, WALLET, OWN_PURE, OWN_COMMANDS],
    types: [EFFECTS, FACTS],
    npm: ['viem'],
  },
  {
    name: 'step-commands-paying',
    path: `src/core/steps/${PAYING}/${COMMANDS}`,
    may: [...PURE, VIEW, CLIENTS, OBSERVE_PURE, CONTEXT, PAY, OWN_PURE, OWN_COMMANDS],
    types: [EFFECTS, FACTS],
  },
  // What is recorded are the events of the machines: their types are data, and the decoders are held against them.
  {
    name: 'journal',
    path: JOURNAL,
    may: [...PURE, JOURNAL],
    types: [EFFECTS, PAY_PURE, STEP_PURE],
    node: ['crypto'],
  },
  {
    name: 'journal-file',
    path: JOURNAL_FILE,
    may: [...PURE, 'src/core/wizard/journal/', PAY_PURE, WALLET],
    types: [EFFECTS, FACTS, PROCEDURE, CONTEXT],
  },
  {
    name: 'procedure',
    path: PROCEDURE,
    may: [PROCEDURE, STORY, VIEW, PAY_PURE, STEP_PURE],
    types: [...PURE, FACTS, CONTEXT],
  },
  {
    name: 'story',
    path: STORY,
    may: [STORY, LAUNCH, FORMAT, VIEW, NETWORK],
    types: [FACTS, PROCEDURE],
  },
  {
    name: 'run-command',
    path: RUN_COMMAND,
    may: [STEP_COMMANDS, PAY_COMMANDS],
    types: [PROCEDURE, CONTEXT, ALARMS, BOOK],
  },
  {
    name: 'session',
    path: SESSION,
    may: [ERRORS, FORMAT, PROCEDURE, RUN_COMMAND, JOURNAL_FILE, VIEW, EFFECTS_UNTIL],
    types: [EFFECTS, FACTS, CONTEXT, ALARMS],
  },
  { name: 'launching', path: LAUNCH, may: [FORMAT, VIEW, LAUNCH], types: [SESSION, JOURNAL, NETWORK] },
  {
    name: 'resume',
    path: RESUME,
    may: [RESUME, LAUNCH, PROCEDURE, VIEW, PAY_PURE, STEP_PURE],
    types: [FACTS],
  },
  {
    name: 'signer',
    path: 'src/signer/',
    may: [...PURE, WALLET, 'src/signer/'],
    types: [EFFECTS],
    npm: ['viem'],
    node: ['crypto', 'fs', 'path', 'stream', 'tty'],
  },
  {
    name: 'hooks',
    path: 'src/hooks/',
    may: ['src/hooks/', DRAWABLE, EDIT_TEXT, LAUNCH, RESUME, PROCEDURE, VIEW, PAY_PURE, STEP_PURE],
    types: [SESSION, FACTS, ...PURE],
    npm: ['ink', 'ink-text-input', 'react'],
  },
  {
    name: 'screens',
    path: 'src/screens/',
    may: ['src/screens/', 'src/hooks/', DRAWABLE, LANGUAGE, NEXT, SHELL_LINES, STEP_NAMES, MARKS, DRAWN],
    types: ['src/core/'],
    npm: ['ink', 'react'],
  },
  // The wizard by lines: what the screens say, without Ink and React.
  {
    name: 'plain',
    path: 'src/plain/',
    may: [
      'src/plain/',
      'src/hooks/(?:launch-loop|secret-gate|step-keys|step-panel|watch-consents)\\.ts$',
      'src/terminal/(?:drop-typed|keys)\\.ts$',
      'src/core/base/format/(?:amount|drawable|next|edit-text|shell-lines)\\.ts$',
      LAUNCH,
      RESUME,
      'src/core/view/(?:desk-words|draw-text|marks|text|view)\\.ts$',
      'src/core/pay/desk/',
      'src/core/wizard/view-of\\.ts$',
    ],
    types: ['src/core/', 'src/hooks/'],
    node: ['string_decoder'],
  },
  {
    name: 'terminal',
    path: 'src/terminal/',
    may: ['src/terminal/', DRAWABLE, LANGUAGE],
    npm: ['ink', 'react'],
    node: ['stream', 'string_decoder'],
  },
  { name: 'output', path: OUTPUT, may: [ERRORS, FORMAT, VIEW, OUTPUT] },
  {
    name: 'devnet',
    path: 'src/devnet/',
    may: [
      ERRORS,
      FORMAT,
      NETWORK,
      CONSENSUS,
      PROOFS,
      DEPOSIT,
      'src/core/chain/light/(?!trust|verify-votes)',
      'src/devnet/',
      'contracts/artifacts/',
    ],
    npm: ['@chainsafe/blst', '@noble/curves', 'ox', 'smol-toml', 'viem'],
    node: ['child_process', 'crypto', 'fs', 'http', 'module', 'net', 'path', 'zlib'],
  },
  {
    name: 'compose',
    path: 'src/compose/',
    may: [
      'src/core/',
      'src/hooks/',
      'src/screens/',
      'src/terminal/',
      'src/plain/',
      'src/compose/',
      'src/watch/',
      OUTPUT,
    ],
    npm: ['conf', 'prom-client', 'react', 'viem'],
    node: NO_SOCKETS,
  },
  {
    name: 'commands',
    path: 'src/commands/',
    may: ['src/core/', 'src/watch/', OUTPUT, 'src/compose/', 'src/commands/', 'src/devnet/'],
    npm: ['typebox', 'viem'],
    node: NO_SOCKETS,
  },
  {
    name: 'cli',
    path: 'src/cli\\.tsx?$',
    may: ['src/core/', 'src/watch/', OUTPUT, 'src/compose/', 'src/commands/'],
    node: ['fs', 'path', 'readline', 'v8'],
  },
  {
    name: 'launch',
    path: 'src/launch\\.ts$',
    may: ['src/cli\\.tsx?$', 'src/compose/choose-language\\.ts$', TEXTS, 'src/packaged-node\\.js$'],
    node: ['fs', 'module', 'os', 'path', 'url', 'v8'],
  },
  { name: 'packaged-node', path: 'src/packaged-node\\.js$', node: ['child_process', 'fs', 'path'] },
  // The start of the single executable: everything else of ours is an asset in it.
  {
    name: 'executable',
    path: 'src/(?:executable|native-library)\\.ts$',
    may: ['src/native-library\\.ts$', 'src/core/base/effects/temporary-directory\\.ts$'],
    node: ['crypto', 'fs', 'module', 'node:sea', 'path', 'url'],
  },
]

/** The rooms from below to above: none knows of one above it, not even by type. */
const FLOORS = [
  'src/core/base/',
  'src/core/chain/',
  'src/core/view/',
  'src/core/clients/',
  'src/core/observe/',
  'src/core/pay/',
  'src/core/steps/',
  'src/core/wizard/',
  'src/watch/',
  'src/signer/',
  'src/devnet/',
  'src/hooks/',
  'src/terminal/',
  'src/screens/',
  'src/output/',
  'src/plain/',
  'src/compose/',
  'src/commands/',
  'src/[^/]+$',
]

const OURS = '^(?:src|test|scripts|bench|contracts|docs)/|^package\\.json$'
const anyOf = (paths) => (paths.length === 0 ? '$.' : `^(?:${paths.join('|')})`)

function rulesOf({ name, path, may = [], types = [], npm = [], node = [] }) {
  const from = { path: `^${path}` }
  const rule = (kind, to) => ({ name: `${name}: ${kind}`, severity: 'error', from, to })
  return [
    rule('ours', { path: OURS, pathNot: anyOf([...may, ...types]) }),
    rule('npm', { path: '^node_modules/', pathNot: anyOf(npm.map((each) => `node_modules/${each}/`)) }),
    rule('node', {
      dependencyTypes: ['core'],
      pathNot: anyOf(node.map((each) => `${each}(?:/|$)`)),
    }),
    ...(types.length === 0
      ? []
      : [
          rule('types only', {
            path: anyOf(types),
            ...(may.length === 0 ? {} : { pathNot: anyOf(may) }),
            dependencyTypesNot: ['type-only'],
          }),
        ]),
  ]
}

module.exports = {
  forbidden: [
    ...rooms.flatMap(rulesOf),
    ...FLOORS.slice(0, -1).map((floor, place) => ({
      name: `no arrow upward from ${floor}`,
      severity: 'error',
      from: { path: `^${floor}` },
      to: { path: anyOf(FLOORS.slice(place + 1)) },
    })),
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'the signer opens no connection',
      comment: 'Not even through what it imports. Its bundle is looked through as well, packages included.',
      severity: 'error',
      from: { path: '^src/signer/' },
      to: {
        path: '^(?:net|tls|http|https|http2|dgram|dns|child_process|worker_threads)(?:/|$)|^src/(?:core/(?:base/effects/node|clients/|observe/|steps/|wizard/)|watch/)',
        reachable: true,
      },
    },
    {
      name: 'the devnet judges signatures by itself',
      comment:
        'Its verdict on a deposit shares no code with the signer, signing root included: a wrong domain would pass both.',
      severity: 'error',
      from: { path: '^src/devnet/' },
      to: {
        path: '^src/core/chain/deposit/(?:bls|domain|sign|signing-root|ssz|verify)\\.ts$',
        reachable: true,
      },
    },
  ],
  options: {
    // TypeScript 7 has no API for other programs yet: without another parser no module at all would be seen.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
