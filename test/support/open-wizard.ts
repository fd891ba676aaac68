import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import { type PtyOptions, type PtyProgram, startProgram } from './pty.ts'
import { buildCli, CLI, type Run, runDevnetCli } from './run-cli.ts'

/** A state directory of the wizard; it is gone with its test. */
export async function emptyState(): Promise<string> {
  const state = await mkdtemp(join(tmpdir(), 'wizard-'))
  onTestFinished(() => rm(state, { recursive: true, maxRetries: 5 }))
  return state
}

/** A rehearsal network of the shipped program, which the wizard finds below its state directory. */
export type Rehearsal = { state: string; descriptor: DevnetDescriptor; network: Run }

/**
 * Starts one with the keys of its test, so that no other test waits for their locks; it ends with its test. `folder`: below
 * the state directory, where the wizard's own are unless another is given.
 */
export async function startRehearsal({
  slotMs,
  folder = 'rehearsal/network-1',
}: {
  slotMs: number
  folder?: string
}): Promise<Rehearsal> {
  await buildCli()
  const seed = expect.getState().currentTestName ?? 'outside of a test'
  const state = await emptyState()
  const directory = join(state, folder)
  const { run, descriptor } = await runDevnetCli([
    '--directory',
    directory,
    '--slot-ms',
    String(slotMs),
    '--seed',
    seed,
  ])
  onTestFinished(async () => {
    run.kill('SIGTERM')
    await run.end
  })
  return { state, descriptor, network: run }
}

type Opened = Partial<Pick<PtyOptions, 'env' | 'columns' | 'rows'>>

/** The wizard over this state, which is its home too, at its keyboard; it ends with its test. */
export function openWizard(state: string, options: readonly string[], opened: Opened = {}): PtyProgram {
  return withTheTest({ args: [CLI, '--state', state, ...options], cwd: state, ...opened }, state)
}

/** The same, run by a shell that afterwards says how it ended and keeps the terminal open. */
export function openInShell(state: string, options: readonly string[], opened: Opened = {}): PtyProgram {
  const words = [process.execPath, CLI, '--state', state, ...options].map((word) => `'${word}'`)
  const script = `${words.join(' ')}; echo "ended $?"; read -r _`
  return withTheTest({ program: '/bin/sh', args: ['-c', script], cwd: state, ...opened }, state)
}

/** A shell at whose prompt `bearings` is the wizard over this state. */
export function openShell(state: string, opened: Opened = {}): PtyProgram {
  const wizard = `'${process.execPath}' '${CLI}' --state '${state}' "$@"`
  const script = `bearings() { ${wizard}; }; while printf '$ ' && read -r line; do eval "$line"; done`
  return withTheTest({ program: '/bin/sh', args: ['-c', script], cwd: state, ...opened }, state)
}

function withTheTest(options: PtyOptions, home: string): PtyProgram {
  const program = startProgram({ ...options, env: { HOME: home, ...options.env } })
  onTestFinished(async () => {
    program.kill('SIGKILL')
    await program.exit
  })
  return program
}
