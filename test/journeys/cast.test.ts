import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keys } from '../../src/commands/keys.ts'
import { sign } from '../../src/commands/sign.ts'
import { status } from '../../src/commands/status.ts'
import { nextDecision } from '../../src/compose/drive-rehearsal.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { parseDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import {
  askKey,
  proveAdopted,
  sessionOfValidator,
  shown,
  typeAddress,
  withSecondEndpoint,
} from '../support/adopting.ts'
import { CAST_IS_PACKAGED, type Cast, type CastDeposit, castOf } from '../support/cast.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { expectOnePaymentEach } from '../support/kills.ts'
import { anyNumbers } from '../support/pattern.ts'
import { decided } from '../support/real-money.ts'
import { register } from '../support/register.ts'
import { type Ended, runCommandWith } from '../support/run-command.ts'
import { until } from '../support/two-machines.ts'
import { carryCommands, sessionWithoutKeystore } from '../support/wallet-machine.ts'
import { startWorld, type World } from '../support/world.ts'

describe.runIf(CAST_IS_PACKAGED)('with the real cast, which npm ci brings on Linux x64,', () => {
  let world: World
  let cast: Cast

  beforeEach(async () => {
    world = await startWorld()
    cast = castOf(world.devnet, world.directory)
  })
  afterEach(() => world.end())

  const slots = (count: number) => world.clock.flow(() => world.clock.sleep(count * 1000))
  type StatusLook = Parameters<typeof runCommandWith>[0]
  const bearings = (command: StatusLook, ...argv: string[]): Promise<Ended> => {
    const network = ['--devnet', JSON.stringify(world.devnet.descriptor)]
    return world.clock.flow(() => runCommandWith(command, [...network, ...argv], world.begin().effects))
  }

  /** The deposit file that `bearings sign` makes where the key is. */
  async function signed(): Promise<CastDeposit> {
    const { withdrawalAddress, operator } = world.devnet.descriptor
    const out = join(world.directory, 'deposit.json')
    const addresses = ['--withdrawal', getAddress(withdrawalAddress), '--operator', getAddress(operator)]
    const { code, err } = await bearings(sign, ...addresses, '--amount', '10000', '--out', out)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return parseDepositFile(readFileSync(out, 'utf8'))
  }

  /** What the chain knows of the key, as the program says it. */
  async function known(pubkey: string): Promise<{ onChain: unknown; row: (id: string) => unknown }> {
    const { json } = await bearings(keys, '--validator', pubkey, '--json')
    return { onChain: json().onChain, row: (id) => json().rows.find((each) => each.id === id)?.value }
  }

  test('a key is registered and topped up by it alone, and shown as what it is all along', async () => {
    const deposit = await signed()
    const { pubkey } = deposit
    expect((await known(pubkey)).onChain).toBe('unused')
    await world.clock.during(() => cast.firstDeposit(deposit))
    await slots(1)
    expect((await known(pubkey)).onChain).toBe('waiting')
    await slots(4)
    const { onChain, row } = await known(pubkey)
    expect(onChain).toBe('registered')
    expect(row('record')).toMatch(/^validator \d+, pending_initialized, 10,000 BERA, effective 10,000/)
    await world.clock.during(() => cast.topUp(pubkey, tokens(270_000n)))
    await slots(1)
    expect((await known(pubkey)).row('uncounted')).toMatch(/^270,000 BERA, block \d+, deposit \d+$/)
    await slots(4)
    const { json } = await bearings(status, '--validator', pubkey, '--json')
    expect(json()).toMatchObject({ balanceGwei: '280000000000000', outlook: { isActive: false } })
    expect(json().rows.find(({ id }) => id === 'outlook')?.value).toMatch(
      /^active from epoch \d+ on, and keeps/,
    )
    const { execution } = world.devnet.descriptor.urls
    expect(await depositsOf(execution, pubkey)).toEqual([tokens(10_000n), tokens(270_000n)])
  })

  test('a registration is paid by what it signs from the shown commands: those bytes and no others', async () => {
    const ending = await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, world.begin())
      await carryCommands(world, session, async ({ command, sign }) => {
        const raw = await cast.sign(command)
        expect(raw).toBe(await sign({}))
        return raw
      })
      return register(world, session)
    })
    expect(ending).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })

  /** A validator that it registered alone, adopted with its public key by the rules of real money. */
  async function adopted(): Promise<{ session: Session; pubkey: Hex }> {
    const deposit = await signed()
    const { pubkey } = deposit
    await world.clock.during(() => cast.firstDeposit(deposit))
    await slots(5)
    const life = withSecondEndpoint(world, {})
    const session = await sessionOfValidator(world, life, { validator: { pubkey }, kind: 'real' })
    await world.clock.flow(async () => {
      await askKey(session)
      await typeAddress(session, getAddress(world.devnet.descriptor.withdrawalAddress))
      await proveAdopted(session)
    })
    expect(session.facts()).toMatchObject({
      validator: { origin: 'adopted', operator: deposit.operator.toLowerCase() },
      registration: { validatorIndex: 12, anchors: 2 },
    })
    return { session, pubkey }
  }

  test('a key that it registered is adopted: the command on the screen, signed and sent by it before the word is typed, is the only top-up', async () => {
    const { session, pubkey } = await adopted()
    await world.clock.flow(async () => {
      await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
      await until(session, () =>
        shown(session, 'topup').actions.some(({ key, typed }) => key === 'return' && typed !== undefined),
      )
      const [printed = ''] = shown(session, 'topup').commands
      const word = nextDecision(decided(session))
      if (word === undefined) throw new Error('nothing can be agreed to')
      await world.clock.during(async () => cast.publish(await cast.sign(printed)))
      await session.clock.sleep(3000)
      await session.dispatch(word)
      await session.clock.sleep(10_000)
      expect(shown(session, 'topup').problem?.lines[0]).toMatch(
        anyNumbers(GATE_TEXT.agreed.arrived('270,000 BERA', 1n)),
      )
      expect(shown(session, 'topup').done).toBe(true)
    })
    expect(world.wire).toEqual([])
    const { execution } = world.devnet.descriptor.urls
    expect(await depositsOf(execution, pubkey)).toEqual([tokens(10_000n), tokens(270_000n)])
  })
})
