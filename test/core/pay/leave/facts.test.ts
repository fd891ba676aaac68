import { describe, expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { SetSnapshot } from '../../../../src/core/chain/consensus/snapshot.ts'
import {
  encodeWithdrawalCall,
  REQUESTS_CONTRACT,
} from '../../../../src/core/chain/deposit/withdrawal-call.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import {
  type AboutLeave,
  LEAVE_FACTS,
  type LeaveAnswers,
  leaveIsOpen,
  leaveOutcome,
  neededOf,
  withdrawalAddressOf,
} from '../../../../src/core/pay/leave/facts.ts'
import { leavePicture, leaveSentence } from '../../../../src/core/pay/leave/picture.ts'
import { LEAVE_TEXT } from '../../../../src/core/pay/leave/text.ts'
import type { Observations } from '../../../../src/core/view/observation.ts'
import { nothingAsked } from '../../../../src/core/view/rows.ts'
import { address, genesisOf, pubkey } from '../../chain/consensus/model.ts'
import { randomSpec } from '../../chain/consensus/random-requests.ts'

const network = { ...MAINNET, spec: randomSpec }
const setup: Setup = {
  network,
  homePath: '/home/ann/.beacond',
  endpoints: { execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' },
  journalDirectory: '/state/mainnet',
  lockDirectories: [],
  outputDirectory: '/home/ann',
}
const TWO: Setup = { ...setup, endpoints: { ...setup.endpoints, secondExecution: 'http://192.0.2.1:8545' } }

const block = { number: 1n, hash: '0x', timestampSeconds: 400n } as const
const SNAPSHOT: SetSnapshot = {
  consensus: genesisOf([300_000n, 280_000n, 260_000n], randomSpec),
  indexes: [0, 1, 2],
  timestampSeconds: 400n,
  uncounted: [],
  proof: { slot: 0n, blockRoot: '0x', anchors: 1, block },
  unproven: undefined,
}
const SET = { snapshot: SNAPSHOT, behindSlots: 0n }
const REQUESTS = { waiting: [], toBlock: 1n }
const MADE = { made: [], toBlock: 1n }
const PRICE = { gasLimit: 150_000n, maxFeePerGasWei: 7n, maxPriorityFeePerGasWei: 1n }
const FEE = { feeWei: 1n, valueWei: 3n, price: PRICE }
const WALLET = { address: address(1), contract: false, balanceWei: 10n ** 18n, nonce: 4, pending: 4 }
const DRY_RUN = { gasLimit: 200_000n, refusal: undefined }
/** Twice the gas at its price, and the value. */
const NEEDED_WEI = 3n + 2n * 200_000n * 7n

const known = <T>(value: T) => ({ status: 'known', value, source: '', atMs: 0 }) as const
const CHAIN: LeaveAnswers['chain'] = {
  chainId: network.executionChainId,
  fork: { version: '0x06000000', slot: 9n, timestampSeconds: randomSpec.fuluTimeSeconds + 100n },
  fresh: true,
  sameGenesis: true,
}
const ALL: Observations<LeaveAnswers> = {
  chain: known(CHAIN),
  set: known(SET),
  requests: known(REQUESTS),
  made: known(MADE),
  wallet: known(WALLET),
  fee: known(FEE),
  dryRun: known(DRY_RUN),
  open: known({ kept: { guards: [], payments: [], windows: [] }, final: 4 }),
}
const EXIT: AboutLeave = { observed: ALL, setup, pubkey: pubkey(1), amountGwei: 0n }
const PART: AboutLeave = { ...EXIT, amountGwei: tokens(10_000n) }
const withAnswers = (about: AboutLeave, observed: Partial<Observations<LeaveAnswers>>): AboutLeave => ({
  ...about,
  observed: { ...about.observed, ...observed },
})
const nothing = nothingAsked(LEAVE_FACTS)

describe('a withdrawal request', () => {
  test.each([EXIT, PART])('is made where everything is known and good: $amountGwei gwei', (about) => {
    expect(leaveIsOpen(about)).toBe(true)
    const { amountGwei = 1n } = about
    expect(leavePicture(about).request).toEqual({
      transaction: {
        chainId: network.executionChainId,
        nonce: 4,
        to: REQUESTS_CONTRACT,
        valueWei: 3n,
        data: encodeWithdrawalCall({ pubkey: pubkey(1), amountGwei }),
        ...PRICE,
        gasLimit: 200_000n,
      },
      from: address(1),
      contract: false,
      amountGwei,
      feeWei: 1n,
    })
  })

  test('comes from the address that the credentials name', () => {
    expect(withdrawalAddressOf(SNAPSHOT, EXIT)).toBe(address(1))
    expect(withdrawalAddressOf(SNAPSHOT, { ...EXIT, pubkey: pubkey(9) })).toBeUndefined()
  })

  test.each<[string, Partial<Observations<LeaveAnswers>>]>([
    ['the chain', { chain: nothing.chain }],
    ['the set', { set: nothing.set }],
    ['the requests', { requests: nothing.requests }],
    ['the wallet', { wallet: nothing.wallet }],
    ['the fee', { fee: nothing.fee }],
    ['the dry run', { dryRun: nothing.dryRun }],
    ['a set that is proven', { set: known({ ...SET, snapshot: { ...SNAPSHOT, proof: undefined } }) }],
    [
      'deposits that wait',
      { set: known({ ...SET, snapshot: { ...SNAPSHOT, uncounted: { unknown: 'no', perhaps: [] } } }) },
    ],
    ['a set of now', { set: known({ ...SET, behindSlots: 100n }) }],
    ['requests that all endpoints have', { requests: known({ ...REQUESTS, apart: 'b' }) }],
    ['one nonce', { wallet: known({ ...WALLET, apart: 'b' }) }],
    ['an account of which nothing waits', { wallet: known({ ...WALLET, pending: 5 }) }],
    ['the money', { wallet: known({ ...WALLET, balanceWei: NEEDED_WEI - 1n }) }],
    ['a fee of the rule', { fee: known({ ...FEE, feeWei: 0n }) }],
    ['a fee that is worth it', { fee: known({ ...FEE, valueWei: 10n ** 17n + 1n }) }],
    ['a dry run that goes well', { dryRun: known({ gasLimit: 0n, refusal: 'no' }) }],
  ])('is not made without %s', (_, observed) => {
    const about = withAnswers(EXIT, observed)
    expect(leaveIsOpen(about)).toBe(false)
    expect(leavePicture(about).request).toBeUndefined()
  })

  test.each<[string, Partial<Observations<LeaveAnswers>>]>([
    ['no more money than it needs', { wallet: known({ ...WALLET, balanceWei: NEEDED_WEI }) }],
    ['the highest fee that is worth it', { fee: known({ ...FEE, valueWei: 10n ** 17n }) }],
    [
      'a contract account, whatever its nonces',
      { wallet: known({ ...WALLET, contract: true, nonce: 1, apart: 'b', balanceWei: 3n }) },
    ],
  ])('is made with %s', (_, observed) => {
    expect(leaveIsOpen(withAnswers(EXIT, observed))).toBe(true)
  })

  test('is proven at as many endpoints as are set', () => {
    const anchored = (anchors: number) =>
      withAnswers(
        { ...EXIT, setup: TWO },
        {
          set: known({
            ...SET,
            snapshot: { ...SNAPSHOT, proof: { slot: 0n, blockRoot: '0x', anchors, block } },
          }),
        },
      )
    expect([1, 2].map((anchors) => leaveIsOpen(anchored(anchors)))).toEqual([false, true])
  })

  test('is never made for the validator of a pool', () => {
    const pools = { vault: address(1), factories: [] }
    const ofPool = { ...EXIT, setup: { ...setup, network: { ...network, pools } } }
    // What was judged of one set is remembered by it.
    const about = withAnswers(ofPool, { set: known({ ...SET }) })
    expect(leaveOutcome(about)).toEqual({ is: 'pool' })
    expect(leavePicture(about).request).toBeUndefined()
  })
})

describe('what a wallet needs', () => {
  test.each<[string, Partial<Observations<LeaveAnswers>>, bigint | undefined]>([
    ['by the gas of the dry run', {}, NEEDED_WEI],
    ['by the least gas before that', { dryRun: nothing.dryRun }, 3n + 2n * 150_000n * 7n],
    [
      'is the value alone where the owners of a contract pay',
      { wallet: known({ ...WALLET, contract: true }) },
      3n,
    ],
    ['is not known without the fee', { fee: nothing.fee }, undefined],
    ['is not known without the account', { wallet: nothing.wallet }, undefined],
  ])('%s', (_, observed, wei) => {
    expect(neededOf(withAnswers(EXIT, observed))).toBe(wei)
  })
})

describe('the picture of a request', () => {
  const made = {
    pubkey: pubkey(1),
    sourceAddress: address(1),
    amountGwei: 0n,
    blockSlot: 5n,
    transactionHash: `0x${'ab'.repeat(32)}`,
  } as const
  const rowIds = (about: AboutLeave) => leavePicture(about).rows.map(({ id, mark }) => `${id} ${mark}`)

  test('says what the request does, and what it rests on', () => {
    const facts = ['chain', 'set', 'requests', 'made', 'wallet', 'open', 'fee', 'dryRun', 'calldata'].map(
      (id) => `${id} proven`,
    )
    expect(rowIds(EXIT)).toEqual([
      'outcome proven',
      'leaves unasked',
      'paid unasked',
      'place unasked',
      ...facts,
    ])
    expect(rowIds(PART)).toEqual(['outcome proven', 'paid unasked', 'place unasked', ...facts])
  })

  test('says nothing of the outcome while nothing is asked for, or nothing is known', () => {
    const asked = ['chain proven', 'set proven', 'requests proven', 'made proven']
    expect(rowIds({ ...EXIT, amountGwei: undefined })).toEqual(asked)
    expect(leaveOutcome({ ...EXIT, amountGwei: undefined })).toBeUndefined()
    for (const lacks of ['set', 'requests'] as const) {
      const about = withAnswers(EXIT, { [lacks]: nothing[lacks] })
      expect(leavePicture(about)).toMatchObject({ outcome: undefined, request: undefined })
    }
    expect(rowIds({ ...EXIT, observed: nothing })).toEqual([])
  })

  test('tells what was asked for before, the last one first', () => {
    const two = [made, { ...made, blockSlot: 6n, transactionHash: `0x${'cd'.repeat(32)}` } as const]
    const about = withAnswers(EXIT, { made: known({ ...MADE, made: two }) })
    expect(leavePicture(about).fates.map(({ request, is }) => [request.blockSlot, is])).toEqual([
      [6n, 'in-block'],
      [5n, 'in-block'],
    ])
    expect(rowIds(about).slice(0, 2)).toEqual(['request-6-cdcdcdcd unasked', 'request-5-abababab unasked'])
  })

  test('tells what the set shows as taken while no log of it is left, and closes nothing for logs that lack it', () => {
    const { consensus } = SNAPSHOT
    const part = { validatorIndex: 0, amountGwei: tokens(10_000n), withdrawableEpoch: 9n }
    const snapshot = { ...SNAPSHOT, consensus: { ...consensus, pendingPartialWithdrawals: [part] } }
    const about = withAnswers(PART, {
      set: known({ ...SET, snapshot }),
      made: known({ ...MADE, lacks: 'b refuses' }),
    })
    expect(rowIds(about)).toContain('taken-part-9 unasked')
    expect(rowIds(about)).toContain('made unasked')
    const [first, ...others] = consensus.validators
    if (first === undefined) throw new Error('there is a validator')
    const left = { ...first, exitEpoch: 1n, withdrawableEpoch: 5n }
    const out = { ...SNAPSHOT, consensus: { ...consensus, validators: [left, ...others] } }
    expect(rowIds(withAnswers(EXIT, { set: known({ ...SET, snapshot: out }) }))).toContain(
      'taken-exit-5 unasked',
    )
    expect(leaveIsOpen(withAnswers(EXIT, { made: known({ ...MADE, lacks: 'b refuses' }) }))).toBe(true)
  })

  test('refuses what would be dropped only where the set is proven and all endpoints have the same requests', () => {
    const dropped = { ...PART, pubkey: pubkey(9) }
    const markOf = (observed: Partial<Observations<LeaveAnswers>>) =>
      leavePicture(withAnswers(dropped, observed)).rows[0]?.mark
    expect(leaveOutcome(dropped)).toEqual({ is: 'dropped', reason: 'unknown-key' })
    expect(markOf({})).toBe('refused')
    expect(markOf({ requests: known({ ...REQUESTS, apart: 'b' }) })).toBe('unknown')
    expect(markOf({ set: known({ ...SET, snapshot: { ...SNAPSHOT, proof: undefined } }) })).toBe('unknown')
  })

  test('comes to one sentence', () => {
    const { sentence } = LEAVE_TEXT
    const said = (about: AboutLeave, is: 'yes' | 'no' | 'unknown') =>
      leaveSentence(leavePicture(about), { is, which: 'the fee' }, setup)
    expect(said(EXIT, 'yes')).toBe(sentence.exit)
    expect(said(EXIT, 'no')).toBe(sentence.refused('the fee'))
    expect(said(EXIT, 'unknown')).toBe(sentence.unknown('the fee'))
    expect(said({ ...EXIT, amountGwei: undefined }, 'yes')).toBe(sentence.unknown('the fee'))
    expect(said({ ...EXIT, pubkey: pubkey(9) }, 'no')).toBe(sentence.dropped('unknown-key'))
    expect(said(withAnswers(EXIT, { fee: nothing.fee }), 'yes')).toBe(sentence.refused('the fee'))
    expect(said(PART, 'yes')).toBe(sentence.part('10,000 BERA'))
  })
})
