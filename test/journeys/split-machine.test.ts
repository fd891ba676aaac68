import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { viewOf } from '../../src/compose/fact-lines.ts'
import { credentialsOf } from '../../src/core/deposit/credentials.ts'
import { writeDepositFile } from '../../src/core/deposit/deposit-file.ts'
import type { Signer } from '../../src/core/effects/effects.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import { engineKey } from '../../src/core/identity/engine-key.ts'
import type { Session } from '../../src/core/session.ts'
import type { Event, State } from '../../src/core/state.ts'
import { planOf, type SignPlan } from '../../src/core/steps/sign/machine.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { signWithPop } from '../support/burn.ts'
import { register } from '../support/register.ts'
import { startWorld, type World } from '../support/world.ts'

const SEED = 'split'
const key = validatorKey(SEED, 'fresh')
const other = validatorKey('another', 'fresh').pubkey

/** The home's key is taken to another directory, and its node is told to ask a remote signer. */
function split(world: World): { keyFile: string } {
  const { home } = world.devnet.descriptor
  const vault = join(world.directory, 'vault')
  mkdirSync(vault, { mode: 0o700 })
  renameSync(join(home, 'config/priv_validator_key.json'), join(vault, 'key.json'))
  const config = join(home, 'config/config.toml')
  const text = readFileSync(config, 'utf8')
  writeFileSync(
    config,
    text.replace('priv_validator_laddr = ""', 'priv_validator_laddr = "tcp://10.0.0.9:26659"'),
  )
  return { keyFile: join(vault, 'key.json') }
}

/** A wallet machine that signs no deposits and reads no key, and a key machine that is only given a plan. */
async function twoMachines() {
  const world = await startWorld({ seed: SEED })
  const { keyFile } = split(world)
  const asked: string[] = []
  let keyMachine: Signer | undefined
  const life = world.begin({
    mutate: (effects) => {
      keyMachine = effects.signer
      const refuse = async (verb: string) => {
        asked.push(verb)
        throw new Error(`the wallet machine has no key to ${verb} with`)
      }
      const signer: Signer = {
        ...effects.signer,
        inspect: () => refuse('inspect'),
        signDeposit: () => refuse('signDeposit'),
      }
      return { ...effects, signer }
    },
  })
  const session = await world.clock.flow(() => world.session(life))
  const { network } = session.setup
  const messageOf = (plan: SignPlan) => ({
    pubkey: key.pubkey,
    withdrawalCredentials: credentialsOf(plan.withdrawalAddress),
    amountGwei: plan.amountGwei,
    genesisValidatorsRoot: network.genesisValidatorsRoot,
    genesisForkVersion: network.genesisForkVersion,
  })
  const sign = async (plan: SignPlan, over: Partial<ReturnType<typeof messageOf>> = {}): Promise<Hex> => {
    const signer = keyMachine
    if (signer === undefined) throw new Error('the key machine is not there')
    const { keyTypePrefix } = network.names
    return world.clock.during(async () => {
      const { fileHash } = await signer.inspect({ keyFile, keyTypePrefix })
      const request = { ...messageOf(plan), ...over, keyFile, fileHash, keyTypePrefix }
      return (await signer.signDeposit(request)).signature
    })
  }
  const fileOf = (plan: SignPlan, signature: Hex, over: object = {}) => {
    const { id, executionChainId } = network
    const operator = plan.operator.toLowerCase() as Hex
    return writeDepositFile({
      ...messageOf(plan),
      network: id,
      executionChainId,
      operator,
      signature,
      ...over,
    })
  }
  const pop = (plan: SignPlan) => signWithPop(key.secretBase64, messageOf(plan), messageOf(plan))
  return { world, session, asked, sign, pop, fileOf }
}

type Machines = Awaited<ReturnType<typeof twoMachines>>

/** Resolves once the state is so. */
function until(session: Session, holds: (state: State) => boolean): Promise<void> {
  if (holds(session.getState())) return Promise.resolve()
  return new Promise((resolve) => {
    const end = session.subscribe((state) => {
      if (!holds(state)) return
      end()
      resolve()
    })
  })
}

const typed = (text: string): Event => ({ step: 'identity', type: 'keyTyped', text })
const brought = (text: string): Event => ({ step: 'sign', type: 'brought', text })
const view = (session: Session, step: 'identity' | 'sign') => viewOf(step, session.getState(), session)

/** A person who types the key when it is asked for and carries a signature over when there is a plan. */
function carry(session: Session, bring: (plan: SignPlan) => Promise<string>): void {
  let carried = false
  session.subscribe(({ identity, sign }) => {
    if (view(session, 'identity').activeField === 'pubkey' && identity.typedKey === undefined)
      void session.dispatch(typed(engineKey(key.pubkey)))
    if (carried || sign.plan === undefined) return
    carried = true
    const { plan } = sign
    void bring(plan).then((text) => session.dispatch(brought(text)))
  })
}

describe('a node whose key is with a remote signer is registered from another machine', () => {
  test.each<[string, (machines: Machines, plan: SignPlan) => Promise<string>]>([
    ['with the 96 bytes of the signature', ({ sign }, plan) => sign(plan)],
    ['with the text of a deposit file', async ({ sign, fileOf }, plan) => fileOf(plan, await sign(plan))],
    [
      'with the path of a deposit file',
      async ({ world, sign, fileOf }, plan) => {
        const path = join(world.directory, 'carried.json')
        writeFileSync(path, fileOf(plan, await sign(plan)))
        return path
      },
    ],
  ])('%s', async (_, bring) => {
    const machines = await twoMachines()
    const { world, session, asked } = machines
    try {
      carry(session, (plan) => bring(machines, plan))
      expect(await register(world, session)).toEqual({ end: 'active' })
      expect(asked).toEqual([])
      expect(session.facts().identity).toMatchObject({ pubkey: key.pubkey, key: { kind: 'elsewhere' } })
      const lines = world.journal().map(({ type }) => type)
      expect(lines.slice(0, 3)).toEqual(['journal', 'sign.planned', 'sign.signed'])
      expect(world.wire.every(({ durable }) => durable)).toBe(true)
    } finally {
      await world.end()
    }
  })
})

describe('the wallet machine takes nothing that the chain would burn', () => {
  let machines: Machines
  let plan: SignPlan

  beforeAll(async () => {
    machines = await twoMachines()
    const { world, session } = machines
    const { identity, genesis } = await world.clock.flow(async () => {
      await session.start()
      await until(session, ({ genesis, identity }) => !genesis.asking && !identity.asking)
      return session.getState()
    })
    expect([genesis.asking, identity.asking]).toEqual([false, false])
  })
  afterAll(() => machines.world.end())

  const settled = (event: Event, holds: (state: State) => boolean) =>
    machines.world.clock.flow(async () => {
      await machines.session.dispatch(event)
      await until(machines.session, holds)
    })

  test('says where the key is and asks for its public half, and stops at nothing else', () => {
    const { problem, intro, fields, activeField, notes, done } = view(machines.session, 'identity')
    expect({ problem, activeField, done }).toEqual({ problem: undefined, activeField: 'pubkey', done: false })
    expect(intro).toMatch(/remote signer holds the key/)
    expect(fields.map(({ id }) => id)).toEqual(['pubkey'])
    expect(notes.join(' ')).toContain('tcp://10.0.0.9:26659')
  })

  test('takes no text that is no key, and no key that the node does not run with', async () => {
    await settled(typed('0x1234'), ({ identity }) => identity.typedKeyError !== undefined)
    expect(view(machines.session, 'identity').fields[0]?.error).toMatch(/^Type 0x and 96 digits/)
    await settled(typed(other), ({ identity }) => !identity.asking)
    const { problem, fields, done } = view(machines.session, 'identity')
    expect(problem).toMatchObject({ title: 'Stop: the running node uses another key.', money: 'untouched' })
    expect(fields).toMatchObject([{ id: 'pubkey', value: other }])
    expect(done).toBe(false)
    expect(machines.session.getState().journal.status).toBe('closed')
    expect(machines.world.journalPath()).toBeUndefined()
    expect(await machines.session.dispatch({ step: 'session', type: 'went', to: 'sign' })).toBe(false)
  })

  test('takes the key of the running node, and asks the chain of it as of any other', async () => {
    await settled(typed(key.pubkey), ({ identity, journal }) => !identity.asking && journal.status === 'open')
    const { done, facts, fields } = view(machines.session, 'identity')
    expect(done).toBe(true)
    expect(fields).toEqual([])
    const marks = Object.fromEntries(facts.map(({ id, mark }) => [id, mark]))
    expect(marks).toMatchObject({
      home: 'proven',
      key: 'proven',
      engine: 'proven',
      operator: 'proven',
      beacon: 'proven',
      node: 'proven',
    })
    expect(await machines.session.dispatch(typed(other))).toBe(false)
    expect(machines.session.facts().identity?.pubkey).toBe(key.pubkey)
  })

  test('plans only what is signed elsewhere, and shows the command for it', async () => {
    const { session } = machines
    const challenged = new Promise<void>((resolve) => {
      session.subscribe((_, event) => event.type === 'challenged' && resolve())
    })
    await machines.world.clock.flow(async () => {
      await session.dispatch({ step: 'session', type: 'went', to: 'sign' })
      await challenged
    })
    const address = session.setup.suggestedAddress ?? '0x'
    const { challengeOffset } = session.getState().sign
    const again = address.slice(2 + challengeOffset, 10 + challengeOffset)
    const answers = [
      ['withdrawal', address],
      ['withdrawalAgain', again],
      ['operator', address],
      ['operatorAgain', again],
      ['amount', '10000'],
    ] as const
    for (const [field, text] of answers)
      await session.dispatch({ step: 'sign', type: 'submitted', field, text })
    const made = planOf(session.getState().sign)
    if (made === undefined) throw new Error('the fields make no plan')
    const { elsewhere: _, ...here } = made
    expect(made.elsewhere).toBe(true)
    expect(await session.dispatch({ step: 'sign', type: 'planned', plan: here })).toBe(false)
    expect(await session.dispatch({ step: 'sign', type: 'planned', plan: made })).toBe(true)
    plan = made
    const { commands, activeField, notes, done } = view(session, 'sign')
    const { genesisValidatorsRoot } = session.setup.network
    expect(commands[0]).toContain(
      `deposit create-validator ${address} 10000000000000 -g ${genesisValidatorsRoot}`,
    )
    expect(commands[1]).toContain(
      `bearings verify --pubkey ${key.pubkey} --credentials ${credentialsOf(address)}`,
    )
    expect(notes).toEqual(expect.arrayContaining([...commands]))
    expect({ activeField, done }).toEqual({ activeField: 'signature', done: false })
  })

  const REFUSED: [string, string, (machines: Machines) => Promise<string>][] = [
    ['a signature with the tag of Ethereum', 'tag (POP)', async ({ pop }) => pop(plan)],
    [
      'a signature over a zero root',
      'all-zero genesis root',
      ({ sign }) => sign(plan, { genesisValidatorsRoot: `0x${'00'.repeat(32)}` }),
    ],
    ['a signature over another amount', 'over this amount', ({ sign }) => sign(plan, { amountGwei: 1n })],
    ['a cut signature', '192 hex digits', async ({ sign }) => (await sign(plan)).slice(0, -2)],
    [
      'a deposit file of another key',
      'message.pubkey',
      async ({ sign, fileOf }) => fileOf(plan, await sign(plan), { pubkey: other }),
    ],
    [
      'a deposit file of another amount',
      'message.amountGwei',
      async ({ sign, fileOf }) => fileOf(plan, await sign(plan), { amountGwei: plan.amountGwei + 1n }),
    ],
    [
      'a deposit file for another network',
      'network.executionChainId',
      async ({ sign, fileOf }) => fileOf(plan, await sign(plan), { executionChainId: 80094 }),
    ],
    ['a path where nothing is', 'nothing-here.json', async () => '/tmp/nothing-here.json'],
  ]

  test.each(REFUSED)('refuses %s and says: %s', async (_, words, make) => {
    const text = await make(machines)
    await settled(brought(text), ({ sign }) => !sign.signing)
    const { problem, done, activeField } = view(machines.session, 'sign')
    expect(problem).toMatchObject({ money: 'untouched' })
    expect(JSON.stringify(problem)).toContain(words)
    expect({ done, activeField }).toEqual({ done: false, activeField: 'signature' })
    expect(machines.session.getState().sign.signature).toBeUndefined()
    expect(await machines.session.dispatch({ step: 'session', type: 'went', to: 'deposit' })).toBe(false)
    expect(machines.world.journal().map(({ type }) => type)).not.toContain('sign.signed')
  })

  test('refuses a signature that is told for another plan', async () => {
    const fact = {
      withdrawalAddress: plan.withdrawalAddress,
      withdrawalCredentials: credentialsOf(plan.withdrawalAddress),
      operator: plan.operator,
      amountGwei: plan.amountGwei,
      signature: await machines.sign(plan),
      rescue: false,
    }
    const odd = [{ amountGwei: 1n }, { rescue: true }, { operator: `0x${'ab'.repeat(20)}` as Hex }]
    for (const over of [...odd, { withdrawalCredentials: credentialsOf(`0x${'ab'.repeat(20)}`) }]) {
      const signature = { ...fact, ...over }
      expect(await machines.session.dispatch({ step: 'sign', type: 'signed', signature })).toBe(false)
    }
  })

  test('takes the right one after all, and every judge is asked about it', async () => {
    const text = await machines.sign(plan)
    await settled(brought(text), ({ sign }) => sign.seen.precompile.status === 'known')
    const { done, fields, problem } = view(machines.session, 'sign')
    expect({ done, fields, problem }).toEqual({ done: true, fields: [], problem: undefined })
    expect(machines.session.facts().signature?.signature).toBe(text)
    expect(machines.asked).toEqual([])
  })
})
