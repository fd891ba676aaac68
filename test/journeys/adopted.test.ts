import { resolve } from 'node:path'
import { concat, getAddress, keccak256, numberToHex, pad, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { receiptOf } from '../../src/compose/receipt-file.ts'
import { summaryOf } from '../../src/compose/summary.ts'
import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { ZERO_ADDRESS } from '../../src/core/base/format/hex.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import { IDENTITY_TEXT } from '../../src/core/steps/identity/text.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import {
  askKey,
  type GivenValidator,
  proveAdopted,
  SECOND,
  sessionOfValidator,
  shown,
  topUpAdopted,
  typeAddress,
  watchUntilActive,
  withSecondEndpoint,
} from '../support/adopting.ts'
import { answering } from '../support/answering.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest } from '../support/hard.ts'
import { atLine, dieWhileRegistering } from '../support/kills.ts'
import { pattern } from '../support/pattern.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import type { LifeOptions, World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const GWEI = 10n ** 9n
const CONTRACT = '0x4242424242424242424242424242424242424242'
const openWorld = worldsOfTests()

/** A world in which the user's key was registered with another tool. */
async function registeredWorld() {
  const world = await openWorld()
  const user = await userOf(world.devnet)
  await user.firstDeposit(10_000n)
  for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
  return { world, user }
}

async function begin(world: World, given: GivenValidator, life: LifeOptions = {}) {
  const session = await sessionOfValidator(world, withSecondEndpoint(world, life), given)
  await askKey(session)
  return session
}

const row = (
  session: Awaited<ReturnType<typeof begin>>,
  step: 'genesis' | 'identity' | 'confirm' | 'status',
  id: string,
) => {
  const found = shown(session, step).facts.find((fact) => fact.id === id)
  return found && `${found.mark} ${found.value}`
}

/** Holds back what proves a record. */
const heldUntil =
  (proven: Promise<void>) =>
  (effects: Effects): Effects => {
    const request = async (asked: HttpRequest) => {
      if (asked.url.includes('/debug/')) await proven
      return effects.http.request(asked)
    }
    return { ...effects, http: { request } }
  }

/** What the journal holds behind its header. */
const decided = (world: World) =>
  world
    .journal()
    .map(({ type }) => type)
    .filter((type) => type !== 'journal')

const paidFor = (world: World, pubkey: Hex) => depositsOf(world.devnet.descriptor.urls.execution, pubkey)

describe('a validator that was registered with another tool', () => {
  test('is adopted with its public key alone by the rules of real money, topped up, with a receipt of that, and watched until it is active', async () => {
    const { world, user } = await registeredWorld()
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey: user.pubkey }, kind: 'real' })
      expect(shown(session, 'identity')).toMatchObject({ activeField: 'withdrawal', done: false })
      expect(shown(session, 'identity').problem).toBeUndefined()
      await typeAddress(session, user.address)
      expect(session.facts().validator).toMatchObject({
        origin: 'adopted',
        operator: user.address.toLowerCase(),
      })
      await proveAdopted(session)
      expect(session.facts().registration).toMatchObject({ validatorIndex: 12, anchors: 2 })
      expect(receiptOf(session, { nowMs: 0 })).toBeUndefined()
      await topUpAdopted(session)
      const { withdrawalCredentials } = user
      const receipt = receiptOf(session, { nowMs: 0 })
      expect(receipt).toMatchObject({ adopted: { withdrawalCredentials }, topUps: [{ nonce: 1 }] })
      expect(receipt).not.toHaveProperty('deposit')
      // Each address has the capitals of its checksum, so that the two can be compared.
      const terms = summaryOf(session).receipt.rows.filter(({ label }) => /withdrawal|operator/.test(label))
      expect(terms.map(({ value }) => value)).toEqual(terms.map(({ value }) => getAddress(value)))
      expect(terms).toHaveLength(2)
      await watchUntilActive(session)
      expect(row(session, 'status', 'status')).toMatch(/^proven active/)
      expect(row(session, 'status', 'power')).toMatch(/^unasked /)
    })
    expect(await paidFor(world, user.pubkey)).toEqual([10_000n * GWEI, 270_000n * GWEI])
    expect(decided(world)).toEqual([
      'identity.adopted',
      // Handed over at both endpoints.
      ...['agreed', 'prepared', 'signed', 'handed-over', 'handed-over', 'included', 'ended'].map(
        (type) => `topup.${type}`,
      ),
    ])
  })

  test('goes on as it was adopted after a restart, also from the home of its node', async () => {
    const { world, user } = await registeredWorld()
    await world.clock.flow(async () => {
      const life = world.begin()
      const first = await sessionOfValidator(world, life, { validator: { pubkey: user.pubkey } })
      await askKey(first)
      await typeAddress(first, user.address)
      await first.stop()
      const session = await world.session(world.begin())
      await askKey(session)
      expect(session.facts().validator?.origin).toBe('adopted')
      expect(shown(session, 'identity')).toMatchObject({ done: true })
      expect(shown(session, 'identity').problem).toBeUndefined()
      await proveAdopted(session)
      await topUpAdopted(session)
      await watchUntilActive(session)
    })
    expect(await paidFor(world, user.pubkey)).toEqual([10_000n * GWEI, 270_000n * GWEI])
  })

  hardTest(
    'that this journal registered itself is gone on with by its key alone: nothing is adopted',
    async () => {
      const world = await openWorld()
      await dieWhileRegistering(world, { dies: atLine('deposit.ended', 'after') })
      const { pubkey } = await userOf(world.devnet)
      await world.clock.flow(async () => {
        const session = await begin(world, { validator: { pubkey } })
        expect(shown(session, 'identity')).toMatchObject({ done: true, fields: [] })
        expect(session.facts().validator?.origin).toBe('registered-here')
        await proveAdopted(session)
        await topUpAdopted(session)
        await watchUntilActive(session)
      })
      expect(await paidFor(world, pubkey)).toEqual([10_000n * GWEI, 270_000n * GWEI])
      expect(decided(world)).not.toContain('identity.adopted')
    },
  )

  test('by its index, with a genesis file and no home: the key that the node names is proven with it', async () => {
    const { world, user } = await registeredWorld()
    const genesisPath = `${world.devnet.descriptor.home}/config/genesis.json`
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey: user.pubkey, index: 12 }, genesisPath })
      expect(row(session, 'genesis', 'file')).toMatch(/^proven same root, 12 validators/)
      expect(shown(session, 'genesis').done).toBe(true)
      expect(row(session, 'identity', 'key')).toBe(`given ${IDENTITY_TEXT.rows.givenKey(12).value}`)
      await typeAddress(session, user.address)
      await proveAdopted(session)
      expect(session.facts().registration?.validatorIndex).toBe(12)
    })
  })

  test('is not adopted with the genesis file of another network', async () => {
    const { world, user } = await registeredWorld()
    const genesisPath = resolve('test/vectors/recorded/genesis.json')
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey: user.pubkey }, genesisPath })
      expect(row(session, 'genesis', 'file')).toMatch(/^refused another root/)
      expect(shown(session, 'genesis').done).toBe(false)
    })
  })

  test('by another index than its key has: it is never proven', async () => {
    const { world, user } = await registeredWorld()
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey: user.pubkey, index: 3 } })
      await typeAddress(session, user.address)
      await session.dispatch({ step: 'session', type: 'went', to: 'confirm' })
      await world.clock.sleep(10_000)
      expect(row(session, 'confirm', 'proofs')).toMatch(/^refused .* 12, .* 3$/)
      expect(session.facts().registration).toBeUndefined()
    })
  })

  test('is not adopted with an address of another account or a mistyped one, and a first deposit is never sent for it', async () => {
    const { world, user } = await registeredWorld()
    const last = user.address.endsWith('1') ? '2' : '1'
    const wrong: [text: string, words: RegExp][] = [
      ['0x00000000219ab540356cBB839Cbe05303d7705Fa', /pays out to another address/],
      [`${user.address.slice(0, -1)}${last}`, /checksum does not fit/],
      ['0x1234', /has 40 characters/],
    ]
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey: user.pubkey } })
      for (const [text, words] of wrong) {
        await typeAddress(session, text)
        const { fields, verdict } = shown(session, 'identity')
        expect(fields[0]?.error).toMatch(words)
        expect(verdict?.mark).not.toBe('proven')
        expect(session.facts().validator).toBeUndefined()
        expect(await session.dispatch({ step: 'session', type: 'went', to: 'confirm' })).toBe(false)
      }
      expect(decided(world)).toEqual([])

      await typeAddress(session, user.address)
      const plan = {
        withdrawalAddress: user.address,
        operator: user.address,
        amountGwei: 10_000n * GWEI,
        rescue: false,
        elsewhere: true,
      } as const
      expect(await session.dispatch({ step: 'sign', type: 'planned', plan })).toBe(false)
      await session.dispatch({ step: 'session', type: 'went', to: 'deposit' })
      await world.clock.sleep(3_000)
      expect(shown(session, 'deposit')).toMatchObject({ done: true, fields: [], checks: [] })
      expect(shown(session, 'deposit').facts.map(({ id, value }) => `${id}: ${value}`)).toEqual([
        expect.stringMatching(/^setBy: .* block \d+$/),
        'deposits: 1 deposit, 10,000 BERA in all',
      ])
    })
    expect(world.wire).toEqual([])
  })
})

describe('a validator in another state', () => {
  test('of the genesis is adopted and topped up', async () => {
    const world = await openWorld()
    const { pubkey } = validatorKey('bearings', 'genesis/11')
    const address = getAddress(`0x${credentialsOf(world, pubkey).slice(-40)}`)
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey }, kind: 'real', withEngine: true })
      await typeAddress(session, address)
      await proveAdopted(session)
      await topUpAdopted(session, '10000')
      await watchUntilActive(session)
      expect(row(session, 'status', 'node')).toMatch(/^refused another key/)
    })
    expect(await paidFor(world, pubkey)).toEqual([10_000n * GWEI])
  })

  test('for which the contract names no operator: that is said, and the contract refuses the top-up', async () => {
    const world = await openWorld()
    const { pubkey } = validatorKey('bearings', 'genesis/11')
    const address = getAddress(`0x${credentialsOf(world, pubkey).slice(-40)}`)
    const life = { mutate: operatorIs(ZERO_ADDRESS) }
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey } }, life)
      expect(row(session, 'identity', 'operator')).toMatch(/^given /)
      expect(shown(session, 'identity').notes.join(' ')).toMatch(/refuses a top-up/)
      await typeAddress(session, address)
      await proveAdopted(session)
    })
  })

  test('registered a moment ago: it is waited for without a key press, then adopted', async () => {
    const world = await openWorld()
    const user = await userOf(world.devnet)
    await user.firstDeposit(10_000n)
    await world.devnet.advanceSlot()
    const life = world.begin({ mutate: notCountedFor(5_000, world) })
    await world.clock.flow(async () => {
      const session = await sessionOfValidator(world, life, { validator: { pubkey: user.pubkey } })
      const said = new Set<string>()
      session.subscribe(() => {
        const { waiting, problem } = shown(session, 'identity')
        if (waiting !== undefined) said.add(waiting.label)
        if (problem !== undefined) said.add(problem.title)
      })
      await askKey(session)
      await world.clock.sleep(6_000)
      expect([...said]).toEqual([IDENTITY_TEXT.waiting])
      expect(shown(session, 'identity').activeField).toBe('withdrawal')
      await typeAddress(session, user.address)
      await proveAdopted(session)
    })
  })

  test('whose address is typed while its record is being proven: that is said, and the address is taken after it', async () => {
    const { world, user } = await registeredWorld()
    const proof = Promise.withResolvers<void>()
    const life = world.begin({ mutate: heldUntil(proof.promise) })
    await world.clock.flow(async () => {
      const session = await sessionOfValidator(world, life, { validator: { pubkey: user.pubkey } })
      await session.start()
      await until(session, ({ genesis, journal, identity: { observed } }) => {
        return !genesis.asking && journal.status === 'open' && observed.beacon.status === 'known'
      })
      await session.dispatch({ step: 'session', type: 'went', to: 'identity' })
      await session.dispatch({ step: 'identity', type: 'addressTyped', text: user.address })
      await until(session, ({ identity }) => identity.adoptionError !== undefined)
      expect(session.getState().identity.adoptionError).toBe(IDENTITY_TEXT.errors.notCompared)
      proof.resolve()
      await typeAddress(session, user.address)
      await proveAdopted(session)
    })
  })

  test('whose first deposit was lost is not adopted, and no word of waiting stays', async () => {
    const world = await openWorld({ scenario: 'burnt-deposit' })
    const user = await userOf(world.devnet)
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey: user.pubkey } })
      await world.clock.sleep(6_000)
      const { problem, waiting, fields } = shown(session, 'identity')
      expect([problem?.id, waiting, fields]).toEqual(['identity.burnt.own', undefined, []])
    })
  })

  test('that was never registered: nothing is adopted', async () => {
    const world = await openWorld()
    const { pubkey } = await userOf(world.devnet)
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey } })
      expect(shown(session, 'identity').problem?.id).toBe('identity.unused')
      expect(await session.dispatch({ step: 'session', type: 'went', to: 'sign' })).toBe(false)
    })
  })

  test('that has left the set is refused, with what becomes of its stake', async () => {
    const world = await openWorld({ scenario: 'exited-key' })
    const user = await userOf(world.devnet)
    await world.clock.flow(async () => {
      const session = await begin(world, { validator: { pubkey: user.pubkey } })
      const { problem, fields } = shown(session, 'identity')
      expect(problem?.id).toBe('identity.left')
      expect(problem?.values.map(({ value }) => value)).toContain(getAddress(user.address))
      expect(fields).toEqual([])
      await session.dispatch({ step: 'identity', type: 'addressTyped', text: user.address })
      expect(session.facts().validator).toBeUndefined()
    })
  })
})

describe('the operator of a registered validator', () => {
  const OTHER = '0x00000000219ab540356cbb839cbe05303d7705fa'

  test('is not known where the second endpoint does not answer or names another one: nothing is adopted', async () => {
    const { world, user } = await registeredWorld()
    const given = { validator: { pubkey: user.pubkey }, kind: 'real' } as const
    await world.clock.flow(async () => {
      const first = await begin(world, given, { mutate: nobodyAt(SECOND) })
      expect(row(first, 'identity', 'secondOperator')).toMatch(/^unknown/)
      expect(shown(first, 'identity').fields).toEqual([])
      await first.stop()

      const session = await begin(world, given, { mutate: operatorIs(OTHER, SECOND) })
      const { problem, fields } = shown(session, 'identity')
      expect(problem?.id).toBe('identity.endpoints-differ')
      expect(fields).toEqual([])
      expect(row(session, 'identity', 'operator')).toMatch(/^unknown/)
      await session.dispatch({ step: 'identity', type: 'addressTyped', text: user.address })
      expect(session.facts().validator).toBeUndefined()
    })
    expect(decided(world)).toEqual([])
  })

  test.each([
    ['does not tell it', operatorIs(undefined, SECOND)],
    ['names another one', operatorIs(OTHER, SECOND)],
  ])('is signed where the second endpoint %s: it is left out by name, and adopted', async (_, mutate) => {
    const { world, user } = await registeredWorld()
    const given = { validator: { pubkey: user.pubkey }, kind: 'real', withEngine: true } as const
    await world.clock.flow(async () => {
      const session = await begin(world, given, { mutate })
      expect(row(session, 'identity', 'operator')).toMatch(/^given /)
      expect(row(session, 'identity', 'secondOperator')).toMatch(
        pattern`^given .*${SECOND.slice('http://'.length)}`,
      )
      await typeAddress(session, user.address)
      expect(session.facts().validator).toMatchObject({ operator: user.address.toLowerCase() })
    })
  })

  test('is signed: one that the first endpoint makes up is not adopted', async () => {
    const { world, user } = await registeredWorld()
    const given = { validator: { pubkey: user.pubkey }, kind: 'real', withEngine: true } as const
    await world.clock.flow(async () => {
      const session = await begin(world, given, { mutate: operatorIs(OTHER) })
      await typeAddress(session, user.address)
      expect(session.facts().validator).toMatchObject({ operator: user.address.toLowerCase() })
    })
  })

  test('was changed since the adoption: the top-up stops, and the validator is adopted as it is now', async () => {
    const { world, user } = await registeredWorld()
    await world.clock.flow(async () => {
      const first = await begin(world, { validator: { pubkey: user.pubkey } })
      await typeAddress(first, user.address)
      await first.stop()
      await changeOperator(world, user.pubkey, OTHER)
      const session = await begin(world, { validator: { pubkey: user.pubkey } })
      expect(row(session, 'identity', 'operator')).toMatch(/^given /)
      await proveAdopted(session)
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await world.clock.sleep(8_000)
      const key = shown(session, 'topup').checks.find(({ id }) => id === 'key')
      expect(`${key?.mark} ${key?.value}`).toBe(`refused ${GATE_TEXT.agreed.otherOperator(OTHER)}`)
      await session.dispatch({ step: 'session', type: 'went', to: 'identity' })
      await world.clock.sleep(5_000)
      await typeAddress(session, user.address)
      expect(session.facts().validator?.operator).toBe(OTHER)
      await topUpAdopted(session)
    })
    expect(await paidFor(world, user.pubkey)).toHaveLength(2)
    expect(decided(world).filter((type) => type === 'identity.adopted')).toHaveLength(2)
  })

  hardTest(
    'of a validator that this journal registered was changed: it is adopted as it is now, and topped up',
    async () => {
      const world = await openWorld()
      await dieWhileRegistering(world, { dies: atLine('deposit.ended', 'after') })
      const { pubkey, address } = await userOf(world.devnet)
      await changeOperator(world, pubkey, OTHER)
      await world.clock.flow(async () => {
        const session = await world.session(world.begin())
        await askKey(session)
        const { problem, actions } = shown(session, 'identity')
        expect(problem?.id).toBe('identity.registered')
        expect(actions.map(({ label }) => label)).toContain('adopt it')
        await typeAddress(session, address)
        expect(session.facts().validator).toMatchObject({ origin: 'adopted', operator: OTHER })
        await proveAdopted(session)
        await topUpAdopted(session)
      })
      expect(await paidFor(world, pubkey)).toEqual([10_000n * GWEI, 270_000n * GWEI])
    },
  )
})

function credentialsOf(world: World, pubkey: Hex): Hex {
  const record = world.devnet.state().validators.find((each) => each.pubkey === pubkey)
  if (record === undefined) throw new Error('the chain does not know the key')
  return record.withdrawalCredentials
}

const GET_OPERATOR = toFunctionSelector('getOperator(bytes)')

/** The execution endpoints, or those at an address that begins so, name this operator for every key, or do not tell it. */
function operatorIs(operator: Hex | undefined, host = ''): NonNullable<LifeOptions['mutate']> {
  return (effects) =>
    answering(
      effects,
      ({ method, params: [call] }) => {
        if (method !== 'eth_call' || !JSON.stringify(call).includes(GET_OPERATOR)) return undefined
        if (operator !== undefined) return Promise.resolve(pad(operator))
        return Promise.reject(httpError('http.unreachable', host, 'ECONNREFUSED'))
      },
      host,
    )
}

/** The operator as an accepted change leaves it: the rehearsal's contract has no call for that. */
async function changeOperator({ devnet }: World, pubkey: Hex, operator: Hex): Promise<void> {
  const slot = keccak256(concat([pubkey, numberToHex(2, { size: 32 })]))
  await devnet.execution.rpc('hardhat_setStorageAt', [CONTRACT, slot, pad(operator)])
}

/** An endpoint at which nobody answers. */
function nobodyAt(host: string): NonNullable<LifeOptions['mutate']> {
  return (effects) => ({
    ...effects,
    http: {
      async request(asked) {
        if (asked.url.startsWith(host)) throw httpError('http.unreachable', host, 'ECONNREFUSED')
        return effects.http.request(asked)
      },
    },
  })
}

/** For so long the state that the node shows does not hold what its blocks do. */
function notCountedFor(forMs: number, { clock }: World): NonNullable<LifeOptions['mutate']> {
  const untilMs = clock.nowMs() + forMs
  return (effects) => ({
    ...effects,
    http: {
      async request(asked) {
        const reply = await effects.http.request(asked)
        if (!asked.url.includes('/validators?id=') || clock.nowMs() > untilMs) return reply
        const body = { ...(JSON.parse(new TextDecoder().decode(reply.body)) as object), data: [] }
        return { ...reply, body: new TextEncoder().encode(JSON.stringify(body)) }
      },
    },
  })
}
