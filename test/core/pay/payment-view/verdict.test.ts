import { describe, expect, test } from 'vitest'
import { walletError } from '../../../../src/core/base/errors/wallet.ts'
import { gweiToWei } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { gateOpenAtMs } from '../../../../src/core/pay/gate/facts.ts'
import { gateCommands, gateRows } from '../../../../src/core/pay/gate/view.ts'
import { initialPayment } from '../../../../src/core/pay/payment/candidates.ts'
import type { PaymentBody, PaymentState, PaymentStatus } from '../../../../src/core/pay/payment/payment.ts'
import { asRemembered } from '../../../../src/core/pay/payment/remembered.ts'
import {
  ledgerNotes,
  NOTES_TEXT,
  paymentNotes,
  walletNotes,
} from '../../../../src/core/pay/payment-view/notes.ts'
import { paymentRows } from '../../../../src/core/pay/payment-view/rows.ts'
import { PAYMENT_TEXT } from '../../../../src/core/pay/payment-view/text.ts'
import {
  gateVerdict,
  paymentMoney,
  paymentProblem,
  paymentVerdict,
} from '../../../../src/core/pay/payment-view/view.ts'
import { DEPOSIT_TEXT } from '../../../../src/core/steps/deposit/machine.ts'
import { errorFacts } from '../../../../src/core/view/observation.ts'
import type { Verdict } from '../../../../src/core/view/view.ts'
import { makeTheme } from '../../../../src/screens/theme.tsx'
import { verdictLines } from '../../../../src/screens/ui/Frame.tsx'
import {
  exportedPayment,
  hash,
  INCLUDED,
  replacementFor,
  SENDER,
  signedPayment,
  stateAfter,
} from '../../../support/payments.ts'
import { saidVerdict } from '../../../support/said.ts'

const setup: Setup = {
  network: MAINNET,
  homePath: '/home/ann/.beacond',
  endpoints: { execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' },
  keystore: '/home/ann/key.json',
  journalDirectory: '/state/mainnet',
  lockDirectories: [],
  outputDirectory: '/home/ann',
}

const known = <T>(value: T) => ({ status: 'known', value, source: '127.0.0.1:8545', atMs: 0 }) as const
const good = known({ good: true, words: 'as it must be' })
const PRICE = { gasLimit: 200_000n, maxFeePerGasWei: 2_250_000_000n, maxPriorityFeePerGasWei: 1n }
const NEEDED = 1_000_000n * 10n ** 18n + 900_000_000_000_000n

const SEEN: PaymentState['observed'] = {
  ...initialPayment.observed,
  sender: known({ address: SENDER }),
  chain: known({
    chainId: MAINNET.executionChainId,
    fork: { version: '0x06000000', slot: 9n, timestampSeconds: MAINNET.spec.fuluTimeSeconds + 900n },
    fresh: true,
    sameGenesis: true,
  }),
  node: good,
  balance: known({ balanceWei: NEEDED, neededWei: NEEDED, price: PRICE }),
  nonce: known({ latest: 4, pending: 4 }),
  key: good,
  calldata: good,
  dryRun: known({ gas: 90_000n, refusal: undefined }),
}

const verdictWith = (observed: Partial<PaymentState['observed']>): Verdict => {
  const state = { ...initialPayment, observed: { ...SEEN, ...observed } }
  const checks = gateRows(state, setup, { another: DEPOSIT_TEXT.signLess })
  return gateVerdict(state, { checks, isOpen: Object.keys(observed).length === 0 }, setup)
}

const linesOf = (verdict: Verdict, columns: number): string[] =>
  verdictLines(verdict, columns, makeTheme({ ascii: false, colours: false })).map((parts) =>
    parts.map(({ text }) => text).join(''),
  )

test('a second endpoint that is set is not asked yet, and one that is not is not set', () => {
  const second = (endpoints: Setup['endpoints']) =>
    gateRows(initialPayment, { ...setup, endpoints }, {}).find(({ id }) => id === 'second')?.value
  expect(second(setup.endpoints)).toBe('none set')
  expect(second({ ...setup.endpoints, secondExecution: 'http://192.0.2.1:8545' })).toBe('not asked yet')
})

describe('the gate before money in one line', () => {
  test('says that it is open, and nothing more', () => {
    expect(verdictWith({})).toEqual({
      mark: 'proven',
      text: 'All 7 checks pass. Enter goes on.',
      bare: 'All 7 checks pass.',
    })
  })

  test('offers a smaller amount only where the account holds the least one', () => {
    const leastWei = gweiToWei(setup.network.minimumDepositGwei) + 2n * PRICE.gasLimit * PRICE.maxFeePerGasWei
    const nextWith = (balanceWei: bigint) =>
      saidVerdict(verdictWith({ balance: known({ balanceWei, neededWei: 2n * leastWei, price: PRICE }) }))
        ?.next
    expect(nextWith(leastWei)).toBe('fund the account, then r asks again; or Esc and e sign less')
    expect(nextWith(leastWei - 1n)).toBe('fund the account, then r asks again')
  })

  test('sends nobody to another step for the key where it is the amount alone', () => {
    const nextWith = (more: { ofAmount?: true }) =>
      saidVerdict(verdictWith({ key: known({ good: false, words: 'no place', ...more }) }))?.next
    expect(nextWith({ ofAmount: true })).toBe('Esc and e sign less')
    expect(nextWith({})).toBe('go back to step 2 and press r: it says what became of the key')
  })

  test('names the fee that is missing, with every digit, and what to do', () => {
    const balanceWei = NEEDED - 900_000_000_000_001n
    const verdict = verdictWith({ balance: known({ balanceWei, neededWei: NEEDED, price: PRICE }) })
    expect(verdict.text).toBe('1 of 7 checks refuses: the account is 0.000900000000000001 BERA short.')
    const fee = verdictWith({
      balance: known({ balanceWei: balanceWei + 1n, neededWei: NEEDED, price: PRICE }),
    })
    expect(linesOf(fee, 80)).toEqual([
      ' ✘ 1 of 7 checks refuses: the account is 0.0009 BERA short for the fee.',
      '   next   fund the account, then r asks again; or Esc and e sign less',
    ])
  })

  test('names the next step of an error that keeps it shut, else that it is asked again', () => {
    const thrown = walletError('wallet.no-account', 'The keystore file does not name its account.')
    const failed = { status: 'failed', error: errorFacts(thrown), source: 'keystore', atMs: 0 } as const
    expect(verdictWith({ sender: failed })).toEqual({
      mark: 'unknown',
      text: '1 of 7 checks is not known: account: The keystore file does not name its account.',
      next: 'type the address of the paying account',
    })
    expect(
      saidVerdict(verdictWith({ calldata: known({ good: false, words: 'the calldata differs' }) }))?.next,
    ).toBe('r asks again')
  })

  test('is read to its end in a narrow window', () => {
    const words = 'needs 1,000,000.000900000000000001 of 999,999.000000000000000001'
    const lines = linesOf(verdictWith({ calldata: known({ good: false, words }) }), 40)
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(words)
    expect(lines.every((line) => line.length <= 40)).toBe(true)
  })

  test('says what is missing where Enter is not there though no check refuses', () => {
    const state = { ...initialPayment, observed: SEEN }
    const { mark } = gateVerdict(state, { checks: gateRows(state, setup), isOpen: false }, setup)
    expect(mark).toBe('unasked')
  })
})

describe('the row that says where a payment was found', () => {
  const rowOf = (told: PaymentStatus) => {
    const rows = paymentRows({ ...initialPayment, tracking: known(told) }, setup, { source: '', explain: '' })
    const row = rows.find(({ id }) => id === 'tracking')
    if (row === undefined) throw new Error('it has no row')
    return row
  }
  const inBlock = { is: 'in-block', block: 1234n, reverted: false, alone: false } as const

  test('is good only where it was found in a block, by everybody who was asked', () => {
    expect(rowOf(inBlock)).toMatchObject({ mark: 'proven', value: 'in block 1,234' })
    expect(rowOf(inBlock).waits).toBeUndefined()
    expect(rowOf({ ...inBlock, alone: true })).toMatchObject({ mark: 'asking', waits: true })
    expect(rowOf({ ...inBlock, reverted: true })).toMatchObject({ mark: 'refused' })
    expect(rowOf({ is: 'other-deposit' })).toMatchObject({ mark: 'refused' })
  })

  test.each<[PaymentStatus, 'asking' | 'unknown']>([
    [{ is: 'in-mempool' }, 'asking'],
    [{ is: 'handed-over' }, 'asking'],
    [{ is: 'behind', next: 3, nonce: 4 }, 'asking'],
    [{ is: 'lags' }, 'asking'],
    [{ is: 'unused' }, 'asking'],
    [{ is: 'orphaned' }, 'unknown'],
    [{ is: 'disagree' }, 'unknown'],
    [{ is: 'deposit-there' }, 'unknown'],
    [{ is: 'nonce-used' }, 'unknown'],
    [{ is: 'held-back', why: 'the chain has changed' }, 'unknown'],
    [{ is: 'remembered-silent', endpoints: ['a'] }, 'unknown'],
    [{ is: 'in-use' }, 'asking'],
    [{ is: 'in-pool' }, 'unknown'],
    [{ is: 'world-unknown', why: 'no answer' }, 'unknown'],
  ])('has the mark of its words, and waits: %j', (told, mark) => {
    expect(rowOf(told)).toMatchObject({ mark, waits: true })
  })

  test('has the mark of an end that is proven, and of the search as long as that is only remembered', () => {
    const markOf = (state: PaymentState) =>
      paymentRows({ ...state, tracking: known({ is: 'disagree' }) }, setup, { source: '', explain: '' }).find(
        ({ id }) => id === 'tracking',
      )?.mark
    const paid = stateAfter([INCLUDED, { type: 'ended', outcome: { is: 'paid' } }], { from: signedPayment() })
    expect(markOf(paid)).toBe('proven')
    expect(markOf(asRemembered(paid))).toBe('unknown')
  })

  test.each([
    ['paid', 'proven'],
    ['cancelled', 'refused'],
    ['reverted', 'refused'],
    ['nonce-taken', 'refused'],
  ] as const)('has the mark of the end that is upheld: %s', (outcome, mark) => {
    expect(rowOf({ is: 'upheld', block: 1n, outcome })).toMatchObject({ mark })
  })
})

describe('the gate as a whole', () => {
  const state = { ...initialPayment, observed: SEEN }
  const plan = { to: SENDER, valueWei: 10n ** 18n, data: '0x' } as const

  test('was open when the last of its answers came, of the key and of the second endpoint', () => {
    const at = (atMs: number) => ({ ...good, atMs })
    expect(gateOpenAtMs({ ...SEEN, key: at(7) }, setup)).toBe(7)
    const two = { ...setup, endpoints: { ...setup.endpoints, secondExecution: 'http://192.0.2.1:8545' } }
    expect(gateOpenAtMs({ ...SEEN, key: at(7), second: at(5) }, two)).toBe(5)
    expect(gateOpenAtMs({ ...SEEN, key: known({ good: false, words: 'no' }) }, setup)).toBeUndefined()
    const unknown = known({ good: false, unknown: true as const, words: 'nobody says' })
    expect(gateOpenAtMs({ ...SEEN, key: unknown }, setup)).toBeUndefined()
  })

  test('shows the command of the very transaction, and none that would not be sent', () => {
    const [command, ...rest] = gateCommands(state, plan, setup)
    expect(rest).toEqual([])
    expect(command).toContain('--nonce 4')
    expect(gateCommands(state, undefined, setup)).toEqual([])
    const { keystore: _, ...without } = setup
    expect(gateCommands(state, plan, without)).toEqual([])
    const shut = { ...state, observed: { ...SEEN, calldata: known({ good: false, words: 'no' }) } }
    expect(gateCommands(shut, plan, setup)).toEqual([])
    const byOwners = { ...SEEN, sender: known({ address: SENDER, contract: true as const }) }
    expect(gateCommands({ ...state, observed: byOwners }, plan, setup)).toEqual([])
  })

  test('warns of a fork that comes, before the transaction is made and not after', () => {
    const soon = {
      timestampSeconds: MAINNET.spec.fuluTimeSeconds - 60n,
      version: '0x05000000',
      slot: 9n,
    } as const
    const chain = known({ chainId: MAINNET.executionChainId, fork: soon, fresh: true, sameGenesis: true })
    const before = { ...initialPayment, observed: { ...SEEN, chain } }
    expect(paymentNotes(before, {}, setup)).toHaveLength(1)
    expect(paymentNotes({ ...signedPayment(), observed: before.observed }, {}, setup)).toEqual([])
    expect(paymentNotes(initialPayment, {}, setup)).toEqual([])
  })

  test('says of a payment that is stuck how it is replaced', () => {
    const given = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'one' }], {
      from: signedPayment(),
    })
    const stuck = { ...given, memory: { ...given.memory, isStuck: true } }
    expect(paymentNotes(stuck, {}, setup)).toEqual([NOTES_TEXT.stuck])
    expect(paymentNotes(given, {}, setup)).toEqual([])
  })
})

describe('what is shown of a payment', () => {
  const failed = { status: 'failed', error: errorFacts(new Error('no')), source: '', atMs: 0 } as const
  const signedThen = (...bodies: PaymentBody[]): PaymentState => stateAfter(bodies, { from: signedPayment() })
  const included = signedThen(INCLUDED)
  const money = { before: { nothing: '', worst: '' }, leftBefore: (amount: string) => amount } as unknown

  test('is unknown while nobody answers, though a block had it', () => {
    expect(paymentVerdict(included, setup).mark).toBe('asking')
    expect(paymentVerdict({ ...included, tracking: failed }, setup).mark).toBe('unknown')
  })

  test('says how it ended, and of what another signer paid the two amounts', () => {
    const { verdict: said } = PAYMENT_TEXT
    const paid = signedThen(INCLUDED, { type: 'ended', outcome: { is: 'paid' } })
    expect(paymentVerdict(paid, setup)).toEqual({ mark: 'proven', text: said.paid(INCLUDED.blockNumber) })
    expect(paymentVerdict(asRemembered(paid), setup)).toEqual({ mark: 'asking', text: said.remembered })
    const reverted = signedThen({ type: 'ended', outcome: { is: 'reverted', reason: 'no', feeWei: 1n } })
    expect(paymentVerdict(reverted, setup)).toEqual({ mark: 'refused', text: said.unpaid })
    const found = {
      type: 'found',
      from: SENDER,
      hash: hash(8),
      valueWei: 10n ** 18n,
      nonce: 5,
      data: undefined,
    } as const
    const other = stateAfter(
      [found, { ...INCLUDED, hash: found.hash }, { type: 'ended', outcome: { is: 'paid' } }],
      {
        from: exportedPayment(),
      },
    )
    expect(paymentVerdict(other, setup)).toEqual({
      mark: 'refused',
      text: said.paidOther({ paid: '1 BERA', agreed: '10,000 BERA' }),
    })
    expect(paymentVerdict(initialPayment, setup)).toEqual({ mark: 'asking', text: said.agreed })
  })

  test('calls the money untouched until the bytes may have left', () => {
    const heldBack = { type: 'held-back', reason: 'the chain has changed' } as const
    expect(paymentProblem(signedThen(heldBack))?.money).toBe('untouched')
    const given = signedThen({ type: 'handed-over', attempt: 1, endpoint: 'one' }, heldBack)
    expect(paymentProblem(given)?.money).toBe('unknown')
  })

  const SENT = stateAfter([{ type: 'handed-over', attempt: 1, endpoint: 'one' }], { from: signedPayment() })

  test.each<[string, PaymentBody]>([
    ['held back', { type: 'held-back', reason: 'the chain has changed' }],
    ['to be canceled', { type: 'replacing', replacement: replacementFor(SENT, 'cancellation') }],
  ])('says what waiting can cost where it is %s, and never that it is safe', (_, body) => {
    const band = (state: PaymentState) => paymentMoney(state, undefined, setup, money as never)
    expect(band(SENT).worst).toBe(PAYMENT_TEXT.money.mayHaveLeft('').worst)
    const failed = { type: 'failed', error: errorFacts(walletError('keystore.wrong-password')) } as const
    const state = stateAfter([body, failed], { from: SENT })
    expect(band(state).worst).toBe(PAYMENT_TEXT.money.keptBack('', true).worst)
    const stuck = { ...state, memory: { ...state.memory, isStuck: true } }
    const { heldBack, notCanceled } = PAYMENT_TEXT.verdict
    expect([heldBack, notCanceled]).toContain(paymentVerdict(stuck, setup).text)
  })

  test('calls no wait safe while a signed cancellation and the payment may each come first', () => {
    const replacement = replacementFor(SENT, 'cancellation')
    const canceled = stateAfter(
      [
        { type: 'replacing', replacement },
        { type: 'replaced', raw: '0x02ff', hash: hash(7) },
        { type: 'handed-over', attempt: 1, endpoint: 'one' },
      ],
      { from: SENT },
    )
    const stuck = { ...canceled, memory: { ...canceled.memory, isStuck: true } }
    for (const state of [canceled, stuck]) {
      const { text } = paymentVerdict(state, setup)
      expect(text).toContain('may still be paid')
      expect([text, ...paymentNotes(state, {}, setup)].join(' ')).not.toContain('safe')
    }
  })

  test('has no band of money without a plan', () => {
    const text = {
      ...(money as Parameters<typeof paymentMoney>[3]),
      before: { nothing: 'n', worst: 'w' } as never,
    }
    expect(paymentMoney(initialPayment, undefined, setup, text)).toEqual(
      PAYMENT_TEXT.money.noPlan(text.before),
    )
    const live = paymentMoney(signedPayment(), undefined, setup, text)
    expect(live).toEqual(PAYMENT_TEXT.money.signed('10,000 BERA'))
  })

  test('names the transaction that cancelled it', () => {
    const values = paymentProblem(
      signedThen(INCLUDED, { type: 'ended', outcome: { is: 'cancelled' } }),
    )?.values
    expect(values?.map(({ value }) => value)).toEqual([INCLUDED.hash])
  })

  test('calls the money paid where another deposit took its nonce, else left', () => {
    const bandOf = (otherDeposit: { hash: Hex } | undefined) => {
      const state = signedThen({ type: 'ended', outcome: { is: 'nonce-taken', otherDeposit } })
      return paymentMoney(state, undefined, setup, money as Parameters<typeof paymentMoney>[3])
    }
    expect(bandOf({ hash: hash(8) })).toEqual(PAYMENT_TEXT.money.paidByOther)
    expect(bandOf(undefined)).toEqual(PAYMENT_TEXT.money.nonceTaken('10,000 BERA'))
  })

  test('has a row for what it costs to replace it', () => {
    const { transaction } = replacementFor(included, 'speed-up')
    const price = known({ transaction, limitWei: 7n * 10n ** 18n })
    const rows = paymentRows({ ...included, quote: { kind: 'speed-up', price } }, setup, {
      source: '',
      explain: '',
    })
    expect(rows.find(({ id }) => id === 'quote')).toMatchObject({
      mark: 'proven',
      value: expect.stringContaining('7 BERA'),
    })
  })

  test('says what a Ledger must allow and shows, while there is a command for it', () => {
    const shown = {
      ...exportedPayment(),
      memory: { ...exportedPayment().memory, shown: { digest: hash(8) } },
    }
    expect(ledgerNotes(shown).join(' ')).toMatch(/blind signing.*ETH \d+.*Network \d+.*--mnemonic-index/)
    expect(walletNotes(shown)).toEqual(expect.arrayContaining([...ledgerNotes(shown)]))
    expect(ledgerNotes(signedPayment())).toEqual([])
  })

  test('warns of another deposit before what is exported is set aside', () => {
    const exported = exportedPayment()
    const other = { ...exported, memory: { ...exported.memory, otherDeposit: { hash: hash(8) } } }
    expect(walletNotes(other)).toEqual(NOTES_TEXT.otherDeposit)
    expect(walletNotes(exported)).not.toEqual(NOTES_TEXT.otherDeposit)
  })
})
