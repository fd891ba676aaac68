import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { emptyState, openWizard } from '../support/open-wizard.ts'
import { buildCli } from '../support/run-cli.ts'
import { vectorText } from '../support/vector-lines.ts'

const FILES = ['--spec', 'spec.toml', '--genesis', 'genesis.json']
const LARGE = { columns: 100, rows: 40 }

beforeAll(buildCli)

/** A directory with the two files of a node. */
async function stateWith(spec: string): Promise<string> {
  const state = await emptyState()
  await writeFile(join(state, 'spec.toml'), spec)
  await writeFile(join(state, 'genesis.json'), vectorText('recorded/genesis.json'))
  return state
}

test('the wizard begins on the network of a node’s own files', async () => {
  const program = openWizard(await stateWith(vectorText('recorded/spec.toml')), FILES, LARGE)
  await program.waitFor('Your node for Custom network')
  expect(program.screen().join('\n')).toContain('node home')
})

test('files that claim a part of a built-in network lead to no form', async () => {
  const text = vectorText('recorded/spec.toml')
  const claimed = text.replace(/^(deposit-eth1-chain-id = ).*$/m, '$180094')
  expect(claimed).not.toBe(text)
  const program = openWizard(await stateWith(claimed), FILES, LARGE)
  await program.waitFor('The pair of spec.toml and genesis.json')
  expect(program.screen().join('\n')).not.toContain('Your node for')
})
