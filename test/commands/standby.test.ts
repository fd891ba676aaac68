import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doctor } from '../../src/commands/doctor.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { buildSigner } from '../support/build-signer.ts'
import { cheapEffects } from '../support/cheap-curve.ts'
import { rememberingFiles } from '../support/remembering-signer.ts'
import { runCommandWith } from '../support/run-command.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

let network: Awaited<ReturnType<typeof testDevnet>>
let devnet: Devnet
let effects: Effects
let user: Awaited<ReturnType<typeof userOf>>

beforeAll(async () => {
  const { signerPath } = await buildSigner()
  const real = cheapEffects({ signer: rememberingFiles(createNodeSigner({ signerPath })) })
  // Whoever waits, waits for a block.
  const sleep = async (): Promise<void> => void (await devnet.advanceSlot())
  effects = { ...real, clock: { ...real.clock, sleep } }
  network = await testDevnet({ secondNode: true })
  devnet = network.devnet
  user = await userOf(devnet)
})
afterAll(() => network.end())

const statePath = () => join(devnet.descriptor.home, 'data/priv_validator_state.json')
const signedTo = async () =>
  BigInt((JSON.parse(await readFile(statePath(), 'utf8')) as { height: string }).height)
const engineStatus = async () => {
  const reply = await fetch(`${devnet.descriptor.urls.engine}/status`)
  const { result } = (await reply.json()) as { result: { validator_info: { address: string } } }
  return result.validator_info.address
}

async function standby(argv: readonly string[] = [], world: Effects = effects) {
  const { code, json } = await runCommandWith(
    doctor,
    ['--devnet', JSON.stringify(devnet.descriptor), '--standby', '--json', ...argv],
    world,
  )
  const row = (id: string) => json().rows.find((each) => each.id === id)
  return { code, row, marks: Object.fromEntries(json().rows.map(({ id, mark }) => [id, mark])) }
}

/** The world in which nothing answers at these addresses. */
function without(...urls: readonly string[]): Effects {
  const request: Effects['http']['request'] = async (asked) => {
    if (urls.some((url) => asked.url.startsWith(url)))
      throw httpError('http.unreachable', asked.url, 'ECONNREFUSED')
    return effects.http.request(asked)
  }
  return { ...effects, http: { request } }
}

describe('whether a key signs elsewhere', () => {
  test('is no while nobody votes with it, and while its own node does', async () => {
    const unused = await standby()
    expect(unused.code).toBe(0)
    expect(unused.marks).toEqual({
      'standby-key': 'given',
      standby: 'proven',
      'key-state': 'given',
      'setting.double_sign_check_height': 'given',
    })
    expect(unused.row('key-state')?.value).toBe('signed nothing yet')
    await user.firstDeposit(280_000n)
    while (
      !devnet.chain
        .engineSets()
        .at(-1)
        ?.members.some(({ pubkey }) => pubkey === user.pubkey)
    )
      await devnet.advanceSlot()
    await pass(devnet, 3)
    expect(await signedTo()).toBe(devnet.state().slot)
    const signing = await standby()
    expect(signing.code).toBe(0)
    expect(signing.marks).toMatchObject({ standby: 'proven', 'key-state': 'given' })
  })

  test('is yes where the file of the home is an older copy than the votes', async () => {
    const now = await readFile(statePath(), 'utf8')
    await writeFile(statePath(), JSON.stringify({ height: '3', round: 0, step: 3 }))
    const { code, marks, row } = await standby()
    expect(code).toBe(1)
    expect(marks).toMatchObject({ standby: 'refused', 'key-state': 'refused' })
    expect(row('key-state')?.value).toContain(' 3,')
    await writeFile(statePath(), now)
  })

  test.each([0n, 1n, 5n, 6n, 99_999_999n])(
    'is not said by a file that is %s blocks ahead of the chain',
    async (ahead) => {
      const now = await readFile(statePath(), 'utf8')
      const height = String(devnet.state().slot + ahead)
      await writeFile(statePath(), JSON.stringify({ height, round: 0, step: 3 }))
      const { code, marks } = await standby()
      const isRefused = ahead > 5n
      expect(code).toBe(isRefused ? 1 : 0)
      expect(marks).toMatchObject(
        isRefused
          ? { standby: 'refused', 'key-state': 'refused' }
          : { standby: 'proven', 'key-state': 'given' },
      )
      await writeFile(statePath(), now)
    },
  )

  test('is yes while a second node has the key, whoever serves the commits', async () => {
    while ((await engineStatus()) === user.key.address) await devnet.advanceSlot()
    await pass(devnet, 2)
    const { slot } = devnet.state()
    const elsewhere = await standby()
    expect(elsewhere.code).toBe(1)
    expect(elsewhere.marks).toMatchObject({ standby: 'refused', 'key-state': 'refused' })
    expect(elsewhere.row('standby')?.value).toContain(String(slot))
    // No file of the home makes these votes its own while the engine runs with another key.
    const kept = await readFile(statePath(), 'utf8')
    for (const more of [2n, 99_999_999n]) {
      await writeFile(statePath(), JSON.stringify({ height: String(slot + more), round: 0, step: 3 }))
      expect((await standby()).code).toBe(1)
      expect((await standby()).marks).toMatchObject({ standby: 'refused' })
    }
    await writeFile(statePath(), kept)
    // In the whole page of checks, and beside the key that the engine runs with.
    const whole = await runCommandWith(
      doctor,
      ['--devnet', JSON.stringify(devnet.descriptor), '--json'],
      effects,
    )
    const bad = whole.json().rows.filter(({ mark }) => mark === 'refused')
    expect(bad.map(({ id }) => id)).toEqual(expect.arrayContaining(['engine', 'standby']))
    // The own node is stopped: its commits come from its node API, or from the engine of somebody else.
    const { engine, node } = devnet.descriptor.urls
    expect((await standby([], without(engine))).marks).toMatchObject({ standby: 'refused' })
    const other = engine.replace('127.0.0.1', 'localhost')
    const stopped = without(engine, node)
    expect((await standby([], stopped)).code).toBe(3)
    const foreign = await standby(['--second-engine', other], stopped)
    expect(foreign.code).toBe(1)
    expect(foreign.row('standby')?.source).toBe(new URL(other).host)
  })

  test('is not answered with no by the endpoint of somebody else alone', async () => {
    const { engine, node } = devnet.descriptor.urls
    const other = engine.replace('127.0.0.1', 'localhost')
    devnet.chain.withhold([user.pubkey])
    await pass(devnet, 22)
    const stopped = without(engine, node)
    const foreign = await standby(['--second-engine', other], stopped)
    expect(foreign.code).toBe(3)
    expect(foreign.marks).toMatchObject({ standby: 'unknown' })
    expect((await standby()).code).toBe(0)
    devnet.chain.withhold([])
  })
})
