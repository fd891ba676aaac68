import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openRows } from '../../../../src/commands/open-rows.ts'
import { tokens } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { SetSnapshot } from '../../../../src/core/chain/consensus/snapshot.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import {
  barsGuard,
  COMMITMENT_TEXT,
  commitmentsFor,
  type Kept,
  type KeptGuard,
  nonceFaultBesideGuards,
  nonceFaultOf,
  otherPaymentIn,
  otherWindowOf,
} from '../../../../src/core/pay/gate/commitments.ts'
import { notArmedBy } from '../../../../src/core/pay/guard/decide.ts'
import { keptBackBy } from '../../../../src/core/pay/guard/guard-consent.ts'
import { LEAVE_FACTS, type LeaveAnswers } from '../../../../src/core/pay/leave/facts.ts'
import { leaveCommands, leavePicture } from '../../../../src/core/pay/leave/picture.ts'
import type { Observations } from '../../../../src/core/view/observation.ts'
import { nothingAsked } from '../../../../src/core/view/rows.ts'
import { EPOCH, inSet, MINE, picture, withMine } from '../../../support/guard-world.ts'
import { replacementFor, signedPayment } from '../../../support/payments.ts'
import { address, genesisOf, pubkey } from '../../chain/consensus/model.ts'
import { randomSpec } from '../../chain/consensus/random-requests.ts'

const ACCOUNT = address(1)
const NONCE = 4
const PUBKEY = pubkey(1)
const NOTHING: Kept = { guards: [], payments: [], windows: [] }
const network = { ...MAINNET, spec: randomSpec }
const setup: Setup = {
  network,
  endpoints: { execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' },
  journalDirectory: '/state/mainnet',
  lockDirectories: [],
  outputDirectory: '/home/ann',
}

const guard = (stand: KeptGuard['stand']): Kept => ({
  ...NOTHING,
  guards: [{ from: ACCOUNT, nonce: NONCE, pubkey: stand === 'unreadable' ? undefined : PUBKEY, stand }],
})
const payment = (isCancelling: boolean): Kept => ({
  ...NOTHING,
  payments: [
    {
      from: ACCOUNT,
      nonce: NONCE,
      pubkey: PUBKEY,
      isContract: false,
      ...(isCancelling ? { isCancelling } : {}),
    },
  ],
})

/** What is committed: by the journals, or by the chain. */
const KINDS: Readonly<Record<string, { kept?: Kept; chain?: 'part' | 'exit' }>> = {
  nothing: {},
  'an open payment': { kept: payment(false) },
  'a sent cancellation of a payment': { kept: payment(true) },
  'an armed guard': { kept: guard('armed') },
  'a guard that has sent an amount': { kept: guard('handed-over') },
  'a sent cancellation of a guard': { kept: guard('cancelling') },
  'an exported guard': { kept: guard('exported') },
  'the guard of a validator that has left': { kept: guard('given-up') },
  'a guard that can’t be read': { kept: guard('unreadable') },
  'a journal that can’t be read': { kept: { guards: [], payments: 'unknown', windows: [] } },
  'another window with the account': {
    kept: { ...NOTHING, windows: [{ from: ACCOUNT, pid: 41, isSure: true }] },
  },
  'a part that waits': { chain: 'part' },
  'a requested exit': { chain: 'exit' },
}
type Kind = { kept: Kept; chain: 'part' | 'exit' | undefined }

function setOf(chain: Kind['chain']): SetSnapshot {
  const consensus = genesisOf([300_000n, 280_000n, 260_000n], randomSpec)
  const block = { number: 1n, hash: '0x', timestampSeconds: 400n } as const
  return {
    consensus: {
      ...consensus,
      validators: consensus.validators.map((one) =>
        chain === 'exit' && one.pubkey === PUBKEY ? { ...one, exitEpoch: 1n } : one,
      ),
      pendingPartialWithdrawals:
        chain === 'part' ? [{ validatorIndex: 0, amountGwei: tokens(1n), withdrawableEpoch: 9n }] : [],
    },
    indexes: [0, 1, 2],
    timestampSeconds: 400n,
    uncounted: [],
    proof: { slot: 0n, blockRoot: '0x', anchors: 1, block },
    unproven: undefined,
  }
}

const known = <T>(value: T) => ({ status: 'known', value, source: '', atMs: 0 }) as const

/** The picture of the exit, asked by an account of a key or by a contract. */
function leaving({ kept, chain }: Kind, { contract }: { contract: boolean }) {
  const price = { gasLimit: 150_000n, maxFeePerGasWei: 7n, maxPriorityFeePerGasWei: 1n }
  const fork = {
    version: '0x06000000',
    slot: 9n,
    timestampSeconds: randomSpec.fuluTimeSeconds + 100n,
  } as const
  const observed: Observations<LeaveAnswers> = {
    ...nothingAsked(LEAVE_FACTS),
    chain: known({ chainId: network.executionChainId, fork, fresh: true, sameGenesis: true }),
    set: known({ snapshot: setOf(chain), behindSlots: 0n }),
    requests: known({ made: [], waiting: [], toBlock: 1n }),
    wallet: known({ address: ACCOUNT, contract, balanceWei: 10n ** 18n, nonce: NONCE, pending: NONCE }),
    fee: known({ feeWei: 1n, valueWei: 3n, price }),
    dryRun: known({ gasLimit: 200_000n, refusal: undefined }),
    open: known({ kept, final: NONCE }),
  }
  return leavePicture({ observed, setup, pubkey: PUBKEY, amountGwei: 0n })
}

const toldIn = (value: string | undefined) => value !== undefined && value !== COMMITMENT_TEXT.none

/** Whether a request is made, and what its row says. */
function byLeave(kind: Kind, contract: boolean): string {
  const { request, rows } = leaving(kind, { contract })
  if (request === undefined) return 'none made'
  return toldIn(rows.find(({ id }) => id === 'open')?.value) ? 'made, and told' : 'made'
}

/** What `c` shows: the command with the nonce. */
function byCopy(kind: Kind): string {
  const { request } = leaving(kind, { contract: false })
  const commands = request === undefined ? [] : leaveCommands(request)
  return commands.some((command) => command.includes(`--nonce ${NONCE} `)) ? 'shown' : 'not shown'
}

/** Which nonces a payment of the account is given: that one, and the next. */
function byPayment({ kept }: Kind): string {
  if (otherWindowOf(kept, ACCOUNT) !== undefined) return 'none'
  const may = (nonce: number) => nonceFaultBesideGuards(kept, { from: ACCOUNT, nonce }, NONCE) === undefined
  if (!may(NONCE)) return 'none'
  return may(NONCE + 1) ? 'any' : 'the same nonce'
}

/** A replacement has the nonce of its payment, whatever else is committed. */
const bySpeedUp = (): string =>
  replacementFor(signedPayment({ nonce: NONCE }), 'speed-up').transaction.nonce === NONCE
    ? 'its own nonce'
    : 'another'

/** What the guard of another account sees. */
function seenByGuard({ kept, chain }: Kind) {
  const of = (hex: Hex) => (hex === PUBKEY ? MINE : hex)
  const own = commitmentsFor(kept, { pubkey: PUBKEY }).map((one) =>
    'pubkey' in one && one.pubkey !== undefined ? { ...one, pubkey: of(one.pubkey) } : one,
  )
  const sets = { part: inSet({ partial: true }), exit: withMine({ exitEpoch: EPOCH }) }
  return picture({
    ...(chain === undefined ? {} : sets[chain]),
    otherPayment: otherPaymentIn(own, address(2)),
  })
}

/** Whether an armed guard of another account may still act. */
const byGuard = (kind: Kind): string =>
  keptBackBy(seenByGuard(kind)).length === 0 ? 'may act' : 'sends nothing'

/** Whether another guard of the account may be armed with that nonce. */
function byArming({ kept, chain }: Kind): string {
  const about = { from: ACCOUNT, pubkey: PUBKEY, set: setOf(chain) }
  const found = commitmentsFor(kept, about)
  const bars = found.map((one) => barsGuard(one, { from: ACCOUNT, nonce: NONCE }))
  if (bars.some((one) => one !== undefined)) return 'refused'
  if (chain !== undefined && notArmedBy(seenByGuard({ kept, chain })) !== undefined) return 'refused'
  return found.length === 0 ? 'may be armed' : 'the same nonce'
}

function byRow({ kept, chain }: Kind, step: 'sign' | 'topup'): string {
  const set = step === 'sign' ? {} : { set: setOf(chain) }
  const [row] = openRows(kept, { pubkey: PUBKEY, step, network, ...set })
  if (row === undefined) return '–'
  return row.mark === 'given' ? 'told' : row.mark
}

const ASKERS: Readonly<Record<string, (kind: Kind) => string>> = {
  '`leave` and its page': (kind) => byLeave(kind, false),
  '`c`': byCopy,
  'Safe file': (kind) => byLeave(kind, true),
  'deposit, top-up': byPayment,
  'speed-up, cancellation': bySpeedUp,
  'another guard of it': byGuard,
  'arming a guard': byArming,
  '`topup-plan`': (kind) => byRow(kind, 'topup'),
  '`sign`': (kind) => byRow(kind, 'sign'),
}

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

describe('what is committed', () => {
  test('is known to each who asks: the table of the docs, cell by cell', () => {
    const rows = Object.entries(KINDS).map(([name, { kept = NOTHING, chain }]) =>
      line([name, ...Object.values(ASKERS).map((ask) => ask({ kept, chain }))]),
    )
    const names = Object.keys(ASKERS)
    const table = [line(['committed', ...names]), line(['', ...names].map(() => '---')), ...rows].join('\n')
    expect(readFileSync('docs/guard.md', 'utf8')).toContain(table)
  })

  test('is no more than the chain says is used for good', () => {
    const about = { from: ACCOUNT, pubkey: PUBKEY }
    for (const kept of [guard('armed'), guard('given-up'), payment(false)]) {
      expect(commitmentsFor(kept, { ...about, final: NONCE })).toHaveLength(1)
      expect(commitmentsFor(kept, { ...about, final: NONCE + 1 })).toEqual([])
    }
  })

  test('keeps a nonce from what must take it from nothing else', () => {
    const at = (nonce: number) => ({ from: ACCOUNT, nonce })
    expect(nonceFaultOf(guard('armed'), at(NONCE), NONCE)).toMatchObject({ is: 'guard' })
    expect(nonceFaultOf(payment(false), at(NONCE), NONCE)).toMatchObject({ is: 'payment' })
    for (const stand of ['armed', 'given-up', 'over', 'exported'] as const) {
      expect(nonceFaultOf(guard(stand), at(NONCE + 1), undefined)).toMatchObject({ is: 'above' })
      expect(nonceFaultOf(guard(stand), at(NONCE + 1), NONCE)).toMatchObject({ is: 'above' })
      expect(nonceFaultOf(guard(stand), at(NONCE + 1), NONCE + 1)).toBeUndefined()
      expect(nonceFaultOf(guard(stand), at(NONCE - 1), NONCE)).toMatchObject({ is: 'below' })
    }
  })
})
