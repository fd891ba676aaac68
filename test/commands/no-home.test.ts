import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildCli, runCli } from '../support/run-cli.ts'

const UNKNOWN_USER = join(import.meta.dirname, '../support/no-home.cjs')

let directory: string

beforeAll(buildCli)
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'no-home-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** Runs the program as a user whom neither the environment nor the system knows. */
const run = (...args: string[]) =>
  runCli(args, { PATH: process.env.PATH, NODE_OPTIONS: `--require=${JSON.stringify(UNKNOWN_USER)}` }).end

test('a user whom the system does not know can run a watch, which names its state directory', async () => {
  const config = join(directory, 'watch.toml')
  const command = JSON.stringify([process.execPath, '--version'])
  writeFileSync(config, `network = "mainnet"\n[[channel]]\ntype = "exec"\ncommand = ${command}\n`, {
    mode: 0o600,
  })
  const state = join(directory, 'state')
  const { code, stdout } = await run('watch', '--config', config, '--state', state, '--test-alarm')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'exec (exec): sent, 0 s\n' })
})

test.each([
  ['a report for support', 'report', 'program: version '],
  ['the places where everything is kept', 'config', 'state directory\n'],
])('a user whom the system does not know gets %s', async (_, command, text) => {
  const { code, stdout } = await run(command, '--state', join(directory, 'state'))
  expect(code).toBe(0)
  expect(stdout).toContain(text)
})
