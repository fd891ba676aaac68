import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { lineOutput, tellsOtherwise } from '../../src/compose/ending.ts'

test('an output that is lost is told of once, and takes no more', async () => {
  let lost = 0
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('full'), { code: 'ENOSPC' })),
  })
  const output = lineOutput(full, () => {
    lost += 1
  })
  output.write('one')
  await output.settle()
  output.write('two')
  expect(await output.settle()).toEqual({ end: 'failed', code: 'ENOSPC' })
  expect(lost).toBe(1)
})

test('a watch whose alarms or numbers go elsewhere outlives its output, and nothing else does', () => {
  expect(tellsOtherwise(['watch', '12', '--config', 'watch.toml'])).toBe(true)
  expect(tellsOtherwise(['watch', '12', '--metrics=127.0.0.1:9478'])).toBe(true)
  expect(tellsOtherwise(['watch', '12', '--json'])).toBe(false)
  expect(tellsOtherwise(['status', '--config', 'watch.toml'])).toBe(false)
})
