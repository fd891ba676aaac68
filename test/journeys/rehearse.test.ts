import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rehearse } from '../../src/commands/rehearse.ts'
import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import { STEP_NAMES_TEXT } from '../../src/core/view/text.ts'
import { STEP_IDS } from '../../src/core/view/view.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { readDocument } from '../support/documents.ts'
import { hardTest } from '../support/hard.ts'
import { outrunBy } from '../support/outrun.ts'
import { laidOut } from '../support/run-command.ts'
import { userOf } from '../support/user-of.ts'
import type { LifeOptions, World, WorldInput } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

type Document = {
  command: string
  network: string
  verdict: string
  end: string
  rows: { step: string; mark: string }[]
  notes: string[]
  story?: { end: string; events: { id: string }[] }
}

const LATE_MS = 5000

const openWorld = worldsOfTests()

/** The command on a network that is there already, by the clock of the world. */
async function run(input: {
  on?: World
  scenario?: NonNullable<WorldInput['scenario']>
  life?: LifeOptions
  args?: readonly string[]
  stopAt?: string
}) {
  const world =
    input.on ?? (await openWorld(input.scenario === undefined ? {} : { scenario: input.scenario }))
  const stop = new AbortController()
  const out: string[] = []
  const err: string[] = []
  const io = {
    out: (line: string) => {
      out.push(line)
      if (input.stopAt !== undefined && line.startsWith(input.stopAt)) stop.abort()
    },
    err: (line: string) => void err.push(line),
    signal: stop.signal,
  }
  const stateDirectory = join(world.directory, 'state')
  const argv = ['--devnet', join(world.directory, 'descriptor.json'), ...(input.args ?? [])]
  const { effects } = world.begin(input.life)
  const code = await world.clock.flow(() => rehearse({ argv, effects, io, stateDirectory, environment: {} }))
  return { world, code, out, err }
}

/** Effects in which the whole state, that everything is proven by, comes late: all else has answered by then. */
const slowState =
  ({ clock }: World) =>
  (effects: Effects): Effects => {
    const request = async (asked: HttpRequest) => {
      if (asked.url.includes('/debug/beacon/states/')) await clock.resting.sleep(LATE_MS)
      return effects.http.request(asked)
    }
    return { ...effects, http: { request } }
  }

describe('the rehearsal without questions', () => {
  test('ends with 0 and a row for each fact, within 80 columns, when the validator is active', async () => {
    const { code, out, err } = await run({})
    expect({ code, err }).toEqual({ code: 0, err: [] })
    expect(out.at(-1)).toMatch(/^ok /)
    const facts = out.slice(0, out.indexOf('')).filter((line) => !line.startsWith(' '))
    expect(new Set(facts.map((line) => line.split(' ')[0]))).toEqual(
      new Set(STEP_IDS.map((step) => STEP_NAMES_TEXT.of[step].name)),
    )
    expect(new Set(facts).size).toBe(facts.length)
    expect(out.filter((line) => line.length > 80)).toEqual([])
    const at = out.findIndex((line) => /^identity +ok +key: /.test(line))
    const [key = '', more = ''] = out.slice(at + 1)
    expect(`${key.trim()}${more.trim()}`).toMatch(/^0x[0-9a-f]{96}$/)
  })

  test('says all facts in one JSON document when asked to', async () => {
    const { code, out } = await run({ args: ['--json'] })
    expect(code).toBe(0)
    const { rows, story, ...ended } = laidOut(readDocument(out.join('\n'))) as unknown as Document
    expect(story?.end).toBe('kept')
    expect(story?.events.map(({ id }) => id)).toEqual([
      'registered',
      'topped-up',
      'other-dropped-out',
      'active',
    ])
    expect(ended).toMatchObject({
      schema: 'bearings.rehearse/1',
      command: 'rehearse',
      network: 'rehearsal',
      verdict: 'yes',
      end: 'active',
      notes: [],
    })
    expect(new Set(rows.map(({ step }) => step))).toEqual(new Set(STEP_IDS))
    expect(new Set(rows.map(({ mark }) => mark))).toEqual(new Set(['proven', 'given']))
  })

  test('is wrong use with what is none, and says how it is used', async () => {
    const world = await openWorld()
    const wrong: [code: string, reason: RegExp, argv: string[]][] = [
      ['file.missing', /descriptor/, ['--devnet', '/nowhere/descriptor.json']],
      ['network.field', /network/, ['--devnet', '{}']],
      ['usage.option', /nix/, ['--scenario', 'nix']],
      ['usage.option', /slot/, ['--slot-ms', '1']],
      ['usage.option', /--seed/, ['--devnet', '{}', '--seed', '7']],
      ['usage.option', /--nonsense/, ['--nonsense']],
    ]
    for (const [code, reason, argv] of wrong) {
      const out: string[] = []
      const err: string[] = []
      const io = {
        out: (line: string) => void out.push(line),
        err: (line: string) => void err.push(line),
        signal: new AbortController().signal,
      }
      const { effects } = world.begin()
      const stateDirectory = join(world.directory, 'state')
      expect(
        await rehearse({ argv: [...argv, '--json'], effects, io, stateDirectory, environment: {} }),
      ).toBe(2)
      expect(readDocument(out.join('\n'))).toMatchObject({ command: 'rehearse', error: { code } })
      expect(err.join('\n')).toMatch(reason)
      expect(err.join('\n')).toContain('next: ')
    }
  })

  test('ends with 1 when a check says no, and says why in a line and in the document', async () => {
    const { world, code, err } = await run({ scenario: 'exited-key' })
    expect(code).toBe(1)
    const why = 'identity: Stop: this key has left the validator set for ever. (money unknown)'
    expect(err[0]).toBe(why)
    const again = await run({ on: world, args: ['--json'] })
    expect(again.code).toBe(1)
    const { verdict, notes } = laidOut(readDocument(again.out.join('\n')))
    expect([verdict, notes[0]]).toEqual(['no', why])
    expect(world.wire).toEqual([])
  })

  test('ends with 4 when it is stopped, and goes on from there when it is run again', async () => {
    const { code, world } = await run({ stopAt: 'deposit' })
    expect(code).toBe(4)
    expect((await run({ on: world })).code).toBe(0)
    const { urls, seed } = world.devnet.descriptor
    const paid = await depositsOf(urls.execution, validatorKey(seed, 'fresh').pubkey)
    expect(paid).toEqual([tokens(10_000n), tokens(270_000n)])
  })

  hardTest('adopts its validator where the journal is lost, however long the proof takes', async () => {
    const world = await openWorld()
    expect((await run({ on: world })).code).toBe(0)
    const places = ['journal', 'state'].map((name) => join(world.directory, name))
    await Promise.all(places.map((place) => rm(place, { recursive: true, force: true })))
    const { code, err } = await run({ on: world, life: { mutate: slowState(world) } })
    expect({ code, err }).toEqual({ code: 0, err: [] })
    expect(world.wire).toHaveLength(2)
  })

  test('tops up no validator that somebody else has registered with an operator of their own', async () => {
    const world = await openWorld()
    const { pubkey } = await userOf(world.devnet)
    const mutate = await outrunBy(world)
    const { code, err } = await run({ on: world, life: { mutate } })
    expect([code, err[0]]).toEqual([
      1,
      `deposit: ${PAYMENT_TEXT.problems.reverted('').title} (money untouched)`,
    ])
    const again = await run({ on: world })
    expect([again.code, again.err[0]]).toEqual([
      1,
      expect.stringMatching(/^identity: .* \(money untouched\)$/),
    ])
    expect(await depositsOf(world.devnet.descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n)])
  })
})
