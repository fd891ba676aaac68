import { spawn as spawnDetached } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import fc from 'fast-check'
import * as OxKeystore from 'ox/Keystore'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { createNodeSigner } from '../../src/core/effects/node-signer.ts'
import { newPasswordLine, typeByte } from '../../src/signer/password-line.ts'
import { buildSigner } from '../support/build-signer.ts'
import { childrenOf } from '../support/watch-children.ts'

const PRIVATE_KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PASSWORD = 'gehéim "wort" ✓'
const keystore = join(mkdtempSync(join(tmpdir(), 'password-test-')), 'funder.json')
const PROMPT = 'while you type): '

let signerPath: string
beforeAll(async () => {
  const [key, options] = OxKeystore.scrypt({ password: PASSWORD, n: 1024, r: 8, p: 1 })
  writeFileSync(keystore, JSON.stringify(OxKeystore.encrypt(PRIVATE_KEY, key, options)), { mode: 0o600 })
  signerPath = (await buildSigner()).signerPath
})

type Session = { output: string; result: { address?: string; code?: string } }

/** Runs a program that asks for the keystore's password in a terminal, and types the given keys. */
function inTerminal(keys: string | undefined, abortAfterMs?: number): Promise<Session> {
  const program = join(import.meta.dirname, '../support/call-signer.ts')
  const args = [program, signerPath, keystore, ...(abortAfterMs === undefined ? [] : [String(abortAfterMs)])]
  const terminal = spawn(process.execPath, args, { cols: 120, rows: 24 })
  return new Promise((resolve) => {
    let output = ''
    let typed = keys === undefined
    terminal.onData((text) => {
      output += text
      if (typed || !output.includes(PROMPT)) return
      typed = true
      terminal.write(keys ?? '')
    })
    terminal.onExit(() => {
      const json = /RESULT (\{.*\})/.exec(output)?.[1] ?? '{}'
      resolve({ output, result: JSON.parse(json) as Session['result'] })
    })
  })
}

function typeAll(bytes: Uint8Array): { text: string; last: string } {
  const line = newPasswordLine()
  let last = 'typing'
  for (const byte of bytes) {
    if (last !== 'typing') break
    last = typeByte(line, byte)
  }
  return { text: Buffer.from(line.typed).toString('utf8'), last }
}

describe('a password typed at the terminal', () => {
  test('opens the keystore, and nothing of it is ever shown', async () => {
    const { output, result } = await inTerminal(`${PASSWORD}\r`)
    expect(result).toEqual({ address: privateKeyToAddress(PRIVATE_KEY) })
    expect(output).not.toContain('gehéim')
    expect(output).not.toContain('*')
    expect(
      output
        .replace(/RESULT .*/, '')
        .trim()
        .endsWith(PROMPT.trim()),
    ).toBe(true)
  })

  test('may be pasted, and corrected', async () => {
    const pasted = await inTerminal(`\u001b[200~${PASSWORD}\u001b[201~\r`)
    const corrected = await inTerminal(`x\u0015ge\u001b[Ahü\u007féim "wort" ✓\r`)
    for (const { result } of [pasted, corrected])
      expect(result.address).toBe(privateKeyToAddress(PRIVATE_KEY))
  })

  test('that is wrong is said to be wrong', async () => {
    expect((await inTerminal('wrong\r')).result).toEqual({ code: 'keystore.wrong-password' })
  })

  test('can be left with Ctrl-C, or called off by the program', async () => {
    expect((await inTerminal('half\u0003')).result).toEqual({ code: 'signer.cancelled' })
    expect((await inTerminal(undefined, 1_000)).result).toEqual({ code: 'signer.cancelled' })
  })

  test('is asked by no one any more once the program is gone', async () => {
    const program = join(import.meta.dirname, '../support/call-signer.ts')
    const terminal = spawn(process.execPath, [program, signerPath, keystore], { cols: 120, rows: 24 })
    let output = ''
    const children = await new Promise<string[]>((resolve) => {
      terminal.onData((text) => {
        output += text
        if (output.includes(PROMPT)) resolve(childrenOf(terminal.pid))
      })
    })
    expect(children).toHaveLength(1)
    process.kill(terminal.pid, 'SIGKILL')
    await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([])
  })
})

test('without a terminal a password cannot be given at all', async () => {
  const args = [join(import.meta.dirname, '../support/call-signer.ts'), signerPath, keystore]
  const child = spawnDetached(process.execPath, args, { detached: true, stdio: 'pipe' })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await new Promise((resolve) => child.once('close', resolve))
  expect(output).toContain('signer.no-terminal')
})

describe('the line behind the prompt', () => {
  test('takes any text that a keyboard can give', () => {
    const run = fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      fc.pre(!/\p{Cc}/u.test(text))
      expect(typeAll(Buffer.from(`${text}\r`))).toEqual({ text, last: 'done' })
    })
    fc.assert(run, { numRuns: 500 })
  })

  test('takes back whole characters', () => {
    expect(typeAll(Buffer.from('aé✓😀\x7f\x7f\x08\x7f\x7f!\n'))).toEqual({ text: '!', last: 'done' })
  })

  test('never holds a control character, whatever arrives', () => {
    const run = fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const line = newPasswordLine()
      for (const byte of bytes) typeByte(line, byte)
      expect(line.typed.filter((byte) => byte < 0x20 || byte === 0x7f)).toEqual([])
    })
    fc.assert(run, { numRuns: 1_000 })
  })
})

test('an unreadable keystore is refused before any password is asked for', async () => {
  const missing = createNodeSigner({ signerPath }).keystoreAddress({ keystore: '/nowhere/at/all.json' })
  await expect(missing).rejects.toMatchObject({ code: 'signer.unsafe-file' })
})

function isAlive(pid: string): boolean {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch {
    return false
  }
}
