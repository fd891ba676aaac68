import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '../../src/commands/api.ts'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { rehearse } from '../../src/commands/rehearse.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { verify } from '../../src/commands/verify.ts'
import { typedGwei } from '../../src/core/base/format/amount.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { openEnds, type Stalling } from '../support/open-ends.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.end())

/** The first deposit of mainnet, which the library accepts. */
const REAL_DEPOSIT = realDeposit()

function realDeposit(): string[] {
  const csv = readFileSync(join(import.meta.dirname, '../vectors/deposits/mainnet-deposits.csv'), 'utf8')
  const [pubkey = '', credentials = '', amount = '', signature = ''] = csv.split('\n')[1]?.split(',') ?? []
  const tokens = typedGwei(BigInt(amount))
  return ['--pubkey', pubkey, '--credentials', credentials, '--amount', tokens, '--signature', signature]
}

/** A machine under load needs it. */
const LONG = { timeout: 20_000 }

type Run = (input: CommandInput) => Promise<ExitCode>

const pubkey = () => validatorKey(world.devnet.descriptor.seed, 'fresh').pubkey
const COMMANDS: readonly [name: string, run: Run, args: () => readonly string[]][] = [
  ['genesis', genesis, () => []],
  ['keys', keys, () => []],
  ['verify', verify, () => REAL_DEPOSIT],
  ['api', api, () => ['/eth/v1/beacon/genesis']],
  ['status', status, () => ['--validator', pubkey()]],
  ['topup-plan', topUpPlanCommand, () => ['--validator', pubkey()]],
  ['doctor', doctor, () => []],
  ['rehearse', rehearse, () => []],
]

/** A command that waits for endpoints that never answer, or for the pause that they ask for. */
async function stalled(run: Run, args: readonly string[], stalling: Stalling) {
  const stop = new AbortController()
  const life = world.begin()
  const open = openEnds(life.effects, () => stalling)
  const io = { out: () => undefined, err: () => undefined, signal: stop.signal }
  const argv = ['--devnet', join(world.directory, 'descriptor.json'), ...args]
  const stateDirectory = join(world.directory, 'state')
  const code = run({ argv, effects: open.effects, io, stateDirectory, environment: {} })
  await expect
    .poll(() => open.waits().some((what) => stalling === 'silent' || what.startsWith('a pause')), LONG)
    .toBe(true)
  return { open, code, stop, life }
}

test.each(COMMANDS)('%s ends at once with 4 and leaves nothing open', async (_, run, args) => {
  for (const stalling of ['silent', 'asks for 8 s'] as const) {
    const { open, code, stop, life } = await stalled(run, args(), stalling)
    const beganMs = world.clock.nowMs()
    stop.abort()
    await new Promise<void>((resolve) => setImmediate(resolve))
    expect(open.waits()).toEqual([])
    expect(await code).toBe(4)
    expect([...open.waits(), ...open.held()]).toEqual([])
    expect(world.clock.nowMs()).toBe(beganMs)
    life.kill()
    await life.died
  }
})

test.each(COMMANDS)('%s does nothing once it has been stopped', async (_, run, args) => {
  const open = openEnds(world.begin().effects, () => 'silent')
  const io = { out: () => undefined, err: () => undefined, signal: AbortSignal.abort() }
  const argv = ['--devnet', join(world.directory, 'descriptor.json'), ...args()]
  const stateDirectory = join(world.directory, 'state')
  expect(await run({ argv, effects: open.effects, io, stateDirectory, environment: {} })).toBe(4)
  expect([...open.waits(), ...open.held()]).toEqual([])
})
