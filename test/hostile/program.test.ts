import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { loopbackServer } from '../../src/devnet/loopback-server.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { HARD, hardTest, one, runsOf } from '../support/hard.ts'
import { buildCli, type Run, runCli, runDevnetCli } from '../support/run-cli.ts'
import { AGREED } from './chain-itself.ts'
import type { Service, Telling } from './lie.ts'
import { WIRE_LIES } from './lies/of-any-service.ts'
import { type LyingProxy, type Responder, responderOf, startProxy } from './proxy.ts'
import { secretsIn, secretsOf, setPassword, textBelow } from './secrets.ts'

const SERVICES: readonly Service[] = ['execution', 'node', 'engine']
const DONE = 0
/** A check says no, something stayed unknown, or it was told to end while it still asked. */
const NOT_DONE = [1, 3, 4]
/** How long a program may ask before it is told to end: some would ask for minutes. */
const PATIENCE_MS = runsOf({ suite: 4000, hard: 15_000 })

let directory: string
let stranger: Awaited<ReturnType<typeof loopbackServer>>
let askedOfStranger = 0
const ends: (() => unknown)[] = []

beforeAll(async () => {
  await buildCli()
  directory = await mkdtemp(join(tmpdir(), 'liars-'))
  stranger = await loopbackServer(() => {
    askedOfStranger += 1
    return { status: 200, contentType: 'application/json', body: '{}' }
  })
})
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await stranger.close()
  await rm(directory, { recursive: true, maxRetries: 5 })
})

type Network = { descriptor: DevnetDescriptor; pubkey: string; paid(): Promise<bigint[]> }

/** A rehearsal network of the shipped program, whose password can be looked for. */
async function openNetwork(name: string): Promise<Network> {
  const folder = join(directory, name)
  const { descriptor, run } = await runDevnetCli(['--directory', folder, '--slot-ms', '200'])
  ends.push(async () => {
    run.kill('SIGTERM')
    await run.end
  })
  await setPassword(descriptor, folder)
  const { pubkey } = validatorKey(descriptor.seed, 'fresh')
  return { descriptor, pubkey, paid: () => depositsOf(descriptor.urls.execution, pubkey) }
}

type Stand = { state: string; proxies: Readonly<Record<Service, LyingProxy>>; rehearse(): Run }

/** The program in a state directory of its own, with a proxy before each service. */
async function standBefore({ descriptor }: Network, name: string): Promise<Stand> {
  const state = join(directory, name)
  await mkdir(state, { mode: 0o700 })
  const entries = SERVICES.map(
    async (service) => [service, await startProxy(descriptor.urls[service])] as const,
  )
  const proxies = Object.fromEntries(await Promise.all(entries)) as Record<Service, LyingProxy>
  ends.push(() => {
    for (const proxy of Object.values(proxies)) proxy.close()
  })
  const urls = { execution: proxies.execution.url, node: proxies.node.url, engine: proxies.engine.url }
  const path = join(state, 'network.json')
  await writeFile(path, JSON.stringify({ ...descriptor, urls }), { mode: 0o600 })
  return {
    state,
    proxies,
    rehearse: () => runCli(['rehearse', '--devnet', path, '--state', join(state, 'own')]),
  }
}

/** The end of a program, which comes by itself or is asked for when its time is over. */
async function endOf(run: Run): ReturnType<() => Run['end']> {
  const over = new AbortController()
  void setTimeout(PATIENCE_MS, undefined, { signal: over.signal, ref: false }).then(
    () => run.kill('SIGTERM'),
    () => undefined,
  )
  return run.end.finally(() => over.abort())
}

function responderOfAll(telling: Telling, isTold: () => boolean): Responder {
  const insight = {
    pubkey: '0x',
    account: '0x',
    withdrawalCredentials: '0x',
    elsewhere: `${stranger.url}/`,
    ask: async () => undefined,
  } as const
  return responderOf(() => ({ '*': telling }), insight, isTold)
}

/** No secret and no escape sequence in what was said, no secret in what was asked and written. */
function expectDiscretion({ proxies, state }: Stand, said: string): void {
  const asked = Object.values(proxies).flatMap(({ requests }) => requests)
  const everything = [said, ...asked, textBelow(join(state, 'own'))].join('\n')
  expect(asked.length, 'questions').toBeGreaterThan(0)
  expect(secretsIn(everything, secretsOf('bearings'))).toEqual([])
  expect(said).toMatch(/^[\x20-\x7e\n]*$/)
  expect(askedOfStranger, 'questions to whom a redirect points').toBe(0)
}

const CASES = WIRE_LIES.flatMap(([name, telling]) =>
  SERVICES.map((service) => [`${service} ${name}`, service, telling] as const),
)

describe.runIf(HARD)('the built program says why it does not go on, and pays nothing,', () => {
  let network: Network
  beforeAll(async () => {
    network = await openNetwork('one network for all')
  })

  test.concurrent.each(one(CASES, 1))('where the %s', async (name, service, telling) => {
    const stand = await standBefore(network, name.replaceAll(/\W/g, '-'))
    stand.proxies[service].tell(responderOfAll(telling, () => true))
    const { code, stdout, stderr } = await endOf(stand.rehearse())
    expect(NOT_DONE, stdout + stderr).toContain(code)
    expect(stderr.trim()).not.toBe('')
    expectDiscretion(stand, stdout + stderr)
    expect(await network.paid()).toEqual([])
  })

  afterAll(async () => {
    const honest = await standBefore(network, 'honest')
    const { code, stdout, stderr } = await honest.rehearse().end
    expect({ code, stderr }).toEqual({ code: DONE, stderr: '' })
    expectDiscretion(honest, stdout)
    expect(await network.paid()).toEqual(AGREED)
  })
})

describe('the built program pays once', () => {
  hardTest.concurrent.each(WIRE_LIES)(
    'where the execution endpoint, from the first hand-over on, %s',
    async (name, telling) => {
      const network = await openNetwork(`network ${name}`.replaceAll(/\W/g, '-'))
      const stand = await standBefore(network, `stand ${name}`.replaceAll(/\W/g, '-'))
      const { execution } = stand.proxies
      let isOver = false
      const isHandedOver = () => execution.requests.some((text) => text.includes('eth_sendRawTransaction'))
      execution.tell(responderOfAll(telling, () => !isOver && isHandedOver()))
      const first = await endOf(stand.rehearse())
      expect(NOT_DONE, first.stdout + first.stderr).toContain(first.code)
      expect((await network.paid()).length).toBeLessThan(2)
      isOver = true
      const { code, stdout, stderr } = await stand.rehearse().end
      expect({ code, stderr }).toEqual({ code: DONE, stderr: '' })
      expectDiscretion(stand, first.stdout + first.stderr + stdout)
      expect(await network.paid()).toEqual(AGREED)
    },
  )
})
