import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { doctor } from '../../src/commands/doctor.ts'
import { STOP_OTHER } from '../../src/core/observe/findings.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { live } from '../support/register.ts'
import { runCommandWith } from '../support/run-command.ts'
import { expectSpoken, timesIn } from '../support/same-words.ts'
import { frameOf, linesOf } from '../support/session-frame.tsx'
import { beginShownWatch } from '../support/shown-watch.tsx'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { startWorld, type World } from '../support/world.ts'

let world: World

beforeEach(async () => {
  world = await startWorld({ scenario: 'free-places', secondNode: true })
})
afterEach(() => world.end())

const askDoctor = (...argv: string[]) =>
  world.clock.flow(() =>
    runCommandWith(
      doctor,
      ['--devnet', JSON.stringify(world.devnet.descriptor), ...argv],
      world.begin().effects,
    ),
  )

const rowOf = (session: Session, id: string) =>
  viewOf('identity', session.getState(), session).facts.find((row) => row.id === id)

test('a second node with the same key is named wherever one looks, and once it is gone no more', async () => {
  const { pubkey } = await userOf(world.devnet)
  const first = world.begin()
  const { session, ending } = await live(world, first)
  expect(ending).toEqual({ end: 'active' })
  const watched = await world.clock.flow(async () =>
    beginShownWatch(['--devnet', `${world.directory}/descriptor.json`, `${pubkey}=mine`], {
      effects: () => world.begin().effects,
      clock: world.clock,
      directory: `${world.directory}/watches`,
    }),
  )
  const toldOf = (change: string) =>
    watched.told.filter((event) => event.alarm === 'key-elsewhere' && event.change === change)
  const pass = async (isOver: () => boolean) => {
    for (let slot = 0; slot < 160 && !isOver(); slot += 1)
      await world.clock.flow(() => world.clock.sleep(1000))
    expect(isOver()).toBe(true)
  }
  await pass(() => toldOf('fired').length > 0)
  await world.clock.flow(() =>
    until(session, ({ status }) => status.alarms.some(({ alarm }) => alarm === 'key-elsewhere')),
  )
  // The table, its lines, a line for each event, and the status of the wizard.
  const [{ title } = { title: '' }] = toldOf('fired')
  expectSpoken(title)
  for (const place of [await watched.frame(), watched.said(), watched.lines.join('\n')])
    expect(timesIn(place, title), place).toBe(1)
  first.kill()
  await first.died

  // Step 2 of the wizard, begun anew: on its screen and by lines.
  const anew = await world.session(world.begin())
  await world.clock.flow(async () => {
    await anew.start()
    await until(anew, () => viewOf('genesis', anew.getState(), anew).done)
    await anew.dispatch({ step: 'session', type: 'went', to: 'identity' })
    await until(anew, () => rowOf(anew, 'standby')?.mark === 'refused')
  })
  const { value = '' } = rowOf(anew, 'standby') ?? {}
  const { problem } = viewOf('identity', anew.getState(), anew)
  expect(problem?.id).toBe('identity.signs-elsewhere')
  expectSpoken(value)
  for (const place of [await frameOf(anew), linesOf(anew).join('\n')])
    for (const text of [problem?.title, value, STOP_OTHER])
      expect(timesIn(place, text ?? '?'), `${text} in ${place}`).toBeGreaterThan(0)

  // What is asked before a node is started, and the page of all checks: in words and as a document.
  for (const argv of [['--standby'], []]) {
    const [said, document] = [await askDoctor(...argv), await askDoctor('--json', ...argv)]
    expect([said.code, document.code]).toEqual([1, 1])
    const row = document.json().rows.find(({ id }) => id === 'standby')
    expect(row).toMatchObject({ mark: 'refused', fix: expect.any(String) })
    expect(timesIn(said.out, row?.value ?? '?'), said.out).toBeGreaterThan(0)
    expect(timesIn(said.out, row?.fix ?? '?')).toBeGreaterThan(0)
  }

  // A signing state that the chain doesn't have makes none of these votes the own node's, and asks for no restart.
  const statePath = join(world.devnet.descriptor.home, 'data/priv_validator_state.json')
  const kept = readFileSync(statePath, 'utf8')
  writeFileSync(statePath, JSON.stringify({ height: '99999999', round: 0, step: 3 }))
  await world.clock.flow(async () => {
    await anew.dispatch({ step: 'identity', type: 'retried' })
    await until(anew, () => viewOf('identity', anew.getState(), anew).problem?.id === 'identity.state-ahead')
  })
  expect(rowOf(anew, 'standby')?.mark).toBe('refused')
  const { json } = await askDoctor('--json')
  expect(json().rows.find(({ id }) => id === 'standby')?.mark).toBe('refused')
  writeFileSync(statePath, kept)

  await pass(() => toldOf('cleared').length > 0)
  await world.clock.flow(() => world.clock.sleep(20_000))
  expect(toldOf('fired')).toHaveLength(1)
  expect(toldOf('cleared')).toHaveLength(1)
  const over = toldOf('cleared')[0]?.title ?? ''
  expectSpoken(over)
  expect(timesIn(watched.lines.join('\n'), over)).toBe(1)
  expect(timesIn(watched.lines.join('\n'), title)).toBe(1)
  expect(timesIn(await watched.frame(), title)).toBe(0)
  expect((await askDoctor('--standby', '--json')).json().rows.find(({ id }) => id === 'standby')?.mark).toBe(
    'proven',
  )
  await world.clock.flow(async () => {
    await anew.dispatch({ step: 'identity', type: 'retried' })
    await until(anew, () => rowOf(anew, 'standby')?.mark === 'proven')
    await anew.stop()
  })
  await watched.stop()
})
