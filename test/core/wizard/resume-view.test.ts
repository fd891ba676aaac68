import { expect, test } from 'vitest'
import type { Setup } from '../../../src/core/chain/facts.ts'
import { BEPOLIA, LOCAL_ENDPOINTS } from '../../../src/core/chain/network/presets.ts'
import type { GuardStanding } from '../../../src/core/observe/picture.ts'
import { guardTransition } from '../../../src/core/pay/guard/guard.ts'
import { toldGuard } from '../../../src/core/pay/guard/standing.ts'
import { collectFacts } from '../../../src/core/wizard/gates.ts'
import { RESUME_TEXT } from '../../../src/core/wizard/resume-view.ts'
import { initialState, type State } from '../../../src/core/wizard/state.ts'
import { viewOf } from '../../../src/core/wizard/view-of.ts'
import { openRows as openRowsOf, openWords as openWordsOf } from '../../support/early-words.ts'
import { armed } from '../../support/guard-world.ts'
import { address, hash, INCLUDED, PUBKEY, signedPayment, stateAfter } from '../../support/payments.ts'

const setup = { network: BEPOLIA, homePath: '/home', endpoints: LOCAL_ENDPOINTS } as Setup
const header = {
  networkId: 'bepolia',
  genesisValidatorsRoot: hash(1),
  executionGenesisHash: hash(2),
  pubkey: PUBKEY,
}

const resumed = (over: Partial<State>): Parameters<typeof openWordsOf> => {
  const journal = { status: 'open', header, path: '/journal.jsonl', resumed: true } as const
  const state: State = { ...initialState, journal, ...over }
  return [state, { facts: () => collectFacts(state, setup), setup }]
}
const openWords = (over: Partial<State>) => openWordsOf(...resumed(over))

test('no top-up is proposed before the chain says that the validator is in the set', () => {
  const paid = stateAfter([INCLUDED, { type: 'ended', outcome: { is: 'paid' } }], { from: signedPayment() })
  expect(openWords({ deposit: paid })).toEqual([RESUME_TEXT.open.deposited])
  const adopted = {
    withdrawalAddress: address(1),
    withdrawalCredentials: hash(3),
    operator: address(2),
    index: 11,
  }
  expect(openWords({ identity: { ...initialState.identity, adopted } })).toEqual([
    RESUME_TEXT.open.adopted(11),
  ])
})

test('the first step says the same of the money before and after the journal of a key that paid nothing is read', () => {
  const moneyIn = (state: State) =>
    viewOf('genesis', state, { facts: () => collectFacts(state, setup), setup }).money
  const journal = { status: 'open', header, path: '/journal.jsonl', resumed: false } as const
  expect(moneyIn({ ...initialState, journal })).toEqual(moneyIn(initialState))
})

test('an armed guard is told with who holds it, and one that is over is not', () => {
  const rowsWith = (here: GuardStanding) => {
    const guard = { ...initialState.topup.guard, here }
    return openRowsOf(...resumed({ topup: { ...initialState.topup, guard } })).filter(({ id }) =>
      id.startsWith('guard'),
    )
  }
  expect(rowsWith(toldGuard(armed(), 'nobody'))).toMatchObject([{ id: 'guard', mark: 'refused' }])
  expect(rowsWith(toldGuard(armed(), { heldBy: 'Process 7.' }))).toMatchObject([
    { id: 'guard', mark: 'given' },
  ])
  const over = guardTransition(armed(), { type: 'void' }) ?? armed()
  expect(rowsWith(toldGuard(over, 'nobody'))).toEqual([])
})
