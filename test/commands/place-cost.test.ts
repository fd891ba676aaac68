import { describe, expect, test } from 'vitest'
import { topUpPlanCommand } from '../../src/commands/topup-plan.ts'
import { formatGwei, tokens } from '../../src/core/base/format/amount.ts'
import { PLACE_COST_TEXT } from '../../src/core/view/place-cost-text.ts'
import type { LoopbackReply } from '../../src/devnet/loopback-server.ts'
import { namedWorld } from '../support/named-world.ts'
import { pattern } from '../support/pattern.ts'
import { besideRecorded } from '../support/recorded-chain.ts'
import { recordedDeposits, recordedSlot, STATE_SLOT } from '../support/replay-recording.ts'
import type { Tamper } from '../support/replay-servers.ts'
import { runCommandWith } from '../support/run-command.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

/** The block that proves the one state that was recorded whole. */
const HEAD = STATE_SLOT + 1
/** A block with six deposits behind it. */
const LATER = 300

type Input = Omit<Parameters<typeof besideRecorded>[1], 'slot'> & { slot?: number }
const plan = ({ argv = [], ...input }: Input) =>
  besideRecorded(topUpPlanCommand, { slot: HEAD, ...input, argv: [...argv, '--json'] })

type Ended = Pick<Awaited<ReturnType<typeof plan>>, 'json'>
const row = (ended: Ended, id: string) => ended.json().rows.find((each) => each.id === id)

/** What the recorded node says of its active set at a slot, read without the program. */
function activeAt(slot: number) {
  const active = recordedSlot(slot).validators.filter(({ status }) => status.startsWith('active_'))
  const [last] = active
    .map(({ validator }) => ({ pubkey: validator.pubkey, stakeGwei: validator.effective_balance }))
    .sort((a, b) => Number(BigInt(a.stakeGwei) - BigInt(b.stakeGwei)))
  return { taken: active.length, last }
}

/** A reply with another text. */
function rewritten(reply: LoopbackReply, change: (text: string) => string): LoopbackReply {
  return reply === 'close' ? reply : { ...reply, body: change(reply.body) }
}

/** Another result in the replies to one method. */
function tampered(method: string, change: (result: unknown) => unknown): Tamper {
  return (request, reply) => {
    if ((JSON.parse(request.body) as { method: string }).method !== method) return undefined
    return rewritten(reply, (text) => {
      const body = JSON.parse(text) as { result: unknown }
      return JSON.stringify({ ...body, result: change(body.result) })
    })
  }
}

/** The whole state of the node with more for its last validator. */
const richer: Tamper = ({ path }, reply) =>
  path.includes('/debug/beacon/states/')
    ? rewritten(reply, (text) => text.replaceAll('250000000000000', '260000000000000'))
    : undefined

describe('what a place costs now, without a home and a key', () => {
  test('is what the state of the recorded node says, proven by the execution chain', async () => {
    const seen = await plan({ named: ['execution', 'second-execution', 'node'] })
    expect(seen.code).toBe(0)
    const said = activeAt(STATE_SLOT)
    expect(seen.json()).toMatchObject({
      slot: String(STATE_SLOT),
      proof: { slot: String(STATE_SLOT), anchors: 2 },
      places: { taken: said.taken, places: 3, last: said.last },
      waiting: { count: 0 },
      // Of equal stakes the smaller key goes: one step above the last is the least.
      wholeWayGwei: String(BigInt(said.last?.stakeGwei ?? 0) + tokens(10_000n)),
    })
    expect(row(seen, 'places')).toMatchObject({ mark: 'proven', value: '3 of 3 taken' })
    expect(row(seen, 'last-place')).toMatchObject({ mark: 'proven', long: said.last?.pubkey })
    const { execution, node } = seen.urls
    // The engine of this computer is asked for signed blocks where no other one was named.
    expect(seen.asked).toEqual([execution, seen.urls.second, node, 'http://127.0.0.1:26657'].sort())
  })

  test('shows what each step around the last place buys', async () => {
    const seen = await plan({ named: ['execution', 'node'] })
    const { steps } = seen.json() as unknown as {
      steps: { allGwei: string; outcome: string; rank: number | null }[]
    }
    expect(steps.map(({ allGwei, outcome, rank }) => [formatGwei(BigInt(allGwei)), outcome, rank])).toEqual([
      ['230,000', 'below-threshold', null],
      ['240,000', 'below-threshold', null],
      ['250,000', 'lost-at-once', 4],
      ['260,000', 'keeps-place', 3],
      ['270,000', 'keeps-place', 3],
      ['280,000', 'keeps-place', 3],
      ['290,000', 'keeps-place', 3],
      ['300,000', 'keeps-place', 3],
    ])
    const { out } = await besideRecorded(topUpPlanCommand, { slot: HEAD, named: ['execution', 'node'] })
    const step = { allGwei: tokens(250_000n), outcome: 'lost-at-once', rank: 4, places: 3 } as const
    expect(out).toContain(`250,000 BERA  ${PLACE_COST_TEXT.step(step)}`)
  })

  test.each([250, 300, 440])(
    'is reported, not proven, where the node keeps no state: slot %i',
    async (slot) => {
      const seen = await plan({ slot, named: ['execution', 'node'] })
      const said = activeAt(slot)
      expect(seen.json()).toMatchObject({ places: { taken: said.taken, last: said.last } })
      expect(seen.json().proof).toBeNull()
      expect(row(seen, 'places')).toMatchObject({ mark: 'unasked' })
      expect(row(seen, 'set')?.value).toContain('reported, not proven')
      const { wholeWayGwei } = seen.json() as unknown as { wholeWayGwei: string }
      const all = formatGwei(BigInt(wholeWayGwei))
      expect(seen.json().sentence).toMatch(pattern` ${all} BERA .*: reported, not proven\.$`)
    },
  )

  test('is nothing where a second endpoint holds another root, or the node another state', async () => {
    const other: Tamper = tampered('eth_call', () => `0x${'11'.repeat(32)}`)
    const liars = [
      { named: ['execution', 'second-execution', 'node'], second: other },
      { named: ['execution', 'second-execution', 'node'], execution: other },
      { named: ['execution', 'node'], node: richer },
    ] as const
    for (const liar of liars) {
      const seen = await plan(liar)
      expect(seen.json()).toMatchObject({ error: { code: 'proofs.state-mismatch' } })
      expect(seen.code).not.toBe(0)
    }
  })

  test('asks nobody whom nobody named, and says what to name', async () => {
    const nothing = await plan({ named: [] })
    expect([nothing.code, nothing.asked]).toEqual([2, []])
    expect(nothing.words).toMatch(/--execution URL .*--node URL/)
    const half = await plan({ named: ['node'] })
    expect([half.code, half.asked]).toEqual([2, []])
    expect(half.words).toContain('Add --execution URL')
  })
})

describe('execution endpoints alone', () => {
  test('say what the deposits say, and leave the places not known', async () => {
    const seen = await plan({ slot: LATER, named: ['execution', 'second-execution'] })
    expect(seen.code).toBe(3)
    const made = recordedDeposits.filter(({ block }) => block <= LATER)
    const sums = new Map<string, bigint>()
    for (const { pubkey, amountGwei } of made) sums.set(pubkey, (sums.get(pubkey) ?? 0n) + BigInt(amountGwei))
    expect(seen.json().deposits).toEqual({
      block: String(LATER),
      count: made.length,
      genesisCount: 3,
      keyCount: sums.size,
      sumGwei: String([...sums.values()].reduce((a, b) => a + b)),
      keysAtThresholdCount: [...sums.values()].filter((sum) => sum >= tokens(250_000n)).length,
      endpointCount: 2,
    })
    expect(row(seen, 'places')).toMatchObject({ mark: 'unknown', fix: expect.stringContaining('--node URL') })
    expect(seen.json()).not.toHaveProperty('wholeWayGwei')
    expect(seen.json().sentence).toMatch(/ --node URL\.$/)
    expect(seen.asked).toEqual([seen.urls.execution, seen.urls.second].sort())
  })

  test('are told by one alone where the second does not answer', async () => {
    const silent: Tamper = () => ({ status: 500, contentType: 'text/plain', body: '' })
    const seen = await plan({ slot: LATER, named: ['execution', 'second-execution'], second: silent })
    expect(seen.json()).toMatchObject({ deposits: { count: 6, endpointCount: 1 } })
    expect(row(seen, 'deposits')?.value).toContain('reported by 1 endpoint')
  })

  const drop = (which: number) =>
    tampered('eth_getLogs', (logs) => (logs as unknown[]).filter((_, at) => at !== which))

  test.each([0, 2, 5])(
    'count by the other where one of them leaves deposit %i out, or say nothing',
    async (which) => {
      const first = await plan({ slot: LATER, named: ['execution'], execution: drop(which) })
      const second = await plan({
        slot: LATER,
        named: ['execution', 'second-execution'],
        second: drop(which),
      })
      const isBegun = which === 0
      // Where numbering begins only another endpoint can tell.
      expect(row(first, 'deposits')?.mark).toBe(isBegun ? 'unasked' : 'unknown')
      if (isBegun) {
        expect(row(second, 'deposits')).toMatchObject({ mark: 'unknown' })
        expect(second.json().deposits).toBe('unknown')
      } else {
        // A gap shows which of the two lacks one.
        expect(row(second, 'deposits')?.mark).toBe('unasked')
        expect(second.json()).toMatchObject({ deposits: { count: 6, endpointCount: 1 } })
      }
    },
  )

  test('are not of the network where their chain has another number', async () => {
    const seen = await plan({ named: ['execution'], execution: tampered('eth_chainId', () => '0x1') })
    expect([seen.code, row(seen, 'chain')?.mark]).toEqual([1, 'refused'])
    expect(row(seen, 'deposits')).toBeUndefined()
    expect(seen.json().sentence).toMatch(/ Recorded\.$/)
  })
})

describe('on a rehearsal network', () => {
  const { look, effects } = namedWorld()

  test('needs nothing named, and tells places, price and steps', async () => {
    const seen = await look(topUpPlanCommand, ['--json'])
    expect(seen.code).toBe(0)
    expect(seen.json()).toMatchObject({ places: { taken: 12, places: 12 } })
    expect(row(seen, 'places')?.value).toBe('12 of 12 taken')
  })

  test('is what the chain then does with that much, and what waits changes it', async () => {
    const { devnet, end } = await testDevnet({ seed: 'place', scenario: 'set-full' })
    try {
      await pass(devnet, 3)
      const cost = async () => {
        const argv = ['--devnet', JSON.stringify(devnet.descriptor), '--home', '/nowhere', '--json']
        return runCommandWith(topUpPlanCommand, argv, effects())
      }
      const before = await cost()
      const { wholeWayGwei } = before.json() as unknown as { wholeWayGwei: string }
      const all = BigInt(wholeWayGwei) / tokens(1n)
      const user = await userOf(devnet)
      await user.firstDeposit(10_000n)
      await pass(devnet, 4)
      await user.topUp(all - 10_000n)
      await pass(devnet, 1)
      // The top-up is in a block and in no state yet: whoever comes next needs more by it, as long as it counts.
      const waiting = await cost()
      expect(waiting.json()).toMatchObject({ waiting: { count: 1, sumGwei: String(tokens(all - 10_000n)) } })
      expect(row(waiting, 'waiting')?.value).toMatch(/^1 deposit, .* BERA, counted in; without /)
      await pass(devnet, 4 * Number(devnet.chain.input.spec.slotsPerEpoch))
      const own = devnet.state().validators.find(({ pubkey }) => pubkey === user.pubkey)
      const epoch = devnet.state().slot / devnet.chain.input.spec.slotsPerEpoch
      expect(own?.effectiveBalanceGwei).toBe(tokens(all))
      expect(own !== undefined && own.activationEpoch <= epoch && own.exitEpoch > epoch).toBe(true)
    } finally {
      await end()
    }
  })
})
