import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Holds the lock named by the first argument as version 0.1.0 did, until it is killed: a file that names the process,
// a socket beside it or, where its path is too long, in TMPDIR, and a name of the kernel in front. Refused where that
// version was: when the name is taken, or the file names a process that runs.
const path = process.argv[2] ?? ''
const digest = createHash('sha256').update(path).digest('hex').slice(0, 32)
const beside = `${path}.sock`
const place = Buffer.byteLength(beside) <= 100 ? beside : join(tmpdir(), `bearings-${digest}.sock`)

const listen = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    createServer((socket) => socket.destroy())
      .on('error', () => resolve(false))
      .listen(name, () => resolve(true))
  })
const startTime = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]
  } catch {
    return undefined
  }
}
const claimed = (): boolean => {
  try {
    const claim = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; startTime: string }
    return startTime(claim.pid) === claim.startTime
  } catch {
    return false
  }
}

const nameGiven = process.argv[3] === 'without-name' || (await listen(`\0bearings-lock-${digest}`))
if (nameGiven && !claimed()) {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  writeFileSync(
    path,
    JSON.stringify({ pid: process.pid, startTime: startTime(process.pid), bootId, nonce: '00' }),
  )
  await listen(place)
  process.stdout.write('held\n')
} else process.stdout.write('refused\n')
process.stdin.resume()
process.stdin.on('end', () => process.exit())
