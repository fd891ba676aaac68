import { beforeAll, describe, expect, test } from 'vitest'
import { api } from '../../src/commands/api.ts'
import type { CommandInput } from '../../src/commands/command.ts'
import { doctor } from '../../src/commands/doctor.ts'
import { GENESIS_REPORT_TEXT, genesis } from '../../src/commands/genesis.ts'
import { keys } from '../../src/commands/keys.ts'
import { status } from '../../src/commands/status.ts'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { sampled } from '../support/hard.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { networkOf } from '../support/network-of.ts'

const { look, devnet } = lookingWorld()

// The time between blocks is a check once there are enough of them.
beforeAll(async () => {
  while (devnet().chain.history.head.header.slot <= 20n) await devnet().advanceSlot()
})

type LookingCommand = (input: CommandInput) => Promise<ExitCode>

/** A sentence without how many checks there are. */
const uncounted = (sentence: unknown) => String(sentence).replace(/\d+ checks/, 'N checks')

describe('the verdict', () => {
  const nobody = `0x${'97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'}`
  const VERDICTS: [string, LookingCommand, () => readonly string[], string][] = [
    ['genesis', genesis, () => [], 'ok All 7 answers name one chain: Rehearsal.'],
    ['keys', keys, () => [], 'ok The key file is sound, and the engine signs with it; the key is unused.'],
    [
      'keys of nobody',
      keys,
      () => ['--validator', nobody],
      'ok The key is unused: nothing was ever deposited for it.',
    ],
    [
      'status',
      status,
      () => ['--validator', '0'],
      'ok Active; it keeps its place at the next 5 epoch boundaries.',
    ],
    ['status of nobody', status, () => [], 'NO Not registered: the beacon state does not hold this key.'],
    [
      'topup-plan',
      topUpPlanCommand,
      () => ['--validator', '0'],
      'ok No top-up is needed: what is staked keeps its place.',
    ],
    [
      'topup-plan of nobody',
      topUpPlanCommand,
      () => ['--amount', '10,000'],
      'NO 10,000 BERA: burnt: the beacon state does not hold this key.',
    ],
    ['doctor', doctor, () => [], 'ok All N checks hold.'],
    [
      'api',
      api,
      () => ['/bkit/v1/proof/validator_pubkey/head/0', '--verify'],
      'ok Level 2 of 3: proven, and the execution endpoint holds that root.',
    ],
  ]
  test.each(sampled(VERDICTS, 3))(
    'of %s is the last line, and the rest fits 80 columns',
    async (_what, command, argv, verdict) => {
      const { out } = await look(command, ...argv())
      const lines = out.split('\n')
      expect(uncounted(lines.at(-1))).toBe(verdict)
      // What api prints before its facts is the answer as JSON.
      expect(lines.filter((line) => line.length > 80 && !line.includes('"'))).toEqual([])
      const { json } = await look(command, ...argv(), '--json')
      expect(uncounted(json().sentence)).toBe(verdict.slice(3))
    },
  )

  test('of a closed endpoint says what has no answer', async () => {
    const { out } = await look(genesis, '--engine', 'http://127.0.0.1:1')
    const missing = { is: 'unknown', checks: 7, bad: 1, open: 1, which: 'consensus engine' } as const
    const sentence = GENESIS_REPORT_TEXT.chain(missing, networkOf(devnet()))
    expect(out.split('\n').at(-1)).toBe(`?? ${sentence}`)
  })
})
