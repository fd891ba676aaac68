import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { genesis } from '../../src/commands/genesis.ts'
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
