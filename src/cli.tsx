import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { CommandInput } from './commands/command.ts'
import { EXIT, type ExitCode } from './commands/exit-codes.ts'
import type { CommandIo } from './commands/io.ts'
import { createEnding, leave } from './compose/ending.ts'
import { lineOutput } from './compose/line-output.ts'
import { stateDirectory } from './compose/state-directory.ts'

const HELP = `bearings: from an unused key to the active set, step by step

  bearings                       the wizard; without a terminal, a rehearsal by itself
  bearings --network NAME        straight to mainnet, bepolia, rehearsal, or a network FILE.json
  bearings --devnet FILE         to a rehearsal network that runs, by its descriptor
  bearings --scenario NAME       a rehearsal of one story: burnt-deposit, outbid-while-active …
  bearings --spec FILE --genesis FILE   to the network of a node's own spec.toml and genesis.json
  bearings --validator KEY|INDEX a validator that is registered already: watch it, top it up
  bearings rehearse              all seven steps on a rehearsal network, without questions
  bearings devnet                only the rehearsal network, until it is stopped
  bearings genesis [FILE]        is this the chain it says it is?
  bearings keys                  what may be known of the home's key
  bearings sign                  a first deposit's signature, on the machine of the key
  bearings verify FILE           will the chain take this deposit's signature?
  bearings api PATH              one endpoint, typed and checked; --verify for proofs
  bearings status                one look at the validator
  bearings topup-plan            what a seat needs
  bearings doctor                every check of a node on one page

  --state DIR   where journals and settings are kept
  --help        this text, or that of a command
  --version     the version

Exit codes: 0 done, 1 the answer is no, 2 wrong use, 3 could not find out, 4 stopped.`

/** Commands that look or sign, and never send; each is loaded when it is called. */
const LOOKING: Readonly<Record<string, () => Promise<(input: CommandInput) => Promise<ExitCode>>>> = {
  genesis: async () => (await import('./commands/genesis.ts')).genesis,
  keys: async () => (await import('./commands/keys.ts')).keys,
  sign: async () => (await import('./commands/sign.ts')).sign,
  verify: async () => (await import('./commands/verify.ts')).verify,
  api: async () => (await import('./commands/api.ts')).api,
  status: async () => (await import('./commands/status.ts')).status,
  'topup-plan': async () => (await import('./commands/topup-plan.ts')).topUpPlanCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
}

process.umask(0o077)
const ending = createEnding(() => leave(EXIT.stopped))
const output = lineOutput(process.stdout, ending.begin)
const talk = lineOutput(process.stderr, () => undefined)
leave(await delivered(await main(process.argv.slice(2))))

/** The exit code of an answer that arrived; one that did not is no answer. */
async function delivered(code: ExitCode): Promise<ExitCode> {
  const { end, ...why } = await output.settle()
  if (end === 'written') return code
  if (end === 'left') return EXIT.stopped
  talk.write(`The output cannot be written (${'code' in why ? why.code : 'unknown'}).`)
  await talk.settle()
  return EXIT.unknown
}

async function main(argv: string[]): Promise<ExitCode> {
  const [command, ...rest] = argv
  const io: CommandIo = { out: output.write, err: talk.write, signal: ending.signal }
  try {
    if (command === 'help') return await main([...rest.slice(0, 1), '--help'])
    if (command === 'devnet') return await withSignals(() => runOnlyDevnet(rest, io))
    if (command === 'rehearse') return await withSignals(() => runRehearse(rest, io))
    const looking = command !== undefined && Object.hasOwn(LOOKING, command) ? LOOKING[command] : undefined
    if (looking !== undefined) return await withSignals(() => look(looking, rest, io))
    if (command !== undefined && !command.startsWith('-')) {
      io.err(`There is no command "${command}". See bearings --help.`)
      return EXIT.wrongUse
    }
    return await wizard(argv, io)
  } catch (thrown) {
    return explain(thrown, io)
  }
}

async function look(
  load: () => Promise<(input: CommandInput) => Promise<ExitCode>>,
  argv: string[],
  io: CommandIo,
): Promise<ExitCode> {
  const [run, { realEffects }] = await Promise.all([load(), import('./compose/real-effects.ts')])
  return run({
    argv,
    io,
    effects: realEffects({ signal: io.signal, tell: io.err }),
    stateDirectory: stateDirectory(process.env, process.platform),
    environment: process.env,
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
  return rehearse({
    argv,
    io,
    effects: realEffects({ signal: io.signal, tell: io.err }),
    stateDirectory: stateDirectory(process.env, process.platform),
  })
}

async function wizard(argv: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArgs({
    args: argv,
    options: {
      network: { type: 'string' },
      spec: { type: 'string' },
      genesis: { type: 'string' },
      validator: { type: 'string' },
      devnet: { type: 'string' },
      scenario: { type: 'string' },
      state: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  })
  if (values.help) {
    io.out(HELP)
    return EXIT.done
  }
  if (values.version) {
    io.out((await import('../package.json', { with: { type: 'json' } })).default.version)
    return EXIT.done
  }
  const { networkChoice } = await import('./compose/network-choice.ts')
  const choice = networkChoice(values)
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    if (values.validator !== undefined) {
      io.err(
        'Without a terminal no validator is adopted or topped up; bearings status --pubkey looks at one.',
      )
      return EXIT.wrongUse
    }
    if (choice !== undefined && choice.kind !== 'rehearsal' && values.network !== 'rehearsal') {
      io.err('Without a terminal only the rehearsal runs; a real network needs a person at the keys.')
      return EXIT.wrongUse
    }
    const given = ['state', 'devnet', 'scenario'] as const
    const options = given.flatMap((name) => (values[name] === undefined ? [] : [`--${name}`, values[name]]))
    return withSignals(() => runRehearse(options, io))
  }
  const { runWizard } = await import('./compose/run-wizard.tsx')
  const { claimDirectory } = await import('./core/effects/node-claim.ts')
  const { expandHome } = await import('./core/effects/expand-home.ts')
  const directory = resolve(expandHome(values.state ?? stateDirectory(process.env, process.platform)))
  await claimDirectory(directory, io.err)
  return withSignals(() =>
    runWizard({ stateDirectory: directory, choice, validator: values.validator, io, ending }),
  )
}

function withSignals(run: () => Promise<ExitCode>): Promise<ExitCode> {
  ending.hear(process)
  return run()
}

async function explain(thrown: unknown, io: CommandIo): Promise<ExitCode> {
  const { tellFailure } = await import('./commands/command.ts')
  return tellFailure(thrown, { io, json: false })
}
