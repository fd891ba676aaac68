import { describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { besideParts, status } from '../../src/commands/status.ts'
import type { GuardStanding } from '../../src/core/observe/picture.ts'
import type { GuardEvent } from '../../src/core/pay/guard/guard.ts'
import { guardTransition } from '../../src/core/pay/guard/guard.ts'
import { toldGuard } from '../../src/core/pay/guard/standing.ts'
import { armed, handed, hashOf, provenSet, setup, terms } from '../support/guard-world.ts'
import { lookingWorld } from '../support/looking-world.ts'

const { look } = lookingWorld()

/** The command where this computer has a guard of the validator. */
const withGuard = (guard: GuardStanding) => (input: CommandInput) =>
  status({
    ...input,
    openGuards: async () => ({
      pictures: () => ({ guards: [guard], unguarded: [] }),
      looked: async () => undefined,
      close: async () => undefined,
    }),
  })

const included: GuardEvent = {
  type: 'included',
  hash: hashOf(1),
  blockNumber: 12_345n,
  blockHash: `0x${'cc'.repeat(32)}`,
  feeWei: 1n,
}
const inBlock = guardTransition(handed(1), included) ?? handed(1)

const exported = guardTransition(undefined, { type: 'exported', terms: terms() }) ?? armed()

describe('status of a validator that has a guard', () => {
  test('is a no while the guard is armed and held by nobody, in lines and in the document', async () => {
    const command = withGuard(toldGuard(armed(), 'nobody'))
    const lines = await look(command, '--validator', '0')
    expect(lines.code).toBe(1)
    expect(lines.out.trimEnd().split('\n').at(-1)).toMatch(/^NO /)
    const document = (await look(command, '--validator', '0', '--json')).json()
    expect(document.verdict).toBe('no')
    expect(document.rows.find(({ id }) => id === 'guard')).toMatchObject({ mark: 'refused' })
  })

  test('says that no amount may go out while a part of the stake waits, whoever holds it', () => {
    const guard = toldGuard(armed(), { heldBy: 'Process 7.' })
    const waits = besideParts(guard, provenSet({ partial: true }), setup)
    expect(waits).toMatchObject({
      troubles: ['cannot-send'],
      causes: { 'cannot-send': [expect.any(String)] },
    })
    expect(besideParts(guard, provenSet(), setup)).toBe(guard)
    expect(besideParts(guard, undefined, setup)).toBe(guard)
  })

  test.each<[what: string, guard: GuardStanding]>([
    ['another process holds it', toldGuard(armed(), { heldBy: 'Process 7.' })],
    ['another process has sent an amount', toldGuard(handed(1), { heldBy: 'Process 7.' })],
    ['what it sent is in a block', toldGuard(inBlock, { heldBy: 'Process 7.' })],
    ['it is exported, and waits for its signatures', toldGuard(exported, 'nobody')],
    ['it is over', { ...toldGuard(inBlock, 'nobody'), stand: 'over', end: 'paid' }],
  ])('is a yes where %s', async (_, guard) => {
    const { code, out } = await look(withGuard(guard), '--validator', '0')
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^ok /)
    expect(code).toBe(0)
  })
})
