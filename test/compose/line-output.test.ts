import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { lineOutput } from '../../src/compose/line-output.ts'

test('says that everything was written', async () => {
  const stream = new PassThrough()
  const output = lineOutput(stream, () => expect.unreachable())
  output.write('one')
  output.write('two')
  expect(await output.settle()).toEqual({ end: 'written' })
  expect(String(stream.read())).toBe('one\ntwo\n')
})

test('notices a reader that leaves, once, and writes no more', async () => {
  const reader = spawn('true', { stdio: ['pipe', 'ignore', 'ignore'] })
  const lost: string[] = []
  const output = lineOutput(reader.stdin, () => lost.push('left'))
  await once(reader, 'exit')
  for (let line = 0; line < 100; line += 1) output.write('x'.repeat(10_000))
  await expect.poll(() => output.settle()).toEqual({ end: 'left' })
  output.write('after')
  expect(lost).toEqual(['left'])
})

test.runIf(existsSync('/dev/full'))('names why nothing can be written', async () => {
  const output = lineOutput(createWriteStream('/dev/full'), () => undefined)
  output.write('one')
  await expect.poll(() => output.settle()).toEqual({ end: 'failed', code: 'ENOSPC' })
})
