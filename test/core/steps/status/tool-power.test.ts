import { expect, test } from 'vitest'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA } from '../../../../src/core/chain/network/presets.ts'
import { TOOL_TEXT } from '../../../../src/core/steps/status/facts.ts'
import { initialStatus } from '../../../../src/core/steps/status/machine.ts'
import type { StatusAnswers, ToolAnswer } from '../../../../src/core/steps/status/values.ts'
import { statusView } from '../../../../src/core/steps/status/view.ts'

const SETUP: Setup = {
  network: BEPOLIA,
  endpoints: {
    execution: 'http://127.0.0.1:8545',
    node: 'http://127.0.0.1:3500',
    engine: 'http://127.0.0.1:26657',
  },
  homePath: '/home/of/the/node',
  journalDirectory: '/state/journal',
  lockDirectories: ['/state/locks'],
  outputDirectory: '/state',
}
const seen = <T>(value: T) => ({ status: 'known', value, source: 'beacond', atMs: 0 }) as const

const engineWith = (powerTokens: bigint): StatusAnswers['engine'] => ({
  powerGwei: tokens(powerTokens),
  totalGwei: tokens(6_790_000n),
  members: 3,
  height: 1_000n,
  catchingUp: false,
  sameKey: true,
})

/** The row of the node tool's power beside the engine's: nothing where it is not there. */
function rowOf(tool: ToolAnswer | undefined, powerTokens: bigint | undefined): string | undefined {
  const state = {
    ...initialStatus,
    observed: {
      ...initialStatus.observed,
      ...(tool === undefined ? {} : { tool: seen(tool) }),
      ...(powerTokens === undefined ? {} : { engine: seen(engineWith(powerTokens)) }),
    },
  }
  const row = statusView(state, {}, SETUP, { isPaidUp: false }).facts.find(({ id }) => id === 'tool')
  return row && `${row.mark}: ${row.value}`
}

const printed = (powerTokens: bigint, more: Partial<ToolAnswer> = {}): ToolAnswer => ({
  powerGwei: tokens(powerTokens),
  height: 1_000n,
  sameKey: true,
  ...more,
})

test('the power that the node tool prints is compared with the one that the engine counts', () => {
  expect(rowOf(printed(300_000n), 300_000n)).toBe(`proven: ${TOOL_TEXT.power.same('300,000')}`)
  expect(rowOf(printed(0n), 0n)).toBe(`unasked: ${TOOL_TEXT.power.none()}`)
})

test('a difference says what it means: another key, a node that is behind, or one that may be', () => {
  expect(rowOf(printed(0n, { sameKey: false }), 300_000n)).toBe(
    `refused: ${TOOL_TEXT.power['other-key']('0')}`,
  )
  expect(rowOf(printed(0n, { height: 900n }), 300_000n)).toBe(
    `unknown: ${TOOL_TEXT.power.behind('0', '900')}`,
  )
  expect(rowOf(printed(280_000n), 300_000n)).toBe(`unknown: ${TOOL_TEXT.power.differs('280,000')}`)
})

test('without the engine nothing is compared, and a tool that nobody asked has no row', () => {
  expect(rowOf(printed(300_000n), undefined)).toBe(`unknown: ${TOOL_TEXT.power['not-known']('300,000')}`)
  expect(rowOf(undefined, 300_000n)).toBeUndefined()
})
