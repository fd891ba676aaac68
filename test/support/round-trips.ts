import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { DELAY_MS, delayed } from './delayed.ts'
import { runCommandWith } from './run-command.ts'
import type { World } from './world.ts'

type StatusLook = (input: CommandInput) => Promise<ExitCode>

/** The commands that look at a network; `{key}` stands for the key of a validator that has its place. */
const COMMANDS = {
  'keys --validator': [keys, ['--validator', '{key}']],
  'topup-plan --validator': [topUpPlanCommand, ['--validator', '{key}']],
  'status --validator': [status, ['--validator', '{key}']],
  doctor: [doctor, []],
  genesis: [genesis, []],
} as const satisfies Readonly<Record<string, readonly [StatusLook, readonly string[]]>>

/** So many blocks are made after it was asked for the first time. */
const SLOTS_AFTER = 3

export type RoundTrips = {
  /** How many answers it waited for one after another. */
  inARow: number
  questions: number
  /** How many of them had been asked before, in the very same words. */
  askedBefore: number
}

/** What each command asks of a network whose endpoints take their time; `seconds` has a second execution endpoint. */
export async function roundTrips(
  world: World,
  name: keyof typeof COMMANDS,
  { hasSecond = false }: { hasSecond?: boolean } = {},
): Promise<RoundTrips> {
  const [command, argv] = COMMANDS[name]
  const { descriptor } = world.devnet
  const key = world.devnet.state().validators[0]?.pubkey ?? ''
  const words = argv.map((word) => word.replace('{key}', key))
  const elsewhere = descriptor.urls.execution.replace('127.0.0.1', 'localhost')
  const second = hasSecond ? ['--second-execution', elsewhere] : []
  const options = ['--devnet', JSON.stringify(descriptor), ...words, ...second, '--json']
  const run = (effects: Effects) => world.clock.flow(() => runCommandWith(command, options, effects))
  // A real client proves the newest 128 blocks; the rehearsal's keeps from now on the proofs that were asked for once.
  await run(world.begin().effects)
  await world.clock.flow(() => world.clock.sleep(SLOTS_AFTER * world.devnet.descriptor.slotMs))
  let asked: readonly string[] = []
  const life = world.begin({
    mutate: (effects) => {
      const slow = delayed(effects, world.clock)
      asked = slow.asked
      return slow.effects
    },
  })
  const sinceMs = world.clock.monotonicMs()
  await run(life.effects)
  const inARow = (world.clock.monotonicMs() - sinceMs) / DELAY_MS
  return { inARow, questions: asked.length, askedBefore: asked.length - new Set(asked).size }
}

export const LOOKING_COMMANDS = Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]
