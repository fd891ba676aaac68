import { formatCount } from '../../core/base/format/amount.ts'
import { endpointName } from '../../core/base/format/endpoint-url.ts'
import type { NodeSetup } from '../../core/chain/facts.ts'
import {
  BLOCKS_TO_MEASURE,
  clockAheadMs,
  judgeClock,
  type Network,
  SLOTS_TO_STAND,
} from '../../core/chain/network/network.ts'
import { type Beside, type ExecutionHead, executionBeside } from '../../core/chain/network/standstill.ts'
import { measureBlockInterval } from '../../core/clients/engine/blocks.ts'
import { getEngineStatus } from '../../core/clients/engine/get-status.ts'
import type { EngineAndHead } from '../../core/clients/engine-and-head.ts'
import { getSyncing, isBehind, latestBlock, type SyncProgress } from '../../core/clients/execution/blocks.ts'
import { askExecutionHeads } from '../../core/clients/heads.ts'
import { getNodeSyncing, type NodeSyncing } from '../../core/clients/node/node.ts'
import { clientsOf, type NodeClients } from '../../core/observe/context.ts'
import {
  AWAIT_ENGINE,
  CATCHES_UP,
  intervalWords,
  judgeNode,
  RESTART_NODE,
  standstillWords,
} from '../../core/observe/findings.ts'
import { createObserver, type Picture, type Questions, replyIn } from '../../core/observe/observer.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report-lines.ts'
import { askedRow, type DoctorPart, doctorRow, unknownRow } from './doctor-row.ts'

const NOT_WALL = 'chain time is not the wall’s on this network'

const SET_CLOCK = 'let this computer keep its time by NTP (timedatectl set-ntp true)'

const LOGS_OF_BOTH = 'look at the logs of both clients: check rpc-dial-url in config/app.toml and the peers'

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Our clock against the engine's block times, judged as a watch does. */
function clockRow(looks: readonly Look[], { network, endpoints }: NodeSetup): ReportRow {
  const source = endpointName(endpoints.engine)
  const row = (part: DoctorPart) => doctorRow('status', 'clock', { ...part, source })
  if (!network.clockIsWall) return row({ mark: 'unasked', value: NOT_WALL })
  const advanced = (looks.at(-1)?.slot ?? 0n) > (looks[0]?.slot ?? 0n)
  const agesMs = looks.map(({ nowMs, engineTimeMs }) => nowMs - engineTimeMs)
  const aheadMs = clockAheadMs(agesMs, network.slotMs)
  const is = aheadMs === undefined ? 'old' : judgeClock(aheadMs)
  const next = SET_CLOCK
  if (aheadMs !== undefined && is === 'behind')
    return row({
      mark: 'refused',
      value: `${seconds(-aheadMs)} behind the chain`,
      next,
      numbers: { aheadMs },
    })
  if (!advanced) return row({ mark: 'unknown', value: 'without a new head nothing can be compared' })
  const catchesUp = looks.some(({ isSyncing, engineSyncing }) => isSyncing || engineSyncing)
  if (is === 'old' || (is === 'ahead' && catchesUp))
    return row({ mark: 'unknown', value: 'the node follows old blocks: nothing can be compared' })
  const youngestMs = Math.min(...agesMs)
  const numbers = { aheadMs: youngestMs }
  if (is === 'ahead')
    return row({ mark: 'refused', value: `up to ${seconds(youngestMs)} ahead of the chain`, next, numbers })
  return row({
    mark: 'proven',
    value: `agrees with the chain's to within ${seconds(Math.abs(youngestMs))}`,
    numbers,
  })
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
function syncRow(
  { isSyncing, engineSyncing }: Look,
  askExecution: () => Promise<SyncProgress>,
  { source, network }: { source: string; network: Network },
): Promise<ReportRow> {
  const ask = async (): Promise<DoctorPart> => {
    const execution = await askExecution()
    const behind = [
      ...(judgeNode('sync', { isSyncing }, network) === true ? [] : ['the node']),
      ...(isBehind(execution)
        ? [
            `the execution client, at block ${formatCount(execution.currentBlock)} of ${formatCount(execution.highestBlock)}`,
          ]
        : []),
    ]
    if (behind.length > 0)
      return {
        mark: 'refused',
        value: `still syncing: ${behind.join('; ')}`,
        next: 'wait until it has caught up; start the node from a snapshot if it takes days',
      }
    return judgeNode('votes', { catchingUp: engineSyncing }, network) === true
      ? { mark: 'proven', value: 'nobody says it is behind' }
      : { mark: 'unknown', value: `the engine ${CATCHES_UP}`, next: AWAIT_ENGINE }
  }
  return askedRow('status', 'sync', { source, ask })
}

/** An old head that goes on is no chain that stands still: the node is late, or a clock is wrong. */
function ageRow(first: Look, last: Look, { setup, source }: { setup: NodeSetup; source: string }): ReportRow {
  const row = (part: DoctorPart) => doctorRow('status', 'age', { ...part, source })
  if (!setup.network.clockIsWall) return row({ mark: 'unasked', value: NOT_WALL })
  if (last.block === 0n)
    return row({
      mark: 'unknown',
      value: 'there is no block yet',
      next: 'wait until the node has its first block; look at the logs of both clients and at the peers',
    })
  const ageMs = last.nowMs - last.blockTimeMs
  const late = hasAdvanced(first, last)
    ? 'the head goes on and is old all the same: this node lags behind its chain, or the clock of this computer is ahead'
    : 'look at the logs of both clients: the chain stands still, or this node has no peers'
  return row({
    mark: judgeNode('age', { ageMs }, setup.network) ? 'proven' : 'refused',
    value: ageMs < 0 ? `${seconds(-ageMs)} ahead of the clock of this computer` : seconds(ageMs),
    next: ageMs < 0 ? SET_CLOCK : late,
    numbers: { ageMs },
  })
}

/** How fast the chain makes its blocks: by it the times that are said ahead come sooner or later. */
function intervalRow(
  { engineHeight: height, engineTimeMs: timeMs }: Look,
  { engine }: NodeClients,
  { network, endpoints }: NodeSetup,
): Promise<ReportRow> {
  const ask = async (): Promise<DoctorPart> => {
    const found = await measureBlockInterval(engine, { head: { height, timeMs }, most: BLOCKS_TO_MEASURE })
    if (found === undefined) return { mark: 'unasked', value: 'there is no block before this one' }
    return {
      mark: judgeNode('interval', found, network) === true ? 'proven' : 'refused',
      value: intervalWords(found, network),
      next: 'look at the logs of the engine; where they are sound, validators that hold places do not run, and the chain waits for them',
      numbers: { intervalMs: Math.round(found.intervalMs), blockCount: Number(found.blocks) },
    }
  }
  return askedRow('status', 'interval', { source: endpointName(endpoints.engine), ask })
}

type Watched = { waitedMs: number; beside: Beside; source: string; network: Network }

function advanceRow(first: Look, last: Look, { waitedMs, beside, source, network }: Watched): ReportRow {
  const row = (part: DoctorPart) => doctorRow('status', 'advance', { ...part, source })
  const numbers = { slot: last.slot, waitedMs: Math.round(waitedMs) }
  if (judgeNode('advance', { advanced: hasAdvanced(first, last) }, network) === true)
    return row({
      mark: 'proven',
      value: `slot ${formatCount(first.slot)} to ${formatCount(last.slot)} within ${seconds(waitedMs)}`,
      numbers: { fromSlot: first.slot, ...numbers },
    })
  const value = standstillWords({ slot: last.slot, stillMs: waitedMs, beside })
  return row({ mark: 'refused', value, numbers, next: standstillFix(beside) })
}

function standstillFix(beside: Beside): string {
  if (beside.is === 'ahead') return RESTART_NODE
  return beside.is === 'same'
    ? LOGS_OF_BOTH
    : `give --second-execution of another operator: it shows whether the chain goes on; ${LOGS_OF_BOTH}`
}

function sameBlockRow(
  { slot, block }: Look,
  { setup, source }: { setup: NodeSetup; source: string },
): ReportRow {
  return doctorRow('status', 'same-block', {
    mark: judgeNode('heads', { slot, block }, setup.network) ? 'proven' : 'refused',
    value: `slot ${formatCount(slot)}, block ${formatCount(block)}`,
    source,
    numbers: { slot, block },
    next: 'give the execution client of this very node: rpc-dial-url in config/app.toml names it',
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
