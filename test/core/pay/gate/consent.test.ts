import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { forecast, outcomeOf } from '../../../../src/core/chain/consensus/forecast.ts'
import { outlook } from '../../../../src/core/chain/consensus/outlook.ts'
import { FAR_FUTURE_EPOCH } from '../../../../src/core/chain/consensus/state.ts'
import type { Setup, ValidatorTerms } from '../../../../src/core/chain/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../../../src/core/chain/network/presets.ts'
import {
  type AgreedKeyState,
  type AgreedTerms,
  type AgreedValidator,
  agreementChange,
  newDeposits,
  sameValidator,
  stillAgreed,
  type ValidatorNow,
  type ValidatorRecheck,
  withinTerms,
} from '../../../../src/core/pay/gate/consent.ts'
import type { GateAnswers } from '../../../../src/core/pay/gate/facts.ts'
import { gateIsOpen } from '../../../../src/core/pay/gate/facts.ts'
import type { PaymentState } from '../../../../src/core/pay/payment/payment.ts'
import { errorFacts, type Observation } from '../../../../src/core/view/observation.ts'
import { credentials, genesisOf, pubkey, shortSpec } from '../../chain/consensus/model.ts'

const AGREED: AgreedValidator & { about: 'validator' } = {
  about: 'validator',
  block: 200n,
  balanceGwei: tokens(10_000n),
  stakeToBeGwei: tokens(10_000n),
  outcome: 'keeps-place',
}
const NOW: ValidatorRecheck = {
  balanceGwei: tokens(10_000n),
  stakeToBeGwei: tokens(10_000n),
  outcome: 'keeps-place',
  arrived: [],
}
const ARRIVED = [{ block: 214n, amountGwei: tokens(270_000n) }]
const MORE = tokens(280_000n)

const words = (now: Partial<ValidatorRecheck>, agreed: Partial<AgreedValidator> = {}): string => {
  const verdict = stillAgreed({ ...AGREED, ...agreed }, { ...NOW, ...now }, 'BERA')
  return verdict.good ? 'goes on' : verdict.words
}

describe('what was agreed to for a validator', () => {
  test.each<[string, Partial<ValidatorRecheck>, Partial<AgreedValidator>]>([
    ['nothing has changed', {}, {}],
    ['what waited is counted by now', { balanceGwei: MORE, stakeToBeGwei: MORE }, { stakeToBeGwei: MORE }],
    [
      'what waited is counted by now, and only the balance is proven',
      { balanceGwei: MORE, stakeToBeGwei: undefined },
      { stakeToBeGwei: MORE },
    ],
    ['the outcome is better', {}, { outcome: 'tie' }],
    ['an event is told beside a stake that both looks know whole', { arrived: ARRIVED }, {}],
  ])('goes on where %s', (_, now, agreed) => {
    expect(words(now, agreed)).toBe('goes on')
  })

  test.each<[string, Partial<ValidatorRecheck>, Partial<AgreedValidator>, RegExp]>([
    [
      'somebody paid and it waits',
      { stakeToBeGwei: MORE, arrived: ARRIVED },
      {},
      /^270,000 BERA more arrived in block 214, not/,
    ],
    [
      'somebody paid and it is counted',
      { balanceGwei: MORE, stakeToBeGwei: MORE, arrived: ARRIVED },
      {},
      /^270,000 BERA more/,
    ],
    [
      'somebody paid and only the events tell',
      { stakeToBeGwei: undefined, arrived: ARRIVED },
      {},
      /^270,000 BERA more/,
    ],
    [
      'the stake grew and no event tells why',
      { balanceGwei: MORE, stakeToBeGwei: MORE },
      {},
      /^the stake is 280,000 BERA, and was 10,000 when/,
    ],
    [
      'the proven balance is not the one shown',
      { balanceGwei: MORE, stakeToBeGwei: undefined },
      { stakeToBeGwei: undefined },
      /^the stake is 280,000/,
    ],
    [
      'an event that was agreed about is gone',
      {},
      { stakeToBeGwei: MORE },
      /^the stake is 10,000 BERA, and was 280,000 when/,
    ],
    ['the stake fell', { balanceGwei: 0n, stakeToBeGwei: 0n }, {}, /^the stake is 0 BERA/],
    ['it would drop out by now', { outcome: 'drops-out' }, {}, /no longer keeps a place/],
    ['it would be lost at once by now', { outcome: 'lost-at-once' }, {}, /ranks too low/],
    ['it would only tie by now', { outcome: 'tie' }, {}, /only ties for the last place/],
    [
      'it no longer passes the threshold',
      { outcome: 'below-threshold' },
      {},
      /no longer passes the threshold/,
    ],
  ])('stops where %s', (_, now, agreed, expected) => {
    expect(words(now, agreed)).toMatch(expected)
  })

  test.each<[string, AgreedKeyState | undefined]>([
    ['does not say what was known', undefined],
    ['was about a key that nobody had used', { about: 'unused-key' }],
    ['was about a key that was lost', { about: 'burnt-key' }],
  ])('stops where the agreement %s', (_, agreed) => {
    expect(stillAgreed(agreed, NOW, 'BERA')).toMatchObject({ good: false })
  })
})

const OPERATOR = `0x${'6'.repeat(40)}` as const
const PLANNED: ValidatorTerms = {
  origin: 'adopted',
  operator: OPERATOR,
  withdrawalCredentials: `0x${'01'.repeat(32)}`,
  leastBalanceGwei: tokens(10_000n),
}
const VALIDATOR: ValidatorNow = {
  operator: OPERATOR,
  withdrawalCredentials: PLANNED.withdrawalCredentials,
  slashed: false,
  exitEpoch: FAR_FUTURE_EPOCH,
  balanceGwei: tokens(10_000n),
}

describe('the validator that was planned', () => {
  test.each<[string, Partial<ValidatorNow>, string | undefined]>([
    ['nothing has changed', {}, undefined],
    ['its balance grew', { balanceGwei: MORE }, undefined],
    ['its operator is written in capitals', { operator: `0x${'6'.repeat(40).toUpperCase()}` }, undefined],
    [
      'its operator changed',
      { operator: `0x${'7'.repeat(40)}` },
      `the contract names another operator: 0x${'7'.repeat(40)}; adopt it again in step 2`,
    ],
    [
      'its credentials changed',
      { withdrawalCredentials: `0x${'02'.repeat(32)}` },
      'it pays out to another address than planned',
    ],
    ['it was slashed', { slashed: true }, 'the validator was slashed'],
    ['it has an exit epoch', { exitEpoch: 9n }, 'the validator is leaving the active set'],
    [
      'it holds less than was paid',
      { balanceGwei: tokens(9_999n) },
      'its proven balance is less than the first deposit',
    ],
  ])('where %s', (_, now, expected) => {
    const verdict = sameValidator(PLANNED, { ...VALIDATOR, ...now })
    expect(verdict.good).toBe(expected === undefined)
    expect(verdict.good ? undefined : verdict.words).toBe(expected)
  })
})

describe('a deadline', () => {
  const spec = shortSpec()
  const state = genesisOf([300_000n, 280_000n, 270_000n], spec)
  const rival = {
    pubkey: pubkey(9),
    withdrawalCredentials: credentials(9),
    amountGwei: tokens(280_000n),
    signatureValid: true,
    blockSlot: 1n,
  }
  const question = { state, uncounted: [rival], spec, fulu: true, pubkey: pubkey(3) }
  const { rescue } = outlook({ ...question, minimumDepositGwei: tokens(10_000n) })
  const outcomeAt = (headBlock: bigint) =>
    outcomeOf(forecast({ ...question, addGwei: rescue?.leastTopUpGwei ?? 0n, currentSlot: headBlock - 1n }))

  test('goes on where the next block still helps', () => {
    expect(outcomeAt((rescue?.lastGoodBlock ?? 0n) - 1n)).toBe('keeps-place')
    expect(words({ outcome: 'keeps-place' })).toBe('goes on')
  })

  test('stops where it can no longer be met: the outcome is worse by then', () => {
    const late = outcomeAt((rescue?.lastGoodBlock ?? 0n) + 1n)
    expect(late).toBe('drops-out')
    expect(words({ outcome: late })).toMatch(/no longer keeps a place/)
  })
})

const SETUP: Setup = {
  network: MAINNET,
  homePath: '/home',
  endpoints: { ...LOCAL_ENDPOINTS, secondExecution: 'http://localhost:1' },
  journalDirectory: '/state',
  lockDirectories: [],
  outputDirectory: '/out',
}
const PRICE = { gasLimit: 150_000n, maxFeePerGasWei: 3n, maxPriorityFeePerGasWei: 1n }
const FORK = {
  version: '0x06000000',
  slot: 9n,
  timestampSeconds: MAINNET.spec.fuluTimeSeconds + 7200n,
} as const
const ANSWERS: GateAnswers = {
  sender: { address: OPERATOR },
  chain: { chainId: MAINNET.executionChainId, fork: FORK, fresh: true, sameGenesis: true },
  node: { good: true, words: '' },
  balance: { balanceWei: 100n, neededWei: 90n, price: PRICE },
  nonce: { latest: 5, pending: 5 },
  key: { good: true, words: '' },
  calldata: { good: true, words: '' },
  second: { good: true, words: '' },
  dryRun: { gas: 1n, refusal: undefined },
  way: { topUpGwei: undefined, reported: false },
}
const { chain, balance } = ANSWERS

describe('the gate', () => {
  const known = <T>(value: T): Observation<T> => ({ status: 'known', value, source: 'test', atMs: 0 })
  const isOpenWith = (change: Partial<GateAnswers>, unanswered: Partial<PaymentState['observed']> = {}) => {
    const all = { ...ANSWERS, ...change }
    const observed: PaymentState['observed'] = {
      sender: known(all.sender),
      chain: known(all.chain),
      node: known(all.node),
      balance: known(all.balance),
      nonce: known(all.nonce),
      key: known(all.key),
      calldata: known(all.calldata),
      second: known(all.second),
      dryRun: known(all.dryRun),
      way: known(all.way),
      ...unanswered,
    }
    return gateIsOpen(observed, SETUP)
  }

  test.each<[string, Partial<GateAnswers>]>([
    ['nothing has changed', {}],
    [
      'the head moved',
      { chain: { ...chain, fork: { ...FORK, slot: 10n, timestampSeconds: FORK.timestampSeconds + 2n } } },
    ],
    [
      'the fee changed and is covered',
      { balance: { ...balance, neededWei: 99n, price: { ...PRICE, maxFeePerGasWei: 4n } } },
    ],
    ['the balance changed and covers value and fee', { balance: { ...balance, balanceWei: 90n } }],
  ])('stays open where %s', (_, change) => {
    expect(isOpenWith(change)).toBe(true)
  })

  test.each<[string, Partial<GateAnswers>]>([
    ['the chain id is another', { chain: { ...chain, chainId: 1 } }],
    ['genesis root or first block are others', { chain: { ...chain, sameGenesis: false } }],
    ['the head is old', { chain: { ...chain, fresh: false } }],
    ['the balance no longer covers value and fee', { balance: { ...balance, balanceWei: 89n } }],
    ['a pool holds an unknown transaction of the account', { nonce: { latest: 5, pending: 6 } }],
    ['the second endpoint names another nonce', { second: { good: false, words: '' } }],
    ['the second endpoint leaves it unknown', { second: { good: false, unknown: true, words: '' } }],
    ['what is known of the key leaves it unknown', { key: { good: false, unknown: true, words: '' } }],
  ])('shuts where %s', (_, change) => {
    expect(isOpenWith(change)).toBe(false)
  })

  test.each(['sender', 'chain', 'balance', 'nonce', 'key', 'calldata', 'second', 'dryRun', 'node'] as const)(
    'shuts where %s is not answered',
    (name) => {
      const failed = { status: 'failed', error: errorFacts('no answer'), source: 'test', atMs: 0 } as const
      for (const unanswered of [failed, { status: 'asking' }, { status: 'unasked' }] as const)
        expect(isOpenWith({}, { [name]: unanswered })).toBe(false)
    },
  )

  test('does not wait for what is still to be paid after this payment', () => {
    expect(isOpenWith({}, { way: { status: 'asking' } })).toBe(true)
  })
})

describe('the terms of a word', () => {
  const FROM = `0x${'1a'.repeat(20)}` as const
  const KNOWN = `0x${'a1'.repeat(32)}` as const
  const NEW = `0x${'b2'.repeat(32)}` as const
  const TERMS: AgreedTerms = { from: FROM, nonce: 5, feeLimitWei: 10n ** 16n, deposits: [KNOWN] }
  type Terms = Parameters<typeof withinTerms>[1]
  const DRAFT: Terms = { from: FROM, nonce: 5, feeWei: 10n ** 16n, deposits: [] }
  const judged = (over: Partial<Terms>, agreed: AgreedTerms | undefined = TERMS) =>
    withinTerms(agreed, { ...DRAFT, ...over }, 'BERA')
  const deposit = (hash: Hex, amountGwei: bigint) => ({ hash, amountGwei })

  test.each<[string, Partial<Terms>]>([
    ['all is as it was read, and the fee just at its limit', {}],
    ['the fee is lower', { feeWei: 1n }],
    ['a deposit waits that was read', { deposits: [deposit(KNOWN, tokens(1n))] }],
    [
      'the account is written in other letters',
      { from: FROM.toUpperCase().replace('0X', '0x') as typeof FROM },
    ],
  ])('hold a draft where %s', (_, over) => {
    expect(judged(over)).toEqual({ good: true, words: expect.stringMatching(/./) })
  })

  test.each<[string, Partial<Terms>, RegExp]>([
    ['another account pays', { from: `0x${'2b'.repeat(20)}` }, /2[bB]2[bB]/],
    ['it has another nonce', { nonce: 6 }, /6.*5|5.*6/],
    ['it has no nonce', { nonce: undefined }, /5/],
    ['the fee may be one wei more', { feeWei: 10n ** 16n + 1n }, /0\.010000000000000001 BERA/],
    [
      'two deposits arrived that were not read',
      { deposits: [deposit(NEW, tokens(2n)), deposit(`0x${'c3'.repeat(32)}`, tokens(3n))] },
      /(?:^|[^-\d])5 BERA/,
    ],
  ])('stop it where %s', (_, over, said) => {
    const result = judged(over)
    expect(result).toMatchObject({ good: false, words: expect.stringMatching(said) })
    expect(result).not.toHaveProperty('unknown')
  })

  test('are not known to hold while the deposits are not known', () => {
    expect(judged({ deposits: undefined })).toEqual({
      good: false,
      unknown: true,
      words: expect.stringMatching(/./),
    })
  })

  test('stop everything where none were written down', () => {
    expect(withinTerms(undefined, DRAFT, 'BERA')).toEqual({ good: false, words: expect.stringMatching(/./) })
  })

  test('count each new deposit once, in their order, whatever the letters of its hash', () => {
    const [one, two] = [deposit(NEW, 1n), deposit(`0x${'c3'.repeat(32)}`, 2n)]
    const again = { ...one, amountGwei: 9n }
    expect(newDeposits([KNOWN], [two, one, deposit(KNOWN, 3n), again])).toEqual([two, one])
    expect(
      newDeposits([KNOWN.toUpperCase().replace('0X', '0x') as typeof KNOWN], [deposit(KNOWN, 3n)]),
    ).toEqual([])
  })
})

describe('a change of the world', () => {
  test('is told with both amounts, in gwei', () => {
    const now = { ...NOW, balanceGwei: tokens(12_000n), stakeToBeGwei: tokens(12_000n) }
    expect(agreementChange(AGREED, now)).toEqual({
      id: 'stake',
      wasGwei: tokens(10_000n),
      isGwei: tokens(12_000n),
    })
  })

  test('is told by what was proven where nobody knows what waits', () => {
    const now = { ...NOW, balanceGwei: tokens(12_000n), stakeToBeGwei: undefined }
    expect(agreementChange({ ...AGREED, stakeToBeGwei: undefined }, now)).toEqual({
      id: 'stake',
      wasGwei: tokens(10_000n),
      isGwei: tokens(12_000n),
    })
  })
})
