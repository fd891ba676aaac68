import { expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import { FUNDS_FACTS, type FundsAnswers, fundsNeeded } from '../../../../src/core/steps/sign/funds.ts'
import { initialSign, type SignState } from '../../../../src/core/steps/sign/machine.ts'
import { signView } from '../../../../src/core/steps/sign/view.ts'
import { StepScreen } from '../../../../src/screens/StepScreen.tsx'
import { openTerminal } from '../../../support/terminal.tsx'

const WEI = 10n ** 18n
const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const SETUP: Setup = {
  network: BEPOLIA,
  endpoints: { execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500', engine: '' },
  homePath: '/home/of/the/node',
  journalDirectory: '/state/journal',
  lockDirectories: ['/state/locks'],
  outputDirectory: '/state',
}
const TYPED = {
  withdrawal: ADDRESS,
  withdrawalAgain: 'C7ab88b0',
  operator: ADDRESS,
  operatorAgain: 'C7ab88b0',
}

const seen = <T,>(value: T) => ({ status: 'known', value, source: 'localhost:8545', atMs: 0 }) as const

/** The step with what is typed, while the account holds this much. */
function signing(accepted: SignState['accepted'], balanceWei: bigint): SignState {
  const place = { rank: 69, places: 69, cutoffGwei: tokens(250_000n) }
  const way: FundsAnswers['way'] = { topUpGwei: tokens(250_000n), place, reported: false }
  const funds = { way: seen(way), price: seen({ feeWei: 9n * 10n ** 14n }), account: seen({ balanceWei }) }
  const accounts = { withdrawal: seen(['sender'] as const), operator: seen(['sender'] as const) }
  return { ...initialSign, challengeOffset: 8, accepted, accounts, funds }
}

test.each([
  ['the amount is typed', TYPED],
  ['Enter signs', { ...TYPED, amount: '10,000' }],
])('while %s, all of the money for the whole way is in sight at 80×24', async (_, accepted) => {
  const state = signing(accepted, 20_000n * WEI)
  const terminal = await openTerminal(<StepScreen view={signView(state, SETUP)} dispatch={() => undefined} />)
  const screen = terminal.screen().replaceAll(/\s+/g, ' ').replaceAll('localhost:8545 1 min ', '')
  for (const part of [
    '260,000.0018 BERA with fees:',
    '10,000 + top-up 250,000;',
    'place 69 of 69, cutoff 250,000',
  ])
    expect(screen).toContain(part)
  const about = { observed: state.funds, amountGwei: tokens(10_000n), setup: SETUP }
  expect(fundsNeeded(about, 20_000n * WEI)).toMatchObject({ isFirstShort: false })
  expect(screen).toContain(FUNDS_FACTS.account.say?.({ balanceWei: 20_000n * WEI }, about))
  await terminal.close()
})

test('nothing is said of it while the addresses are typed: their warning needs the room', () => {
  const ids = signView(signing({ withdrawal: ADDRESS }, WEI), SETUP).facts.map(({ id }) => id)
  expect(ids).toEqual(['withdrawalAccount'])
})
