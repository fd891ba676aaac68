import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { genesis } from '../../src/commands/genesis.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { GENESIS_STOPS } from '../../src/core/steps/genesis/view.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { pattern } from '../support/pattern.ts'
import { runCommandWith } from '../support/run-command.ts'

const { devnet, effects, look, strangeHome } = lookingWorld()

describe('genesis', () => {
  test('says which root each source gives, and that they agree', async () => {
    const { code, words } = await look(genesis)
    expect(code).toBe(0)
    const { genesisRoot } = devnet().descriptor
    expect(words).toMatch(pattern`\* expected root .* \(descriptor\) ${genesisRoot}`)
    expect(words).toContain('ok running node same root')
    expect(words).toContain('ok deposit contract the known code')
  })

  test('says no when the home belongs to another chain', async () => {
    const home = await strangeHome()
    const { code, json } = await look(genesis, '--home', home, '--json')
    expect(code).toBe(1)
    expect(json().verdict).toBe('no')
    expect(json().rows.find(({ id }) => id === 'file')).toMatchObject({ mark: 'refused' })
  })

  test('does not know of a contract whose client still syncs, and says how far that is', async () => {
    const { http } = effects()
    const syncing = { currentBlock: '0x0', highestBlock: '0x3e8', startingBlock: '0x0' }
    const told: Record<string, unknown> = { eth_getCode: '0x', eth_syncing: syncing }
    const request: Effects['http']['request'] = async (asked) => {
      const { id, method = '' } = JSON.parse(asked.body ?? '{}') as { id?: number; method?: string }
      if (told[method] === undefined) return http.request(asked)
      const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, result: told[method] }))
      return { status: 200, headers: { 'content-type': 'application/json' }, body }
    }
    const argv = ['--devnet', JSON.stringify(devnet().descriptor), '--json']
    const ask = async () => {
      const { code, json } = await runCommandWith(genesis, argv, { ...effects(), http: { request } })
      return { code, row: json().rows.find(({ id }) => id === 'contract') }
    }
    expect(await ask()).toMatchObject({
      code: 3,
      row: { mark: 'unknown', value: expect.stringContaining('0 of 1,000') },
    })
    told.eth_syncing = false
    expect(await ask()).toMatchObject({ code: 1, row: { mark: 'refused' } })
  })

  test('reads the file that is named where no home is', async () => {
    const { urls, home, spec } = devnet().descriptor
    const named = (name: keyof typeof urls) => [`--${name}`, urls[name]]
    const file = join(home, 'config/genesis.json')
    const options = [
      '--spec',
      spec,
      '--genesis',
      file,
      ...named('execution'),
      ...named('node'),
      ...named('engine'),
    ]
    const row = async (...more: string[]) => {
      const { json } = await runCommandWith(genesis, [...options, ...more, '--json'], effects())
      return json().rows.find(({ id }) => id === 'file')
    }
    expect(await row()).toMatchObject({ mark: 'proven' })
    expect(await row('--home', '/nowhere')).toMatchObject({ mark: 'unknown' })
  })

  test('does not know when an endpoint is closed', async () => {
    const { code, json } = await look(genesis, '--engine', 'http://127.0.0.1:1', '--json')
    expect(code).toBe(3)
    expect(json().rows.find(({ id }) => id === 'engine')).toMatchObject({ mark: 'unknown' })
  })
})

test('genesis names no key of the wizard where it says what to change', async () => {
  const { urls, home } = devnet().descriptor
  const endpoints = Object.entries(urls).flatMap(([name, url]) => [`--${name}`, url])
  const argv = ['--network', 'mainnet', '--home', home, ...endpoints]
  const { code, words } = await runCommandWith(genesis, argv, effects())
  expect(code).toBe(1)
  expect(words).toContain(GENESIS_STOPS.otherRoot.title)
  expect(words).toMatch(/change: .* genesis\.json /)
  expect(words).not.toMatch(/press r|Esc |asks again/)
})
