import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Devnet, type DevnetInput, startDevnet } from '../../src/devnet/devnet.ts'
import { CHEAP_CURVE } from './cheap-curve.ts'
import { virtualClock } from './virtual-clock.ts'

/** The execution client is a process and needs real time. */
const WALL_CLOCK = {
  nowMs: () => Date.now(),
  sleep: (delayMs: number, signal?: AbortSignal) => setTimeout(delayMs, undefined, { signal }),
}

type TestDevnetInput = Partial<DevnetInput> & {
  /** Signs blocks by the curve, at 60 ms a block: for whoever verifies them with the program's own effects. */
  realCurve?: boolean
}

/**
 * A rehearsal network in a directory of its own, by a clock of its own; `end` leaves nothing behind. Its blocks are signed
 * cheaply, as `cheapEffects` verifies them.
 */
export async function testDevnet({
  realCurve = false,
  ...input
}: TestDevnetInput = {}): Promise<{ devnet: Devnet; directory: string; end: () => Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'rehearsal-'))
  const clear = () => rm(directory, { recursive: true })
  try {
    const devnet = await startDevnet({
      directory,
      clock: virtualClock(),
      clientClock: WALL_CLOCK,
      ...(realCurve ? {} : { chain: CHEAP_CURVE }),
      ...input,
    })
    return { devnet, directory, end: () => devnet.stop().then(clear) }
  } catch (error) {
    await clear()
    throw error
  }
}

/** A GET of a path, with its body read as JSON. */
export async function getJson(base: string, path: string): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(`${base}${path}`)
  return { status: reply.status, body: await reply.json() }
}

/** Advances the network slot by slot until it has made `slots` of them. */
export async function pass(devnet: Devnet, slots: number): Promise<void> {
  for (let slot = 0; slot < slots; slot += 1) await devnet.advanceSlot()
}
