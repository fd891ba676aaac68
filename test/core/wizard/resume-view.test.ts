import { expect, test } from 'vitest'
import type { Setup } from '../../../src/core/chain/facts.ts'
import { BEPOLIA, LOCAL_ENDPOINTS } from '../../../src/core/chain/network/presets.ts'
import { collectFacts } from '../../../src/core/wizard/gates.ts'
import { RESUME_TEXT } from '../../../src/core/wizard/resume-text.ts'
import { initialState, type State } from '../../../src/core/wizard/state.ts'
import { viewOf } from '../../../src/core/wizard/view-of.ts'
import { openWords as openWordsOf } from '../../support/early-words.ts'
import { address, hash, INCLUDED, PUBKEY, signedPayment, stateAfter } from '../../support/payments.ts'

const setup = { network: BEPOLIA, homePath: '/home', endpoints: LOCAL_ENDPOINTS } as Setup
const header = {
  networkId: 'bepolia',
  genesisValidatorsRoot: hash(1),
  executionGenesisHash: hash(2),
  pubkey: PUBKEY,
}

function openWords(over: Partial<State>): readonly string[] | undefined {
  const journal = { status: 'open', header, path: '/journal.jsonl', resumed: true } as const
  const state: State = { ...initialState, journal, ...over }
  return openWordsOf(state, { facts: () => collectFacts(state, setup), setup })
}

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
