import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createNodeRandom } from '../../../src/core/base/effects/node.ts'
import { createNodeClock } from '../../../src/core/base/effects/node-clock.ts'
import { MAINNET } from '../../../src/core/chain/network/presets.ts'
import { watchQuestions } from '../../../src/core/observe/ask-network.ts'
import { setQuestions } from '../../../src/core/observe/ask-set.ts'
import { isBelieved, mayEnd, WHO_SAYS } from '../../../src/core/observe/who-says.ts'
import { ALARMS } from '../../../src/core/view/alarm-event.ts'
import { bareEffects } from '../../support/run-command.ts'

const ROLES = ['node', 'execution', 'engine'] as const

test('there is a row for each question of a look, and for nothing else', () => {
  const input = {
    effects: bareEffects({
      http: { request: () => Promise.reject(new Error('nobody is asked')) },
      clock: createNodeClock(),
      random: createNodeRandom(),
    }),
    network: MAINNET,
    endpoints: { node: [], execution: [], engine: [] },
    validators: [],
    isOwnTransaction: () => false,
  }
  const asked = { ...watchQuestions(input).questions, ...setQuestions(input) }
  expect(Object.keys(asked).sort()).toEqual(Object.keys(WHO_SAYS).sort())
})

test('no alarm that ends by a role ends while that is somebody else’s, and each of them ends by an own one', () => {
  for (const { of, ends } of Object.values(WHO_SAYS)) {
    for (const alarm of ends) {
      expect(mayEnd(alarm, [])).toBe(true)
      for (const role of ROLES) if (role === of) expect(mayEnd(alarm, [role])).toBe(false)
    }
  }
})

test('of what the place of a validator rests on every alarm has its row, but for the one that judges itself', () => {
  const ends: readonly string[] = Object.values(WHO_SAYS).flatMap((row) => row.ends)
  // Channels and journals are this program's own. A guard asks for itself, and what is told of it rests on its own table of what every endpoint must say.
  const restsElsewhere = /^(?:node|execution|endpoints?|clock|chain|channel|journal|guard)-|^test$/
  expect(ALARMS.filter((alarm) => !restsElsewhere.test(alarm) && !ends.includes(alarm))).toEqual([
    'drops-out',
  ])
})

test('that no deposit came is believed of an own endpoint alone', () => {
  expect([
    isBelieved('count', []),
    isBelieved('count', ['node']),
    isBelieved('count', ['execution']),
  ]).toEqual([true, true, false])
})

test('the page says of each question whose word it is and what ends by it', () => {
  const page = readFileSync(new URL('../../../docs/watch.md', import.meta.url), 'utf8')
  for (const [asked, { of, ends }] of Object.entries(WHO_SAYS)) {
    const [, row = ''] = new RegExp(`^\\| (\`${asked}\`.*)$`, 'm').exec(page) ?? []
    expect(row, asked).not.toBe('')
    if (of !== 'each' && of !== 'own') expect(row).toContain(`| \`${of}\` |`)
    expect([...row.matchAll(/`([a-z]+-[a-z-]+|margin)`/g)].map(([, id]) => id)).toEqual([...ends])
  }
})
