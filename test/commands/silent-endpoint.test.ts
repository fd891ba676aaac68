import { describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { ClientError } from '../../src/core/base/errors/client.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { runCommandWith } from '../support/run-command.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

const CALLED = { execution: 'execution RPC', node: 'node API', engine: 'engine RPC' } as const
type Service = keyof typeof CALLED

/** What a question waits for at most, and a little more. */
const ONE_TIME_OUT_MS = 10_000

/** Effects in which one service takes every question and never answers. */
function hanging(effects: Effects, url: string, { resting }: World['clock']): Effects {
  const request = async (asked: HttpRequest) => {
    if (!asked.url.startsWith(url)) return effects.http.request(asked)
    await resting.sleep(asked.deadlineMs, asked.signal)
    throw httpError('http.timeout', new URL(url).host, asked.deadlineMs)
  }
  return { ...effects, http: { request } }
}

/** A command of a registered validator, beside a service that hangs; how long it took by the clock of the world. */
async function runBeside(
  service: Service,
  command: (input: CommandInput) => Promise<ExitCode>,
  more: readonly string[],
) {
  const world = await openWorld()
  const { descriptor } = world.devnet
  const user = await userOf(world.devnet)
  await user.firstDeposit(10_000n)
  for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
  const url = descriptor.urls[service]
  const life = world.begin({ mutate: (effects) => hanging(effects, url, world.clock) })
  const argv = ['--devnet', JSON.stringify(descriptor), ...more, '--json']
  const sinceMs = world.clock.monotonicMs()
  const ended = await world.clock.flow(() => runCommandWith(command, argv, life.effects))
  return { ...ended, tookMs: world.clock.monotonicMs() - sinceMs, url }
}

const COMMANDS = { status, doctor, genesis, keys, 'topup-plan': topUpPlanCommand } as const
const CASES: readonly [keyof typeof COMMANDS, Service, readonly string[]][] = [
  ['status', 'node', []],
  ['status', 'execution', []],
  ['doctor', 'node', []],
  ['doctor', 'execution', []],
  ['doctor', 'engine', []],
  ['keys', 'execution', []],
  ['keys', 'node', []],
  ['keys', 'engine', []],
  ['topup-plan', 'execution', []],
  ['topup-plan', 'node', []],
  ['genesis', 'node', []],
  ['genesis', 'execution', []],
  ['genesis', 'engine', []],
]

describe('an endpoint that takes every question and never answers', () => {
  test.each(CASES)('costs %s one time-out where it is the %s, and is named', async (name, service, more) => {
    const { code, tookMs, words, url } = await runBeside(service, COMMANDS[name], more)
    expect(code).not.toBe(0)
    const parts = { service: CALLED[service], endpoint: url, what: '' }
    expect(words).toContain(new ClientError('timeout', parts).shortMessage)
    expect(tookMs).toBeGreaterThanOrEqual(8000)
    expect(tookMs).toBeLessThanOrEqual(ONE_TIME_OUT_MS)
  })
})
