import { readFileSync, rmSync } from 'node:fs'
import { describe, expect } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { gateIsOpen } from '../../src/core/pay/gate/facts.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import {
  guardOf,
  over,
  ownLines,
  ownRecord,
  pageOf,
  sentByGuard,
  TOKENS,
  topUpOf,
  typeTerms,
} from '../support/guarded.ts'
import { hardTest } from '../support/hard.ts'
import { press } from '../support/press.ts'
import { journey } from '../support/register.ts'
import { until } from '../support/two-machines.ts'
import { type Commanded, signShown } from '../support/wallet-machine.ts'
import type { World } from '../support/world.ts'

type Exported = { from: Hex; members: { kind: string; nonce: string; valueWei: string; command: string }[] }

const exportedIn = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Exported

const idle = ({ topup }: ReturnType<Session['getState']>) => topup.guard.work === undefined

/** Exports a guard from the status screen, by its keys; resolves to the file. */
async function exported(session: Session): Promise<string> {
  await typeTerms(session, '50000')
  await session.dispatch({ step: 'topup', type: 'signerChosen', external: true })
  await until(session, ({ topup }) => gateIsOpen(topup.send.observed, session.setup))
  expect(topUpOf(session).actions[0]).toMatchObject({ key: 'return', typed: 'guard 50000' })
  await press(session, 'topup', 'return')
  await until(session, idle)
  expect(pageOf(session)).toMatchObject({ failure: undefined, here: { stand: 'exported' } })
  return pageOf(session).path ?? ''
}

/** What the wallet’s machine gives back for each command. */
const signAll = (world: World, { members }: Exported, over: Partial<Commanded> = {}) =>
  Promise.all(members.map(({ command }) => signShown(world, command, over)))

async function imports(session: Session, text: string): Promise<void> {
  await session.dispatch({ step: 'topup', type: 'guardImported', text })
  await until(session, idle)
}

describe('a guard that an external signer signs', () => {
  hardTest('is exported, imported whole or not at all, and keeps the place as any other', () =>
    journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
      const before = (await ownRecord(world)).balanceGwei
      const path = await world.clock.flow(() => exported(session))
      const file = exportedIn(path)
      expect(file.members.map(({ kind }) => kind)).toEqual(['rung', 'rung', 'rung', 'cancellation'])
      expect(new Set(file.members.map(({ nonce }) => nonce)).size).toBe(1)
      // The same file again, for whoever has lost it.
      rmSync(path)
      await world.clock.flow(async () => {
        await press(session, 'topup', 's')
        await until(session, idle)
      })
      expect(exportedIn(path)).toEqual(file)
      const signed = await signAll(world, file)
      const refused: readonly (readonly string[])[] = [
        signed.slice(0, 3),
        await signAll(world, file, { nonce: Number(file.members[0]?.nonce) + 1 }),
        await signAll(world, file, { maxFeePerGas: 10n ** 12n }),
      ]
      for (const text of refused) {
        await world.clock.flow(() => imports(session, text.join('\n')))
        expect(pageOf(session)).toMatchObject({
          failure: { code: 'guard.refused' },
          here: { stand: 'exported' },
        })
      }
      await world.clock.flow(() => imports(session, signed.toReversed().join('\n')))
      expect(pageOf(session)).toMatchObject({ failure: undefined, here: { stand: 'armed' } })
      expect(ownLines(world)).toEqual(['guard.exported', 'guard.armed'])
      await press(session, 'topup', 'return')
      await world.clock.flow(() => over(session))
      await world.clock.flow(() => session.clock.sleep(40_000))
      const { validator, balanceGwei } = await ownRecord(world)
      expect(validator?.exitEpoch).toBe(FAR_FUTURE_EPOCH)
      expect(balanceGwei - before).toBe(20_000n * TOKENS)
      expect(guardOf(session)).toMatchObject({ end: 'paid', amountGwei: 20_000n * TOKENS })
      expect(sentByGuard(world)).toEqual([signed[0]])
    }),
  )

  hardTest(
    'holds its nonce from the export on: a payment by hand takes it, and makes room for another guard',
    () =>
      journey({ scenario: 'outbid-while-active' }, async ({ world, session }) => {
        const { members } = exportedIn(await world.clock.flow(() => exported(session)))
        await session.dispatch({ step: 'topup', type: 'guardTurned', open: false })
        await session.dispatch({ step: 'topup', type: 'signerChosen', external: false })
        await session.dispatch({ step: 'topup', type: 'chosen', text: '10000' })
        await world.clock.flow(() =>
          until(session, ({ topup }) => gateIsOpen(topup.send.observed, session.setup)),
        )
        await press(session, 'topup', 'return')
        await world.clock.flow(() => until(session, ({ topup }) => topup.finished.length === 2))
        expect(String(session.getState().topup.finished.at(-1)?.nonce)).toBe(members[0]?.nonce)
        await session.dispatch({ step: 'session', type: 'went', to: 'status' })
        await world.clock.flow(() => over(session))
        expect(guardOf(session)).toMatchObject({ end: 'void' })
        expect(ownLines(world)).toEqual(['guard.exported', 'guard.void'])
        await world.clock.flow(() => typeTerms(session, '30000'))
        expect(topUpOf(session).actions[0]).toMatchObject({ key: 'return', typed: 'guard 30000' })
      }),
  )
})
