import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { mebibytes, milliseconds, type Row } from './measure.ts'

const CHILD = join(import.meta.dirname, 'status-screen.tsx')

/** What `status-screen.tsx` prints. */
export type Watched = {
  journeyMs: number
  networkGrowthBytes: number
  watchGrowthBytes: number
  heapBytes: number
  residentBytes: number
  frames: number
  writtenBytes: number
  virtualSeconds: number
}

/** A registration on a clock of its own, and what watching its end costs. */
export function watch(): Row[] {
  const args = ['--expose-gc', '--import', import.meta.resolve('tsx'), CHILD]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const found = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Watched
  const grown = found.watchGrowthBytes - found.networkGrowthBytes
  const seconds = `${found.virtualSeconds} s`
  return [
    { what: 'whole registration, virtual clock', result: milliseconds(found.journeyMs) },
    {
      what: `status screen for ${seconds}: heap grown`,
      result: mebibytes(grown),
      ratio: grown / found.heapBytes,
      baseline: `${mebibytes(found.heapBytes)} heap before`,
      note: `the network alone grows by ${mebibytes(found.networkGrowthBytes)}; ${mebibytes(found.residentBytes)} resident, network included`,
    },
    {
      what: `status screen for ${seconds}: written`,
      result: `${(found.writtenBytes / found.virtualSeconds).toFixed(0)} bytes a second`,
      note: `${found.frames} writes`,
    },
  ]
}
