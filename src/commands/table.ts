import { FORGERS, SCENARIO_NAMES } from '../core/chain/network/scenario-names.ts'
import {
  COMMON,
  type CommandName,
  type CommandSpec,
  DEVNET,
  GENESIS,
  JSON_OPTION,
  LANG,
  NETWORK,
  NODE_DEFAULTS,
  nodeOptions,
  type Option,
  SCENARIO,
  SEED,
  SLOT_MS,
  SPEC,
  STATE_OPTION,
} from './table-options.ts'
import { READING_COMMANDS } from './table-reading.ts'

/** The program itself: the wizard, before any command. */
export const WIZARD: CommandSpec = {
  name: '',
  usage: ['[options]', 'COMMAND [options]'],
  summary: 'the wizard; without a terminal, a rehearsal',
  about: `Without a command it is the wizard; in a place without a terminal, a rehearsal.
The commands look, sign or rehearse; none of them sends real money:`,
  options: [
    { ...NETWORK, what: 'straight to mainnet, bepolia, rehearsal, or a network FILE.json' },
    {
      name: 'spec',
      value: 'FILE',
      kind: 'file',
      what: "with --genesis: to the network of a node's own spec.toml and genesis.json",
    },
    { name: 'genesis', value: 'FILE', kind: 'file', what: 'goes with --spec' },
    {
      name: 'validator',
      value: 'KEY|INDEX',
      kind: 'validator',
      what: 'a validator that is registered already: watch it, top it up',
    },
    { name: 'topup', value: 'TOKENS', kind: 'tokens', what: 'proposes that amount for its top-up' },
    { ...DEVNET, value: 'FILE', what: 'to a rehearsal network that runs, by its descriptor' },
    { ...SCENARIO, what: `to a rehearsal of one story: ${SCENARIO_NAMES.join(', ')}` },
    STATE_OPTION,
    {
      name: 'plain',
      what: 'the wizard as questions and lines, without drawing; also for TERM=dumb and a screen reader (INK_SCREEN_READER=1)',
    },
    LANG,
    { name: 'help', what: 'this text, or that of a command' },
    { name: 'version', what: 'the version, its commit, and a hash over the networks' },
  ],
  after: `Exit codes: 0 done, 1 the answer is no, 2 wrong use, 3 could not find out,
4 stopped.`,
}

const RUNNING: readonly CommandSpec[] = [
  {
    name: 'rehearse',
    usage: ['rehearse [options]'],
    summary: 'all seven steps on a rehearsal network, without questions',
    about: `All seven steps without questions, on a rehearsal network only. Starts one
unless --devnet names one, or one that was started below the same --state still
runs and is as asked for; only one that this call started is ended when the
validator is active. Safe to kill and run again with the same arguments.`,
    options: [
      DEVNET,
      { ...STATE_OPTION, what: 'where rehearsals are kept' },
      SCENARIO,
      { ...SEED, what: 'the same seed gives the same keys; one of its own without it' },
      SLOT_MS,
      { ...JSON_OPTION, what: 'one JSON document on stdout, at the end' },
      ...COMMON,
    ],
    after: `Exit codes: 0 active, 1 a check says no, 2 wrong use, 3 could not find out,
4 stopped.`,
  },
  {
    name: 'devnet',
    usage: ['devnet [options]'],
    summary: 'only the rehearsal network, until it is stopped',
    about: `Only the rehearsal network, on 127.0.0.1: execution RPC on N, node API on N+1,
engine RPC on N+2 (free ports without --port-base). One JSON line on stdout when
it is ready, then it serves until SIGTERM. The same seed and genesis time give
the same network. With --genesis and --spec it starts from those files.`,
    options: [
      { name: 'port-base', value: 'N', kind: { least: 1, most: 65_533 }, what: 'the first of three ports' },
      SCENARIO,
      SEED,
      SLOT_MS,
      {
        name: 'genesis-time',
        value: 'N',
        kind: { least: 0, most: 4_000_000_000 },
        what: 'seconds since 1970 of its first block',
      },
      {
        name: 'directory',
        value: 'DIR',
        kind: 'folder',
        what: 'where its files stay; without it they go away with it',
      },
      {
        name: 'idle-minutes',
        value: 'N',
        kind: { least: 1, most: 100_000 },
        what: 'ends it after that time without a request',
      },
      {
        name: 'second-node',
        what: 'once its validator is active a second node signs with its key for a while (docs/moving.md)',
      },
      {
        name: 'foreign-node',
        what: 'opens the endpoints of a node that somebody else runs (docs/rehearsal.md)',
      },
      {
        name: 'fork-in',
        value: 'SECONDS',
        kind: { least: 1, most: 100_000_000 },
        what: 'a second execution endpoint names a fork that begins then, and the own one does not',
      },
      {
        name: 'forger',
        value: 'NAME',
        kind: { oneOf: FORGERS },
        what: `signs its blocks falsely: ${FORGERS.join(', ')} (docs/rehearsal.md)`,
      },
      { name: 'genesis', value: 'FILE', kind: 'file', what: 'goes with --spec' },
      { name: 'spec', value: 'FILE', kind: 'file', what: 'goes with --genesis' },
      { ...JSON_OPTION, what: 'changes nothing but errors: the one line is JSON' },
      ...COMMON,
    ],
    after: `Exit codes: 0 stopped, 2 wrong use, 3 the execution client failed, 4 stopped
before it was ready.`,
  },
  {
    name: 'watch',
    usage: ['watch [VALIDATOR[=NAME] ...] [options]'],
    summary: 'follows validators, and tells what needs somebody',
    about: `Follows validators for as long as they run, and tells when one needs somebody:
when it drops out of the active set and what keeps its place, when it has left,
when its node is silent, hangs or runs with another key, when a deposit or an
operator change was not yours. VALIDATOR is a public key or an index; without
one, those that were registered or adopted here. On a terminal a table; without
one a line an event; with --json one object a line (docs/watch.md). Nothing is
sent without --guard, and no key file is read.`,
    takes: { most: 200 },
    options: [
      {
        name: 'metrics',
        value: 'HOST:PORT',
        kind: 'listen',
        what: 'numbers for a monitoring system at /metrics, and /live and /ready; 127.0.0.1:9478, say (docs/monitoring)',
      },
      {
        name: 'metrics-host',
        value: 'NAME',
        what: 'another name under which --metrics may be asked, such as that of a container; several with commas between',
      },
      {
        name: 'margin',
        value: 'TOKENS',
        kind: 'tokens',
        what: 'others may come this near before it is told (default: what one least deposit can lift)',
      },
      {
        name: 'config',
        value: 'FILE',
        kind: 'file',
        what: "whom to watch, whom to ask, limits, and where alarms go: webhook, Slack, Discord, Telegram, PagerDuty, ntfy, desktop, a command of yours, a dead man's ping (docs/notifications.md)",
      },
      {
        name: 'guard',
        what: 'holds the guards that were armed here: top-ups that were agreed beforehand (docs/guard.md)',
      },
      {
        name: 'acknowledge',
        value: 'ID',
        what: 'says to the watch that runs on this state directory that you know of an alarm: by its id, or all',
      },
      { name: 'example-config', what: 'prints such a file, with every field explained' },
      { name: 'test-alarm', what: 'sends one alarm through each channel of the file' },
      { name: 'plain', what: 'the table as lines; also for TERM=dumb and a screen reader' },
      ...nodeOptions('urls'),
    ],
    after: `--execution, --node and --engine take several addresses, with commas between
them: the own one first, those of others after it.
${NODE_DEFAULTS}
Exit codes: 0 ended by q, each channel took the test alarm, or acknowledged; 1 a
channel did not take it; 2 wrong use; 3 it could not begin or go on; 4 stopped
by a signal.`,
  },
]

const ABOUT_THE_PROGRAM: readonly CommandSpec[] = [
  {
    name: 'config',
    usage: ['config [options]'],
    summary: 'where everything is kept, and why',
    about: `Every place of this computer where the program keeps something: what it is for,
whether it is there, its size, and whether it may be deleted. Nothing is
changed, nobody is asked.`,
    options: [STATE_OPTION, JSON_OPTION, ...COMMON],
    after: 'Exit codes: 0 done, 2 wrong use.',
  },
  {
    name: 'report',
    usage: ['report [options]'],
    summary: 'what to show when you ask for help, without secrets',
    about: `Prints what others need to answer a question: versions of the program and its
system, and the terminal. With a network it adds each check of bearings doctor,
and which client answers at each endpoint. It holds yes and no, numbers, and
words of this program: no key, address, hash, amount, host, path or date, and no
text that anybody typed, sent or wrote into a file. Copy it into your question.
Nothing is sent anywhere.`,
    options: [
      { ...NETWORK, what: 'adds the checks of bearings doctor, and versions' },
      SPEC,
      GENESIS,
      { ...DEVNET, what: 'or on a running rehearsal network, by its descriptor' },
      { ...STATE_OPTION, what: 'where settings are kept' },
      JSON_OPTION,
      ...COMMON,
    ],
    after: 'Exit codes: 0 done, 2 wrong use.',
  },
  {
    name: 'completion',
    usage: ['completion SHELL'],
    summary: 'a script that completes commands in your shell',
    about: `Prints a script for bash, zsh, fish or powershell. Tab then completes commands,
options, networks, scenarios and files; nothing is started for it.
  bash         eval "$(bearings completion bash)"    in ~/.bashrc
  zsh          eval "$(bearings completion zsh)"     in ~/.zshrc, after compinit
  fish         bearings completion fish | source     in config.fish
  powershell   bearings completion powershell >> $PROFILE`,
    takes: { most: 1, kind: { oneOf: ['bash', 'zsh', 'fish', 'powershell'] } },
    options: [{ ...JSON_OPTION, what: 'changes nothing but errors: a script is no JSON' }, ...COMMON],
    after: 'Exit codes: 0 done, 2 wrong use.',
  },
]

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [...RUNNING, ...READING_COMMANDS, ...ABOUT_THE_PROGRAM]

/** What every command takes, and what may therefore come before its name as well. */
export const BEFORE_A_COMMAND: readonly Option[] = (COMMANDS[0]?.options ?? []).filter(({ name }) =>
  COMMANDS.every(({ options }) => options.some((option) => option.name === name)),
)

/** Every word that may come first. */
export const COMMAND_NAMES: readonly string[] = [...COMMANDS.map(({ name }) => name), 'help']

/** Returns the command of a name. Throws a RangeError where there is none. */
export function commandNamed(name: CommandName): CommandSpec {
  const found = COMMANDS.find((command) => command.name === name)
  if (found === undefined) throw new RangeError(`there is no command ${name}`)
  return found
}
