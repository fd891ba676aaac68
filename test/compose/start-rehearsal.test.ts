import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startRehearsal } from '../../src/compose/start-rehearsal.ts'

const [, script = ''] = process.argv
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'start-rehearsal-'))
})

afterEach(async () => {
  process.argv[1] = script
  await rm(directory, { recursive: true })
})

test('a network that does not start says its own last words', async () => {
  const program = join(directory, 'program.mjs')
  await writeFile(
    program,
    "console.error('one\\n\\nthe client \\u001b[2J is not there'); process.exitCode = 3\n",
  )
  process.argv[1] = program
  await expect(startRehearsal({ directory })).rejects.toMatchObject({
    code: 'rehearsal.not-started',
    details: ['it ended with exit code 3', 'one', 'the client ·[2J is not there'],
    nextSteps: [`read ${join(directory, 'network-1/network.log')}`, 'try again'],
  })
})
