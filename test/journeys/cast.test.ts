import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keys } from '../../src/commands/keys.ts'
import { sign } from '../../src/commands/sign.ts'
import { status } from '../../src/commands/status.ts'
import { parseDepositFile } from '../../src/core/deposit/deposit-file.ts'
import { tokens } from '../../src/core/format/amount.ts'
import { CAST_IS_PACKAGED, type Cast, type CastDeposit, castOf } from '../support/cast.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { expectOnePaymentEach } from '../support/kills.ts'
import { register } from '../support/register.ts'
import { type Ended, runCommandWith } from '../support/run-command.ts'
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
  type Looking = Parameters<typeof runCommandWith>[0]
  const bearings = (command: Looking, ...argv: string[]): Promise<Ended> => {
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

  test('a registration is paid by what it signs from the shown commands', async () => {
    const ending = await world.clock.flow(async () => {
      const session = await sessionWithoutKeystore(world, world.begin())
      await carryCommands(world, session, ({ command }) => cast.sign(command))
      return register(world, session)
    })
    expect(ending).toEqual({ end: 'active' })
    await expectOnePaymentEach(world)
  })
})
