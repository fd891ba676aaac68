import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { credentialsOf } from '../../src/core/chain/deposit/credentials.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import { IDENTITY_TEXT } from '../../src/core/steps/identity/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { hardTest } from '../support/hard.ts'
import { register } from '../support/register.ts'
import {
  brought,
  carry,
  key,
  planByHand,
  SEED,
  twoMachines,
  typed,
  until,
  view,
} from '../support/two-machines.ts'
import { startWorld } from '../support/world.ts'

describe('a node whose key is with a remote signer is registered from another machine', () => {
  test('with the path of a deposit file', async () => {
    const { world, session, asked, sign, fileOf } = await twoMachines()
    try {
      carry(session, async (plan) => {
        const path = join(world.directory, 'carried.json')
        writeFileSync(path, fileOf(plan, await sign(plan)))
        return path
      })
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

describe('what was begun elsewhere goes on after a restart', () => {
  hardTest(
    'with the key typed again, the plan is still there and waits for its signature: the text of a deposit file',
    async () => {
      const { world, session, sign, fileOf } = await twoMachines()
      const planned = (one: Session) => until(one, ({ sign: { plan } }) => plan !== undefined)
      const typeKey = (one: Session) =>
        one.subscribe(({ identity }) => {
          if (view(one, 'identity').activeField === 'pubkey' && identity.typedKey === undefined)
            void one.dispatch(typed(key.pubkey))
        })
      try {
        typeKey(session)
        void register(world, session)
        await world.clock.flow(() => planned(session))
        const { plan } = session.getState().sign
        if (plan === undefined) throw new Error('nothing was planned')
        await world.clock.flow(() => session.stop())
        const next = await world.clock.flow(() => world.session(world.begin()))
        typeKey(next)
        const ending = register(world, next)
        await world.clock.flow(() =>
          until(next, ({ step, sign }) => step === 'sign' && sign.plan !== undefined),
        )
        expect(next.getState().sign).toMatchObject({ plan, signature: undefined, signing: false })
        expect(view(next, 'sign').activeField).toBe('signature')
        await next.dispatch(brought(fileOf(plan, await sign(plan))))
        expect(await ending).toEqual({ end: 'active' })
      } finally {
        await world.end()
      }
    },
  )
})

describe('a home without a key file', () => {
  test('is taken for one whose key is elsewhere, with words that also say how to mend it', async () => {
    const world = await startWorld({ seed: SEED })
    try {
      rmSync(join(world.devnet.descriptor.home, 'config/priv_validator_key.json'))
      const session = await world.clock.flow(() => world.session(world.begin()))
      await world.clock.flow(async () => {
        await session.start()
        await until(session, ({ identity }) => !identity.asking)
      })
      const { intro, notes, activeField, problem } = view(session, 'identity')
      expect({ activeField, problem }).toEqual({ activeField: 'pubkey', problem: undefined })
      expect(intro).toBe(IDENTITY_TEXT.intro.keyAway(false))
      expect(notes.join(' ')).toContain('priv_validator_key_file')
    } finally {
      await world.end()
    }
  })
})

describe('a home that has its key', () => {
  test('is not asked for it, but the 96 bytes of a signature may be brought from elsewhere by choice', async () => {
    const world = await startWorld({ seed: SEED })
    try {
      const session = await world.clock.flow(() => world.session(world.begin()))
      await world.clock.flow(async () => {
        await session.start()
        await until(session, ({ genesis, identity }) => !genesis.asking && !identity.asking)
      })
      expect(view(session, 'identity').fields).toEqual([])
      const plan = { ...(await planByHand(world, session)), elsewhere: true } as const
      await session.dispatch({ step: 'sign', type: 'planned', plan })
      expect(session.getState().sign.signing).toBe(false)
      const { genesisValidatorsRoot, genesisForkVersion } = session.setup.network
      const { withdrawalAddress, amountGwei } = plan
      const message = {
        pubkey: key.pubkey,
        withdrawalCredentials: credentialsOf(withdrawalAddress),
        amountGwei,
      }
      const secret = Buffer.from(key.secretBase64, 'base64')
      const signature = signDepositMessage(secret, message, { genesisValidatorsRoot, genesisForkVersion })
      await session.dispatch(brought(signature))
      expect(await register(world, session)).toEqual({ end: 'active' })
      expect(session.getState().sign).toMatchObject({ plan, signature: { signature } })
      expect(session.facts().identity?.key.kind).toBe('file')
    } finally {
      await world.end()
    }
  })
})
