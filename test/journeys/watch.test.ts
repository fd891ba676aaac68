import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { watch } from '../../src/commands/watch.ts'
import type { AlarmId, WatchEvent } from '../../src/core/watch/event.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { userOf } from '../support/user-of.ts'
import { startWorld, type World } from '../support/world.ts'

/** What a watch told, line by line. */
type Told = Pick<WatchEvent, 'id' | 'alarm' | 'change' | 'severity' | 'title' | 'what' | 'next'> & {
  sequence: number
  until?: { epoch: string; slot: string }
}

/** A rehearsal network with a watch on it that is ended and begun again as often as a story wants. */
async function watching(story: (it: Watching) => Promise<void>): Promise<void> {
  const world = await startWorld({ scenario: 'outbid-while-active' })
  try {
    await world.clock.flow(async () => story(await beginWatching(world)))
  } finally {
    await world.end()
  }
}

type Watching = Awaited<ReturnType<typeof beginWatching>>

async function beginWatching(world: World) {
  const told: Told[] = []
  const state = await mkdtemp(join(world.directory, 'state-'))
  const pubkey = validatorKey(world.devnet.descriptor.seed, 'genesis/11').pubkey
  const rival = validatorKey(world.devnet.descriptor.seed, 'rival').pubkey
  const user = await userOf(world.devnet)
  let end: () => Promise<void> = async () => undefined
  const begin = (...options: string[]) => {
    const life = world.begin()
    const stop = new AbortController()
    const lines = (line: string) => {
      const one = JSON.parse(line) as Told & { type: string }
      if (one.type === 'event') told.push(one)
    }
    const devnet = join(world.directory, 'descriptor.json')
    const run = watch({
      argv: ['--devnet', devnet, '--state', state, '--json', `${pubkey}=mine`, ...options],
      effects: life.effects,
      io: { out: lines, err: () => undefined, signal: stop.signal },
      stateDirectory: state,
      environment: { HOME: '/nowhere' },
    })
    end = async () => {
      stop.abort()
      await run
    }
  }
  const pass = (slots: number) => world.clock.sleep(slots * 1000)
  begin()
  return {
    world,
    told,
    state,
    pubkey,
    rival,
    user,
    pass,
    /** Ends the watch and begins it again some slots later. */
    async restart(slots = 3, ...options: string[]) {
      await end()
      await pass(slots)
      begin(...options)
    },
    /** Lets time pass until an alarm has changed so. */
    async until(alarm: AlarmId, change: WatchEvent['change']): Promise<Told> {
      for (let slot = 0; slot < 200; slot += 1) {
        const found = told.find((each) => each.alarm === alarm && each.change === change)
        if (found !== undefined) return found
        await pass(1)
      }
      throw new Error(`${alarm} was not ${change}: ${JSON.stringify(told)}`)
    },
    end: () => end(),
  }
}

const changesOf = (told: readonly Told[], alarm: AlarmId) =>
  told.filter((each) => each.alarm === alarm).map(({ change }) => change)

describe('a watch beside a validator on the rehearsal network', () => {
  test('tells that it is outbid, and by when and with what it is saved, once each through a restart', () =>
    watching(async ({ user, rival, pubkey, pass, restart, until, told, state, end }) => {
      await pass(3)
      await user.topUp(310_000n, rival)
      const fired = await until('drops-out', 'fired')
      expect(fired.severity).toBe('critical')
      expect(fired.next).toMatch(new RegExp(`^bearings --validator ${pubkey} .*--topup \\d+$`))
      await restart()
      await pass(2)
      const amount = /--topup (\d+)$/.exec(fired.next ?? '')?.[1] ?? ''
      await user.topUp(BigInt(amount), pubkey)
      const cleared = await until('drops-out', 'cleared')
      expect(cleared.id).toBe(fired.id)
      await pass(40)
      expect(changesOf(told, 'drops-out')).toEqual(['fired', 'cleared'])
      expect(changesOf(told, 'dropped-out')).toEqual([])
      expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, at) => at + 1))
      expect(JSON.parse(await readFile(join(state, 'watch.json'), 'utf8'))).toMatchObject({
        network: 'rehearsal',
      })
      await end()
    }))
})
