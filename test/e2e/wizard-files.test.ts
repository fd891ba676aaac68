import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type PtyProgram, startProgram } from '../support/pty.ts'
import { buildCli, CLI } from '../support/run-cli.ts'
import { vectorText } from '../support/vector-lines.ts'

let state: string
const programs: PtyProgram[] = []

beforeAll(buildCli)

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'files-'))
  await writeFile(join(state, 'spec.toml'), vectorText('recorded/spec.toml'))
  await writeFile(join(state, 'genesis.json'), vectorText('recorded/genesis.json'))
})

afterEach(async () => {
  for (const program of programs.splice(0)) {
    program.kill('SIGKILL')
    await program.exit
  }
  await rm(state, { recursive: true, maxRetries: 5 })
})

function openWizard(): PtyProgram {
  const args = [CLI, '--state', state, '--spec', 'spec.toml', '--genesis', 'genesis.json']
  const screen = { cwd: state, env: { HOME: state }, columns: 100, rows: 40 }
  const program = startProgram({ program: process.execPath, args, ...screen })
  programs.push(program)
  return program
}

test('the wizard begins on the network of a node’s own files', async () => {
  const program = openWizard()
  await program.waitFor('Your node for Custom network')
  expect(program.screen().join('\n')).toContain('node home')
})

test('files that claim a part of a built-in network lead to no form', async () => {
  const text = vectorText('recorded/spec.toml')
  const claimed = text.replace(/^(deposit-eth1-chain-id = ).*$/m, '$180094')
  expect(claimed).not.toBe(text)
  await writeFile(join(state, 'spec.toml'), claimed)
  const program = openWizard()
  await program.waitFor('The pair of spec.toml and genesis.json')
  expect(program.screen().join('\n')).not.toContain('Your node for')
})
