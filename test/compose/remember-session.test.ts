import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rememberSession } from '../../src/compose/create-launcher.ts'
import { openSettings } from '../../src/compose/settings.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Facts } from '../../src/core/chain/facts.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { initialState, type State } from '../../src/core/wizard/state.ts'
import { SETUP } from '../support/written-journal.ts'

const PUBKEY: Hex = `0x${'c'.repeat(96)}`
const HASH: Hex = `0x${'1'.repeat(64)}`
const VALUES = { homePath: '/srv/node', execution: 'http://127.0.0.1:8545', node: 'http://127.0.0.1:3500' }

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'remember-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** A session of which a test tells what it knows by now. */
function session() {
  const listeners = new Set<Parameters<Session['subscribe']>[0]>()
  let facts: Facts = { nonces: [] }
  rememberSession(
    {
      setup: SETUP,
      facts: () => facts,
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    { settings: openSettings(directory), values: VALUES },
  )
  return {
    listeners,
    tell(known: Partial<Facts>, state: State = initialState) {
      facts = { ...facts, ...known }
      for (const listener of listeners) listener(state, { step: 'session', type: 'started' })
    },
  }
}

test('the texts of the form are kept with the key of the journal, once it is open', () => {
  const { tell } = session()
  tell({})
  expect(openSettings(directory).of('mainnet', PUBKEY)).toEqual({})
  const header = {
    networkId: 'mainnet',
    executionGenesisHash: HASH,
    genesisValidatorsRoot: HASH,
    pubkey: PUBKEY,
  }
  tell({}, { ...initialState, journal: { status: 'open', header, path: '/journal', resumed: false } })
  expect(openSettings(directory).of('mainnet', PUBKEY)).toEqual(VALUES)
})

test('the first block is kept once it is proven, and nothing is asked of the session afterwards', () => {
  const { listeners, tell } = session()
  tell({ genesis: { executionGenesisHash: HASH } as NonNullable<Facts['genesis']> })
  expect(openSettings(directory).of('mainnet')).toEqual({ executionGenesisHash: HASH })
  expect(listeners.size).toBe(2)
})
