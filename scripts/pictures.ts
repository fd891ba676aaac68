import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getAddress } from 'viem/utils'
import { ENTER, planFirstDeposit, typeWord } from '../test/support/by-keyboard.ts'
import type { Cell } from '../test/support/cells.ts'
import { type PtyProgram, startProgram } from '../test/support/pty.ts'
import { CLI, runDevnetCli } from '../test/support/run-cli.ts'
import { filmOf, svgOf } from './pictures/svg.ts'

/**
 * `node scripts/pictures.ts`: draws docs/pictures from the cells of the real program, which a script takes through a
 * whole rehearsal by keyboard: one picture of the first screen and of each step, and all of them as a moving one.
 */
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const FOLDER = join(ROOT, 'docs/pictures')
const SLOT_MS = 300
/** What is the same on each making of the pictures: keys, addresses and ports. Times and blocks are those of the day. */
const SAME = ['--seed', 'pictures', '--port-base', '28545'] as const
const REHEARSAL_MS = 240_000

const state = await mkdtemp(join(tmpdir(), 'bearings-pictures-'))
const frames: (readonly (readonly Cell[])[])[] = []
const ends: (() => Promise<unknown>)[] = [() => rm(state, { recursive: true, force: true })]

try {
  await mkdir(FOLDER, { recursive: true })
  await firstScreens()
  await wholeRehearsal()
  await writeFile(join(FOLDER, 'rehearsal.svg'), filmOf(frames, 'A whole rehearsal, step by step'))
} finally {
  for (const end of ends.reverse()) await end()
}

async function firstScreens(): Promise<void> {
  const program = wizard([])
  await program.waitFor('q quit')
  await picture(program, 'start', 'The first screen: what to begin')
  program.press(ENTER)
  await program.waitFor('Which rehearsal?')
  await picture(program, 'stories', 'The rehearsals: which story')
  program.press('q')
  await program.exit
  const chinese = wizard(['--lang', 'zh'])
  await chinese.waitFor('q 退出')
  await writeFile(join(FOLDER, 'chinese.svg'), svgOf(chinese.cells(), 'The first screen in Chinese'))
  chinese.press('q')
  await chinese.exit
}

async function wholeRehearsal(): Promise<void> {
  const directory = join(state, 'rehearsal/network-1')
  const { descriptor, run } = await runDevnetCli([
    '--directory',
    directory,
    ...SAME,
    '--slot-ms',
    String(SLOT_MS),
  ])
  ends.push(() => {
    run.kill('SIGTERM')
    return run.end
  })
  const program = wizard(['--network', 'rehearsal'])
  await leave(program, 'Check the chain', 'chain', 'Step 1: the chain is the one it should be')
  await leave(program, 'Check the key', 'key', 'Step 2: the key, and what the chain knows of it')
  await planFirstDeposit(program, getAddress(descriptor.withdrawalAddress))
  await program.waitFor('Enter sign')
  await picture(program, 'plan', 'Step 3: what is to be signed')
  program.press(ENTER)
  await leave(
    program,
    'verifiers accept this signature',
    'sign',
    'Step 3: the signature, and who has checked it',
  )
  await program.waitFor('Enter review, then send')
  await picture(program, 'deposit', 'Step 4: the gate before the first deposit')
  program.press(ENTER)
  await program.waitFor('type send 10000 and press Enter')
  await picture(program, 'send', 'The last look before money moves')
  await typeWord(program, 'send 10000')
  await leave(program, 'Where is the transaction?', 'sent', 'The first deposit, watched until it is final')
  await leave(
    program,
    'Prove the registration',
    'confirm',
    'Step 5: the registration, proven on this computer',
  )
  await program.waitFor('Enter review, then send')
  await picture(program, 'topup', 'Step 6: the top-up that takes a place in the active set')
  program.press(ENTER)
  await typeWord(program, 'send 270000')
  await program.waitFor('Enter continue')
  program.press(ENTER)
  await program.waitFor('You join the active set at epoch')
  await picture(program, 'waiting', 'Step 7: the path to the active set')
  await program.waitFor('Your validator is active', REHEARSAL_MS)
  await picture(program, 'status', 'Step 7: active')
  program.press('q')
  await program.exit
}

function wizard(args: readonly string[]): PtyProgram {
  const screen = { cwd: state, env: { HOME: state }, columns: 100, rows: 30 }
  const program = startProgram({ args: [CLI, '--state', state, ...args], ...screen })
  ends.push(async () => {
    program.kill()
    await program.exit
  })
  return program
}

/** Draws a step once it is settled, and goes on to the next one. */
async function leave(program: PtyProgram, title: string, name: string, caption: string): Promise<void> {
  await program.waitFor(title)
  await program.waitFor('Enter continue')
  await picture(program, name, caption)
  program.press(ENTER)
}

async function picture(program: PtyProgram, name: string, caption: string): Promise<void> {
  const cells = program.cells()
  frames.push(cells)
  await writeFile(join(FOLDER, `${name}.svg`), svgOf(cells, caption))
}
