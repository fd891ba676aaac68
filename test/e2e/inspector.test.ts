import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildCli, runDevnetCli } from '../support/run-cli.ts'

test('SIGUSR1 opens no inspector', async () => {
  await buildCli()
  const directory = await mkdtemp(join(tmpdir(), 'inspector-'))
  const { run, descriptor } = await runDevnetCli(['--directory', directory])
  run.kill('SIGUSR1')
  // What it answers after the signal it answers with the signal behind it.
  const { status } = await fetch(`${descriptor.urls.node}/eth/v1/node/version`)
  run.kill('SIGTERM')
  const { stderr } = await run.end
  expect([status, stderr]).toEqual([200, ''])
  await rm(directory, { recursive: true })
})
