import type { NodeSetup } from '../../core/facts.ts'
import { endpointName } from '../../core/format/endpoint-url.ts'
import type { ReportRow } from '../report-lines.ts'
import type { Look } from './look.ts'
import { doctorRow } from './row.ts'

const MOST_AHEAD_MS = 1000
const MOST_BEHIND_MS = 5000

/**
 * Our clock against the engine's block time. The youngest of several looks counts: a block is made up
 * to a slot before it is seen, never after.
 */
export function clockRow(looks: readonly Look[], { network, endpoints }: NodeSetup): ReportRow {
  const source = endpointName(endpoints.engine)
  const row = (said: Pick<ReportRow, 'mark' | 'value'> & { fix?: string }) =>
    doctorRow('status', 'clock', 'clock', { ...said, source })
  if (!network.clockIsWall)
    return row({ mark: 'unasked', value: 'chain time is not the wall’s on this network' })
  const advanced = (looks.at(-1)?.slot ?? 0n) > (looks[0]?.slot ?? 0n)
  const ageMs = Math.min(...looks.map(({ nowMs, engineTimeMs }) => nowMs - engineTimeMs))
  const fix = 'let this computer keep its time by NTP (timedatectl set-ntp true)'
  if (ageMs < -MOST_AHEAD_MS)
    return row({ mark: 'refused', value: `${seconds(-ageMs)} behind the chain`, fix })
  if (!advanced) return row({ mark: 'unknown', value: 'without a new head nothing can be compared' })
  if (ageMs > network.slotMs + MOST_BEHIND_MS)
    return row({ mark: 'refused', value: `up to ${seconds(ageMs)} ahead of the chain`, fix })
  return row({ mark: 'proven', value: `agrees with the chain's to within ${seconds(Math.abs(ageMs))}` })
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
