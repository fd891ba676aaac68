import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { CHANNELS } from '../../../src/watch/notify/channels.ts'
import { readWatchConfig } from '../../../src/watch/notify/config.ts'

const KINDS = Object.keys(CHANNELS) as (keyof typeof CHANNELS)[]
const DOCS = readFileSync('docs/notifications.md', 'utf8')
const sectionOf = (kind: string) =>
  DOCS.split(/^##+ /m).find((each) => each.startsWith(`\`${kind}\`\n`)) ?? ''

describe('the table of channels', () => {
  test('is in the docs, in its order', () => {
    const sections = [...DOCS.matchAll(/^### `(\w+)`$/gm)].map(([, kind]) => kind)
    expect(sections).toEqual(KINDS)
  })

  test.each(KINDS)('says in the docs what each field of its own is: %s', (kind) => {
    const own = Object.keys(CHANNELS[kind].fields).filter(
      (field) => field !== 'allow_http' && field !== 'url',
    )
    for (const field of own) expect(sectionOf(kind)).toContain(`\`${field}`)
  })

  test.each(KINDS)('has an example that is taken once its signs are off: %s', (kind) => {
    const text = CHANNELS[kind].example
      .replaceAll(/^# (?=\[|[a-z_]+ = )/gm, '')
      .replace('<topic>', 'bearings-XXXXXXXXXXXX')
    const [read, ...more] = readWatchConfig(text).channels
    expect([read?.type, more]).toEqual([kind, []])
  })

  test('is all that knows a kind: another one is one row', () => {
    // What a person types as the first place of alarms is told by its own address.
    const others = readdirSync('src/watch/notify').filter((name) => !['channels.ts'].includes(name))
    // Words that mean something else too stand for the way of sending there.
    const services = KINDS.filter((kind) => 'url' in CHANNELS[kind].fields)
    expect(services.length).toBeGreaterThan(5)
    const naming = others.filter((name) => {
      const text = readFileSync(`src/watch/notify/${name}`, 'utf8')
      return services.some((kind) => text.includes(`'${kind}'`))
    })
    expect(naming).toEqual([])
  })
})
