import { existsSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { type CommandInput, tellFailure, tellHelp } from './commands/command.ts'
import { type Arguments, calledWord, readArguments } from './commands/read-arguments.ts'
import { COMMAND_NAMES, COMMANDS, WIZARD } from './commands/table.ts'
import { BUILT_IN, type CommandName } from './commands/table-options.ts'
import { createEnding, leave, lineOutput, tellsOtherwise } from './compose/ending.ts'
import { networkChoice, refuseSecrets, unknownNetwork } from './compose/network-choice.ts'
import { startedAs, startedCommand } from './compose/own-command.ts'
import { stateDirectory, wantsPlain } from './compose/state-directory.ts'
import type { WizardInput } from './compose/wizard.ts'
import { absolutePath } from './core/base/effects/node-file-fault.ts'
import { badUsage, programError } from './core/base/errors/base.ts'
import { nearWord } from './core/base/format/near-word.ts'
import { command, type OwnCommand, parts } from './core/base/format/next.ts'
import { safeText } from './core/base/format/text.ts'
import { type CommandIo, EXIT, type ExitCode } from './output/io.ts'
import type { WatchScreen, WatchScreenInput } from './watch/screen.ts'

/** Put in when the program is built (`scripts/build/facts.ts`). */
declare const BUILD: { version: string; commit: string; networks: string }

const VERSION = `bearings ${BUILD.version}
commit ${BUILD.commit}
network constants SHA-256 ${BUILD.networks}`

/** What each command does, loaded when it is called. */
const RUNS: Readonly<Record<CommandName, () => Promise<(input: CommandInput) => Promise<ExitCode>>>> = {
  rehearse: async () => (await import('./commands/rehearse.ts')).rehearse,
  devnet: async () => (await import('./commands/devnet.ts')).devnet,
  genesis: async () => (await import('./commands/genesis.ts')).genesis,
  keys: async () => (await import('./commands/keys.ts')).keys,
  sign: async () => (await import('./commands/sign.ts')).sign,
  verify: async () => (await import('./commands/verify.ts')).verify,
  api: async () => (await import('./commands/api.ts')).api,
  status: async () => (await import('./commands/status.ts')).status,
  watch: async () => (await import('./commands/watch.ts')).watch,
  leave: async () => (await import('./commands/leave.ts')).leaveCommand,
  'topup-plan': async () => (await import('./commands/topup-plan.ts')).topUpPlanCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  config: async () => (await import('./commands/config.ts')).config,
  report: async () => (await import('./commands/support-report.ts')).report,
  completion: async () => (await import('./commands/completion.ts')).completion,
}

process.umask(0o077)
const ending = createEnding(() => leave(EXIT.stopped))
const talk = lineOutput(process.stderr, () => undefined)
const output = lineOutput(process.stdout, outputLost)
leave(await delivered(await main(process.argv.slice(2), { json: process.argv.includes('--json') })))

/** Nobody reads what is printed: that ends the program, but not a watch that tells its user in other ways. */
function outputLost(): void {
  if (!tellsOtherwise(process.argv.slice(2))) ending.begin()
  else void import('./watch/notify/text.ts').then(({ SENTENCES }) => talk.write(SENTENCES.outputLost()))
}

/** The exit code of an answer that arrived; one that did not is no answer. */
async function delivered(code: ExitCode): Promise<ExitCode> {
  const { end, ...why } = await output.settle()
  if (end === 'written') return code
  if (end === 'left') return EXIT.stopped
  talk.write(`The output cannot be written (${'code' in why ? why.code : 'unknown'}).`)
  await talk.settle()
  return EXIT.unknown
}

async function main(argv: readonly string[], { json }: { json: boolean }): Promise<ExitCode> {
  const { word, rest } = calledWord(argv)
  const run = (command: OwnCommand) => startedCommand(command, startedAs(process))
  const io: CommandIo = { out: output.write, err: talk.write, signal: ending.signal, run }
  if (word === 'help') {
    const { word: about } = calledWord(rest)
    return main(about === undefined ? ['--help'] : [about, '--help'], { json })
  }
  const isWizard = word === undefined
  const command = isWizard ? WIZARD : COMMANDS.find(({ name }) => name === word)
  try {
    if (command === undefined) {
      refuseSecrets(argv, '')
      throw programError(
        'usage.no-such-command',
        safeText(word ?? '', 60),
        nearWord(word ?? '', COMMAND_NAMES),
      )
    }
    // What is wrong whatever any chain says is told before anything is loaded for it.
    const read = readArguments(rest, command)
    if (read.flags.has('help')) return await tellHelp(command, io)
    await requireNetwork(read.options.network)
    if (command.name === '') return await wizard(read, io)
    const { name } = command
    return await withSignals(() => runCommand(name, rest, io))
  } catch (thrown) {
    const effects = { clock: { nowMs: Date.now } }
    return tellFailure(thrown, { io, json, name: command?.name ?? '', effects })
  }
}

/** What runs for months makes little at a time: the room for new objects need not grow, which keeps 20 to 50 MiB free. */
function stayLean(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
}

async function runCommand(name: CommandName, argv: readonly string[], io: CommandIo): Promise<ExitCode> {
  if (name === 'watch') stayLean()
  const [command, { realEffects, rendererOf, ringOf }] = await Promise.all([
    RUNS[name](),
    import('./compose/real-effects.ts'),
  ])
  const { stdin, stderr, stdout, env } = process
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true
  return command({
    argv,
    io: {
      ...io,
      renderer: rendererOf(stdout, env, process.platform),
      ...ringOf(stderr, env),
    },
    effects: realEffects({ signal: io.signal, tell: io.err }),
    stateDirectory: stateDirectory(env, process.platform),
    environment: env,
    openGuards: async (given) => (await import('./compose/watch-guards.ts')).openGuards(given),
    version: BUILD.version,
    stdin: async () => (await import('./compose/given-validator.ts')).readStdin(stdin, io.signal),
    ...(isTerminal
      ? { openScreen: wantsPlain(env) || argv.includes('--plain') ? linesOfWatch : tableOfWatch }
      : {}),
  })
}

async function tableOfWatch(given: WatchScreenInput): Promise<WatchScreen> {
  return (await import('./compose/watch-screen.tsx')).openWatchScreen(ending, given)
}

/** The table of a watch by lines. */
async function linesOfWatch(given: WatchScreenInput): Promise<WatchScreen> {
  const [{ openWatchLines }, { plainTerminal }] = await Promise.all([
    import('./compose/watch-lines.ts'),
    import('./compose/plain-terminal.ts'),
  ])
  const terminal = plainTerminal(ending, { out: output.write, prompt: output.begin })
  const lines = openWatchLines({ ...given, ...terminal })
  const end = async () => {
    try {
      await lines.end
    } finally {
      await terminal.input.close()
    }
  }
  return { ...lines, end: end() }
}

async function wizard({ options: values, flags }: Arguments, io: CommandIo): Promise<ExitCode> {
  if (flags.has('version')) {
    io.out(VERSION)
    return EXIT.done
  }
  const choice = networkChoice(values)
  if (choice?.kind === 'file') await readNetwork(choice.path)
  if (flags.has('json')) {
    const next = parts`${command('rehearse', '--json')} tells a rehearsal as one document.`
    throw badUsage({ sentence: 'The wizard asks a person, and has no --json.', next })
  }
  if (values.topup !== undefined && values.validator === undefined)
    throw badUsage({ sentence: '--topup needs the validator that it is for.', next: 'Add --validator KEY.' })
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  const isRehearsal = choice === undefined || choice.kind === 'rehearsal' || values.network === 'rehearsal'
  if (flags.has('plain') && !isTerminal && !(choice !== undefined && isRehearsal))
    throw badUsage({
      sentence: 'Without a terminal --plain takes its lines for a rehearsal alone.',
      next: 'Start it in a terminal, or add --network rehearsal.',
    })
  if (!isTerminal && !flags.has('plain')) {
    const given = Object.entries(values).flatMap(([name, value = '']) => {
      if (name === 'scenario') return ['--network', 'rehearsal']
      return name === 'topup' ? [] : [`--${name}`, value]
    })
    if (values.validator !== undefined)
      throw badUsage({
        sentence: 'Without a terminal no validator is adopted or topped up.',
        next: parts`${command('status', ...given)} looks at it.`,
      })
    if (!isRehearsal)
      throw badUsage({
        sentence: 'Without a terminal only the rehearsal runs; a real network needs a person at the keys.',
        next: parts`Start it in a terminal, or see ${command('--help')} for what only looks.`,
      })
    const kept = ['state', 'devnet', 'scenario'] as const
    const options = kept.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]))
    return withSignals(() => runCommand('rehearse', options, io))
  }
  const isPlain = flags.has('plain') || wantsPlain(process.env)
  const [{ claimDirectory }, show] = await Promise.all([
    import('./core/base/effects/node-claim.ts'),
    isPlain ? plainly() : drawn(),
  ])
  const directory = absolutePath(values.state ?? stateDirectory(process.env, process.platform))
  await claimDirectory(directory, io.err)
  const { validator, topup } = values
  const input = { stateDirectory: directory, choice, validator, topup, io, ending }
  return withSignals(() => {
    const shown = show(input)
    // The first frame stands.
    stayLean()
    return shown
  })
}

/** The wizard on the screen, loaded. */
async function drawn(): Promise<(input: WizardInput) => Promise<ExitCode>> {
  return (await import('./compose/run-wizard.tsx')).runWizard
}

/** The wizard by lines, loaded. */
async function plainly(): Promise<(input: WizardInput) => Promise<ExitCode>> {
  const { runPlain } = await import('./compose/run-plain.ts')
  return (input) => runPlain({ ...input, prompt: output.begin })
}

/** Refuses a network that is no name, and no file of one. */
async function requireNetwork(name: string | undefined): Promise<void> {
  if (name === undefined || BUILT_IN.includes(name)) return
  if (existsSync(absolutePath(name))) return
  throw unknownNetwork(name)
}

/** Refuses a file that describes no network, before the first screen. */
async function readNetwork(path: string): Promise<void> {
  const [{ namedNetwork }, { createNodeFiles }] = await Promise.all([
    import('./commands/choose-network.ts'),
    import('./core/base/effects/node-files.ts'),
  ])
  await namedNetwork({ files: createNodeFiles() }, path, absolutePath(path))
}

function withSignals(run: () => Promise<ExitCode>): Promise<ExitCode> {
  ending.hear(process)
  return run()
}
