import { spawn as spawnDetached } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import fc from 'fast-check'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import { groupHex } from '../../src/core/base/format/hex.ts'
import { endLoneEscape, listenToKeys, newPasswordLine, typeByte } from '../../src/signer/password-line.ts'
import { buildSigner } from '../support/build-signer.ts'
import { buildExecutable, HAS_EXECUTABLE } from '../support/executable.ts'
import { HARD } from '../support/hard.ts'
import { writeKeystoreFile } from '../support/heavy-keystore.ts'
import { topUpRequest } from '../support/top-up.ts'
import { childrenOf } from '../support/watch-children.ts'

const PRIVATE_KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const PASSWORD = 'gehéim "wort" ✓'
const keystore = join(mkdtempSync(join(tmpdir(), 'password-test-')), 'funder.json')
const ACCOUNT = privateKeyToAddress(PRIVATE_KEY)
const OTHER = privateKeyToAddress(`0x${'77'.repeat(32)}`)
const PROMPT = 'Password of the keystore: '

let signerPath: string
beforeAll(async () => {
  writeKeystoreFile(keystore, { key: PRIVATE_KEY, password: PASSWORD, weight: 'light' })
  signerPath = (await buildSigner()).signerPath
})

/** Arrows, PgUp, PgDn, Delete, F1 of two kinds of terminal, Alt with PgDn, paste marks, Alt-x, replies of a terminal. */
const STRAY_KEYS = [
  '\u001b[A',
  '\u001b[1;5C',
  '\u001bOP',
  '\u001b[5~',
  '\u001b[6~',
  '\u001b[3~',
  '\u001b[[A',
  '\u001b\u001b[6~',
  '\u001b[200~',
  '\u001b[201~',
  '\u001bx',
  '\u001b]11;rgb:0000/0000/0000\u0007',
  '\u001bP1$r0m\u001b\\',
]

type Session = { output: string; result: { from?: string; code?: string; details?: string[] } }
type Asked = { account?: string; abortAfterMs?: number; linesOnly?: boolean; signer?: string }

/** Runs a program that has a top-up signed in a terminal, and types the given keys at the prompt. */
function inTerminal(keys: string | undefined, asked: Asked = {}): Promise<Session> {
  const { account = ACCOUNT, abortAfterMs, linesOnly = false, signer = signerPath } = asked
  const program = join(import.meta.dirname, '../support/call-signer.ts')
  const how = linesOnly ? 'lines' : abortAfterMs
  const args = [program, signer, keystore, account, ...(how === undefined ? [] : [String(how)])]
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
      const json = /RESULT (\{[\s\S]*\})/.exec(output)?.[1] ?? '{}'
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
    expect(result).toEqual({ from: ACCOUNT })
    expect(output).not.toContain('gehéim')
    expect(output).not.toContain('*')
  })

  test.runIf(HARD && HAS_EXECUTABLE)('opens it in the single executable as well', async () => {
    const { path, remove } = await buildExecutable()
    onTestFinished(remove)
    const signer = join(path, 'signer.js')
    const { output, result } = await inTerminal(`${PASSWORD}\r`, { signer })
    expect(result).toEqual({ from: ACCOUNT })
    expect(output).not.toContain('gehéim')
  })

  test('is asked for under what is signed with it', async () => {
    const { output } = await inTerminal(`${PASSWORD}\r`)
    const prompt = output.slice(0, output.indexOf(PROMPT))
    for (const words of [
      'network         Dress rehearsal, chain 31337',
      'payment         top-up of 240,000 BERA',
      'validator       0xa7a7 a7a7',
      groupHex(ACCOUNT),
      'nonce, cost     7 · costs at most 0.00045 BERA',
      'Nothing is shown while you type.',
    ])
      expect(prompt).toContain(words)
    expect(output).toContain('Opening the keystore')
  })

  test('is asked for in lines alone where nothing is drawn', async () => {
    const { output, result } = await inTerminal(`${PASSWORD}\r`, { linesOnly: true })
    expect(result).toEqual({ from: ACCOUNT })
    expect(output).toMatch(/^[\x20-\x7e\r\n]*$/)
    const lines = output.slice(0, output.indexOf('RESULT')).split(/\r+\n/)
    expect(lines).toMatchInlineSnapshot(`
      [
        "",
        " Sign this transaction with your keystore?",
        "",
        "   network         Dress rehearsal, chain 31337",
        "   payment         top-up of 240,000 BERA",
        "   validator       0xa7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7",
        "                     a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7 a7a7",
        "   contract        0x4242 4242 4242 4242 4242 4242 4242 4242 4242 4242",
        "   paying account  0x008A eEda 4D80 5471 dF9b 2A5B 0f38 A0C3 bCBA 786b",
        "   nonce, cost     7 - costs at most 0.00045 BERA",
        "",
        " Nothing is shown while you type. Enter signs this. Ctrl-C signs nothing.",
        "",
        " Password of the keystore: ",
        " Opening the keystore.",
        " Keys pressed now are dropped. Ctrl-C signs nothing.",
        "",
      ]
    `)
  })

  test('may be pasted, and corrected', async () => {
    const pasted = await inTerminal(`\u001b[200~${PASSWORD}\u001b[201~\r`)
    const corrected = await inTerminal(`x\u0015ge\u001b[Ahü\u007féim "wort" ✓\r`)
    for (const { result } of [pasted, corrected]) expect(result.from).toBe(ACCOUNT)
  })

  test('never signs for another account than the one that was named; both are told', async () => {
    const { result } = await inTerminal(`${PASSWORD}\r`, { account: OTHER })
    expect(result).toEqual({
      code: 'keystore.other-account',
      details: [`found: ${ACCOUNT}`, `expected: ${OTHER}`],
    })
  })

  test('that is wrong is said to be wrong', async () => {
    expect((await inTerminal('wrong\r')).result.code).toBe('keystore.wrong-password')
  })

  test('can be left with Ctrl-C, or called off by the program', async () => {
    expect((await inTerminal('half\u0003')).result.code).toBe('signer.cancelled')
    expect((await inTerminal(undefined, { abortAfterMs: 1_000 })).result.code).toBe('signer.cancelled')
  })

  test('is asked by no one any more once the program is gone', async () => {
    const program = join(import.meta.dirname, '../support/call-signer.ts')
    const terminal = spawn(process.execPath, [program, signerPath, keystore, ACCOUNT], {
      cols: 120,
      rows: 24,
    })
    let output = ''
    const children = await new Promise<string[]>((resolve) => {
      terminal.onData((text) => {
        output += text
        if (output.includes(PROMPT)) resolve(childrenOf(terminal.pid))
      })
    })
    expect(children).toHaveLength(1)
    process.kill(terminal.pid, 'SIGKILL')
    await expect.poll(() => children.filter(isAlive)).toEqual([])
  })
})

test('without a terminal a password cannot be given at all', async () => {
  const args = [join(import.meta.dirname, '../support/call-signer.ts'), signerPath, keystore, ACCOUNT]
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

  test('takes no key for text, wherever one is pressed by mistake', () => {
    const stray = fc.constantFrom(...STRAY_KEYS)
    const run = fc.property(
      fc.array(fc.oneof(fc.constantFrom('a', 'é', '[', '6', '~', '✓'), stray)),
      (script) => {
        const text = script.filter((key) => !STRAY_KEYS.includes(key)).join('')
        expect(typeAll(Buffer.from(`${script.join('')}\r`))).toEqual({ text, last: 'done' })
      },
    )
    fc.assert(run, { numRuns: 1_000 })
  })

  test('loses no letter to an Esc key that was pressed by itself', () => {
    const line = newPasswordLine()
    for (const byte of Buffer.from('a\u001b')) typeByte(line, byte)
    endLoneEscape(line)
    for (const byte of Buffer.from('bc')) typeByte(line, byte)
    expect(Buffer.from(line.typed).toString()).toBe('abc')
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

describe('an Enter alone', () => {
  /** A keyboard that is asked for a password at 0 ms; what is pressed when, and what came of it. */
  function asked() {
    let ms = 0
    const keyboard = new EventEmitter()
    const keys = listenToKeys(keyboard, () => ms)
    let drops = 0
    const line = keys.line(() => {
      drops += 1
    })
    const press = (text: string, atMs: number) => {
      ms = atMs
      keyboard.emit('data', Buffer.from(text))
    }
    return { line, press, drops: () => drops }
  }

  test('that was meant for the screen before the prompt is no password', async () => {
    const { line, press, drops } = asked()
    press('\r', 0)
    press('\r', 999)
    expect(drops()).toBe(2)
    press('secret\r', 999)
    expect((await line).toString()).toBe('secret')
  })

  test('is the empty password once the prompt can have been read', async () => {
    const { line, press, drops } = asked()
    press('\r', 1_000)
    expect((await line).toString()).toBe('')
    expect(drops()).toBe(0)
  })
})

test('an unreadable keystore is refused before any password is asked for', async () => {
  const missing = createNodeSigner({ signerPath }).signTransaction(
    topUpRequest('/nowhere/at/all.json', ACCOUNT),
  )
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
