import { describe, expect, test } from 'vitest'
import { nextDecision } from '../../src/compose/drive-rehearsal.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { SignPlan } from '../../src/core/steps/sign/machine.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const openWorld = worldsOfTests()

/** Goes on as the autopilot would, up to the message that is to be signed. */
function untilPlanned(session: Session): Promise<SignPlan> {
  return new Promise((resolve, reject) => {
    let over = false
    const next = async () => {
      const decision = over ? undefined : nextDecision(session)
      if (decision?.step !== 'sign' || decision.type !== 'planned') {
        if (decision !== undefined) await session.dispatch(decision)
        return
      }
      over = true
      resolve(decision.plan)
    }
    let queue = Promise.resolve()
    session.subscribe(() => {
      queue = queue.then(next)
      queue.catch(reject)
    })
    session.start().catch(reject)
  })
}

const LATE_SIGNATURE: Hex = `0x${'a1'.repeat(96)}`

const gate = () => Promise.withResolvers<void>()
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Holds the first signature back, and the line that says it was dropped. */
function holding(effects: Effects, held: { signature: Promise<void>; line: Promise<void> }): Effects {
  let signatures = 0
  return {
    ...effects,
    signer: {
      ...effects.signer,
      async signDeposit(request) {
        signatures += 1
        if (signatures > 1) return effects.signer.signDeposit(request)
        await held.signature
        return { signature: LATE_SIGNATURE }
      },
    },
    store: {
      ...effects.store,
      async openAppend(path, options) {
        const file = await effects.store.openAppend(path, options)
        return {
          ...file,
          async append(line) {
            if (line.includes('"type":"sign.dropped"')) await held.line
            return file.append(line)
          },
        }
      },
    },
  }
}

describe('a question that was given up', () => {
  test('cannot put its signature under the plan that came after it', async () => {
    const world = await openWorld()
    const signature = gate()
    const line = gate()
    const life = world.begin({
      mutate: (effects) => holding(effects, { signature: signature.promise, line: line.promise }),
    })
    const session = await world.clock.flow(() => world.session(life))
    const first = await world.clock.flow(() => untilPlanned(session))
    const second = { ...first, amountGwei: first.amountGwei + 10_000_000_000_000n }
    await world.clock.flow(async () => {
      await session.dispatch({ step: 'sign', type: 'planned', plan: first })
      const dropped = session.dispatch({ step: 'sign', type: 'dropped' })
      const planned = session.dispatch({ step: 'sign', type: 'planned', plan: second })
      signature.resolve()
      await turns(200)
      line.resolve()
      await Promise.all([dropped, planned])
      await turns(200)
      await session.clock.sleep(5000)
    })
    const signed = world.journal().filter(({ type }) => type === 'sign.signed')
    expect(signed).toHaveLength(1)
    expect(session.getState().sign.signature?.amountGwei).toBe(second.amountGwei)
  })
})

test('an endpoint that is away for a moment does not close a journal that is open', async () => {
  const world = await openWorld()
  let away = false
  const life = world.begin({
    request({ body = '', url }) {
      if (away && body.includes('"eth_getBlockByNumber","params":["0x0"'))
        throw httpError('http.unreachable', url, 'away')
    },
  })
  const session = await world.clock.flow(async () => {
    const { setup } = await world.session(life)
    const { executionGenesisHash: _, ...unknown } = setup
    return createSession(life.effects, unknown, openAlarms)
  })
  await world.clock.flow(async () => {
    await untilPlanned(session)
    away = true
    await session.dispatch({ step: 'identity', type: 'retried' })
    await session.clock.sleep(20_000)
  })
  expect(session.getState().journal.status).toBe('open')
})
