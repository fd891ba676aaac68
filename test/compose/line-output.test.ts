import { createWriteStream, existsSync } from 'node:fs'
import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { lineOutput } from '../../src/compose/ending.ts'

test('says that everything was written', async () => {
  const stream = new PassThrough()
  const output = lineOutput(stream, () => expect.unreachable())
  output.write('one')
  output.write('two')
  expect(await output.settle()).toEqual({ end: 'written' })
  expect(String(stream.read())).toBe('one\ntwo\n')
})

test('notices a reader that leaves, once, and writes no more', async () => {
  const taken: string[] = []
  const stream = new Writable({
    write(piece, _, done) {
      taken.push(String(piece))
      done(taken.length > 1 ? Object.assign(new Error('nobody reads'), { code: 'EPIPE' }) : undefined)
    },
  })
  const lost: string[] = []
  const output = lineOutput(stream, () => lost.push('left'))
  output.write('one')
  output.write('two')
  expect(await output.settle()).toEqual({ end: 'left' })
  output.write('after')
  expect(await output.settle()).toEqual({ end: 'left' })
  expect([taken, lost]).toEqual([['one\n', 'two\n'], ['left']])
})

test.runIf(existsSync('/dev/full'))('names why nothing can be written', async () => {
  const output = lineOutput(createWriteStream('/dev/full'), () => undefined)
  output.write('one')
  await expect.poll(() => output.settle()).toEqual({ end: 'failed', code: 'ENOSPC' })
})
