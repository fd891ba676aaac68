/**
 * Who may import whom. Each room of `src` names what it may import of ours, of npm and of Node; everything else is
 * a violation. A file belongs to exactly one room (`test/architecture.test.ts`).
 *
 * `types` may only be imported with `import type`: records of data, no behaviour.
 */

const ERRORS = 'src/core/errors/'
const FORMAT = 'src/core/format/'
/** What a character is to a terminal: one definition for keys, fields and screens. */
const DRAWABLE = 'src/core/format/drawable\\.ts$'
/** What to do next, as data; and in words, by the names of a desk. */
const NEXT = 'src/core/format/next\\.ts$'
const NEXT_TEXT = 'src/core/format/next-text\\.ts$'
/** In which language the program speaks. */
const LANGUAGE = 'src/core/format/language\\.ts$'
/** What is kept of a screen when the program ends. */
const KEPT_SCREEN = 'src/core/format/kept-screen\\.ts$'
/** What is said of a text that may be a secret. */
const SECRET = 'src/core/format/secret\\.ts$'
/** What a key does to a text that is typed. */
const EDIT_TEXT = 'src/core/format/edit-text\\.ts$'
const NETWORK = 'src/core/network/'
const CONSENSUS = 'src/core/consensus/'
const PROOFS = 'src/core/proofs/'
const DEPOSIT = 'src/core/deposit/'
const IDENTITY = 'src/core/identity/'
/** What the chain knows of one key: values and verdicts. */
const KEY_STATE = 'src/core/key-state/'
const PURE = [ERRORS, FORMAT, NETWORK, CONSENSUS, PROOFS, DEPOSIT, IDENTITY, KEY_STATE]
const WALLET = 'src/core/wallet/'
const CLIENTS = 'src/core/clients/'
/** How questions are asked together, and what is known of their answers. */
const OBSERVE = 'src/core/observe/'
const JOURNAL = 'src/core/journal/'
const EFFECTS = 'src/core/effects/effects\\.ts$'
/** The same effects, ended by a signal: made from nothing but the effects that are given. */
const EFFECTS_UNTIL = 'src/core/effects/effects-until\\.ts$'
/** What an event of a watch is. */
const WATCH_EVENT = 'src/core/watch/event\\.ts$'
/** The way of such events to the user. */
const NOTIFY = 'src/core/notify/'
const FACTS = 'src/core/facts\\.ts$'
const PROCEDURE = 'src/core/(procedure|state|gates|view-of|any-step)\\.ts$'
const SESSION = 'src/core/session\\.ts$'
/** What stands in the place of the steps: the welcome back, and the end of a lost journal. */
const RESUME = 'src/core/resume-(?:view|text)\\.ts$'
/** The choice of a network, the form before it and the opening of a session: pure. */
const LAUNCH = 'src/core/launch/'
/** What a screen outside the steps draws, with the events of its keys. */
const EARLY_VIEW = 'src/core/launch/view\\.ts$'
/** The watch of validators for as long as they run; its `look` and `keep` reach the world, all other files are pure. */
const WATCH = 'src/core/watch/'
const WATCH_COMMANDS = `${WATCH}(?:look|keep)[a-z-]*\\.ts$`
/** An alarm of a watch as it is drawn. */
const ALARM_VIEW = 'src/core/watch/alarm-view\\.ts$'
const JOURNAL_FILE = 'src/core/(?:journal-file|session-locks)\\.ts$'
const RUN_COMMAND = 'src/core/run-command\\.ts$'
/** Views, rows and observations: what every step's machine and view is written in. */
const STEP_WORDS =
  'src/core/steps/(?:amount-rows|amount-text|funds|names-text|observation|rows|verdict|view|text)\\.ts$'
/** What each step is called. */
const STEP_NAMES = 'src/core/steps/names-text\\.ts$'
/** What a step draws, with the events of its keys. */
const STEP_VIEW = 'src/core/steps/step-view\\.ts$'
/** What every step's commands get: the world and the clients made from it. */
const STEP_WORLD = 'src/core/steps/world\\.ts$'
const WORLD = 'src/core/steps/world\\.ts$'
/** Files of a step that reach the world; all others of it are pure. */
const COMMANDS = '(?:[a-z-]*commands|following|[a-z-]*track)\\.ts$'
const STEP_PURE = `src/core/steps/[^/]+/(?!${COMMANDS})`
const STEP_COMMANDS = `src/core/steps/[^/]+/${COMMANDS}`
const OWN_PURE = `src/core/steps/$1/(?!${COMMANDS})`
const OWN_COMMANDS = `src/core/steps/$1/${COMMANDS}`
/** What the two steps that pay share: the final checks, how a payment is decided, what is drawn of it, and the desk. */
const SHARED = '(?:gate|payment|payment-view|desk)'
const SHARED_PURE = `src/core/steps/${SHARED}/(?!${COMMANDS})`
const SHARED_COMMANDS = `src/core/steps/${SHARED}/${COMMANDS}`
const PAYING = '(deposit|topup)'
const NOT_PAYING = '((?!deposit/|topup/|gate/|payment/|payment-view/|desk/)[^/]+)'

/** Everything of Node but what opens a connection: that is for the effects and the devnet. */
const NO_SOCKETS = ['(?!(?:net|tls|https?|http2|dgram|dns|inspector)(?:/|$))[a-z_]+']

const rooms = [
  {
    name: 'errors',
    path: `${ERRORS}(?!base\\.ts)`,
    may: ['src/core/errors/(?:base|too-many-open)\\.ts$', NEXT],
  },
  { name: 'errors-base', path: 'src/core/errors/base\\.ts$', may: [NEXT] },
  { name: 'format', path: FORMAT, may: [FORMAT], npm: ['leven'] },
  { name: 'network', path: NETWORK, may: [ERRORS, FORMAT, NETWORK], npm: ['smol-toml'] },
  { name: 'consensus', path: CONSENSUS, may: [ERRORS, FORMAT, NETWORK, CONSENSUS] },
  {
    name: 'proofs',
    path: PROOFS,
    may: [ERRORS, FORMAT, NETWORK, CONSENSUS, PROOFS],
    npm: ['@chainsafe/ssz', '@chainsafe/persistent-merkle-tree'],
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
  { name: 'clients', path: CLIENTS, may: [...PURE, CLIENTS], types: [EFFECTS] },
  { name: 'observe', path: OBSERVE, may: [ERRORS], types: [EFFECTS] },
  {
    name: 'wallet',
    path: WALLET,
    may: [...PURE, WALLET],
    types: [EFFECTS],
    npm: ['ox', 'viem'],
    node: ['crypto'],
  },
  // What is recorded are the events of the machines: their types are data, and the decoders are held against them.
  { name: 'journal', path: JOURNAL, may: [...PURE, JOURNAL], types: [EFFECTS, STEP_PURE], node: ['crypto'] },
  { name: 'effects', path: EFFECTS, types: [FORMAT] },
  { name: 'effects-until', path: EFFECTS_UNTIL, types: [EFFECTS] },
  {
    name: 'effects-node',
    path: 'src/core/effects/(?!effects(?:-until)?\\.ts$)',
    may: [ERRORS, FORMAT, 'src/core/effects/'],
    node: ['child_process', 'crypto', 'fs', 'http', 'https', 'net', 'os', 'node:sqlite', 'path', 'timers'],
  },
  { name: 'watch-event', path: WATCH_EVENT, may: [FORMAT] },
  {
    name: 'notify',
    path: NOTIFY,
    may: [ERRORS, FORMAT, EFFECTS_UNTIL, NOTIFY, WATCH_EVENT],
    types: [EFFECTS],
    npm: ['smol-toml'],
  },
  { name: 'facts', path: FACTS, types: PURE },
  { name: 'step-view', path: STEP_VIEW, may: [STEP_WORDS] },
  { name: 'step-words', path: STEP_WORDS, may: [...PURE, STEP_WORDS], types: [EFFECTS, FACTS] },
  {
    name: 'step-world',
    path: STEP_WORLD,
    may: [...PURE, CLIENTS, STEP_WORDS, STEP_WORLD],
    types: [EFFECTS, FACTS],
  },
  // The records that an effect takes and gives are data, and machines keep them: hence the types of Effects.
  {
    name: 'step-pure',
    path: `src/core/steps/${NOT_PAYING}/(?!${COMMANDS})`,
    may: [...PURE, STEP_WORDS, STEP_VIEW, OWN_PURE],
    types: [EFFECTS, FACTS, ALARM_VIEW],
  },
  {
    name: 'step-pure-paying',
    path: `src/core/steps/${PAYING}/(?!${COMMANDS})`,
    may: [...PURE, STEP_WORDS, STEP_VIEW, OWN_PURE, SHARED_PURE],
    types: [EFFECTS, FACTS],
  },
  {
    name: 'shared-pure',
    path: SHARED_PURE,
    may: [...PURE, STEP_WORDS, STEP_VIEW, SHARED_PURE],
    types: [EFFECTS, FACTS, `src/core/steps/gate/following\\.ts$`],
  },
  {
    name: 'shared-commands',
    path: SHARED_COMMANDS,
    may: [...PURE, CLIENTS, WALLET, STEP_WORDS, STEP_WORLD, SHARED_PURE, SHARED_COMMANDS],
    types: [EFFECTS, FACTS],
  },
  {
    name: 'step-commands',
    path: `src/core/steps/${NOT_PAYING}/${COMMANDS}`,
    may: [...PURE, CLIENTS, WALLET, STEP_WORDS, STEP_WORLD, OWN_PURE, OWN_COMMANDS, NOTIFY, OBSERVE, WATCH],
    types: [EFFECTS, FACTS],
    npm: ['viem'],
  },
  {
    name: 'step-commands-paying',
    path: `src/core/steps/${PAYING}/${COMMANDS}`,
    may: [
      ...PURE,
      CLIENTS,
      WALLET,
      STEP_WORDS,
      STEP_WORLD,
      OWN_PURE,
      OWN_COMMANDS,
      SHARED_PURE,
      SHARED_COMMANDS,
    ],
    types: [EFFECTS, FACTS],
  },
  {
    name: 'procedure',
    path: PROCEDURE,
    may: [PROCEDURE, STEP_WORDS, STEP_VIEW, STEP_PURE],
    types: [...PURE, FACTS, WORLD],
  },
  { name: 'run-command', path: RUN_COMMAND, may: [STEP_COMMANDS], types: [PROCEDURE, WORLD] },
  {
    name: 'journal-file',
    path: JOURNAL_FILE,
    may: [...PURE, JOURNAL],
    types: [EFFECTS, FACTS, PROCEDURE, WORLD],
  },
  {
    name: 'session',
    path: SESSION,
    may: [ERRORS, FORMAT, PROCEDURE, RUN_COMMAND, JOURNAL_FILE, STEP_WORDS, EFFECTS_UNTIL],
    types: [EFFECTS, FACTS, WORLD],
  },
  {
    name: 'launching',
    path: LAUNCH,
    may: [FORMAT, LAUNCH],
    types: [SESSION, JOURNAL, NETWORK, STEP_WORDS, ALARM_VIEW],
  },
  {
    name: 'resume',
    path: RESUME,
    may: [RESUME, LAUNCH, PROCEDURE, STEP_WORDS, STEP_PURE],
    types: [FACTS],
  },
  {
    name: 'watch',
    path: `${WATCH}(?!(?:(?:look|keep)[a-z-]*|event)\\.ts$)`,
    may: [...PURE, `${WATCH}(?!(?:look|keep)[a-z-]*\\.ts$)`],
    types: [FACTS, EARLY_VIEW],
  },
  {
    name: 'watch-commands',
    path: WATCH_COMMANDS,
    may: [...PURE, CLIENTS, OBSERVE, WATCH],
    types: [EFFECTS, FACTS],
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
    may: [
      'src/hooks/',
      DRAWABLE,
      EDIT_TEXT,
      SECRET,
      LAUNCH,
      RESUME,
      PROCEDURE,
      STEP_WORDS,
      STEP_VIEW,
      STEP_PURE,
    ],
    types: [SESSION, FACTS, ...PURE],
    npm: ['ink', 'ink-text-input', 'react'],
  },
  {
    name: 'screens',
    path: 'src/screens/',
    may: ['src/screens/', 'src/hooks/', DRAWABLE, KEPT_SCREEN, LANGUAGE, NEXT_TEXT, STEP_NAMES],
    types: ['src/core/'],
    npm: ['ink', 'react'],
  },
  // The wizard by lines: what the screens say, without Ink and React.
  {
    name: 'plain',
    path: 'src/plain/',
    may: [
      'src/plain/',
      'src/hooks/(?:launch-loop|step-keys|step-panel)\\.ts$',
      'src/screens/(?:words|ui/shell-lines|ui/text)\\.ts$',
      'src/terminal/keys\\.ts$',
      'src/compose/fact-lines\\.ts$',
      'src/core/format/(?:amount|drawable|kept-screen|next-text|secret)\\.ts$',
      LAUNCH,
      RESUME,
      'src/core/steps/(?:names-text|text|view)\\.ts$',
      'src/core/steps/desk/',
      'src/core/view-of\\.ts$',
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
  {
    name: 'devnet',
    path: 'src/devnet/',
    may: [ERRORS, FORMAT, NETWORK, CONSENSUS, PROOFS, DEPOSIT, 'src/devnet/', 'contracts/artifacts/'],
    npm: ['@chainsafe/blst', 'ox', 'smol-toml', 'viem'],
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
      'src/commands/(?:io|table)\\.ts$',
    ],
    npm: ['conf', 'prom-client', 'react', 'viem'],
    node: NO_SOCKETS,
  },
  {
    name: 'commands',
    path: 'src/commands/',
    may: ['src/core/', 'src/compose/', 'src/commands/', 'src/devnet/'],
    npm: ['viem'],
    node: NO_SOCKETS,
  },
  {
    name: 'cli',
    path: 'src/cli\\.tsx?$',
    may: ['src/core/', 'src/compose/', 'src/commands/'],
    node: ['fs', 'path', 'readline', 'v8'],
  },
  {
    name: 'launch',
    path: 'src/launch\\.ts$',
    may: ['src/cli\\.tsx?$', 'src/compose/choose-language\\.ts$', 'src/packaged-node\\.js$'],
    node: ['fs', 'module', 'os', 'path', 'url', 'v8'],
  },
  { name: 'packaged-node', path: 'src/packaged-node\\.js$', node: ['child_process', 'fs', 'path'] },
  // The start of the single executable: everything else of ours is an asset in it.
  {
    name: 'executable',
    path: 'src/(?:executable|native-library)\\.ts$',
    may: ['src/native-library\\.ts$', 'src/core/effects/temporary-directory\\.ts$'],
    node: ['crypto', 'fs', 'module', 'node:sea', 'path', 'url'],
  },
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
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'nothing unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'the signer opens no connection',
      comment: 'Not even through what it imports. Its bundle is looked through as well, packages included.',
      severity: 'error',
      from: { path: '^src/signer/' },
      to: {
        path: '^(?:net|tls|http|https|http2|dgram|dns|child_process|worker_threads)(?:/|$)|^src/core/(?:effects/node|clients/|steps/|session)',
        reachable: true,
      },
    },
    {
      name: 'the devnet judges signatures by itself',
      comment:
        'Its verdict on a deposit shares no code with the signer, signing root included: a wrong domain would pass both.',
      severity: 'error',
      from: { path: '^src/devnet/' },
      to: { path: '^src/core/deposit/(?:bls|domain|sign|signing-root|ssz|verify)\\.ts$', reachable: true },
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
