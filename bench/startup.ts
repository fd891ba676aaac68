import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { typedGwei } from '../src/core/base/format/amount.ts'
import { mebibytes, median, milliseconds, type Row, residentBytes } from './measure.ts'

const { spawn } = createRequire(import.meta.url)('@lydell/node-pty') as typeof import('@lydell/node-pty')

const CLI = join(import.meta.dirname, '../dist/cli.js')
const RUNS = 11
const NOTHING = ['-e', '0']
const BASELINE = 'node -e 0'
const WRONG_USE = 2
const INTERRUPT = '\u0003'

/** A command line, with the exit code that it ends with. */
type Asked = { what: string; args: readonly string[]; code?: number }

/** What is answered without loading what a command does. */
const SHORT: readonly Asked[] = [
  { what: '--help', args: ['--help'] },
  { what: '--version', args: ['--version'] },
  { what: 'verify --help', args: ['verify', '--help'] },
  { what: 'an unknown command', args: ['stauts'], code: WRONG_USE },
  { what: 'an unknown option', args: ['status', '--validater', '3'], code: WRONG_USE },
  { what: 'a value that is none', args: ['rehearse', '--slot-ms', '3'], code: WRONG_USE },
]

/** How long until the first frame stands in a terminal, and what commands take as whole processes. */
export async function startup(): Promise<Row[]> {
  const state = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    return [await firstFrame(state), ...SHORT.map((asked) => command(asked)), verify(state)]
  } finally {
    rmSync(state, { recursive: true })
  }
}

async function firstFrame(state: string): Promise<Row> {
  const frames: number[] = []
  const floors: number[] = []
  const resident: number[] = []
  for (let run = 0; run <= RUNS; run += 1) {
    const floor = await inTerminal(NOTHING, undefined)
    // The first run fills the cache of compiled code, which is written when a run ends by itself.
    const frame = await inTerminal([CLI, '--state', state], 'Bearings', run === 0 ? INTERRUPT : undefined)
    if (run === 0) continue
    floors.push(floor.ms)
    frames.push(frame.ms)
    if (frame.bytes !== undefined) resident.push(frame.bytes)
  }
  const ms = median(frames)
  return {
    what: 'first frame in a terminal',
    result: milliseconds(ms),
    ratio: ms / median(floors),
    baseline: `${BASELINE} in a terminal`,
    ...(resident.length === 0 ? {} : { note: `${mebibytes(median(resident))} resident` }),
  }
}

/** Runs Node in a terminal until it has shown the text, and then ends it with that key if there is one; without a text until it ends. */
function inTerminal(
  args: readonly string[],
  wanted: string | undefined,
  key?: string,
): Promise<{ ms: number; bytes: number | undefined }> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    const env = { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'xterm-256color', HOME: tmpdir() }
    const child = spawn(process.execPath, [...args], { cols: 80, rows: 24, env })
    let shown = ''
    let found: { ms: number; bytes: number | undefined } | undefined
    child.onData((text) => {
      shown += text
      if (wanted === undefined || found !== undefined || !shown.includes(wanted)) return
      found = { ms: performance.now() - startMs, bytes: residentBytes(child.pid) }
      if (key === undefined) child.kill('SIGKILL')
      else child.write(key)
    })
    child.onExit(() => {
      if (wanted === undefined) resolve({ ms: performance.now() - startMs, bytes: undefined })
      else if (found !== undefined) resolve(found)
      else reject(new Error(`it ended without showing ${wanted}:\n${shown}`))
    })
  })
}

/** A real first deposit of mainnet, none of those of the self-test, judged by a process of its own. */
function verify(state: string): Row {
  const [pubkey = '', credentials = '', amount = '', signature = ''] = mainnetDeposit()
  const claim = [
    '--pubkey',
    pubkey,
    '--credentials',
    credentials,
    '--amount',
    typedGwei(BigInt(amount)),
    '--signature',
    signature,
  ]
  const args = ['verify', ...claim, '--network', 'mainnet', '--state', state]
  return command({ what: 'verify, whole process', args })
}

function mainnetDeposit(): string[] {
  const csv = readFileSync(join(import.meta.dirname, '../test/vectors/deposits/mainnet-deposits.csv'), 'utf8')
  return csv.split('\n')[2]?.split(',') ?? []
}

function command({ what, args, code = 0 }: Asked): Row {
  const floors: number[] = []
  const times: number[] = []
  processMs([CLI, ...args], code)
  for (let run = 0; run < RUNS; run += 1) {
    floors.push(processMs(NOTHING))
    times.push(processMs([CLI, ...args], code))
  }
  const ms = median(times)
  const least = Math.min(...times) / Math.min(...floors)
  const note = `least of each: × ${least.toFixed(2)}`
  return { what, result: milliseconds(ms), ratio: ms / median(floors), baseline: BASELINE, note }
}

function processMs(args: readonly string[], code = 0): number {
  const startMs = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const ms = performance.now() - startMs
  if (status !== code) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return ms
}
