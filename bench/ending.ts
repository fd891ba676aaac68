import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeClock } from '../src/core/base/effects/node-clock.ts'
import { startDevnet } from '../src/devnet/devnet.ts'
import { STALLS, type Stall, type StallingProxy, stallingProxy } from '../test/support/stalling-proxy.ts'
import { median, milliseconds, type Row } from './measure.ts'

const CLI = join(import.meta.dirname, '../dist/cli.js')
const SERVICES = ['execution', 'node', 'engine'] as const
const RUNS = 5
const BASELINE = 'the same with services that answer'

type Service = (typeof SERVICES)[number]
type Urls = Readonly<Record<Service, string>>

/** Milliseconds from one signal to the exit of a command that asks all three services, while one of them stalls. */
export async function ending(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-ending-'))
  const devnet = await startDevnet({ directory: join(directory, 'network'), clock: createNodeClock() })
  try {
    const { descriptor } = devnet
    const run = (state: string, urls: Urls) => {
      const file = join(directory, state)
      mkdirSync(file, { recursive: true })
      writeFileSync(join(file, 'descriptor.json'), JSON.stringify({ ...descriptor, urls }))
      return startRehearsal(file)
    }
    const healthy = await medianOf((at) => endOf(() => run(`healthy-${at}`, descriptor.urls)))
    const rows: Row[] = [{ what: 'one signal to the exit, services answer', result: milliseconds(healthy) }]
    for (const stall of STALLS) {
      for (const service of SERVICES) {
        const ms = await medianOf((at) =>
          endWhile({ stall, service, urls: descriptor.urls }, (urls) =>
            run(`${service}-${stall}-${at}`, urls),
          ),
        )
        const what = `one signal to the exit, ${service}: ${stall}`
        rows.push({ what, result: milliseconds(ms), ratio: ms / healthy, baseline: BASELINE })
      }
    }
    return rows
  } finally {
    await devnet.stop()
    rmSync(directory, { recursive: true })
  }
}

async function medianOf(measure: (at: number) => Promise<number>): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < RUNS; at += 1) times.push(await measure(at))
  return median(times)
}

type Running = ReturnType<typeof startRehearsal>

function startRehearsal(directory: string) {
  const args = [CLI, 'rehearse', '--devnet', join(directory, 'descriptor.json'), '--state', directory]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
}

/** From the signal, sent once the first facts stand, to the exit. */
async function endOf(start: () => Running): Promise<number> {
  const child = start()
  await once(child.stdout, 'data')
  return signalled(child)
}

async function endWhile(
  { stall, service, urls }: { stall: Stall; service: Service; urls: Urls },
  start: (urls: Urls) => Running,
): Promise<number> {
  const proxy: StallingProxy = await stallingProxy(urls[service])
  try {
    const asked = proxy.stall(stall)
    const child = start({ ...urls, [service]: proxy.url })
    child.stdout.resume()
    await asked
    await othersAnswered()
    return await signalled(child)
  } finally {
    proxy.close()
  }
}

const OTHERS_MS = 500

/** The services that do not stall have answered by then, so that nothing but the one that does is waited for. */
function othersAnswered(): Promise<void> {
  return createNodeClock().sleep(OTHERS_MS)
}

async function signalled(child: Running): Promise<number> {
  const beganMs = performance.now()
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 4) throw new Error(`it ended with ${code ?? 'a signal'}, not with 4`)
  return performance.now() - beganMs
}
