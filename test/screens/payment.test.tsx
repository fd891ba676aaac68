import { describe, expect, it } from 'vitest'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeFirstDeposit } from '../../src/core/chain/deposit/calldata.ts'
import type { Facts, Setup } from '../../src/core/chain/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../src/core/chain/network/presets.ts'
import type { GateAnswers } from '../../src/core/pay/gate/facts.ts'
import {
  dearest,
  draftOf,
  initialPayment,
  raised,
  replacementOf,
} from '../../src/core/pay/payment/candidates.ts'
import { paymentTransition } from '../../src/core/pay/payment/machine.ts'
import type {
  PaymentEvent,
  PaymentState,
  PaymentStatus,
  Replacement,
  RoundMemory,
  SignerKind,
} from '../../src/core/pay/payment/payment.ts'
import { DEPOSIT_TEXT } from '../../src/core/steps/deposit/machine.ts'
import { depositView } from '../../src/core/steps/deposit/view.ts'
import type { Observed } from '../../src/core/view/observation.ts'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { saidNext } from '../support/said.ts'
import { still } from '../support/still.ts'
import { openTerminal } from '../support/terminal.tsx'

const step = 'deposit'
const FROM: Hex = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const hash = (digit: number): Hex => `0x${String(digit).repeat(64)}`
const bytes = (pair: string, length: number): Hex => `0x${pair.repeat(length)}`
const CALL = {
  pubkey: bytes('8a', 48),
  withdrawalCredentials: `0x01${'00'.repeat(11)}${FROM.slice(2).toLowerCase()}`,
  signature: bytes('b1', 96),
  operator: FROM.toLowerCase() as Hex,
} as const
const PLAN = {
  to: MAINNET.spec.depositContract,
  valueWei: 10_000n * 10n ** 18n,
  data: encodeFirstDeposit(CALL),
}
const SETUP: Setup = {
  network: MAINNET,
  homePath: '/home/ann/.beacond',
  endpoints: LOCAL_ENDPOINTS,
  journalDirectory: '/home/ann/state',
  lockDirectories: ['/home/ann/state'],
  outputDirectory: '/home/ann',
}
const FACTS: Facts = {
  genesis: {
    genesisValidatorsRoot: MAINNET.genesisValidatorsRoot,
    genesisForkVersion: MAINNET.genesisForkVersion,
    executionGenesisHash: hash(1),
    forksAhead: [],
  },
  identity: {
    pubkey: CALL.pubkey,
    uncompressedPubkey: bytes('8a', 96),
    address: 'A0',
    key: { kind: 'elsewhere' },
  },
  signature: { ...CALL, withdrawalAddress: FROM, amountGwei: 10_000n * 10n ** 9n, rescue: false },
}

function prepared(signer: SignerKind): PaymentEvent {
  const transaction = {
    ...PLAN,
    chainId: MAINNET.executionChainId,
    nonce: 3,
    gasLimit: 150_000n,
    maxFeePerGasWei: 3_000_000_000n,
    maxPriorityFeePerGasWei: 1_000_000_000n,
  }
  const baseline = { blockNumber: 7n, blockHash: hash(7), balanceWei: 10n ** 24n }
  return { step, type: 'prepared', draft: { signer, transaction, from: FROM, baseline } }
}

type Happens = PaymentEvent | ((state: PaymentState) => PaymentEvent)

const after = (events: readonly Happens[], from: PaymentState = initialPayment): PaymentState =>
  events.reduce<PaymentState>(
    (state, event) => paymentTransition(state, typeof event === 'function' ? event(state) : event)[0],
    from,
  )

/** What a round has shown. */
const watched =
  (value: PaymentStatus, change: Partial<RoundMemory>) =>
  (state: PaymentState): PaymentEvent => {
    const draft = draftOf(state)
    if (draft === undefined) throw new Error('nothing is watched')
    const tracking = { status: 'known', value, source: '127.0.0.1:8545', atMs: 99_500 } as const
    return { step, type: 'watched', draft, memory: { ...state.memory, ...change }, tracking }
  }

const AGREED: PaymentEvent = { step, type: 'agreed', plan: PLAN, world: { about: 'unused-key' } }
const SHOWN = watched({ is: 'unused' }, { shown: { digest: hash(5) } })
const exported = after([AGREED, prepared('external'), SHOWN])
const contract = after([AGREED, prepared('contract'), SHOWN])
const stuck = after([
  AGREED,
  prepared('keystore'),
  { step, type: 'signed', raw: '0x02', hash: hash(9) },
  { step, type: 'handed-over', attempt: 1, endpoint: '127.0.0.1:8545' },
  { step, type: 'handed', endpoint: '127.0.0.1:8545', hash: hash(9), result: 'taken' },
  watched({ is: 'in-mempool' }, { inMempool: true, isStuck: true }),
])

const halted = after(
  [
    watched(
      { is: 'in-mempool' },
      { doubt: { is: 'still', slot: 1207n, sinceMs: 60_000, beside: { is: 'same', name: 'rpc.example' } } },
    ),
  ],
  stuck,
)

const observed = (entry: Observed<GateAnswers>): PaymentEvent => ({
  step,
  type: 'observed',
  ...entry,
})
const told = { source: '127.0.0.1:8545', atMs: 99_500 }
const sent = { hash: hash(6), from: FROM, nonce: 3, blockNumber: 196n, seenSentAt: 198n }
const sentAlready = after([
  { step, type: 'senderTyped', text: FROM },
  observed({
    key: 'key',
    observation: {
      status: 'known',
      value: { good: false, words: 'sent, exactly as signed', sent },
      ...told,
    },
  }),
  observed({
    key: 'dryRun',
    observation: { status: 'known', value: { gas: 0n, refusal: 'the operator is set already' }, ...told },
  }),
])

function offered(kind: Replacement['kind']): PaymentState {
  const { maxFeePerGasWei, maxPriorityFeePerGasWei } = dearest(stuck)
  const fees = {
    maxFeePerGasWei: raised(maxFeePerGasWei),
    maxPriorityFeePerGasWei: raised(maxPriorityFeePerGasWei),
  }
  const transaction = replacementOf(stuck, kind, fees)
  if (transaction === undefined) throw new Error('nothing to replace')
  const value = { transaction, limitWei: transaction.gasLimit * 10n ** 12n }
  const price = { status: 'known', value, source: '127.0.0.1:8545', atMs: 99_900 } as const
  return after(
    [
      { step, type: 'quoteAsked', kind },
      { step, type: 'quoted', kind, price },
    ],
    stuck,
  )
}

const frame = (state: PaymentState, ...keys: string[]): Promise<string> => frameWith(FACTS, state, ...keys)

async function frameWith(facts: Facts, state: PaymentState, ...keys: string[]): Promise<string> {
  const view = depositView(state, facts, SETUP)
  const terminal = await openTerminal(<StepScreen view={view} dispatch={() => undefined} />, {
    ascii: true,
    colours: false,
  })
  for (const key of keys) await terminal.press(key)
  const screen = terminal.screen()
  await terminal.close()
  return screen
}

const PAGE_DOWN = '\u001b[6~'

describe('the screen of a payment at 80×24, without colours and in ASCII', () => {
  it('has the whole command of a first deposit on one page', async () => {
    const screen = await frame(exported, 'c')
    expect(screen).not.toContain('more below')
    expect(screen.replaceAll('\\\n', '')).toContain(CALL.signature)
    expect(screen).toContain('cast mktx --chain 80094 --nonce 3')
    expect(still(screen)).toMatchSnapshot()
  })

  it.each([
    ['that waits for a wallet', exported],
    ['of a contract account', contract],
    ['that is stuck', stuck],
    ['that waits while the chain makes no block', halted],
    ['that may be raised', offered('speed-up')],
    ['that may be cancelled', offered('cancellation')],
    ['that was sent in another way', sentAlready],
  ])('%s', async (_, state) => {
    expect(still(await frame(state))).toMatchSnapshot()
    expect(still(await frame(state, PAGE_DOWN, PAGE_DOWN))).toMatchSnapshot()
  })

  it('that cannot be made before the signature is verified anew says so, and the way to it', async () => {
    const { signature: _, ...unverified } = FACTS
    const screen = await frameWith(unverified, initialPayment)
    expect(screen).toContain(DEPOSIT_TEXT.notVerified.title)
    const [back = 'nothing'] = saidNext(DEPOSIT_TEXT.notVerified.next)
    expect(back).toMatch(/^Esc .*; Enter /)
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(back)
    expect(await frameWith(unverified, exported)).not.toContain('Closed')
    expect(await frame(initialPayment)).not.toContain('Closed')
  })

  it('is cancelled only after it was read that the payment may still win', async () => {
    const screen = await frame(offered('cancellation'), '\r', ...Array.from({ length: 6 }, () => PAGE_DOWN))
    expect(screen).toContain('the payment may still win')
    expect(screen).toContain('type cancel')
  })
})
