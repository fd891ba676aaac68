import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { wizardOptionsOf } from '../../src/commands/setup.ts'
import { watch } from '../../src/commands/watch.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { bareEffects, runCommandWith } from '../support/run-command.ts'

const KEY = `0x${'97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'}`

test.each([
  ['an address for metrics', ['--metrics', 'nonsense', '3'], '--metrics names no address to listen at.'],
  ['a port that is none', ['--metrics', '127.0.0.1:70000', '3'], '--metrics names no address to listen at.'],
  ['a margin', ['--margin', 'much', '3'], '--margin: Type digits'],
  ['an endpoint', ['--node', 'http://a:1,ftp://b', '3'], '--node is no http or https address.'],
  ['a validator', ['0x12'], 'Type the public key'],
  ['one validator, named twice', [KEY, `${KEY.toUpperCase().replace('0X', '0x')}=again`], 'named twice'],
])('%s: what is wrong on the command line is told before anybody is asked', async (_, argv, words) => {
  const asked: string[] = []
  const effects = bareEffects({
    clock: createNodeClock(),
    random: { bytes: (length) => new Uint8Array(length) },
    http: {
      request: ({ url }) => {
        asked.push(url)
        return Promise.reject(new Error('nobody is asked'))
      },
    },
  })
  const ended = await runCommandWith(watch, ['--network', 'bepolia', ...argv], effects)
  expect(ended.words).toContain(words)
  expect({ code: ended.code, asked }).toEqual({ code: 2, asked: [] })
})

test('the command of an alarm is good in any directory: its paths begin at the root', () => {
  const options = { spec: 'net/spec.toml', genesis: '~/genesis.json', state: 'state', lang: 'zh' }
  expect(wizardOptionsOf({ options }, { id: 'custom-1' })).toEqual([
    '--spec',
    resolve('net/spec.toml'),
    '--genesis',
    join(homedir(), 'genesis.json'),
    '--state',
    resolve('state'),
    '--lang',
    'zh',
  ])
  expect(wizardOptionsOf({ options: { network: 'mynet.json' } }, { id: 'mynet' })).toEqual([
    '--network',
    resolve('mynet.json'),
  ])
  expect(wizardOptionsOf({ options: { network: 'bepolia' } }, { id: 'bepolia' })).toEqual([
    '--network',
    'bepolia',
  ])
})

test('a configuration that cannot be used is wrong use', async () => {
  const bare = bareEffects({
    clock: createNodeClock(),
    random: { bytes: (length) => new Uint8Array(length) },
    http: { request: () => Promise.reject(new Error('nobody is asked')) },
  })
  const facts = { kind: 'file', sizeBytes: 9, mode: 0o600, ownedByUser: true, identity: '1:1' } as const
  const files = {
    ...bare.files,
    facts: async () => facts,
    read: async () => new TextEncoder().encode('network ='),
  }
  const ended = await runCommandWith(watch, ['--config', '/etc/watch.toml'], { ...bare, files })
  expect(ended.words).toContain('(watch-config.unreadable, ')
  expect(ended.code).toBe(2)
})
