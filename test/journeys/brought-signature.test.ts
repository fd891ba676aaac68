import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { credentialsOf } from '../../src/core/chain/deposit/credentials.ts'
import type { SignatureFact } from '../../src/core/chain/facts.ts'
import { IDENTITY_TEXT } from '../../src/core/steps/identity/text.ts'
import type { SignPlan } from '../../src/core/steps/sign/machine.ts'
import { SIGN_TEXT } from '../../src/core/steps/sign/text.ts'
import type { Event, State } from '../../src/core/wizard/state.ts'
import {
  brought,
  key,
  type Machines,
  other,
  planByHand,
  twoMachines,
  typed,
  until,
  view,
} from '../support/two-machines.ts'

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
    expect(intro).toBe(IDENTITY_TEXT.intro.keyAway(true))
    expect(fields.map(({ id }) => id)).toEqual(['pubkey'])
    expect(notes.join(' ')).toContain('tcp://10.0.0.9:26659')
  })

  test('takes no text that is no key, and no key that the node does not run with', async () => {
    await settled(typed('0x1234'), ({ identity }) => identity.typedKeyError !== undefined)
    expect(view(machines.session, 'identity').fields[0]?.error).toMatch(/^Type 0x and 96 characters/)
    await settled(typed(other), ({ identity }) => !identity.asking)
    const { problem, fields, done } = view(machines.session, 'identity')
    expect(problem).toMatchObject({ id: 'identity.engine', money: 'untouched' })
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
      key: 'given',
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
    const made = await planByHand(machines.world, session)
    const address = made.withdrawalAddress
    const { elsewhere: _, ...here } = made
    expect(made.elsewhere).toBe(true)
    expect(await session.dispatch({ step: 'sign', type: 'planned', plan: here })).toBe(false)
    expect(await session.dispatch({ step: 'sign', type: 'planned', plan: made })).toBe(true)
    plan = made
    const { commands, activeField, intro, notes, done } = view(session, 'sign')
    const { genesisValidatorsRoot } = session.setup.network
    expect(commands[0]).toContain(
      `deposit create-validator ${address} 10000000000000 -g ${genesisValidatorsRoot}`,
    )
    expect(commands[1]).toContain(
      `bearings verify --pubkey ${key.pubkey} --credentials ${credentialsOf(address)}`,
    )
    expect(commands[2]).toBe(
      `bearings sign --devnet '<descriptor>' --withdrawal ${address} --operator ${made.operator} --amount 10000 --home '${SIGN_TEXT.blanks.home}'`,
    )
    expect(intro).toContain(SIGN_TEXT.intro.elsewhere)
    expect(notes[0]).toBe(commands[0])
    expect(notes).toContain(commands[1])
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
    const stranger = `0x${'ab'.repeat(20)}` as const
    const odd: Partial<SignatureFact>[] = [
      { amountGwei: 1n },
      { rescue: true },
      { operator: stranger },
      { withdrawalCredentials: credentialsOf(stranger) },
    ]
    for (const over of odd) {
      const signature = { ...fact, ...over }
      expect(await machines.session.dispatch({ step: 'sign', type: 'signed', signature })).toBe(false)
    }
  })

  test('takes the right one after all, and every judge is asked about it', async () => {
    const text = await machines.sign(plan)
    await settled(brought(text), ({ sign }) => sign.observed.precompile.status === 'known')
    const { done, fields, problem } = view(machines.session, 'sign')
    expect({ done, fields, problem }).toEqual({ done: true, fields: [], problem: undefined })
    expect(machines.session.facts().signature?.signature).toBe(text)
    expect(machines.asked).toEqual([])
  })
})
