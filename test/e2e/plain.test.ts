import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { tokens } from '../../src/core/format/amount.ts'
import type { DevnetDescriptor } from '../../src/devnet/descriptor.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI, type Run, runCli, runDevnetCli } from '../support/run-cli.ts'

const ENTER = '\r'

let state: string
let network: Run
let descriptor: DevnetDescriptor
const programs: PtyProgram[] = []

beforeAll(buildCli)

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'plain-'))
  const directory = join(state, 'rehearsal/network-1')
  const started = await runDevnetCli(['--directory', directory, '--slot-ms', '150'])
  network = started.run
  descriptor = started.descriptor
})

afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.kill('SIGKILL')
    await program.exit
  }
  network.kill('SIGTERM')
  await network.end
  await rm(state, { recursive: true, maxRetries: 5 })
})

function openWizard(env: Readonly<Record<string, string>>, ...options: string[]): PtyProgram {
  const args = [CLI, '--state', state, ...options]
  const screen = { cwd: state, env: { HOME: state, LC_ALL: 'C', ...env }, columns: 200, rows: 60 }
  const program = startProgram({ args, ...screen })
  programs.push(program)
  return program
}

/** Waits for what is said after the place where the program stood, then types a line. */
function teller(program: PtyProgram) {
  let from = program.written().length
  const said = () => program.written().slice(from)
  return {
    async answers(wanted: RegExp, line: string | ((found: RegExpExecArray) => string)) {
      await expect.poll(said).toMatch(wanted)
      const found = wanted.exec(said()) as RegExpExecArray
      from = program.written().length
      program.press(`${typeof line === 'string' ? line : line(found)}${ENTER}`)
    },
  }
}

/** Types the word until lines count; those of the first second do not. */
async function sendBy({ answers }: ReturnType<typeof teller>, word: string): Promise<void> {
  let isEarly = true
  await answers(/type: send 10000\r\n> $/, word)
  while (isEarly)
    await answers(/(first second)[^>]*> $|waiting for the checks[\s\S]*> $/, ([, early]) => {
      isEarly = early !== undefined
      return isEarly ? word : '.'
    })
}

test('on a terminal that cannot draw the first deposit is sent by lines, without a control code', async () => {
  const program = openWizard({ TERM: 'dumb' }, '--network', 'rehearsal')
  const { answers } = teller(program)
  await answers(/Check the chain[\s\S]*Enter continue/, '')
  await answers(/Check the key[\s\S]*Enter continue/, '')
  await answers(/withdrawal \(.*: $/, '')
  await answers(/\[([^\]]+)\][\s\S]*groups .*: $/, ([, groups = '']) => groups)
  await answers(/operator \(.*: $/, '')
  await answers(/amount \(.*: $/, '10000')
  await answers(/Enter sign/, '')
  await answers(/Enter continue/, '')
  await answers(/Enter send/, '')
  await sendBy({ answers }, 'send 10000')
  await answers(/Enter continue/, 'q')
  expect((await program.exit).exitCode).toBe(4)
  expect(program.written()).toMatch(/^[\x20-\x7e\r\n]*$/)
  expect(program.written()).toContain('first deposit  10,000 BERA, block')
  const { pubkey } = validatorKey(descriptor.seed, 'fresh')
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n)])
})

test('a screen reader is given lines, and a first screen with what can be begun', async () => {
  const program = openWizard({ INK_SCREEN_READER: '1' })
  const { answers } = teller(program)
  await answers(/What do you want to do\?[\s\S]*1 {2}New rehearsal[\s\S]*q quit\r\n> $/, '1')
  await answers(/Which rehearsal\?[\s\S]*Squatted key[\s\S]*b back/, 'b')
  await answers(/What do you want to do\?/, 'q')
  expect((await program.exit).exitCode).toBe(4)
  expect(program.written()).toMatch(/^[\x20-\x7e\r\n]*$/)
})

test('without a terminal only a rehearsal takes its lines from a pipe', async () => {
  for (const options of [['--network', 'bepolia'], ['--network', 'mainnet'], []]) {
    const { code, stderr } = await runCli(['--plain', '--state', state, ...options]).end
    expect(code).toBe(2)
    expect(stderr).toContain('Without a terminal --plain takes its lines for a rehearsal alone.')
  }
  const { code, stdout } = await runCli(['--plain', '--state', state, '--network', 'rehearsal']).end
  expect(code).toBe(4)
  expect(stdout).toMatch(/^[\x20-\x7e\n]*$/)
})
