import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { numberToHex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { nextDecision } from '../../src/compose/drive-rehearsal.ts'
import type { Signer } from '../../src/core/base/effects/effects.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import type { FactRow } from '../../src/core/view/view.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { standingAccount } from '../support/contract-account.ts'
import { hardTest } from '../support/hard.ts'
import { expectOnePaymentEach } from '../support/kills.ts'
import { register } from '../support/register.ts'
import { standOf } from '../support/stand-of.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const OTHER = privateKeyToAddress(`0x${'88'.repeat(32)}`)
const RICH_WEI = 10n ** 24n

const openWorld = worldsOfTests()

type Opened = { world: World; session: Session; asked: string[] }

/**
 * A session as on a network with a typed password: the setup names no descriptor, and a person who is asked for the
 * password knows it. `asked` holds each time that it was typed.
 */
async function withTypedPassword(keystore: 'names its account' | 'names none'): Promise<Opened> {
  const world = await openWorld({ freshSigner: true })
  const { path } = world.devnet.descriptor.keystore
  if (keystore === 'names none') {
    const { address: _, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as { address: string }
    writeFileSync(path, JSON.stringify(rest))
  }
  const passwordDescriptor = join(world.directory, 'descriptor.json')
  const asked: string[] = []
  const typing = (signer: Signer): Signer => ({
    ...signer,
    signTransaction: (request) => {
      asked.push(request.prompt.network)
      return signer.signTransaction({ ...request, passwordDescriptor })
    },
  })
  const life = world.begin({ mutate: (effects) => ({ ...effects, signer: typing(effects.signer) }) })
  const { setup } = await world.clock.flow(() => world.session(life))
  const { passwordDescriptor: _, ...typed } = setup
  return { world, session: createSession(life.effects, typed, openAlarms), asked }
}

const viewIn = (session: Session): AnyView => viewOf('deposit', session.getState(), session)
const row = (view: AnyView, id: string): FactRow | undefined => view.checks.find((check) => check.id === id)

/** Waits until the deposit step shows what is looked for. */
function shows({ world, session }: Opened, holds: (view: AnyView) => boolean): Promise<void> {
  return world.clock.flow(() => until(session, ({ step }) => step === 'deposit' && holds(viewIn(session))))
}

describe('the account that pays is known without a password', () => {
  test('where the keystore file names it; the password is typed once for each payment', async () => {
    const { world, session, asked } = await withTypedPassword('names its account')
    const askedBefore: number[] = []
    session.subscribe(({ deposit }) => {
      if (standOf(deposit) === 'open') askedBefore.push(asked.length)
    })
    expect(await register(world, session)).toEqual({ end: 'active' })
    expect(Math.max(...askedBefore)).toBe(0)
    expect(asked).toEqual(['Rehearsal', 'Rehearsal'])
    await expectOnePaymentEach(world)
  })

  hardTest(
    'where it does not, once it is typed; a wrong one is refused before anything is signed',
    async () => {
      const opened = await withTypedPassword('names none')
      const { world, session, asked } = opened
      const { address } = await userOf(world.devnet)
      await world.devnet.execution.rpc('hardhat_setBalance', [OTHER, numberToHex(RICH_WEI)])
      const safe = await standingAccount(world)
      const type = (text: string) => session.dispatch({ step: 'deposit', type: 'senderTyped', text })
      void register(world, session)

      await shows(opened, ({ activeField }) => activeField === 'sender')
      expect(row(viewIn(session), 'sender')?.value).toBe(GATE_TEXT.noAccount.unnamed)
      await type(address.toLowerCase())
      expect(viewIn(session).fields[0]?.error).toContain(address)
      await type(safe.address)
      await shows(opened, (view) => row(view, 'sender')?.value === GATE_TEXT.noAccount.contract)

      await type(OTHER)
      await shows(opened, ({ problem }) => problem !== undefined)
      const { problem, actions } = viewIn(session)
      expect(problem).toMatchObject({
        id: 'keystore.other-account',
        money: 'untouched',
      })
      expect(problem?.lines).toEqual([`found: ${address}`, `expected: ${OTHER}`])
      expect(actions).toContainEqual({ key: 'u', label: 'account', does: { edit: 'sender' } })
      expect(world.journal().some(({ type: kind }) => kind === 'deposit.signed')).toBe(false)
      expect(world.wire).toEqual([])

      await type(address)
      await shows(opened, (view) =>
        view.actions.some(({ key, typed }) => key === 'return' && typed !== undefined),
      )
      const agreed = nextDecision(session)
      if (agreed !== undefined) await session.dispatch(agreed)
      await world.clock.flow(() => until(session, ({ deposit }) => standOf(deposit) === 'paid'))
      expect(session.facts().deposit?.from).toBe(address)
      expect(asked).toHaveLength(2)
    },
  )
})
