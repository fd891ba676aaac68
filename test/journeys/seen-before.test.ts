import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { STATUS_TEXT } from '../../src/core/steps/status/text.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { hardTest } from '../support/hard.ts'
import { anyNumbers, pattern } from '../support/pattern.ts'
import { live } from '../support/register.ts'
import { userOf } from '../support/user-of.ts'
import { startWorld, type World } from '../support/world.ts'

/** What is left of a life: the rows that tell of first times, as the screen has them after so many slots. */
async function firstTimes(world: World, slots: number) {
  const life = world.begin()
  const { session } = await live(world, life)
  await world.clock.flow(() => session.clock.sleep(slots * 1000))
  const { timeline } = viewOf('status', session.getState(), session)
  const told = (id: string) =>
    timeline.filter((row) => row.id === id).map(({ when, detail }) => `${when} ${detail}`)
  life.kill()
  await life.died
  return { engine: told('engine')[0]?.trim(), block: told('block')[0]?.trim() }
}

function seenFile(world: World, kind = 'seen'): string {
  const directory = join(world.directory, 'journal')
  const names = existsSync(directory) ? readdirSync(directory) : []
  return join(directory, names.find((name) => name.startsWith(`${kind}-`)) ?? 'none')
}

/** The first epoch and the ranks of the history on the disk. */
function historyOn(world: World) {
  const { points } = JSON.parse(readFileSync(seenFile(world, 'history'), 'utf8')) as {
    points: { epoch: string; rank: number }[]
  }
  return { first: points[0]?.epoch, count: points.length }
}

/** Slot and proposer as the chain has them. */
async function truth(world: World) {
  const { pubkey } = await userOf(world.devnet)
  const { chain } = world.devnet
  const { spec } = chain.input
  const index = world.devnet.state().validators.findIndex((each) => each.pubkey === pubkey)
  const activation = world.devnet.state().validators[index]?.activationEpoch ?? 0n
  const engineSlot = activation * spec.slotsPerEpoch + 2n
  let first = engineSlot
  while (Number(chain.history.at(first)?.header.proposerIndex) !== index) first += 1n
  return { engineSlot: `slot ${engineSlot}`, firstBlock: `slot ${first}` }
}

hardTest(
  'first times are those of the chain, or of a run that saw them, and never of a restart',
  async () => {
    const world = await startWorld({ scenario: 'free-places' })
    try {
      const whole = await firstTimes(world, 40)
      const { engineSlot, firstBlock } = await truth(world)
      expect(whole.engine).toBe(engineSlot)
      expect(whole.block).toMatch(new RegExp(`^${firstBlock}(?: .*: slot \\d+)?$`))
      const kept = readFileSync(seenFile(world), 'utf8')
      const history = historyOn(world)
      expect(history.count).toBeGreaterThan(3)

      const again = await firstTimes(world, 1)
      expect(again.engine).toBe(engineSlot)
      expect(again.block).toMatch(pattern`^${firstBlock} ${anyNumbers(STATUS_TEXT.timeline.lastBlock(1n))}$`)

      expect(historyOn(world).first).toBe(history.first)
      writeFileSync(seenFile(world, 'history'), '{"format":1,"points":[{"epoch"')

      const useless = [
        undefined,
        '{"format":1,"pub',
        kept.replace(/"executionGenesisHash":"0x../, '"executionGenesisHash":"0xff'),
        kept.replace(/"firstBlock":"\d+"/, '"firstBlock":"999999"'),
      ]
      for (const text of useless) {
        const path = seenFile(world)
        if (text === undefined) rmSync(path)
        else writeFileSync(path, text)
        const { engine, block } = await firstTimes(world, 1)
        expect({ text, engine }).toEqual({ text, engine: engineSlot })
        expect(block).toMatch(
          pattern`^${STATUS_TEXT.timeline.notSeen}$|^slot \d+ ${STATUS_TEXT.timeline.notFirst}`,
        )
        expect(block).not.toContain(`${firstBlock} `)
      }
      expect(Number(historyOn(world).first)).toBeGreaterThan(Number(history.first))
    } finally {
      await world.end()
    }
  },
)
