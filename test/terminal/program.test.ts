import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type KeptScreen, readScreen, SCREEN_FILE } from '../../src/core/format/kept-screen.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const CLI = join(ROOT, 'dist', 'cli.js')

let state: string
let opened: PtyProgram[]

beforeAll(() => {
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'build.ts'), '--if-stale'])
})
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'bearings-terminal-'))
  opened = []
})
afterEach(async () => {
  for (const program of opened) program.kill('SIGKILL')
  await Promise.all(opened.map((program) => program.exit))
  rmSync(state, { recursive: true, force: true })
})

/** The wizard, run by a shell that afterwards says how it ended and what it did to the terminal. */
function openWizard(given: { env?: Record<string, string>; options?: readonly string[] } = {}): PtyProgram {
  const { env, options = [] } = given
  const words = [`'${process.execPath}' '${CLI}' --state '${state}'`, ...options].join(' ')
  const wizard = `echo $$ > '${state}/pid'; exec ${words}`
  const script = `/bin/sh -c "${wizard.replaceAll('$', '\\$')}"; echo "ended $?"; stty -a; echo finished; read -r _`
  const program = startProgram({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: state,
    env: { HOME: state, ...env },
  })
  opened.push(program)
  return program
}

function wizardPid(): number {
  return Number(readFileSync(join(state, 'pid'), 'utf8'))
}

async function expectSaneTerminal(program: PtyProgram): Promise<void> {
  await program.waitFor('finished')
  const after = program.screen().join('\n')
  expect(after).toMatch(/(?<!-)icanon/)
  expect(after).toMatch(/(?<!-)echo\b/)
  const written = program.written()
  expect(written.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(written.lastIndexOf('\u001b[?1049h'))
  expect(written.lastIndexOf('\u001b[?25h')).toBeGreaterThan(written.lastIndexOf('\u001b[?25l'))
  expect(written.lastIndexOf('\u001b[?2004l')).toBeGreaterThan(written.lastIndexOf('\u001b[?2004h'))
}

describe('the built program in a real terminal', () => {
  it('shows its first screen, fills the terminal, and follows its size', async () => {
    const program = openWizard()
    await program.waitFor('q quit')
    expect(program.screen()[0]).toBe(' Bearings')
    const keys = ' ↑↓ choose   Enter continue   c command   ? explain   q quit'
    expect(program.screen()[23]).toBe(keys)
    program.resize({ columns: 100, rows: 30 })
    await expect.poll(() => program.screen()[29]).toBe(keys)
  })

  it('draws plain ASCII without colours where that is asked for', async () => {
    const program = openWizard({ env: { LANG: 'C', NO_COLOR: '1' } })
    await program.waitFor('q quit')
    expect(program.screen().join('')).toMatch(/^[\x20-\x7e]*$/)
    const cells = program.cells().flat()
    expect(cells.some((cell) => cell.foreground !== undefined || cell.background !== undefined)).toBe(false)
  })

  it.each([
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
  ])('gives the terminal back on %s', async (_, key) => {
    const program = openWizard()
    await program.waitFor('q quit')
    program.press(key)
    await expectSaneTerminal(program)
    expect(program.screen().join('\n')).toContain('ended 4')
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('gives the terminal back on %s', async (signal) => {
    const program = openWizard()
    await program.waitFor('q quit')
    process.kill(wizardPid(), signal)
    await expectSaneTerminal(program)
  })
})

describe('the last screen of the built program', () => {
  const path = () => join(state, SCREEN_FILE)
  const kept = (): KeptScreen => {
    const screen = existsSync(path()) ? readScreen(readFileSync(path(), 'utf8')) : undefined
    if (screen === undefined) throw new Error('no screen was kept')
    return screen
  }
  /** What makes the program fail when it gets a signal that is none of its own. */
  const failing = (): Record<string, string> => {
    const file = join(state, 'failing.mjs')
    writeFileSync(file, "process.on('SIGUSR2', () => { throw new Error('a fault') })")
    return { NODE_OPTIONS: `--import=${file}` }
  }

  it.each([
    ['q', (program: PtyProgram) => program.press('q')],
    ['Ctrl-C', (program: PtyProgram) => program.press('\u0003')],
    ['SIGTERM', () => void process.kill(wizardPid(), 'SIGTERM')],
    ['SIGHUP', () => void process.kill(wizardPid(), 'SIGHUP')],
    ['a fault', () => void process.kill(wizardPid(), 'SIGUSR2')],
  ])('is kept on %s, and not before', async (how, end) => {
    const program = openWizard({ env: how === 'a fault' ? failing() : {} })
    await program.waitFor('q quit')
    await program.waitFor('rehearsal')
    const shown = program.screen()
    expect(existsSync(path())).toBe(false)
    end(program)
    await expectSaneTerminal(program)
    const { lines, columns, rows, language, atMs } = kept()
    expect({ columns, rows, language }).toEqual({ columns: 80, rows: 24, language: 'en' })
    expect(lines).toEqual(shown.map((line) => line.trimEnd()))
    expect(Math.abs(Date.now() - atMs)).toBeLessThan(60_000)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
  })

  it('holds no private key that was pasted into a field', async () => {
    const secret = 'f00dfeed'.repeat(8)
    const program = openWizard({ options: ['--network', 'bepolia'] })
    await program.waitFor('node home')
    program.press(`\u0015\u001b[200~${secret}\u001b[201~`)
    await program.waitFor(/64\s+characters\s+were\s+wiped/)
    expect(program.screen().join('\n')).not.toContain('f00d')
    process.kill(wizardPid(), 'SIGTERM')
    await expectSaneTerminal(program)
    expect(kept().lines.join('\n')).toContain('(left out)')
    expect(readFileSync(path(), 'utf8')).not.toContain('f00d')
  })

  it('is the last page where the wizard goes by lines', async () => {
    const program = openWizard({ env: { TERM: 'dumb' } })
    await program.waitFor('q quit')
    program.press('q\r')
    await program.waitFor('finished')
    expect(kept().lines).toEqual(expect.arrayContaining(['Money: nothing is sent here']))
    expect(kept()).toMatchObject({ columns: 80, rows: 24 })
  })

  it('ends as before where it cannot be written', async () => {
    mkdirSync(path())
    const program = openWizard()
    await program.waitFor('q quit')
    program.press('q')
    await expectSaneTerminal(program)
    expect(program.screen().join('\n')).toContain('ended 4')
    expect(program.screen().join('\n')).not.toContain(SCREEN_FILE)
  })
})
