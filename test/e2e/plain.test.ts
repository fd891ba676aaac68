import { expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { calmly } from '../support/by-keyboard.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { emptyState, openWizard, startRehearsal } from '../support/open-wizard.ts'
import type { PtyProgram } from '../support/pty.ts'
import { buildCli, runCli } from '../support/run-cli.ts'

const ENTER = '\r'
const WIDE = { columns: 200, rows: 60 }

/** Waits for what is said after the place where the program stood, then types a line. */
function printer(program: PtyProgram) {
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

/** Types the word letter by letter, each once the one before is shown, until it counts; in the first second it does not. */
async function sendBy(program: PtyProgram, word: string): Promise<void> {
  let [from, isEarly] = [program.written().length, true]
  const said = () => program.written().slice(from)
  const verdict = /\r\n.*(first second)[^>]*> $|waiting for the checks[\s\S]*> $/
  while (isEarly) {
    await expect.poll(said).toMatch(/type: send 10000\r\n> $/)
    from = program.written().length
    for (const [at, letter] of [...word].entries()) {
      program.press(letter)
      await expect.poll(said).toContain(word.slice(0, at + 1))
    }
    await calmly()
    program.press(ENTER)
    await expect.poll(said).toMatch(verdict)
    isEarly = verdict.exec(said())?.[1] !== undefined
  }
}

test('on a terminal that cannot draw the first deposit is sent by lines, without a control code', async () => {
  const { state, descriptor } = await startRehearsal({ slotMs: 150 })
  const env = { LC_ALL: 'C', TERM: 'dumb' }
  const program = openWizard(state, ['--network', 'rehearsal'], { env, ...WIDE })
  const { answers } = printer(program)
  await answers(/Check the chain[\s\S]*Enter continue/, '')
  await answers(/Check the key[\s\S]*Enter continue/, '')
  await answers(/withdrawal \(.*: $/, '')
  await answers(/\[([^\]]+)\][\s\S]*characters .*: $/, ([, groups = '']) => groups)
  await answers(/operator \(.*: $/, '')
  await answers(/amount \(.*: $/, '10000')
  await answers(/Enter sign/, '')
  await answers(/Enter continue/, '')
  await answers(/Enter review, then send/, '')
  await sendBy(program, 'send 10000')
  await answers(/Enter continue/, 'q')
  expect((await program.exit).exitCode).toBe(4)
  expect(program.written()).toMatch(/^[\x20-\x7e\r\n]*$/)
  expect(program.written()).toContain('first deposit  10,000 BERA, block')
  const { pubkey } = validatorKey(descriptor.seed, 'fresh')
  expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([tokens(10_000n)])
})

test('a screen reader is given lines, and a first screen with what can be begun', async () => {
  await buildCli()
  const env = { LC_ALL: 'C', INK_SCREEN_READER: '1' }
  const program = openWizard(await emptyState(), [], { env, ...WIDE })
  const { answers } = printer(program)
  await answers(/What do you want to do\?[\s\S]*1 {2}New rehearsal[\s\S]*q quit\r\n> $/, '1')
  await answers(/Which rehearsal\?[\s\S]*Squatted key[\s\S]*b back/, 'b')
  await answers(/What do you want to do\?/, 'q')
  expect((await program.exit).exitCode).toBe(4)
  expect(program.written()).toMatch(/^[\x20-\x7e\r\n]*$/)
})

test('without a terminal only a rehearsal takes its lines from a pipe', async () => {
  const { state } = await startRehearsal({ slotMs: 150 })
  for (const options of [['--network', 'bepolia'], ['--network', 'mainnet'], []]) {
    const { code, stderr } = await runCli(['--plain', '--state', state, ...options]).end
    expect(code).toBe(2)
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/ --plain .* --network rehearsal/)
  }
  const { code, stdout } = await runCli(['--plain', '--state', state, '--network', 'rehearsal']).end
  expect(code).toBe(4)
  expect(stdout).toMatch(/^[\x20-\x7e\n]*$/)
})
