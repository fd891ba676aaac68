import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { EXIT } from '../../src/output/io.ts'
import { SLOTS_TO_BE_OVER } from '../../src/watch/transition.ts'
import { hardTest, runsOf, sampled } from '../support/hard.ts'
import { runCommandWith } from '../support/run-command.ts'
import { beginWatch } from '../support/watch-run.ts'
import { startWorld, type World } from '../support/world.ts'
import { ASKING_COMMANDS } from './asking-commands.ts'
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
  test.each(sampled(ASKED, 48))(
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

  test.each(Object.entries(ASKING_COMMANDS))(
    '%s ends with an answer, and blames no fault of its own',
    async (_, asking) => {
      const world = await openWorld()
      const { command, argv: asked } = await asking(world)
      for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
      const argv = [...asked, '--devnet', JSON.stringify(world.devnet.descriptor), '--json']
      const run = (lying?: (effects: Effects) => Effects) => {
        const life = world.begin(lying === undefined ? {} : { mutate: lying })
        return world.clock.flow(() => runCommandWith(command, argv, life.effects)).finally(() => life.kill())
      }
      /** Questions that this command asks. */
      const heard = new Set<(typeof ASKED)[number]>()
      const truth = await run((effects) =>
        ASKED.reduce((all, each) => {
          const [service, question] = each
          const hears: Telling = () => {
            heard.add(each)
            return PASS
          }
          return lying(world, service, { [question]: hears })(all)
        }, effects),
      )
      const times = runsOf({ suite: 1, hard: 60 })
      let garblings = 0
      for (const [service, question] of sampled([...heard], heard.size > 8 ? 9 : 4)) {
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
      expect(garblings).toBeGreaterThan(0)
    },
  )

  hardTest(
    'a watch goes on, and lets no alarm stand that is not so once replies are whole again',
    async () => {
      const world = await openWorld()
      const { descriptor } = world.devnet
      let question: readonly [Service, string] | undefined
      const telling = garbled()
      const mutate = (effects: Effects) =>
        ASKED.reduce<Effects>((all, [service, each]) => {
          const only: Telling = (...given) =>
            question?.[0] === service && question[1] === each ? telling(...given) : PASS
          return lying(world, service, { [each]: only })(all)
        }, effects)
      const life = world.begin({ mutate })
      const argv = ['--devnet', join(world.directory, 'descriptor.json')]
      const { told, faults } = await world.clock.flow(async () => {
        const run = beginWatch([...argv, validatorKey(descriptor.seed, 'genesis/3').pubkey], {
          effects: life.effects,
          directory: world.directory,
        })
        await world.clock.sleep(4000)
        for (const each of ASKED) {
          question = each
          await world.clock.sleep(runsOf({ suite: 5, hard: 120 }) * 1000)
        }
        question = undefined
        // What came and went stays for a while.
        await world.clock.sleep((SLOTS_TO_BE_OVER + 100) * 1000)
        expect(await run.stop()).toBe(EXIT.stopped)
        return run
      })
      expect(faults).toEqual([])
      const last = new Map(told.map((event) => [event.id, event]))
      const standing = [...last.values()].filter(({ change }) => change !== 'cleared')
      expect(standing.map(({ alarm, what }) => `${alarm}: ${what}`)).toEqual([])
    },
  )
})
