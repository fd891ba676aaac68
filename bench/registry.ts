import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { mebibytes, milliseconds, type Row } from './measure.ts'

const COUNT = 1_000_000
const program = (name: string) => join(import.meta.dirname, name)
const many = COUNT.toLocaleString('en')

/** A registry of a million: read over HTTP while it arrives, and hashed from entries that were read from JSON. */
export async function registry(): Promise<Row[]> {
  return [...(await streamed()), ...hashed()]
}

async function streamed(): Promise<Row[]> {
  const server = spawn(process.execPath, [program('registry-server.ts'), String(COUNT)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer]
    const found = await run('registry-client.ts', line.toString().trim())
    const { count, kept, ms, longestWaitMs, grownBytes } = found
    if (count !== COUNT) throw new Error(`${count} validators arrived`)
    const what = `snapshot of ${many} validators over HTTP`
    return [
      { what, result: milliseconds(ms ?? Number.NaN), note: `${kept} kept for the model` },
      {
        what: `${what}: memory grown`,
        result: mebibytes(grownBytes ?? Number.NaN),
        note: 'resident, at its peak',
      },
      {
        what: `${what}: longest wait`,
        result: milliseconds(longestWaitMs ?? Number.NaN),
        note: 'of a 5 ms timer',
      },
    ]
  } finally {
    server.stdin.end()
  }
}

function hashed(): Row[] {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program('parsed-genesis.ts'), String(COUNT)],
    {
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(stderr)
  const { ms, grownBytes } = JSON.parse(stdout) as { ms: number; grownBytes: number }
  const what = `genesis root of ${many} deposits read from JSON`
  return [
    { what, result: milliseconds(ms), note: `${mebibytes(grownBytes)} more than the deposits themselves` },
  ]
}

async function run(name: string, argument: string): Promise<Record<string, number>> {
  const child = spawn(process.execPath, [program(name), argument], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  await once(child, 'close')
  return JSON.parse(text) as Record<string, number>
}
