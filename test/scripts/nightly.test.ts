import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MUTATIONS } from '../mutation/mutations.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const NAMES = [
  'mutation',
  'mutants',
  'enumerate',
  'schedules',
  'simulation',
  'behaviors',
  'fuzz',
  'guided',
  'thirty-days',
]

describe('npm run nightly', () => {
  test('has the pieces that the pages name, each of tests that are there', () => {
    const script = read('scripts/nightly.ts')
    const pieces = [...script.matchAll(/^ {2}'?([a-z-]+)'?: \[\s*'((?:test|scripts)\/[^']+)'/gm)]
    expect(pieces.map(([, name]) => name)).toEqual(NAMES)
    for (const [, , path = ''] of pieces) expect(existsSync(join(ROOT, path))).toBe(true)
    for (const [, name] of pieces)
      for (const page of ['README.md', 'CONTRIBUTING.md']) expect(read(page)).toContain(`-- ${name}\``)
  })

  test('says which pieces there are where another one is named', () => {
    const script = join(ROOT, 'scripts/nightly.ts')
    const { status, stderr } = spawnSync(process.execPath, [script, 'mutations'], { encoding: 'utf8' })
    const said = `No piece is called mutations; there are ${NAMES.join(', ')}.\n`
    expect({ status, stderr }).toEqual({ status: 2, stderr: said })
  })

  test('changes constants that stand in their files, each once', () => {
    const odd = MUTATIONS.filter(([, , { file, from }]) => read(file).split(from).length !== 2)
    expect(odd.map(([what]) => what)).toEqual([])
  })
})

test('the pages name one time for npm run hard', () => {
  const times = ['README.md', 'CONTRIBUTING.md'].map(
    (page) => /(?:`npm run hard`).*?(about \d+ minutes on two cores)/.exec(read(page))?.[1],
  )
  expect(times[0]).toBeDefined()
  expect(times[1]).toBe(times[0])
})
