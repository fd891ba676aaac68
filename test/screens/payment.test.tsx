import { describe, expect, it } from 'vitest'
import { encodeFirstDeposit } from '../../src/core/deposit/calldata.ts'
import type { Facts, Setup } from '../../src/core/facts.ts'
import type { Hex } from '../../src/core/format/hex.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../src/core/network/presets.ts'
import { depositView } from '../../src/core/steps/deposit/view.ts'
import type { SeenEntry } from '../../src/core/steps/observation.ts'
import {
  initialPayment,
  type PaymentEvent,
  type PaymentState,
  type Replacement,
} from '../../src/core/steps/payment/payment.ts'
import type { GateAnswers } from '../../src/core/steps/sending/gate-answers.ts'
import { sendTransition } from '../../src/core/steps/sending/machine.ts'
import { dearest, raised, replacementOf } from '../../src/core/steps/sending/replace.ts'
import { Deposit } from '../../src/screens/Deposit.tsx'
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
const FACTS: Facts = {}

function prepared(over: { contract?: true; elsewhere?: true }): PaymentEvent {
  const transaction = {
    ...PLAN,
    chainId: MAINNET.executionChainId,
    nonce: 3,
    gasLimit: 150_000n,
    maxFeePerGasWei: 3_000_000_000n,
    maxPriorityFeePerGasWei: 1_000_000_000n,
  }
  const baseline = { blockNumber: 7n, blockHash: hash(7), balanceWei: 10n ** 24n }
  return { step, type: 'prepared', prepared: { transaction, from: FROM, baseline, ...over } }
}

const after = (events: readonly PaymentEvent[], from: PaymentState = initialPayment): PaymentState =>
  events.reduce((state, event) => sendTransition(state, event)[0], from)

const tracked = (value: string): PaymentEvent => ({
  step,
  type: 'tracked',
  tracking: { status: 'known', value, source: '127.0.0.1:8545', atMs: 99_500 },
})

const AGREED: PaymentEvent = { step, type: 'agreed', plan: PLAN }
const SHOWN = [
  tracked('not there; its number is unused'),
  { step, type: 'cleared', digest: hash(5) },
] as const
const handedOut = after([AGREED, prepared({ elsewhere: true }), ...SHOWN])
const contract = after([AGREED, prepared({ elsewhere: true, contract: true }), ...SHOWN])
const stalled = after([
  AGREED,
  prepared({}),
  { step, type: 'signed', raw: '0x02', hash: hash(9) },
  { step, type: 'sending', attempt: 1, endpoint: '127.0.0.1:8545' },
  { step, type: 'handed', endpoint: '127.0.0.1:8545', hash: hash(9), result: 'taken' },
  tracked('seen, waits for a block'),
  { step, type: 'stalled' },
])

const observed = (entry: SeenEntry<GateAnswers>): PaymentEvent => ({ step, type: 'observed', ...entry })
const told = { source: '127.0.0.1:8545', atMs: 99_500 }
const sent = { hash: hash(6), from: FROM, nonce: 3, blockNumber: 196n }
const sentAlready = after([
  { step, type: 'senderTyped', text: FROM },
  observed({
    key: 'key',
    seen: {
      status: 'known',
      value: { good: false, words: 'sent, exactly as signed', sent },
      ...told,
    },
  }),
  observed({
    key: 'dryRun',
    seen: { status: 'known', value: { gas: 0n, refusal: 'the operator is set already' }, ...told },
  }),
])

function offered(kind: Replacement['kind']): PaymentState {
  const { maxFeePerGasWei, maxPriorityFeePerGasWei } = dearest(stalled)
  const fees = {
    maxFeePerGasWei: raised(maxFeePerGasWei),
    maxPriorityFeePerGasWei: raised(maxPriorityFeePerGasWei),
  }
  const transaction = replacementOf(stalled, kind, fees)
  if (transaction === undefined) throw new Error('nothing to replace')
  const value = { transaction, limitWei: transaction.gasLimit * 10n ** 12n }
  const price = { status: 'known', value, source: '127.0.0.1:8545', atMs: 99_900 } as const
  return after(
    [
      { step, type: 'priceAsked', kind },
      { step, type: 'priced', kind, price },
    ],
    stalled,
  )
}

async function frame(state: PaymentState, ...keys: string[]): Promise<string> {
  const view = depositView(state, FACTS, SETUP)
  const actions = { act: () => undefined, submit: () => undefined }
  const terminal = await openTerminal(<Deposit view={view} actions={actions} />, {
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
    const screen = await frame(handedOut, 'c')
    expect(screen).not.toContain('more below')
    expect(screen.replaceAll('\\\n', '')).toContain(CALL.signature)
    expect(screen).toContain('cast mktx --chain 80094 --nonce 3')
    expect(still(screen)).toMatchSnapshot()
  })

  it.each([
    ['that waits for a wallet', handedOut],
    ['of a contract account', contract],
    ['that stands still', stalled],
    ['that may be raised', offered('bump')],
    ['that may be cancelled', offered('cancel')],
    ['that was sent in another way', sentAlready],
  ])('%s', async (_, state) => {
    expect(still(await frame(state))).toMatchSnapshot()
    expect(still(await frame(state, PAGE_DOWN, PAGE_DOWN))).toMatchSnapshot()
  })

  it('is cancelled only after it was read that the payment may still win', async () => {
    const screen = await frame(offered('cancel'), '\r', PAGE_DOWN, PAGE_DOWN)
    expect(screen).toContain('The payment may still win')
    expect(screen).toContain('type cancel')
  })
})
