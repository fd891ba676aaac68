import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNodeStore } from '../../../../src/core/base/effects/node-store.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { BEPOLIA, LOCAL_ENDPOINTS } from '../../../../src/core/chain/network/presets.ts'
import { createSessionLocks } from '../../../../src/core/wizard/journal/journal-file.ts'

const ACCOUNT = 'funder-80069-0x20f33ce90a13a4b5e7697e3544c3083b8f8a51d4'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-locks-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** The locks of a session whose journals and user are so called. */
function locksOf(names: { journals: string; users: readonly string[] }) {
  const setup: Setup = {
    network: BEPOLIA,
    homePath: '/srv/node',
    endpoints: LOCAL_ENDPOINTS,
    journalDirectory: join(directory, names.journals),
    lockDirectories: names.users.map((name) => join(directory, name)),
    outputDirectory: directory,
  }
  return createSessionLocks(createNodeStore(), setup)
}

describe('an account', () => {
  test('is paid from by one: of a user with two state directories, of two containers with one', async () => {
    const first = locksOf({ journals: 'state', users: ['ann'] })
    expect(await first.take(ACCOUNT)).toBeUndefined()
    expect(await first.take(ACCOUNT)).toBeUndefined()
    expect(await locksOf({ journals: 'other', users: ['ann'] }).take(ACCOUNT)).toContain('/ann/')
    expect(await locksOf({ journals: 'state', users: ['container'] }).take(ACCOUNT)).toContain('/state/')
    expect(await locksOf({ journals: 'other', users: ['container', 'ann'] }).take(ACCOUNT)).toContain('/ann/')
    await first.releaseAll()
    const second = locksOf({ journals: 'state', users: ['container', 'ann'] })
    expect(await second.take(ACCOUNT)).toBeUndefined()
    await second.releaseAll()
  })

  test('that is held in one place is not held in the others', async () => {
    const first = locksOf({ journals: 'state', users: ['ann'] })
    await first.take(ACCOUNT)
    const refused = locksOf({ journals: 'state', users: ['container'] })
    expect(await refused.take(ACCOUNT)).toBeDefined()
    expect(readdirSync(join(directory, 'container'))).toEqual([`${ACCOUNT}.lock.db`])
    await first.releaseAll()
    expect(await refused.take(ACCOUNT)).toBeUndefined()
    await refused.releaseAll()
  })

  test('asked for twice in the same moment is taken once', async () => {
    const locks = locksOf({ journals: 'state', users: ['ann'] })
    expect(await Promise.all([locks.take(ACCOUNT), locks.take(ACCOUNT)])).toEqual([undefined, undefined])
    await locks.releaseAll()
  })

  test('is never taken by a setup without a place for the locks of the user', async () => {
    await expect(locksOf({ journals: 'state', users: [] }).take(ACCOUNT)).rejects.toThrow('only looks')
  })
})
