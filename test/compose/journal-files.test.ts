import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { adoptedHere } from '../../src/compose/journal-files.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'

const ROOT: Hex = `0x${'ab'.repeat(32)}`
const STORED = join(import.meta.dirname, '../vectors/state/guards/armed')

const directory = mkdtempSync(join(tmpdir(), 'bearings-journals-'))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

test('a journal that cannot be read is named with its cause: it may be about any validator', async () => {
  const name = `${'0'.repeat(12)}-${ROOT.slice(2, 14)}-${'7'.repeat(12)}`
  mkdirSync(directory, { recursive: true })
  symlinkSync(name, join(directory, name))
  expect((await adoptedHere(directory, ROOT)).unread).toEqual([
    { path: join(directory, name, 'journal.jsonl'), why: expect.any(String) },
  ])
  const other = name.replace(/0+/, '1'.repeat(12))
  mkdirSync(join(directory, other, 'journal.jsonl'), { recursive: true })
  expect((await adoptedHere(directory, ROOT)).unread).toHaveLength(2)
  await expect(adoptedHere(join(directory, name), ROOT)).rejects.toThrow()
  expect(await adoptedHere(join(directory, 'nowhere'), ROOT)).toMatchObject({ validators: [] })
})

test('what was signed for a guard is a transaction of this computer, before any of it is handed over', async () => {
  const name = `guard-${'0'.repeat(12)}-${ROOT.slice(2, 14)}-${'7'.repeat(40)}-5`
  mkdirSync(directory, { recursive: true })
  cpSync(STORED, join(directory, name), { recursive: true })
  const [, list = ''] =
    /"hashes":\[([^\]]*)\]/.exec(readFileSync(join(STORED, 'journal.jsonl'), 'utf8')) ?? []
  const hashes = list.split(',').map((hash) => hash.replaceAll('"', ''))
  expect(hashes.length).toBeGreaterThan(1)
  const { transactions, validators } = await adoptedHere(directory, ROOT)
  expect([...transactions].sort()).toEqual(hashes.sort())
  expect(validators).toEqual([])
  const other: Hex = `0x${'cd'.repeat(32)}`
  expect([...(await adoptedHere(directory, other)).transactions]).toEqual([])
})
