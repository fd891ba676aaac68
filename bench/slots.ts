import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeClock } from '../src/core/base/effects/node-clock.ts'
import { type Devnet, startDevnet } from '../src/devnet/devnet.ts'
import { cpuRow, mebibytes, median, milliseconds, quantile, type Row, residentBytes } from './measure.ts'

const SLOTS = 400
const SLOT_MS = 50

/** The slot time that the rehearsal network keeps: slots that ended late, and the work of one. */
export async function slots(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-slots-'))
  const clock = createNodeClock()
  const startMs = clock.monotonicMs()
  const devnet = await startDevnet({ directory, slotMs: SLOT_MS, clock })
  const readyMs = clock.monotonicMs() - startMs
  try {
    const { workMs, late } = await runSlots(devnet, clock)
    const part = median(workMs) / SLOT_MS
    const tail = `95 of 100 within ${milliseconds(quantile(workMs, 0.95))}`
    const resident = residentBytes(process.pid)
    const memory = resident === undefined ? '' : `, ${mebibytes(resident)} resident`
    return [
      cpuRow('rehearsal network until it is ready', readyMs),
      {
        what: `${SLOTS} slots at ${SLOT_MS} ms`,
        result: `${late} late`,
        note: `work takes ${(part * 100).toFixed(0)} % of a slot${memory}`,
      },
      cpuRow('work of a slot', median(workMs), tail),
    ]
  } finally {
    await devnet.stop()
    rmSync(directory, { recursive: true })
  }
}

async function runSlots(devnet: Devnet, clock: ReturnType<typeof createNodeClock>) {
  const workMs: number[] = []
  let late = 0
  const firstMs = clock.monotonicMs()
  for (let slot = 1; slot <= SLOTS; slot += 1) {
    const dueMs = firstMs + slot * SLOT_MS
    await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()))
    const startMs = clock.monotonicMs()
    await devnet.advanceSlot()
    workMs.push(clock.monotonicMs() - startMs)
    if (clock.monotonicMs() > dueMs + SLOT_MS) late += 1
  }
  return { workMs, late }
}
