import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { keys } from '../../src/commands/keys.ts'
import { STORAGE_PROVES } from '../../src/commands/rows-text.ts'
import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { AlarmId } from '../../src/core/view/alarm-event.ts'
import { account, validatorKey } from '../../src/devnet/keys.ts'
import { EXIT, type ExitCode } from '../../src/output/io.ts'
import { SLOTS_TO_BE_OVER } from '../../src/watch/transition.ts'
import { SECOND } from '../support/adopting.ts'
import { HARD, one, runsOf, sampled } from '../support/hard.ts'
import { beginWithSecond } from '../support/real-money.ts'
import { type Ended, runCommandWith } from '../support/run-command.ts'
import { userOf } from '../support/user-of.ts'
import { beginWatch } from '../support/watch-run.ts'
import { startWorld, type World } from '../support/world.ts'
import { ASKING_COMMANDS } from './asking-commands.ts'
import { garbled } from './garble.ts'
import { ASKED, lyingAt } from './garbling.ts'
import { PASS, type Service, type Telling, type Tellings } from './lie.ts'

type Row = ReturnType<Ended['json']>['rows'][number]

/** Where the garbling endpoint stands: what is true of the others is vouched for by an honest execution endpoint. */
const PLACES = ['the first execution endpoint', 'the second one', 'the node', 'the engine'] as const
type Place = (typeof PLACES)[number]

const serviceOf = (place: Place): Service => {
  if (place === 'the node') return 'node'
  return place === 'the engine' ? 'engine' : 'execution'
}

async function openWorld(input?: Parameters<typeof startWorld>[0]): Promise<World> {
  const world = await startWorld(input)
  onTestFinished(() => world.end())
  return world
}

/** What only the number of endpoints, a block or a moment make otherwise. */
const shapeOf = (text: string) =>
  text
    .replaceAll(/\d[\d,.]*/g, '#')
    .replace(/endpoints?\b/g, 'endpoint')
    .replace('signed by # % of the set, block #', 'the root held by # endpoint')
    .replace(STORAGE_PROVES, 'said by # endpoint')
    // A record is proven on its own where the whole state is not.
    .replace('proven on its own, the root held by # endpoint', 'in the proven state')

const keyOf = ({ step, id, label }: Row) => `${step} ${id} ${label}`

/** What is wrong with a report beside what is true, while the endpoint of this name garbles; `others` are honest. */
function wrongIn(
  ended: Ended,
  truth: readonly Row[],
  { liar, others }: { liar: string; others: readonly string[] },
): string[] {
  const document = ended.json()
  if (document.rows === undefined)
    return ended.words.includes(liar) ? [] : ['the garbling endpoint is not named']
  const { rows } = document
  const was = new Map(truth.map((row) => [keyOf(row), row]))
  const lost = rows.filter(({ mark }) => mark === 'unknown' || mark === 'refused')
  const good = rows.filter(({ mark }) => mark === 'proven')
  const names = (row: Row, host: string) => `${row.value} ${row.source} ${row.fix ?? ''}`.includes(host)
  return [
    ...good
      .filter((row) => was.get(keyOf(row))?.mark !== 'proven')
      .map(({ id, value }) => `${id} is good, and was not: ${value}`),
    ...good
      .filter((row) => !row.source.includes(liar))
      .filter((row) => shapeOf(was.get(keyOf(row))?.value ?? '') !== shapeOf(row.value))
      .map(({ id, value }) => `${id} is not so: ${value}`),
    ...lost
      // What is computed here is of what others said: these are named by their own rows.
      .filter((row) => row.mark === 'refused' && row.source !== 'this computer' && !names(row, liar))
      .map(({ id, value }) => `${id} is refused, and nobody is named: ${value}`),
    ...(lost.length === 0 || lost.some((row) => names(row, liar)) ? [] : ['nobody is named']),
    ...lost
      .filter((row) => others.some((host) => row.value.includes(host)) && !names(row, liar))
      .map(({ id, value }) => `${id} blames an honest endpoint: ${value}`),
  ]
}

describe('where one part of each reply is garbled beside an honest endpoint', () => {
  test.each(Object.entries(ASKING_COMMANDS))(
    '%s says what is so, or whose answer is missing',
    async (_, asking) => {
      const world = await openWorld()
      const { command, argv: asked } = await asking(world)
      for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
      const { descriptor } = world.devnet
      const { urls } = descriptor
      const argv = [...asked, '--devnet', JSON.stringify(descriptor), '--json', '--second-execution', SECOND]
      const run = (mutate: (effects: Effects) => Effects = (effects) => effects) => {
        const life = beginWithSecond(world, { mutate })
        return world.clock.flow(() => runCommandWith(command, argv, life.effects)).finally(() => life.kill())
      }
      const addresses: Readonly<Record<Place, string>> = {
        'the first execution endpoint': urls.execution,
        'the second one': SECOND,
        'the node': urls.node,
        'the engine': urls.engine,
      }
      const hosts = PLACES.map((place) => new URL(addresses[place]).host)
      const times = runsOf({ suite: 1, hard: 10 })
      const told = PLACES.flatMap((place) =>
        ASKED.filter(([service]) => service === serviceOf(place)).map(
          ([, question]) => [place, question] as const,
        ),
      )
      /** Questions that this command asks there. */
      const asks = new Set<string>()
      const truth = await run((effects) =>
        told.reduce<Effects>((all, [place, question]) => {
          const hears: Telling = () => {
            asks.add(`${place} ${question}`)
            return PASS
          }
          return lyingAt(addresses[place], world.clock.resting, { [question]: hears })(all)
        }, effects),
      )
      expect(truth.code, truth.words).toBe(EXIT.done)
      const heard = told.filter(([place, question]) => asks.has(`${place} ${question}`))
      let garblings = 0
      for (const [at, [place, question]] of sampled([...heard.entries()], heard.length > 8 ? 9 : 4)) {
        for (let time = 0; time < times; time += 1) {
          const tell = garbled(at * 13 + time * 101)
          let asked = 0
          const telling: Telling = (...given) => {
            asked += 1
            return tell(...given)
          }
          const ended = await run(lyingAt(addresses[place], world.clock.resting, { [question]: telling }))
          const liar = new URL(addresses[place]).host
          const seen = `${place} garbles ${question}, ${at} ${time}: ${ended.words}`
          expect([EXIT.done, EXIT.no, EXIT.unknown], seen).toContain(ended.code)
          expect(ended.words, seen).not.toMatch(/internal\.fault|TypeError|RangeError/)
          garblings += asked
          if (asked === 0) break
          const others = hosts.filter((host) => host !== liar)
          expect(wrongIn(ended, truth.json().rows ?? [], { liar, others }), seen).toEqual([])
        }
      }
      expect(garblings).toBeGreaterThan(0)
    },
  )

  test('nobody but the node is blamed for a root that it garbles', async () => {
    const world = await openWorld()
    const { descriptor } = world.devnet
    const { urls, seed } = descriptor
    for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
    const argv = ['--devnet', JSON.stringify(descriptor), '--json', '--second-execution', SECOND]
    const run = async (
      command: (input: CommandInput) => Promise<ExitCode>,
      tells: Tellings,
      more: readonly string[] = [],
    ) => {
      const mutate = lyingAt(urls.node, world.clock.resting, tells)
      const life = beginWithSecond(world, { mutate })
      const ended = await world.clock
        .flow(() => runCommandWith(command, [...argv, ...more], life.effects))
        .finally(() => life.kill())
      return (id: string) => ended.json().rows.find((row) => row.id === id)
    }
    /** Another root, wherever a reply has one. */
    const swapped: Telling = async (_, truth) =>
      JSON.parse(
        (await truth.text()).replaceAll(/"(\w*root)":"0x[0-9a-f]{64}"/g, `"$1":"0x${'1'.repeat(64)}"`),
      )
    const proof = await run(doctor, { '/bkit/v1/proof/validator_pubkey/*': swapped })
    expect(proof('proofs')).toMatchObject({ mark: 'refused', source: new URL(urls.node).host })
    for (const id of ['anchor', 'second-anchor']) expect(proof(id)?.mark).toBe('unknown')
    const state = await run(keys, { '/eth/v1/beacon/headers/*': swapped }, [
      '--validator',
      validatorKey(seed, 'genesis/3').pubkey,
    ])
    expect(state('verdict')).toMatchObject({
      mark: 'unknown',
      source: expect.stringContaining(new URL(urls.node).host),
    })
  })

  const OPERATOR_ABI = parseAbi([
    'function requestOperatorChange(bytes pubkey, address newOperator)',
    'function cancelOperatorChange(bytes pubkey)',
  ])
  /** By which of a pair of endpoints one is the first of its service, and one is of somebody else. */
  const BESIDE = { execution: SECOND, node: 'http://other-node.test', engine: 'http://other-engine.test' }

  test.each(one(['own', 'foreign'] as const, 1))(
    'a watch keeps its alarms, the %s endpoint garbling',
    async (whose) => {
      const world = await openWorld({ scenario: 'outbid-while-active' })
      const { descriptor, chain } = world.devnet
      const { urls, seed } = descriptor
      const own = validatorKey(seed, 'genesis/11').pubkey
      const operator = account(seed, 'others').address
      const user = await userOf(world.devnet)
      const directory = await mkdtemp(join(world.directory, 'state-'))
      let question: readonly [Service, string] | undefined
      const garbledOnes = new Set<string>()
      const tell = garbled()
      const roles = ['execution', 'node', 'engine'] as const
      const elsewhere = (effects: Effects): Effects => ({
        ...effects,
        http: {
          request(asked: HttpRequest) {
            const role = roles.find((each) => asked.url.startsWith(BESIDE[each]))
            const url = role === undefined ? asked.url : asked.url.replace(BESIDE[role], urls[role])
            return effects.http.request({ ...asked, url })
          },
        },
      })
      const mutate = (effects: Effects) =>
        ASKED.reduce<Effects>((all, [service, each]) => {
          const telling: Telling = (...given) => {
            if (question?.[0] !== service || question[1] !== each) return PASS
            garbledOnes.add(each)
            return tell(...given)
          }
          const url = whose === 'own' ? urls[service] : BESIDE[service]
          return lyingAt(url, world.clock.resting, { [each]: telling })(all)
        }, elsewhere(effects))
      const life = world.begin({ mutate })
      const change = async (data: Hex) => {
        const { rpc, addBalance } = world.devnet.execution
        await addBalance(operator, 10n ** 18n)
        await rpc('hardhat_impersonateAccount', [operator])
        const to = chain.input.spec.depositContract
        await rpc('eth_sendTransaction', [{ from: operator, to, data, value: '0x0', gas: '0x30d40' }])
        await rpc('hardhat_stopImpersonatingAccount', [operator])
      }
      const argv = [
        '--devnet',
        join(world.directory, 'descriptor.json'),
        ...roles.flatMap((role) => [`--${role}`, `${urls[role]},${BESIDE[role]}`]),
        own,
      ]
      const { told, faults, stop } = await world.clock.flow(async () =>
        beginWatch(argv, { effects: life.effects, directory }),
      )
      const of = (alarm: AlarmId) =>
        told.filter((event) => event.alarm === alarm && event.change !== 'repeated')
      const changes = (alarm: AlarmId) => of(alarm).map((event) => event.change)
      await world.clock.flow(async () => {
        const pass = (slots: number) => world.clock.sleep(slots * 1000)
        await pass(4)
        chain.withhold([own])
        const newOperator: Hex = `0x${'5a'.repeat(20)}`
        await change(
          encodeFunctionData({
            abi: OPERATOR_ABI,
            functionName: 'requestOperatorChange',
            args: [own, newOperator],
          }),
        )
        await pass(12)
        expect([changes('missed-blocks'), changes('operator-change')]).toEqual([['fired'], ['fired']])
        const slots = runsOf({ suite: 2, hard: 60 })
        for (const [at, each] of ASKED.entries()) {
          question = each
          if (at === Math.floor(ASKED.length / 2)) await user.topUp(10_000n, own)
          // What the contract says is asked for once in a while.
          await pass(each[1] === 'eth_call' ? Math.max(40, slots) : slots)
        }
        // Both stand, and nothing else of the validator was told but the deposit.
        const story = JSON.stringify(told, null, 1)
        expect(
          changes('missed-blocks').filter((each) => each !== 'worse'),
          story,
        ).toEqual(['fired'])
        expect(changes('operator-change'), story).toEqual(['fired'])
        question = undefined
        await pass(6)
        expect(changes('deposit-unexpected').slice(0, 1), story).toEqual(['fired'])
        chain.withhold([])
        await change(
          encodeFunctionData({ abi: OPERATOR_ABI, functionName: 'cancelOperatorChange', args: [own] }),
        )
        // What came and went stays for a while; the suite waits for what is of the validator.
        await pass(HARD ? SLOTS_TO_BE_OVER + 100 : 130)
        expect(await stop()).toBe(EXIT.stopped)
      })
      const story = JSON.stringify(told, null, 1)
      expect(garbledOnes.size).toBeGreaterThan(whose === 'own' ? 5 : 2)
      expect(faults).toEqual([])
      for (const alarm of ['missed-blocks', 'operator-change', 'deposit-unexpected'] as const)
        expect(
          changes(alarm).filter((each) => each !== 'worse'),
          story,
        ).toEqual(['fired', 'cleared'])
      const ofEndpoints = told.filter(({ validator }) => validator === undefined)
      expect(told.length - ofEndpoints.length, story).toBeLessThan(20)
      // Each incident is told when it begins and when it is over.
      expect(ofEndpoints.length, story).toBeLessThan(4 * ASKED.length)
      const last = new Map(told.map((event) => [event.id, event]))
      expect(
        [...last.values()].filter(({ change, validator }) => {
          return change !== 'cleared' && (HARD || validator !== undefined)
        }),
        story,
      ).toEqual([])
      for (const name of await readdir(directory, { recursive: true }))
        expect((await stat(join(directory, name))).size, name).toBeLessThan(100_000)
    },
  )
})
