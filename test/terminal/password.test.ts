import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildAsking } from '../support/build-signer.ts'
import { writeKeystoreFile } from '../support/heavy-keystore.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { childrenOf } from '../support/watch-children.ts'

const KEY = '0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d'
const ACCOUNT = privateKeyToAddress(KEY)
/** No character of it is on any screen of the program. */
const PASSWORD = 'ħŋłđŧßþæ'
const CTRL_C = '\u0003'
const ENTER = '\r'
/** Letters of somebody who types for two seconds: long after the signer has begun. */
const TYPED_EARLY = 20
const LETTER_MS = 100
const QUESTION = 'Password of the keystore:'

const folder = mkdtempSync(join(tmpdir(), 'asking-'))
const light = join(folder, 'light.json')
const heavy = join(folder, 'heavy.json')
let asking: string
const programs: PtyProgram[] = []

beforeAll(async () => {
  writeKeystoreFile(light, { key: KEY, password: PASSWORD, weight: 'light' })
  writeKeystoreFile(heavy, { key: KEY, password: PASSWORD, weight: 'geth' })
  asking = await buildAsking()
})

afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.kill('SIGKILL')
    await program.exit
  }
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Screens, and a shell around them that says how the terminal was left. */
async function open(keystore: string): Promise<PtyProgram & { screens(): number; signer(): number }> {
  const script = `'${process.execPath}' '${asking}' '${keystore}' ${ACCOUNT}; stty -a; echo over; read -r _`
  const program = startProgram({ program: '/bin/sh', args: ['-c', script], cwd: folder })
  programs.push(program)
  await program.waitFor('keys []')
  const screens = () => Number(childrenOf(program.pid)[0])
  return { ...program, screens, signer: () => Number(childrenOf(screens())[0]) }
}

async function toPrompt(program: PtyProgram): Promise<void> {
  program.press('s')
  await program.waitFor(QUESTION)
}

/** The characters of the password that the terminal received. */
function seenOf(program: PtyProgram): string {
  return [...PASSWORD].filter((character) => program.written().includes(character)).join('')
}

async function expectSane(program: PtyProgram): Promise<void> {
  await program.waitFor('over')
  expect(program.screen().join('\n')).toMatch(/(?<!-)icanon[\s\S]*(?<!-)echo /)
  const written = program.written()
  expect(written.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(written.lastIndexOf('\u001b[?1049h'))
  expect(written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(written.lastIndexOf('\u001b[?25l'))
}

describe('while a password is asked for', () => {
  test('what is typed while the keystore opens reaches neither the terminal nor the screens', async () => {
    const program = await open(heavy)
    await toPrompt(program)
    program.press(`${PASSWORD}${ENTER}`)
    await program.waitFor('Opening the keystore')
    program.press(`${PASSWORD}${ENTER}`)
    await program.waitFor(`answer ${ACCOUNT}`)
    expect(seenOf(program)).toBe('')
    program.press('z')
    await program.waitFor('keys [sz]')
  })

  test('who types as it opens is asked once that has stopped, and not for the rest alone', async () => {
    const program = await open(light)
    program.press('s')
    for (let turn = 0; turn < TYPED_EARLY; turn += 1) {
      program.press('ħ')
      await setTimeout(LETTER_MS)
    }
    expect(program.written()).not.toContain(QUESTION)
    await program.waitFor(QUESTION)
    program.press(`${PASSWORD}${ENTER}`)
    await program.waitFor(`answer ${ACCOUNT}`)
  })

  test('Ctrl-C stops the opening of a keystore', async () => {
    const program = await open(heavy)
    await toPrompt(program)
    program.press(`${PASSWORD}${ENTER}`)
    await program.waitFor('Opening the keystore')
    program.press(CTRL_C)
    await program.waitFor('answer signer.cancelled')
    program.press('q')
    await expectSane(program)
  })

  test('a resized terminal shows all of the prompt again, and then all of the screens', async () => {
    const program = await open(light)
    await toPrompt(program)
    program.resize({ columns: 60, rows: 20 })
    program.resize({ columns: 100, rows: 30 })
    await program.waitFor(
      /Sign this transaction[\s\S]*top-up of 240,000 BERA[\s\S]*Password of the keystore:/,
    )
    program.press(`${PASSWORD}${ENTER}`)
    await program.waitFor(`answer ${ACCOUNT}`)
    expect(program.screen().join('\n')).not.toContain('Password')
  })

  test('the prompt leaves nothing behind for the next one', async () => {
    const program = await open(light)
    await toPrompt(program)
    program.press(`wrong${ENTER}`)
    await program.waitFor('answer keystore.wrong-password')
    await toPrompt(program)
    expect(program.screen().join('\n').split(QUESTION)).toHaveLength(2)
  })
})

describe('the terminal is as it was', () => {
  test('after the signer was killed', async () => {
    const program = await open(light)
    await toPrompt(program)
    process.kill(program.signer(), 'SIGKILL')
    await program.waitFor('answer signer.failed')
    program.press('q')
    await expectSane(program)
  })

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    'after %s to the program at the prompt',
    async (name) => {
      const program = await open(light)
      await toPrompt(program)
      program.press(PASSWORD)
      const signer = program.signer()
      process.kill(program.screens(), name)
      await program.waitFor(`"signal":"${name}"`)
      await expectSane(program)
      expect(seenOf(program)).toBe('')
      expect(() => process.kill(signer, 0)).toThrow()
    },
  )

  test('as far as a killed program lets it: the prompt is gone, and so is the signer', async () => {
    const program = await open(light)
    await toPrompt(program)
    const signer = program.signer()
    process.kill(program.screens(), 'SIGKILL')
    await expect.poll(() => isAlive(signer), { timeout: 10_000 }).toBe(false)
    // What it wrote last comes through the terminal later than its end is seen.
    const lastOf = (text: string) => program.written().lastIndexOf(text)
    await expect.poll(() => lastOf('\u001b[?1049l') > lastOf('\u001b[?1049h')).toBe(true)
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
