import { endpointName } from '../../core/base/format/endpoint-url.ts'
import type { NodeSetup } from '../../core/chain/facts.ts'
import { clockAheadMs, judgeClock } from '../../core/chain/network/clock.ts'
import { BLOCKS_TO_MEASURE, SLOTS_TO_STAND } from '../../core/chain/network/limits.ts'
import type { Network } from '../../core/chain/network/network.ts'
import { type Beside, type ExecutionHead, executionBeside } from '../../core/chain/network/standstill.ts'
import { measureBlockInterval } from '../../core/clients/engine/blocks.ts'
import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import type { EngineAndHead } from '../../core/clients/engine-and-head.ts'
import { latestBlock } from '../../core/clients/execution/blocks.ts'
import { getSyncing, isBehind, type SyncProgress } from '../../core/clients/execution/chain.ts'
import { askExecutionHeads } from '../../core/clients/heads.ts'
import { getNodeSyncing, type NodeSyncing } from '../../core/clients/node/node.ts'
import { clientsOf, type NodeClients } from '../../core/observe/context.ts'
import { judgeNode } from '../../core/observe/findings.ts'
import {
  AWAIT_ENGINE,
  CATCHES_UP,
  intervalWords,
  RESTART_NODE,
  standstillWords,
} from '../../core/observe/node-text.ts'
import { createObserver, type Picture, type Questions, replyIn } from '../../core/observe/observer.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'
import { doctorRow, unknownRow } from './doctor-row.ts'
import { DOCTOR_TEXT as TEXT } from './text.ts'

/** Our clock against the engine's block times, judged as a watch does. */
function clockRow(looks: readonly Look[], { network, endpoints }: NodeSetup): ReportRow {
  const source = endpointName(endpoints.engine)
  const row = (part: Pick<ReportRow, 'mark' | 'value' | 'next' | 'numbers'>) =>
    doctorRow('status', 'clock', { ...part, source })
  if (!network.clockIsWall) return row({ mark: 'unasked', value: TEXT.clock.notWall })
  const advanced = (looks.at(-1)?.slot ?? 0n) > (looks[0]?.slot ?? 0n)
  const agesMs = looks.map(({ nowMs, engineTimeMs }) => nowMs - engineTimeMs)
  const aheadMs = clockAheadMs(agesMs, network.slotMs)
  const is = aheadMs === undefined ? 'old' : judgeClock(aheadMs)
  const next = TEXT.clock.change
  if (aheadMs !== undefined && is === 'behind')
    return row({ mark: 'refused', value: TEXT.clock.behind(-aheadMs), next, numbers: { aheadMs } })
  if (!advanced) return row({ mark: 'unknown', value: TEXT.clock.noHead })
  const catchesUp = looks.some(({ isSyncing, engineSyncing }) => isSyncing || engineSyncing)
  if (is === 'old' || (is === 'ahead' && catchesUp)) return row({ mark: 'unknown', value: TEXT.clock.old })
  const youngestMs = Math.min(...agesMs)
  const numbers = { aheadMs: youngestMs }
  if (is === 'ahead') return row({ mark: 'refused', value: TEXT.clock.ahead(youngestMs), next, numbers })
  return row({ mark: 'proven', value: TEXT.clock.agrees(Math.abs(youngestMs)), numbers })
}

/** Sync, age and advance of the head by two looks, both clients on the same block, and the clocks. */
export async function headRows(
  call: Call,
  setup: NodeSetup,
  picture: Picture<FirstLook>,
): Promise<ReportRow[]> {
  const clients = clientsOf({ effects: call.effects, setup })
  const source = `${endpointName(setup.endpoints.node)}, ${endpointName(setup.endpoints.execution)}`
  try {
    const { first, last, waitedMs, beside } = await watchHead(call, setup, { clients, picture })
    const [sync, interval] = await Promise.all([
      syncRow(last, () => getSyncing(clients.execution), { source, network: setup.network }),
      intervalRow(last, clients, setup),
    ])
    return [
      sync,
      ageRow(first, last, { setup, source }),
      advanceRow(first, last, { waitedMs, beside, source, network: setup.network }),
      sameBlockRow(last, { setup, source }),
      interval,
      clockRow([first, last], setup),
    ]
  } catch (thrown) {
    call.io.signal.throwIfAborted()
    return [unknownRow('status', 'head', { thrown, source })]
  }
}

/** Who says that it is behind. An engine that catches up does not say how far it is: unknown, not good. */
async function syncRow(
  { isSyncing, engineSyncing }: Look,
  ask: () => Promise<SyncProgress>,
  { source, network }: { source: string; network: Network },
): Promise<ReportRow> {
  const shape = ['status', 'sync'] as const
  let execution: SyncProgress
  try {
    execution = await ask()
  } catch (thrown) {
    return unknownRow(...shape, { thrown, source })
  }
  const behind = [
    ...(judgeNode('sync', { isSyncing }, network) === true ? [] : [TEXT.sync.node]),
    ...(isBehind(execution) ? [TEXT.sync.execution(execution.currentBlock, execution.highestBlock)] : []),
  ]
  if (behind.length > 0) {
    const value = TEXT.sync.behind(behind)
    const next = TEXT.sync.change
    return doctorRow(...shape, { mark: 'refused', value, source, next })
  }
  if (judgeNode('votes', { catchingUp: engineSyncing }, network) !== true)
    return doctorRow(...shape, {
      mark: 'unknown',
      value: TEXT.sync.engine(CATCHES_UP),
      source,
      next: AWAIT_ENGINE,
    })
  return doctorRow(...shape, { mark: 'proven', value: TEXT.sync.none, source })
}

/** An old head that goes on is no chain that stands still: the node is late, or a clock is wrong. */
function ageRow(first: Look, last: Look, { setup, source }: { setup: NodeSetup; source: string }): ReportRow {
  if (!setup.network.clockIsWall) {
    const value = TEXT.age.notWall
    return doctorRow('status', 'age', { mark: 'unasked', value, source })
  }
  if (last.block === 0n) {
    const value = TEXT.age.noBlock
    const next = TEXT.age.awaitBlock
    return doctorRow('status', 'age', { mark: 'unknown', value, source, next })
  }
  const ageMs = last.nowMs - last.blockTimeMs
  const fresh = judgeNode('age', { ageMs }, setup.network)
  const value = ageMs < 0 ? TEXT.age.ahead(-ageMs) : TEXT.age.is(ageMs)
  const late = hasAdvanced(first, last) ? TEXT.age.late : TEXT.age.still
  return doctorRow('status', 'age', {
    mark: fresh ? 'proven' : 'refused',
    value,
    source,
    next: ageMs < 0 ? TEXT.age.changeClock : late,
    numbers: { ageMs },
  })
}

/** How fast the chain makes its blocks: by it the times that are said ahead come sooner or later. */
async function intervalRow(
  { engineHeight: height, engineTimeMs: timeMs }: Look,
  { engine }: NodeClients,
  { network, endpoints }: NodeSetup,
): Promise<ReportRow> {
  const shape = ['status', 'interval'] as const
  const source = endpointName(endpoints.engine)
  try {
    const found = await measureBlockInterval(engine, { head: { height, timeMs }, most: BLOCKS_TO_MEASURE })
    if (found === undefined) {
      const value = TEXT.interval.none
      return doctorRow(...shape, { mark: 'unasked', value, source })
    }
    const isGood = judgeNode('interval', found, network) === true
    const next = TEXT.interval.change
    const value = intervalWords(found, network)
    const numbers = { intervalMs: Math.round(found.intervalMs), blockCount: Number(found.blocks) }
    return doctorRow(...shape, { mark: isGood ? 'proven' : 'refused', value, source, next, numbers })
  } catch (thrown) {
    return unknownRow(...shape, { thrown, source })
  }
}

type Watched = { waitedMs: number; beside: Beside; source: string; network: Network }

function advanceRow(first: Look, last: Look, { waitedMs, beside, source, network }: Watched): ReportRow {
  const shape = ['status', 'advance'] as const
  if (judgeNode('advance', { advanced: hasAdvanced(first, last) }, network) === true) {
    const value = TEXT.advance.from(first.slot, last.slot, waitedMs)
    const numbers = { fromSlot: first.slot, slot: last.slot, waitedMs: Math.round(waitedMs) }
    return doctorRow(...shape, { mark: 'proven', value, source, numbers })
  }
  const numbers = { slot: last.slot, waitedMs: Math.round(waitedMs) }
  const value = standstillWords({ slot: last.slot, stillMs: waitedMs, beside })
  return doctorRow(...shape, { mark: 'refused', value, source, numbers, next: standstillFix(beside) })
}

function standstillFix(beside: Beside): string {
  if (beside.is === 'ahead') return RESTART_NODE
  return beside.is === 'same' ? TEXT.advance.logs : TEXT.advance.second
}

function sameBlockRow(
  { slot, block }: Look,
  { setup, source }: { setup: NodeSetup; source: string },
): ReportRow {
  const value = TEXT.heads.is(slot, block)
  const next = TEXT.heads.change
  return doctorRow('status', 'same-block', {
    mark: judgeNode('heads', { slot, block }, setup.network) ? 'proven' : 'refused',
    value,
    source,
    numbers: { slot, block },
    next,
  })
}

/** One look at both heads and the engine's clock. Times in Unix milliseconds; `nowMs` is our own. */
type Look = {
  slot: bigint
  isSyncing: boolean
  engineSyncing: boolean
  block: bigint
  blockTimeMs: number
  engineHeight: bigint
  engineTimeMs: number
  nowMs: number
}

/** What the page begins with: what several groups of its lines rest on, and how the heads stand. */
type FirstLook = EngineAndHead & { syncing: NodeSyncing; heads: readonly ExecutionHead[] }

/** Asks at once what several groups of rows rest on. What nobody answers is unknown in the picture, with the reason. */
export function hearFirst({ effects }: Call, setup: NodeSetup): Promise<Picture<FirstLook>> {
  const clients = clientsOf({ effects, setup })
  const { engine, execution, node } = clients
  const questions: Questions<FirstLook, void> = {
    status: { ask: () => getEngineStatus(engine) },
    latest: { ask: () => latestBlock(execution) },
    syncing: { ask: () => getNodeSyncing(node) },
    heads: { ask: () => askExecutionHeads(clients) },
  }
  return createObserver(questions, effects).look()
}

/** Asks node API, execution RPC and engine for their heads at once, but for what was heard. Throws a `ClientError`. */
async function askAll(
  call: Call,
  { node, execution, engine }: NodeClients,
  picture: Picture<FirstLook> = {},
): Promise<Look> {
  const before = {
    syncing: replyIn(picture.syncing),
    block: replyIn(picture.latest),
    status: replyIn(picture.status),
  }
  const [syncing, block, status] = await Promise.all([
    before.syncing ?? getNodeSyncing(node),
    before.block ?? latestBlock(execution),
    before.status ?? getEngineStatus(engine),
  ])
  return {
    slot: syncing.headSlot,
    isSyncing: syncing.isSyncing,
    engineSyncing: status.catchingUp,
    block: block.number,
    blockTimeMs: Number(block.timestamp) * 1000,
    engineHeight: status.latestHeight,
    engineTimeMs: status.latestBlockTimeMs,
    nowMs: call.effects.clock.nowMs(),
  }
}

/** Waits for a newer head, for at most ten slots, and returns the first look and the last. */
async function watchHead(
  call: Call,
  { network }: NodeSetup,
  { clients, picture }: { clients: NodeClients; picture: Picture<FirstLook> },
): Promise<{ first: Look; last: Look; waitedMs: number; beside: Beside }> {
  const { clock } = call.effects
  const begunMs = clock.monotonicMs()
  const [first, before] = await Promise.all([
    askAll(call, clients, picture),
    replyIn(picture.heads) ?? askExecutionHeads(clients),
  ])
  for (;;) {
    await clock.sleep(network.slotMs / 2)
    const last = await askAll(call, clients)
    const waitedMs = clock.monotonicMs() - begunMs
    if (hasAdvanced(first, last)) return { first, last, waitedMs, beside: { is: 'unknown' } }
    if (waitedMs <= SLOTS_TO_STAND * network.slotMs) continue
    const now = await askExecutionHeads(clients)
    return { first, last, waitedMs, beside: executionBeside(last.slot, { before, now }) }
  }
}

/** Whether a newer slot and a newer block came between two looks. */
function hasAdvanced(first: Look, last: Look): boolean {
  return last.slot > first.slot && last.block > first.block
}
