import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { GUARD_SENT_TEXT } from '../../src/core/observe/guard-text.ts'
import { emptyMemory } from '../../src/core/observe/memory.ts'
import {
  type AheadPicture,
  besideGuard,
  type GuardStanding,
  LIMITS,
  type ValidatorPicture,
} from '../../src/core/observe/picture.ts'
import { toldGuard } from '../../src/core/pay/guard/standing.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { guardAfter, handed, hashOf, includedIn } from '../support/guard-world.ts'
import { look, START_MS, seenValidator } from '../support/pictures.ts'

const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }
const seven = seenValidator()
const { ahead } = seven
if (ahead?.rescue === undefined) throw new Error('no danger')
const LAST = ahead.rescue.lastGoodBlock
const rung = (member: number): GuardStanding => ({
  ...toldGuard(handed(member), 'here'),
  pubkey: seven.pubkey,
})
const needing = (amount: bigint): ValidatorPicture => {
  const rescue = {
    leastTopUpGwei: tokens(amount),
    lessGwei: undefined,
    lastGoodBlock: LAST,
    sendByBlock: LAST - 6n,
  }
  return { ...seven, ahead: { ...ahead, rescue } satisfies AheadPicture }
}

/** What is told of the place in looks a slot apart. */
function told(...looks: readonly { needs: bigint; guard?: GuardStanding; slot?: bigint }[]) {
  let memory = emptyMemory(MAINNET)
  return looks.map(({ needs: amount, guard, slot = 1000n }, at) => {
    const heads = [{ role: 'node', place: 0, name: 'own', slot } as const]
    const guards = guard === undefined ? {} : { guards: [guard] }
    const picture = look({ atMs: START_MS + at * 2000, heads, validators: [needing(amount)], ...guards })
    const next = watchTransition(memory, picture, context)
    memory = next.memory
    const stands = memory.alarms.find(({ alarm }) => alarm === 'drops-out')
    return { events: next.events.filter(({ alarm }) => alarm === 'drops-out'), stands }
  })
}

describe('a place in danger whose guard has sent an amount', () => {
  test('asks for nothing while that is enough and in time, and names the block that it waits for', () => {
    const [first] = told({ needs: 20_000n, guard: rung(1) })
    expect(first?.events).toMatchObject([{ change: 'fired', next: GUARD_SENT_TEXT.next }])
    expect(first?.events[0]?.what).toContain('20,000 BERA')
    expect(first?.events[0]?.what).toContain(LAST.toLocaleString('en-US'))
    expect(`${first?.events[0]?.next}`).not.toContain('--topup')
    const [fired, sent] = told({ needs: 20_000n }, { needs: 20_000n, guard: rung(1) })
    expect(fired?.events[0]?.next).toContain('--topup 20000')
    expect(sent?.stands?.next).toBe(GUARD_SENT_TEXT.next)
  })

  test('asks for the difference once more is needed, and says that both may count', () => {
    const [, more] = told({ needs: 20_000n, guard: rung(1) }, { needs: 50_000n, guard: rung(1) })
    expect(more?.events).toMatchObject([{ change: 'worse' }])
    expect(more?.events[0]?.next).toContain('--topup 30000')
    expect(more?.events[0]?.what).toContain(GUARD_SENT_TEXT.isTooLittle('20,000 BERA'))
  })

  test('asks for the whole again, at once, when the guard takes its amount back', () => {
    const cancelling = { ...rung(1), stand: 'cancelling' } as const
    const [, back] = told({ needs: 20_000n, guard: rung(1) }, { needs: 20_000n, guard: cancelling })
    expect(back?.events).toMatchObject([{ change: 'worse' }])
    expect(back?.events[0]?.next).toContain('--topup 20000')
  })

  test('says that it is too late once the last block is past', () => {
    const [, late] = told({ needs: 20_000n, guard: rung(1) }, { needs: 20_000n, guard: rung(1), slot: LAST })
    expect(late?.events).toMatchObject([{ change: 'worse' }])
    expect(`${late?.events[0]?.what}`).not.toContain(GUARD_SENT_TEXT.isEnough('20,000 BERA', ''))
  })

  test('counts an amount in a block until the forecast does, and asks for no less than a deposit may be', () => {
    const { dropsOutAtEpoch: outAtEpoch = 0n, rescue } = ahead
    const danger = { outAtEpoch, rescue: rescue && { ...rescue, leastTopUpGwei: tokens(41_000n) } }
    const guard = toldGuard(guardAfter(handed(3), includedIn(hashOf(3))), 'here')
    const { block = 0n } = guard
    const at = (slot: bigint) => besideGuard(danger, guard, { slot, network: MAINNET })
    expect(at(block - 1n)).toMatchObject({
      sentGwei: tokens(40_000n),
      isEnough: false,
      danger: { rescue: { leastTopUpGwei: MAINNET.minimumDepositGwei } },
    })
    expect(at(block)).toEqual({ danger, sentGwei: 0n, isEnough: false })
  })
})
