import { getSyncing } from '../../core/clients/execution/get-syncing.ts'
import type { Setup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import { type Clients, clientsOf } from '../../core/steps/clients-of.ts'
import type { Call } from '../command.ts'
import type { ReportRow } from '../report.ts'
import { clockRow } from './clock-row.ts'
import { type Look, look } from './look.ts'
import { doctorRow, unknownRow } from './row.ts'

const SLOTS_TO_WAIT = 10
const MOST_LAG = 5n
const OLDEST_HEAD_MS = 30_000

/** Sync, age and advance of the head by two looks, both clients on the same block, and the clocks. */
export async function headRows(call: Call, setup: Setup): Promise<ReportRow[]> {
  const clients = clientsOf({ effects: call.effects, setup })
  const source = `${endpointName(setup.endpoints.node)}, ${endpointName(setup.endpoints.execution)}`
  try {
    const { first, last, waitedMs } = await watch(call, setup, clients)
    return [
      syncRow(last, await getSyncing(clients.execution), source),
      ageRow(first, last, { setup, source }),
      advanceRow(first, last, { waitedMs, source }),
      sameBlockRow(last, source),
      clockRow([first, last], setup),
    ]
  } catch (thrown) {
    call.io.signal.throwIfAborted()
    return [unknownRow('status', 'head', 'head', { thrown, source })]
  }
}

/** Looks until the head is a newer one, for at most ten slots. */
async function watch(
  call: Call,
  { network }: Setup,
  clients: Clients,
): Promise<{ first: Look; last: Look; waitedMs: number }> {
  const { clock } = call.effects
  const begunMs = clock.monotonicMs()
  const first = await look(call, clients)
  for (;;) {
    await clock.sleep(network.slotMs / 2, call.io.signal)
    const last = await look(call, clients)
    const waitedMs = clock.monotonicMs() - begunMs
    if (hasAdvanced(first, last) || waitedMs > SLOTS_TO_WAIT * network.slotMs)
      return { first, last, waitedMs }
  }
}

function hasAdvanced(first: Look, last: Look): boolean {
  return last.slot > first.slot && last.block > first.block
}

function syncRow(
  { isSyncing, engineSyncing }: Look,
  execution: Awaited<ReturnType<typeof getSyncing>>,
  source: string,
): ReportRow {
  const behind = [
    isSyncing ? 'the node' : '',
    engineSyncing ? 'the engine' : '',
    execution === undefined ? '' : 'the execution client',
  ].filter((who) => who !== '')
  if (behind.length === 0)
    return doctorRow('status', 'sync', 'sync', { mark: 'proven', value: 'nobody says it is behind', source })
  const value = `still syncing: ${behind.join(', ')}`
  const fix = 'wait until it has caught up; start the node from a snapshot if it takes days'
  return doctorRow('status', 'sync', 'sync', { mark: 'refused', value, source, fix })
}

/** An old head that goes on is no chain that stands still: the node is late, or a clock is wrong. */
function ageRow(first: Look, last: Look, { setup, source }: { setup: Setup; source: string }): ReportRow {
  if (!setup.network.clockIsWall) {
    const value = 'chain time is not the wall’s on this network'
    return doctorRow('status', 'age', 'age of the head', { mark: 'unasked', value, source })
  }
  const ageMs = last.nowMs - last.blockTimeMs
  const fresh = ageMs <= OLDEST_HEAD_MS
  const value = `${Math.round(ageMs / 1000)} s`
  const fix = hasAdvanced(first, last)
    ? 'the head goes on and is old all the same: this node lags behind its chain, or the clock of this computer is ahead'
    : 'look at the logs of both clients: the chain stands still, or this node has no peers'
  return doctorRow('status', 'age', 'age of the head', {
    mark: fresh ? 'proven' : 'refused',
    value,
    source,
    fix,
  })
}

function advanceRow(first: Look, last: Look, { waitedMs, source }: { waitedMs: number; source: string }) {
  const waited = `${(waitedMs / 1000).toFixed(1)} s`
  const advanced = hasAdvanced(first, last)
  const value = advanced
    ? `slot ${first.slot} to ${last.slot} within ${waited}`
    : `no new head for ${waited}, slot ${last.slot}, block ${last.block}`
  const fix = 'look at the logs of both clients: check rpc-dial-url in config/app.toml and the peers'
  return doctorRow('status', 'advance', 'head advances', {
    mark: advanced ? 'proven' : 'refused',
    value,
    source,
    fix,
  })
}

function sameBlockRow({ slot, block }: Look, source: string): ReportRow {
  const lag = slot > block ? slot - block : block - slot
  const value = `slot ${slot}, block ${block}`
  const fix = 'give the execution client of this very node: rpc-dial-url in config/app.toml names it'
  return doctorRow('status', 'same-block', 'execution = consensus', {
    mark: lag <= MOST_LAG ? 'proven' : 'refused',
    value,
    source,
    fix,
  })
}
