import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildCli, runDevnetCli } from '../support/run-cli.ts'

test('SIGUSR1 opens no inspector', async () => {
  await buildCli()
  const directory = await mkdtemp(join(tmpdir(), 'inspector-'))
  const { run } = await runDevnetCli(['--directory', directory])
  run.kill('SIGUSR1')
  await expect(fetch('http://127.0.0.1:9229/json/version')).rejects.toThrow()
  run.kill('SIGTERM')
  const { stderr } = await run.end
  expect(stderr).not.toContain('Debugger')
  await rm(directory, { recursive: true })
})
