import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { genesis } from '../../src/commands/genesis.ts'
import { EXIT, type ExitCode } from '../../src/commands/io.ts'
import { keys } from '../../src/commands/keys.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { watch } from '../../src/commands/watch.ts'
import type { Effects } from '../../src/core/effects/effects.ts'
import type { WatchEvent } from '../../src/core/watch/event.ts'
import { SLOTS_TO_BE_OVER } from '../../src/core/watch/incident.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { runsOf, sampled } from '../support/hard.ts'
import { runCommandWith } from '../support/run-command.ts'
import { startWorld, type World } from '../support/world.ts'
import { garbled } from './garble.ts'
import { ASKED, lieOn, lyingAt } from './garbling.ts'
import { PASS, type Service, type Telling, type Tellings } from './lie.ts'
import { setPassword } from './secrets.ts'
import { tellLie } from './tell-lie.ts'

/** Lies before one service of a world. */
const lying = (world: World, service: Service, tells: Tellings) =>
  lyingAt(world.devnet.descriptor.urls[service], world.clock.resting, tells)

async function openWorld(): Promise<World> {
  const world = await startWorld()
  onTestFinished(() => world.end())
  return world
}

describe('where one part of each reply is garbled', () => {
  test.each(sampled(ASKED, 16))(
    'a registration pays what was agreed, and goes on with the truth: %s, %s',
    async (service, question) => {
      for (const setting of service === 'execution' ? (['alone', 'beside'] as const) : (['alone'] as const)) {
        const world = await openWorld()
        await setPassword(world.devnet.descriptor, world.directory)
        const tale = await tellLie(world, { lie: lieOn(service, question), setting, payment: 1 })
        const told = `${setting} ${JSON.stringify(tale, null, 1)}`
        expect(tale.wrong, told).toEqual([])
        expect(tale.after, told).toEqual({ end: 'active' })
      }
    },
  )

  const COMMANDS: Readonly<
    Record<string, readonly [(input: CommandInput) => Promise<ExitCode>, 'of a validator' | 'of the home']>
  > = {
    status: [status, 'of a validator'],
    keys: [keys, 'of a validator'],
    'topup-plan': [topUpPlanCommand, 'of a validator'],
    doctor: [doctor, 'of the home'],
    genesis: [genesis, 'of the home'],
  }

  test.each(Object.keys(COMMANDS))('%s ends with an answer, and blames no fault of its own', async (name) => {
    const [command, whose] = COMMANDS[name] ?? [status]
    const world = await openWorld()
    const { descriptor } = world.devnet
    for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
    const argv = [
      '--devnet',
      JSON.stringify(descriptor),
      '--json',
      ...(whose === 'of a validator'
        ? ['--validator', validatorKey(descriptor.seed, 'genesis/3').pubkey]
        : []),
    ]
    const run = (lying?: (effects: Effects) => Effects) => {
      const life = world.begin(lying === undefined ? {} : { mutate: lying })
      return world.clock.flow(() => runCommandWith(command, argv, life.effects)).finally(() => life.kill())
    }
    const truth = await run()
    const times = runsOf({ suite: 1, hard: 60 })
    let garblings = 0
    for (const [service, question] of ASKED) {
      for (let time = 0; time < times; time += 1) {
        let asked = 0
        const telling: Telling = (...given) => {
          asked += 1
          garblings += 1
          return garbled(time * 101)(...given)
        }
        const ended = await run(lying(world, service, { [question]: telling }))
        const told = `${service} ${question} ${time}: ${ended.words}`
        if (asked === 0) {
          expect(ended.code, told).toBe(truth.code)
          break
        }
        expect([EXIT.done, EXIT.no, EXIT.unknown], told).toContain(ended.code)
        expect(ended.words, told).not.toMatch(/internal\.fault|TypeError|RangeError/)
      }
    }
    expect(garblings).toBeGreaterThan(times)
  })

  test('a watch goes on, and lets no alarm stand that is not so once replies are whole again', async () => {
    const world = await openWorld()
    const { descriptor } = world.devnet
    let question: readonly [Service, string] | undefined
    const told: WatchEvent[] = []
    const faults: string[] = []
    const telling = garbled()
    const mutate = (effects: Effects) =>
      ASKED.reduce<Effects>((all, [service, each]) => {
        const only: Telling = (...given) =>
          question?.[0] === service && question[1] === each ? telling(...given) : PASS
        return lying(world, service, { [each]: only })(all)
      }, effects)
    const life = world.begin({ mutate })
    const stop = new AbortController()
    const argv = ['--devnet', join(world.directory, 'descriptor.json'), '--state', world.directory, '--json']
    await world.clock.flow(async () => {
      const run = watch({
        argv: [...argv, validatorKey(descriptor.seed, 'genesis/3').pubkey],
        effects: life.effects,
        io: {
          out: (line) => {
            const one = JSON.parse(line) as WatchEvent & { type?: string }
            if (one.type === 'event') told.push(one)
          },
          err: (line) => void faults.push(line),
          signal: stop.signal,
        },
        stateDirectory: world.directory,
        environment: { HOME: '/nowhere' },
      })
      await world.clock.sleep(4000)
      for (const each of ASKED) {
        question = each
        await world.clock.sleep(runsOf({ suite: 5, hard: 120 }) * 1000)
      }
      question = undefined
      // What came and went stays for a while.
      await world.clock.sleep((SLOTS_TO_BE_OVER + 100) * 1000)
      stop.abort()
      expect(await run).toBe(EXIT.stopped)
    })
    expect(faults).toEqual([])
    const last = new Map(told.map((event) => [event.id, event]))
    const standing = [...last.values()].filter(({ change }) => change !== 'cleared')
    expect(standing.map(({ alarm, what }) => `${alarm}: ${what}`)).toEqual([])
  })
})
