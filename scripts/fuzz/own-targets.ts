import { privateKeyToAccount } from 'viem/accounts'
import { parseClaim } from '../../src/core/base/effects/node-claim.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { BEPOLIA } from '../../src/core/chain/network/presets.ts'
import { emptyMemory } from '../../src/core/observe/memory.ts'
import type { GuardEvent } from '../../src/core/pay/guard/guard.ts'
import { checkSigned } from '../../src/core/pay/wallet/check-signed.ts'
import type { WatchEvent } from '../../src/core/view/alarm-event.ts'
import { encodeEntry, FIRST_PREV, JOURNAL_VERSION, sealEntry } from '../../src/core/wizard/journal/entry.ts'
import { OF_GUARD } from '../../src/core/wizard/journal/guard-events.ts'
import { readMembers } from '../../src/core/wizard/journal/guard-file.ts'
import { memoryText, readMemory } from '../../src/watch/keep.ts'
import { readWatchConfig } from '../../src/watch/notify/config.ts'
import { decodeOutbox, encodeOutbox } from '../../src/watch/notify/open-outbox.ts'
import { EMPTY_OUTBOX, outboxTransition } from '../../src/watch/notify/outbox.ts'
import { exampleConfig } from '../../src/watch/notify/test-alarm.ts'
import { hashOf, terms } from '../../test/support/guard-world.ts'
import { readLine } from './file-targets.ts'
import type { Target } from './run-target.ts'
import { withoutRemarks } from './samples.ts'

const SENT = {
  chainId: 80_069,
  nonce: 3,
  to: '0x4242424242424242424242424242424242424242',
  valueWei: 10n ** 22n,
  data: '0xe12cf4cb',
  gasLimit: 150_000n,
  maxFeePerGasWei: 3_000_000_001n,
  maxPriorityFeePerGasWei: 1_000_000_001n,
} as const
/** The second key that every development chain knows. */
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const { chainId, nonce, to, data } = SENT
const fields = {
  type: 'eip1559',
  chainId,
  nonce,
  to,
  data,
  value: SENT.valueWei,
  gas: SENT.gasLimit,
  maxFeePerGas: SENT.maxFeePerGasWei,
  maxPriorityFeePerGas: SENT.maxPriorityFeePerGasWei,
} as const
const signed = await account.signTransaction(fields)

const readSigned = (text: string) => checkSigned(text as Hex, { transaction: SENT, from: account.address })

function outbox(): string {
  const event: WatchEvent = {
    id: 'bepolia drops-out 1',
    sequence: 1,
    atMs: 1_790_000_000_000,
    network: 'bepolia',
    validator: { pubkey: `0x${'ab'.repeat(48)}`, index: 7, name: 'mine' },
    alarm: 'drops-out',
    change: 'fired',
    severity: 'critical',
    title: 'It drops out.',
    what: 'Somebody added 10,000.',
    next: 'bearings topup',
    nextIs: 'command',
    until: { epoch: 7n, slot: 1343n, atMs: 1_790_000_600_000 },
  }
  const rules = {
    channels: [{ name: 'hook', least: 'info', quiet: false }],
    quiet: undefined,
    most: 500,
  } as const
  return encodeOutbox(outboxTransition(EMPTY_OUTBOX, { type: 'happened', event }, rules, event.atMs).outbox)
}

const claim = () =>
  JSON.stringify({
    pid: 7,
    startTime: '77',
    bootId: 'b',
    host: 'computer.local',
    machineId: 'm',
    sinceMs: 1,
    nonce: 'n',
  })

/** What is no claim is none, and no fault. */
function readClaim(text: string): void {
  if (parseClaim(text) === undefined) throw new BaseError('claim.none', { short: 'This is no claim.' })
}

/** Lines of the journal of a guard: each event of its own, and one of its payment. */
function guardLines(): string[] {
  const place = { blockNumber: 8n, blockHash: hashOf(0) }
  const events: GuardEvent[] = [
    { type: 'exported', terms: terms() },
    { type: 'armed', terms: terms(), hashes: [hashOf(0), hashOf(1)] },
    {
      type: 'handing',
      member: 1,
      raw: '0x02',
      hash: hashOf(1),
      target: { outAtEpoch: 5n, lastBlock: 9n, provenBlock: 7n },
      baseline: { ...place, balanceWei: 1n },
    },
    { type: 'included', hash: hashOf(1), feeWei: 1n, ...place },
    { type: 'void' },
  ]
  const line = { v: JOURNAL_VERSION, seq: 1, t: 1_790_000_000_000, prev: FIRST_PREV }
  return events.map((event) => encodeEntry(sealEntry({ ...line, ...OF_GUARD.encode(event) })))
}

const members = () => JSON.stringify({ version: 1, raws: [signed, '0x02f8'] })

/** What the program keeps and is configured by, and bytes that another wallet signed. */
export const OWN_TARGETS: readonly Target[] = [
  { name: 'signed transactions', structure: 'rlp', samples: [signed], read: readSigned },
  {
    name: 'watch.toml',
    structure: 'toml',
    samples: [withoutRemarks(exampleConfig())],
    read: readWatchConfig,
  },
  { name: 'outboxes', samples: [outbox()], read: (text) => decodeOutbox(text, '/state/watch-outbox.json') },
  {
    name: 'memories of a watch',
    samples: [memoryText(emptyMemory(BEPOLIA))],
    read: (text) => readMemory(text, '/state/watch.json', BEPOLIA),
  },
  { name: 'claims of locks', samples: [claim()], read: readClaim },
  { name: 'lines of a guard', samples: guardLines(), read: (line) => readLine(line, OF_GUARD.decode) },
  {
    name: 'members of a guard',
    samples: [members()],
    read: (text) => readMembers(text, '/guard/members.json'),
  },
]
