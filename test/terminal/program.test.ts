import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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

it('leaves nothing on the disk of what stood on the terminal, nor of a key that was pasted', async () => {
  const secret = 'f00dfeed'.repeat(8)
  const program = openWizard({ options: ['--network', 'bepolia'] })
  await program.waitFor('node home')
  program.press(`\u0015\u001b[200~${secret}\u001b[201~`)
  await program.waitFor(/64\s+characters\s+were\s+wiped/)
  process.kill(wizardPid(), 'SIGTERM')
  await expectSaneTerminal(program)
  const left = readdirSync(state, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  const texts = left.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  expect(texts.filter((text) => /f00d|node home/.test(text))).toEqual([])
})
