import { closeSync, openSync, writeSync } from 'node:fs'
import { ReadStream } from 'node:tty'
import { noTerminal, signingStopped } from '../core/errors/signer.ts'
import { newPasswordLine, typeByte, wipe } from './password-line.ts'

const TERMINAL = '/dev/tty'
const MAX_BYTES = 4096
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/**
 * Asks for a password on the controlling terminal: raw mode, nothing is echoed, not even stars (`safety.md` #98).
 * The terminal is put back in every case. The caller wipes the bytes. Throws `signer.no-terminal`, and
 * `signer.cancelled` on Ctrl-C, a signal, or when `signal` aborts.
 */
export async function askPassword(prompt: string, signal: AbortSignal): Promise<Buffer> {
  const descriptor = openTerminal()
  const input = openStream(descriptor)
  writeSync(descriptor, prompt)
  try {
    return await readPassword(input, signal)
  } finally {
    input.setRawMode(false)
    writeSync(descriptor, '\r\n')
    input.destroy()
  }
}

function openTerminal(): number {
  try {
    return openSync(TERMINAL, 'r+')
  } catch {
    throw noTerminal()
  }
}

function openStream(descriptor: number): ReadStream {
  try {
    const input = new ReadStream(descriptor)
    input.setRawMode(true)
    return input
  } catch {
    closeSync(descriptor)
    throw noTerminal()
  }
}

function readPassword(input: ReadStream, signal: AbortSignal): Promise<Buffer> {
  const line = newPasswordLine()
  const listening = new AbortController()
  const answer = new Promise<Buffer>((resolve, reject) => {
    const cancel = () => reject(signingStopped())
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { signal: listening.signal })
    for (const name of SIGNALS) process.once(name, cancel)
    input.on('error', cancel)
    input.on('end', cancel)
    input.on('data', (chunk: Buffer) => {
      for (const byte of chunk) {
        const step = line.typed.length > MAX_BYTES ? 'cancelled' : typeByte(line, byte)
        if (step === 'done') return resolve(Buffer.from(line.typed))
        if (step === 'cancelled') return cancel()
      }
      chunk.fill(0)
    })
  })
  return answer.finally(() => {
    listening.abort()
    wipe(line)
  })
}
