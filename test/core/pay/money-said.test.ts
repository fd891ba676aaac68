import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../src/core/base/format/hex.ts'
import type { Facts, Setup } from '../../../src/core/chain/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../../src/core/chain/network/presets.ts'
import { initialPayment } from '../../../src/core/pay/payment/candidates.ts'
import { initialIdentity } from '../../../src/core/steps/identity/machine.ts'
import type { IdentityState } from '../../../src/core/steps/identity/state.ts'
import { initialState, type State } from '../../../src/core/wizard/state.ts'
import { viewOf } from '../../../src/core/wizard/view-of.ts'
import { GOING_NODE, known } from '../../support/identity-answers.ts'
import { PLAN, signedPayment } from '../../support/payments.ts'

const MINE: Hex = `0x${'0a'.repeat(20)}`
const OTHER: Hex = `0x${'0d'.repeat(20)}`
const CREDENTIALS: Hex = `0x01${'00'.repeat(11)}${'0b'.repeat(20)}`
const KEY: Hex = `0x${'a1'.repeat(48)}`
const SETUP: Setup = {
  network: { ...MAINNET, kind: 'rehearsal' },
  homePath: '/home',
  endpoints: LOCAL_ENDPOINTS,
  journalDirectory: '/state',
  lockDirectories: [],
  outputDirectory: '/out',
  suggestedAddress: MINE,
}
const file = { pubkey: KEY, uncompressedPubkey: KEY, address: 'AB', fileHash: KEY } as const
const sound = { ...file, storedPubkeyMatches: true, storedAddressMatches: true, publishedKey: false }
const absent = { index: undefined, withdrawalCredentials: undefined, status: undefined, exiting: false }
const there = { index: 3, withdrawalCredentials: CREDENTIALS, status: 'active_ongoing', exiting: false }
const burntFor = (operator: Hex): Partial<IdentityState['observed']> => ({
  operator: known({ operator, blockNumber: 90n }),
  beacon: known({ ...absent, provenSlot: 90n }),
  history: known({
    operator,
    setBy: { blockNumber: 5n, transactionHash: KEY },
    deposits: [
      {
        blockNumber: 5n,
        amountGwei: 10n ** 13n,
        withdrawalCredentials: CREDENTIALS,
        accepted: false,
      },
    ],
    headBlock: 90n,
  }),
  node: known(GOING_NODE),
})

/** What stops the identity step, each by what was seen. */
const STORIES: Readonly<Record<string, Partial<IdentityState['observed']>>> = {
  'another key of the engine': {
    key: known(sound),
    engine: known({ pubkey: `0x${'b2'.repeat(48)}` }) as unknown as IdentityState['observed']['engine'],
  },
  'a registered key': { beacon: known({ ...there, provenSlot: 90n }) },
  'a key that has left': { beacon: known({ ...there, exiting: true, provenSlot: 90n }) },
  'a burnt deposit of one’s own': burntFor(MINE),
  'a burnt deposit of a stranger': burntFor(OTHER),
}

const PAYMENTS = {
  'no payment': {},
  'a payment under way': { deposit: signedPayment() },
  'a payment that ended': { paid: true },
} as const

/** What a page says of the money of whoever reads it: in its band, and beside its title. */
function said(
  observed: Partial<IdentityState['observed']>,
  over: { deposit?: State['deposit']; paid?: boolean },
) {
  const identity = { ...initialIdentity, observed: { ...initialIdentity.observed, ...observed } }
  const state: State = {
    ...initialState,
    step: 'identity',
    identity,
    journal: { ...initialState.journal, status: 'open' } as State['journal'],
    deposit: over.deposit ?? initialPayment,
  }
  const deposit = over.paid === true ? { valueWei: PLAN.valueWei } : undefined
  const facts = { deposit } as unknown as Facts
  const { problem, money } = viewOf('identity', state, { facts: () => facts, setup: SETUP })
  const bands = [
    ['untouched', /^left the wallet 0 BERA|, you nothing/],
    ['unknown', /not known here|may have left|perhaps/],
    ['moved', /^left the wallet [1-9]/],
    ['lost', /of an earlier deposit are lost/],
  ] as const
  const band = bands.filter(([, is]) => is.test(money.line)).map(([is]) => is)
  const isLost = problem?.lost !== undefined && over.paid !== true && over.deposit === undefined
  return { title: problem?.title, beside: isLost ? 'lost' : problem?.money, band }
}

describe.each(Object.entries(STORIES))('the page of %s', (_, observed) => {
  test.each(Object.entries(PAYMENTS))('says one thing of the money, with %s', (_, over) => {
    const { title, beside, band } = said(observed, over)
    expect(title).toBeDefined()
    expect(band).toEqual([beside])
  })
})
