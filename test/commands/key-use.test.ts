import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import type { DepositFate } from '../../src/commands/documents/parts.ts'
import { keys } from '../../src/commands/keys.ts'
import { sign } from '../../src/commands/sign.ts'
import { verify } from '../../src/commands/verify.ts'
import { fateSentence } from '../../src/commands/verify-chain.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeFirstDeposit, encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { writeDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import type { ScenarioName } from '../../src/core/chain/network/scenario-names.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { buildSigner } from '../support/build-signer.ts'
import { cheapEffects } from '../support/cheap-curve.ts'
import { rememberingFiles } from '../support/remembering-signer.ts'
import { runCommandWith } from '../support/run-command.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

/** What a rehearsal gives its user is public: the signer child opens the key of its home. */
let real: Effects

beforeAll(async () => {
  real = cheapEffects({ signer: rememberingFiles(createNodeSigner(await buildSigner())) })
})

type StatusLook = (input: CommandInput) => Promise<ExitCode>
type User = Awaited<ReturnType<typeof userOf>>

const STRANGER: Hex = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'
const AMOUNT_GWEI = 10_000_000_000_000n

/** A rehearsal network on which something happened to the key, and everything that a user holds of it. */
async function networkWith(scenario: ScenarioName, act: (user: User) => Promise<unknown>, slots: number) {
  const network = await testDevnet({ clock: createNodeClock(), seed: `use-${scenario}`, scenario })
  const { devnet, directory, end } = network
  const user = await userOf(devnet)
  await act(user)
  await pass(devnet, slots)
  const { genesisRoot, genesisForkVersion, chainId } = devnet.descriptor
  const { pubkey, withdrawalCredentials } = user
  const message = { pubkey, withdrawalCredentials, amountGwei: AMOUNT_GWEI }
  const chain = { genesisValidatorsRoot: genesisRoot, genesisForkVersion }
  const signature = signDepositMessage(Buffer.from(user.key.secretBase64, 'base64'), message, chain)
  const deposit = { ...message, ...chain, signature, operator: STRANGER }
  // The doctor waits for a new head, and this network makes one when it is waited for.
  const clock = { ...real.clock, sleep: () => pass(devnet, 1) }
  const look = (command: StatusLook, ...argv: string[]) =>
    runCommandWith(command, ['--devnet', JSON.stringify(devnet.descriptor), ...argv, '--json'], {
      ...real,
      clock,
    })
  const printed = [
    `pubkey: ${pubkey}`,
    `credentials: ${withdrawalCredentials}`,
    `amount: ${AMOUNT_GWEI}`,
    `signature: ${signature}`,
  ].join('\n')
  const texts = {
    'the text of the node tool': printed,
    'a deposit file': writeDepositFile({ ...deposit, network: 'rehearsal', executionChainId: chainId }),
  }
  return { user, devnet, directory, deposit, texts, look, end }
}

type World = Awaited<ReturnType<typeof networkWith>>

const row = (ended: Awaited<ReturnType<World['look']>>, id: string) =>
  ended.json().rows.find((each) => each.id === id)

const DEAD: [
  string,
  ScenarioName,
  (user: User) => Promise<unknown>,
  number,
  { looks: number; onChain: string; fate: DepositFate },
][] = [
  ['squatted', 'squatted-key', async () => {}, 3, { looks: 1, onChain: 'lost', fate: 'would-revert' }],
  ['exited', 'exited-key', async () => {}, 3, { looks: 1, onChain: 'withdrawn', fate: 'has-left' }],
  [
    'registered',
    'set-full',
    (user) => user.firstDeposit(10_000n),
    5,
    { looks: 0, onChain: 'registered', fate: 'is-registered' },
  ],
]

describe.each(DEAD)('a key that is %s', (_what, scenario, act, slots, { looks, onChain, fate }) => {
  let world: World
  beforeAll(async () => {
    world = await networkWith(scenario, act, slots)
  })
  afterAll(() => world.end())

  test('is judged by doctor and by keys, from the key of the home alone', async () => {
    for (const command of [doctor, keys]) {
      const ended = await world.look(command)
      const verdict = row(ended, 'verdict')
      expect([ended.code, verdict?.value.split(/[:;]/)[0]]).toEqual([looks, onChain])
      expect(verdict?.mark).toBe(looks === 0 ? 'proven' : 'refused')
    }
  })

  test('is no key for a first deposit: verify says no to its signature', async () => {
    for (const text of Object.values(world.texts)) {
      const path = join(world.directory, 'given.txt')
      await writeFile(path, text)
      const ended = await world.look(verify, path)
      expect(row(ended, 'library')).toMatchObject({ mark: 'proven' })
      expect([ended.code, ended.json().onChain]).toEqual([1, onChain])
      expect(ended.json()).toMatchObject({ fate, sentence: fateSentence(fate) })
    }
  })

  test('is not signed with', async () => {
    const out = join(world.directory, 'signed.json')
    await rm(out, { force: true })
    const { withdrawal, operator } = { withdrawal: STRANGER, operator: STRANGER }
    const order = ['--withdrawal', withdrawal, '--operator', operator, '--amount', '10000', '--out', out]
    const ended = await world.look(sign, ...order)
    expect([ended.code, row(ended, 'verdict')?.mark]).toEqual([1, 'refused'])
    expect(await readdir(world.directory)).not.toContain('signed.json')
  })
})

describe('a key that nobody ever used', () => {
  let world: World
  beforeAll(async () => {
    world = await networkWith('set-full', async () => {}, 1)
  })
  afterAll(() => world.end())

  test('is a yes of all four, and each says so', async () => {
    const out = join(world.directory, 'signed.json')
    const order = ['--withdrawal', STRANGER, '--operator', STRANGER, '--amount', '10000', '--out', out]
    const signed = await world.look(sign, ...order)
    expect([signed.code, row(signed, 'verdict')?.mark]).toEqual([0, 'proven'])
    for (const [command, ...argv] of [[doctor], [keys], [verify, out]] as const) {
      const ended = await world.look(command, ...argv)
      expect([ended.code, row(ended, 'verdict')?.mark]).toEqual([0, 'proven'])
    }
  })

  test('is not known to sign and verify while the endpoint that was named is closed', async () => {
    const path = join(world.directory, 'given.txt')
    await writeFile(path, world.texts['a deposit file'])
    const closed = ['--node', 'http://127.0.0.1:1']
    expect((await world.look(verify, path, ...closed)).code).toBe(3)
    const order = ['--withdrawal', STRANGER, '--operator', STRANGER, '--amount', '10000']
    const out = join(world.directory, 'unknown.json')
    expect((await world.look(sign, ...order, '--out', out, ...closed)).code).toBe(3)
    expect(await readdir(world.directory)).not.toContain('unknown.json')
  })

  test('with a deposit in the mempool alone is not told to count', async () => {
    const { user, devnet } = world
    const stranger = devnet.state().validators[0]?.pubkey ?? '0x'
    const topUp = await user.topUp(10_000n, stranger)
    const ended = await world.look(verify, topUp)
    expect([ended.code, ended.json().fate]).toEqual([3, 'in-mempool'])
    expect(ended.json().sentence).toBe(fateSentence('in-mempool'))
  })

  test('of a top-up that was not sent yet it is said that it would count', async () => {
    const { devnet } = world
    const pubkey = devnet.state().validators[1]?.pubkey ?? '0x'
    const ended = await world.look(verify, encodeTopUp({ pubkey }), '--amount', '10000')
    expect([ended.code, ended.json().fate]).toEqual([0, 'would-count'])
    const first = encodeFirstDeposit({ ...world.deposit })
    const own = await world.look(verify, first, '--amount', '10000')
    expect([own.code, own.json().fate]).toEqual([0, 'would-register'])
  })
})

test('doctor judges the key of the home also where another validator is named', async () => {
  const world = await networkWith('exited-key', async () => {}, 3)
  try {
    const other = world.devnet.state().validators[0]?.pubkey ?? '0x'
    const ended = await world.look(doctor, '--validator', other)
    expect(ended.code).toBe(1)
    expect(row(ended, 'verdict')).toMatchObject({ mark: 'proven' })
    expect(row(ended, 'homeVerdict')).toMatchObject({ mark: 'refused', long: world.user.pubkey })
  } finally {
    await world.end()
  }
})
