import { resolve } from 'node:path'
import type { CommandInput } from './commands/command.ts'
import { EXIT, type ExitCode } from './commands/exit-codes.ts'
import type { CommandIo } from './commands/io.ts'
import { readArguments } from './commands/read-arguments.ts'
import { createEnding, leave } from './compose/ending.ts'
import { lineOutput } from './compose/line-output.ts'
import { asStarted, COMMAND_NAMES, startedAs, WIZARD_OPTIONS } from './compose/own-command.ts'
import { stateDirectory } from './compose/state-directory.ts'
import { safeText, shellCommand } from './core/format/text.ts'

/** Put in when the program is built (`scripts/build/facts.ts`). */
declare const BUILD: { version: string; commit: string; networks: string }

const VERSION = `bearings ${BUILD.version}
commit ${BUILD.commit}
network constants SHA-256 ${BUILD.networks}`

const HELP = `bearings: from an unused key to the active set, step by step

  bearings                       the wizard; without a terminal, a rehearsal
  bearings --network NAME        straight to mainnet, bepolia, rehearsal, or a
                                 network FILE.json
  bearings --devnet FILE         to a rehearsal network that runs, by its
                                 descriptor
  bearings --spec FILE --genesis FILE
                                 to the network of a node's own spec.toml and
                                 genesis.json
  bearings --validator KEY|INDEX a validator that is registered already: watch
                                 it, top it up; --topup AMOUNT proposes that
                                 amount
  bearings rehearse              all seven steps on a rehearsal network, without
                                 questions
  bearings devnet                only the rehearsal network, until it is stopped
  bearings genesis [FILE]        is this the chain it says it is?
  bearings keys                  what may be known of the home's key
  bearings sign                  a first deposit's signature, on the machine of
                                 the key
  bearings verify WHAT           will the chain take this deposit? was it
                                 counted?
  bearings api PATH              one endpoint, typed and checked; --verify for
                                 proofs
  bearings status                one look at the validator
  bearings watch [VALIDATOR ...] follows validators, and tells what needs
                                 somebody
  bearings topup-plan            what a place in the active set needs
  bearings doctor                every check of a node on one page

  --plain       the wizard as questions and lines, without drawing; also for
                TERM=dumb and a screen reader (INK_SCREEN_READER=1)
  --state DIR   where journals and settings are kept
  --help        this text, or that of a command
  --version     the version, its commit, and a hash over the networks

Exit codes: 0 done, 1 the answer is no, 2 wrong use, 3 could not find out,
4 stopped.`

/** Commands that look or sign, and never send; each is loaded when it is called. */
const LOOKING: Readonly<Record<string, () => Promise<(input: CommandInput) => Promise<ExitCode>>>> = {
  genesis: async () => (await import('./commands/genesis.ts')).genesis,
  keys: async () => (await import('./commands/keys.ts')).keys,
  sign: async () => (await import('./commands/sign.ts')).sign,
  verify: async () => (await import('./commands/verify.ts')).verify,
  api: async () => (await import('./commands/api.ts')).api,
  status: async () => (await import('./commands/status.ts')).status,
  watch: async () => (await import('./commands/watch.ts')).watch,
  'topup-plan': async () => (await import('./commands/topup-plan.ts')).topUpPlanCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
}

process.umask(0o077)
const ending = createEnding(() => leave(EXIT.stopped))
const output = lineOutput(process.stdout, ending.begin)
const talk = lineOutput(process.stderr, () => undefined)
leave(await delivered(await main(process.argv.slice(2), { json: process.argv.includes('--json') })))

/** The exit code of an answer that arrived; one that did not is no answer. */
async function delivered(code: ExitCode): Promise<ExitCode> {
  const { end, ...why } = await output.settle()
  if (end === 'written') return code
  if (end === 'left') return EXIT.stopped
  talk.write(`The output cannot be written (${'code' in why ? why.code : 'unknown'}).`)
  await talk.settle()
  return EXIT.unknown
}

async function main(argv: string[], { json }: { json: boolean }): Promise<ExitCode> {
  const [command, ...rest] = argv
  const typed = (text: string) => asStarted(text, startedAs(process))
  const io: CommandIo = { out: output.write, err: talk.write, signal: ending.signal, typed }
  try {
    if (command === 'help') return await main([...rest.slice(0, 1), '--help'], { json })
    if (command === 'devnet') return await withSignals(() => runOnlyDevnet(rest, io))
    if (command === 'rehearse') return await withSignals(() => runRehearse(rest, io))
    const looking = command !== undefined && Object.hasOwn(LOOKING, command) ? LOOKING[command] : undefined
    if (looking !== undefined) return await withSignals(() => look(looking, rest, io))
    if (command !== undefined && !command.startsWith('-')) {
      const { noSuchCommand } = await import('./core/errors/base.ts')
      const { nearWord } = await import('./core/format/near-word.ts')
      throw noSuchCommand(safeText(command, 60), nearWord(command, COMMAND_NAMES))
    }
    return await wizard(argv, io)
  } catch (thrown) {
    const { tellFailure } = await import('./commands/command.ts')
    return tellFailure(thrown, { io, json })
  }
}

async function look(
  load: () => Promise<(input: CommandInput) => Promise<ExitCode>>,
  argv: string[],
  io: CommandIo,
): Promise<ExitCode> {
  const [run, { realEffects }, { paperOf, ringOf }] = await Promise.all([
    load(),
    import('./compose/real-effects.ts'),
    import('./compose/paper.ts'),
  ])
  const { stderr, stdout, env } = process
  return run({
    argv,
    io: {
      ...io,
      paper: paperOf(stdout, env, process.platform),
      ...ringOf(stderr, env),
    },
    effects: realEffects({ signal: io.signal, tell: io.err }),
    stateDirectory: stateDirectory(process.env, process.platform),
    environment: process.env,
    version: BUILD.version,
    stdin: async () => (await import('./compose/given-validator.ts')).readStdin(process.stdin, io.signal),
    ...(process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== 'dumb'
      ? {
          openScreen: async (given) =>
            (await import('./compose/watch-screen.tsx')).openWatchScreen(ending, given),
        }
      : {}),
  })
}

async function runOnlyDevnet(argv: string[], io: CommandIo): Promise<ExitCode> {
  const { runDevnet } = await import('./commands/devnet.ts')
  const { createNodeClock } = await import('./core/effects/node-clock.ts')
  const directory = stateDirectory(process.env, process.platform)
  return runDevnet({ argv, io, effects: { clock: createNodeClock() }, stateDirectory: directory })
}

async function runRehearse(argv: string[], io: CommandIo): Promise<ExitCode> {
  const { rehearse } = await import('./commands/rehearse.ts')
  const { realEffects } = await import('./compose/real-effects.ts')
  const { paperOf } = await import('./compose/paper.ts')
  return rehearse({
    argv,
    io: { ...io, paper: paperOf(process.stdout, process.env, process.platform) },
    effects: realEffects({ signal: io.signal, tell: io.err }),
    stateDirectory: stateDirectory(process.env, process.platform),
  })
}

async function wizard(argv: string[], io: CommandIo): Promise<ExitCode> {
  const accepted = {
    options: WIZARD_OPTIONS,
    flags: ['help', 'version', 'json', 'plain'],
    mostPositionals: 0,
  }
  const { options: values, flags } = readArguments(argv, accepted)
  if (flags.has('help')) {
    io.out(HELP)
    return EXIT.done
  }
  if (flags.has('version')) {
    io.out(VERSION)
    return EXIT.done
  }
  const { networkChoice } = await import('./compose/network-choice.ts')
  const { badUsage } = await import('./core/errors/base.ts')
  const choice = networkChoice(values)
  if (choice?.kind === 'file') await requireNetwork(choice.path)
  if (flags.has('json')) {
    const next = 'bearings rehearse --json tells a rehearsal as one document.'
    throw badUsage({ sentence: 'The wizard asks a person, and has no --json.', next })
  }
  if (values.topup !== undefined) await requireTopUp(values.topup, values.validator)
  const { wantsPlain } = await import('./compose/wants-plain.ts')
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  const isRehearsal = choice === undefined || choice.kind === 'rehearsal' || values.network === 'rehearsal'
  if (flags.has('plain') && !isTerminal && !(choice !== undefined && isRehearsal))
    throw badUsage({
      sentence: 'Without a terminal --plain takes its lines for a rehearsal alone.',
      next: 'Start it in a terminal, or add --network rehearsal.',
    })
  if (!isTerminal && !flags.has('plain')) {
    const given = Object.entries(values).flatMap(([name, value = '']) =>
      name === 'topup' ? [] : [`--${name}`, value],
    )
    if (values.validator !== undefined)
      throw badUsage({
        sentence: 'Without a terminal no validator is adopted or topped up.',
        next: `${shellCommand('bearings', 'status', ...given)} looks at it.`,
      })
    if (!isRehearsal)
      throw badUsage({
        sentence: 'Without a terminal only the rehearsal runs; a real network needs a person at the keys.',
        next: 'Start it in a terminal, or see bearings --help for what only looks.',
      })
    const kept = ['state', 'devnet', 'scenario'] as const
    const options = kept.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]))
    return withSignals(() => runRehearse(options, io))
  }
  const { claimDirectory } = await import('./core/effects/node-claim.ts')
  const { expandHome } = await import('./core/effects/node-file-fault.ts')
  const directory = resolve(expandHome(values.state ?? stateDirectory(process.env, process.platform)))
  await claimDirectory(directory, io.err)
  const { validator, topup } = values
  const input = { stateDirectory: directory, choice, validator, topup, io, ending }
  if (flags.has('plain') || wantsPlain(process.env)) {
    const { runPlain } = await import('./compose/run-plain.ts')
    return withSignals(() => runPlain({ ...input, prompt: output.begin }))
  }
  const { runWizard } = await import('./compose/run-wizard.tsx')
  return withSignals(() => runWizard(input))
}

/** Refuses an amount that nobody can mean, and one for no validator, before the first screen. */
async function requireTopUp(amount: string, validator: string | undefined): Promise<void> {
  const [{ badUsage }, { parseGroupedTokens }] = await Promise.all([
    import('./core/errors/base.ts'),
    import('./core/format/amount.ts'),
  ])
  if (validator === undefined)
    throw badUsage({ sentence: '--topup needs the validator that it is for.', next: 'Add --validator KEY.' })
  if (parseGroupedTokens(amount) !== undefined) return
  const next =
    'Write whole tokens, such as --topup 20000. It is only proposed; you agree to it on the screen.'
  throw badUsage({ sentence: '--topup has no amount of tokens.', found: safeText(amount, 40), next })
}

/** Refuses a network that is no name, and no file of one, before the first screen. */
async function requireNetwork(path: string): Promise<void> {
  const [{ namedNetwork }, { createNodeFiles }, { expandHome }] = await Promise.all([
    import('./commands/choose-network.ts'),
    import('./core/effects/node-files.ts'),
    import('./core/effects/node-file-fault.ts'),
  ])
  await namedNetwork({ files: createNodeFiles() }, path, resolve(expandHome(path)))
}

function withSignals(run: () => Promise<ExitCode>): Promise<ExitCode> {
  ending.hear(process)
  return run()
}
