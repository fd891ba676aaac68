import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cruise } from './support/cruise.ts'
import { type Rooms, roomFaults } from './support/rooms.ts'

const ROOT = join(import.meta.dirname, '..')
const UPWARD = 'no arrow upward from '

const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
  forbidden: { name: string }[]
}
const floors = forbidden.flatMap(({ name }) => (name.startsWith(UPWARD) ? [name.slice(UPWARD.length)] : []))

describe('the README.md of each room', () => {
  test('says what there is, and what its files import; nobody goes past its door', async () => {
    const texts = floors.map((room) => [room, join(ROOT, room, 'README.md')] as const)
    const readmes = texts.flatMap(([room, path]) =>
      existsSync(path) ? [[room, readFileSync(path, 'utf8')] as const] : [],
    )
    const { imports, violations } = await cruise()
    expect(floors.length).toBeGreaterThan(15)
    expect(violations).toEqual([])
    const exists = (path: string) => existsSync(join(ROOT, path))
    expect(roomFaults({ floors, readmes: new Map(readmes), imports, exists })).toEqual([])
  })

  const LOW =
    '# low\n\nWhat it is.\n\n- Door: `in.ts`.\n- May import: nothing of ours.\n- Tests: `test/low`.\n'
  const HIGH = '# high\n\n- Library, begin with: `a.ts`.\n- May import: `low`.\n- Tests: `test/high`.\n'
  const FILES = ['src/low/in.ts', 'src/low/inner.ts', 'src/high/a.ts', 'test/low', 'test/high', 'test/top']
  const IMPORTS = { 'src/low/in.ts': ['src/low/inner.ts', 'node:fs'], 'src/high/a.ts': ['src/low/in.ts'] }

  /** Two rooms of which all is true, but for what is planted. */
  const planted = ({
    low = LOW,
    high = HIGH,
    more = {},
  }: {
    low?: string | undefined
    high?: string
    more?: Record<string, string[]>
  }): Rooms => ({
    floors: ['src/low/', 'src/high/'],
    readmes: new Map([
      ['src/low/', low],
      ['src/high/', high],
    ]),
    imports: new Map(Object.entries({ ...IMPORTS, ...more })),
    exists: (path) => FILES.includes(path),
  })

  test('is true where nothing is planted', () => {
    expect(roomFaults(planted({}))).toEqual([])
  })

  const STARTED = LOW.replace('`in.ts`', '`in.ts`, a process of its own')

  test.each<[fault: string, lie: Parameters<typeof planted>[0]]>([
    ['src/low/ has a README.md of 11 lines', { low: LOW.replace('it is.', 'it is.\n\n\n\n.') }],
    ['src/low/ is not the title of its README.md', { low: LOW.replace('# low', '# lower') }],
    ['src/high/ names no file to begin with', { high: HIGH.replace('`a.ts`', 'a.ts') }],
    ['src/low/ names no room', { low: LOW.replace('nothing of ours', 'nothing') }],
    ['src/low/ names no tests', { low: LOW.replace('- Tests', 'Tests') }],
    ['src/low/ has no tests at test/lower', { low: LOW.replace('test/low', 'test/lower') }],
    ['src/high/ imports src/low/ unsaid', { high: HIGH.replace('`low`', 'nothing of ours') }],
    ['src/low/ does not import src/high/', { low: LOW.replace('nothing of ours', '`high`') }],
    [
      'src/low/ names src/high/, which is no room below it',
      { low: LOW.replace('nothing of ours', '`high`'), more: { 'src/low/in.ts': ['src/high/a.ts'] } },
    ],
    [
      'src/high/ names src/gone/, which is no room below it',
      { high: HIGH.replace('`low`', '`low`, `gone`') },
    ],
    ['src/high/b.ts does not exist', { high: HIGH.replace('`a.ts`', '`a.ts`, `b.ts`') }],
    ['src/low/gone.ts does not exist', { low: LOW.replace('`in.ts`', '`in.ts`, `gone.ts`') }],
    [
      'src/high/b.ts imports src/low/inner.ts, which is no door',
      { more: { 'src/high/b.ts': ['src/low/inner.ts'] } },
    ],
    ['src/low/inner.ts is a door that nobody takes', { low: LOW.replace('`in.ts`', '`in.ts`, `inner.ts`') }],
    [
      'src/cli.tsx imports src/low/inner.ts, which is no door',
      { more: { 'src/cli.tsx': ['src/low/inner.ts'] } },
    ],
    ['src/high/a.ts imports src/low/in.ts, which is no door', { low: STARTED }],
  ])('would be found where it lies: %s', (fault, lie) => {
    expect(roomFaults(planted(lie))).toContain(fault)
  })

  test('would be missed', () => {
    const without = { ...planted({}), readmes: new Map([['src/low/', LOW]]) }
    expect(roomFaults(without)).toEqual(['src/high/ has no README.md'])
  })
})
