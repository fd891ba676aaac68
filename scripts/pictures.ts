import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../test/support/pty.ts'
import { svgOf } from './pictures/svg.ts'

/** `node scripts/pictures.ts`: draws docs/start.svg and docs/status.svg from the cells of the real program. */
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const state = await mkdtemp(join(tmpdir(), 'bearings-pictures-'))
const REHEARSAL_MS = 240_000
const ENTER = '\r'
const PAGE_DOWN = '\u001b[6~'
const STEP_TITLES = [/step 2 of 7/, /step 3 of 7/, /step 4 of 7/, /step 5 of 7/, /step 6 of 7/, /step 7 of 7/]

const program = startProgram({
  args: [join(root, 'dist', 'cli.js'), '--state', state],
  cwd: state,
  env: { HOME: state },
  columns: 100,
  rows: 30,
})

try {
  await mkdir(join(root, 'docs'), { recursive: true })
  await program.waitFor('q quit')
  await picture('start', 'The first screen: what to begin')
  program.press(ENTER)
  await program.waitFor('Which rehearsal?')
  program.press(ENTER)
  await program.waitFor(/step 1 of 7/, REHEARSAL_MS)
  for (const title of STEP_TITLES) await walkTo(title)
  await program.waitFor(/◉ active/, REHEARSAL_MS)
  await picture('status', 'The last step: the path to the active set')
  program.press('q')
  await program.exit
} finally {
  program.kill()
  await stopNetwork()
  await rm(state, { recursive: true, force: true })
}

/** Presses what the screen offers until the next step is there: accepts proposals, types the word that is asked. */
async function walkTo(title: RegExp): Promise<void> {
  const deadline = performance.now() + REHEARSAL_MS
  while (!title.test(program.screen().join('\n'))) {
    if (performance.now() > deadline)
      throw new Error(`never came to ${title}:\n${program.screen().join('\n')}`)
    const screen = program.screen().join('\n')
    const again = challengeAnswer(screen)
    const word = /type (.+) and press Enter:/.exec(screen)?.[1]
    if (screen.includes('Read it to the end first')) program.press(PAGE_DOWN)
    else if (word !== undefined) program.press(word)
    else if (again !== undefined) program.press(again)
    await pause()
    if (/Enter (?:continue|accept|sign|send|review)|and press Enter:/.test(program.screen().join('\n'))) {
      program.press(ENTER)
    }
    await pause()
  }
}

/** The groups of an address that are asked for again, from where it stands above. */
function challengeAnswer(screen: string): string | undefined {
  const [, first, last] = /groups (\d+) and (\d+) of its ten/.exec(screen) ?? []
  const address = [...screen.matchAll(/0x((?:[0-9a-fA-F]{4} ?){10})/g)].at(-1)?.[1]
  if (first === undefined || address === undefined) return undefined
  return address
    .trim()
    .split(' ')
    .slice(Number(first) - 1, Number(last))
    .join('')
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1200))
}

/** Ends the rehearsal network, which would outlive the wizard. */
async function stopNetwork(): Promise<void> {
  const descriptor = join(state, 'rehearsal', 'network-1', 'descriptor.json')
  const text = await readFile(descriptor, 'utf8').catch(() => undefined)
  if (text === undefined) return
  const { pid } = JSON.parse(text) as { pid: number }
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    return // it ended by itself
  }
  await pause()
}

async function picture(name: string, title: string): Promise<void> {
  await writeFile(join(root, 'docs', `${name}.svg`), svgOf(program.cells(), title))
}
