import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keptFile } from '../../src/core/observe/kept-file.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { withSeen } from '../support/state-pictures.ts'

const FILE = 'validator/alarms-in-danger.json'

test.each([
  ['empty', () => ''],
  ['cut off', (text: string) => text.slice(0, -20)],
  ['of a newer version', (text: string) => text.replace('"format":1', '"format":2')],
])('a file of what the screen told that is %s is named, and left as it is', async (_, damage) =>
  withSeen(FILE, async ({ context, about, path }) => {
    const text = damage(readFileSync(path, 'utf8'))
    writeFileSync(path, text)
    const alarms = await openAlarms(context, { watched: about, limitsPath: '/nowhere/watch.toml' })
    expect(alarms.memory().alarms).toEqual([])
    const judged = await alarms.judge({ atMs: 0, heads: [], validators: [about] }, [])
    expect(judged.memoryUnread?.path).toBe(path)
    await alarms.end([])
    expect(readFileSync(path, 'utf8')).toBe(text)
  }),
)

test('a file of another chain counts as none, and is written anew', async () =>
  withSeen(FILE, async ({ context, path }) => {
    const genesis = { executionGenesisHash: `0x${'ef'.repeat(32)}` }
    const other = { ...context, facts: () => ({ ...context.facts(), genesis }) } as typeof context
    const file = keptFile(other, 'alarms', (value) => value)
    expect(await file?.read()).toEqual({ content: undefined })
    await file?.write({ memory: {} })
    expect(readFileSync(path, 'utf8')).toContain(genesis.executionGenesisHash)
  }))
