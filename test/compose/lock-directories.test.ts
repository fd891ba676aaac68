import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockDirectories } from '../../src/compose/kept-places.ts'
import type { User } from '../../src/core/base/effects/node-lock.ts'
import { pattern } from '../support/pattern.ts'

const IS_LINUX = process.platform === 'linux'
const IS_ROOT = process.getuid?.() === 0
const ANOTHER = 12_345
const LOCKS = '.local/state/bearings/locks'
const MODULE = new URL('../../src/compose/kept-places.ts', import.meta.url).href

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bearings-user-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const user = (home = directory): User => ({ home, uid: process.getuid?.() })
const placesOf = (given: User, state = '/srv/state') =>
  lockDirectories({ XDG_STATE_HOME: state }, 'linux', given)

async function refusal(given: User): Promise<string[]> {
  const thrown: unknown = await placesOf(given).catch((fault: unknown) => fault)
  expect(thrown).toMatchObject({ code: 'lock.no-place', money: 'untouched' })
  const { details, nextSteps } = thrown as { details: string[]; nextSteps: string[] }
  expect(nextSteps.length).toBeGreaterThan(1)
  return details.slice(0, 2)
}

describe.runIf(IS_LINUX)('the locks of a user', () => {
  test('have one place, which neither HOME nor XDG_STATE_HOME nor TMPDIR moves', () => {
    const script = `import { lockDirectories } from ${JSON.stringify(MODULE)}
      console.log((await lockDirectories(process.env, process.platform))[0])`
    const placeWith = (name: string) => {
      const env = {
        PATH: process.env.PATH,
        HOME: `/h-${name}`,
        XDG_STATE_HOME: `/x-${name}`,
        TMPDIR: `/t-${name}`,
      }
      return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        env,
        encoding: 'utf8',
      }).trim()
    }
    const place = placeWith('one')
    expect([place, placeWith('two')]).toEqual([join(userInfo().homedir, LOCKS), place])
  })

  test('are taken in the place of the version before as well', async () => {
    expect(await placesOf(user())).toEqual([join(directory, LOCKS), '/srv/state/bearings/locks'])
    expect(existsSync(join(directory, '.local'))).toBe(false)
    mkdirSync(join(directory, LOCKS), { recursive: true })
    symlinkSync(join(directory, '.local/state'), join(directory, 'state'))
    expect(await placesOf(user(), join(directory, 'state'))).toEqual([join(directory, LOCKS)])
  })

  test('have no place without a home that is there, a directory, and named whole', async () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    expect(await refusal(user(join(directory, 'none')))).toEqual([
      `field: ${directory}/none`,
      'found: nothing there',
    ])
    expect(await refusal(user(file))).toEqual([`field: ${file}`, 'found: no directory'])
    expect(await refusal(user(''))).toEqual(['field: home', 'found: nothing'])
  })

  test('have no place behind a link, or in a directory in which everybody may write', async () => {
    mkdirSync(join(directory, '.local/state/bearings'), { recursive: true })
    symlinkSync(tmpdir(), join(directory, LOCKS))
    expect(await refusal(user())).toEqual([`field: ${directory}/${LOCKS}`, 'found: a link'])
    chmodSync(join(directory, '.local/state'), 0o777)
    expect(await refusal(user())).toEqual([
      `field: ${directory}/.local/state`,
      'found: a directory in which everybody may write',
    ])
  })

  test.runIf(IS_ROOT)('have no place in the home of another user', async () => {
    chownSync(directory, ANOTHER, ANOTHER)
    expect(await refusal(user())).toEqual([
      `field: ${directory}`,
      expect.stringMatching(pattern`^found: .* ${String(ANOTHER)}$`),
    ])
  })

  test.runIf(IS_ROOT)(
    'have no place for a user without an entry in the passwd file, or who may not write',
    () => {
      const script = `import { lockDirectories } from ${JSON.stringify(MODULE)}
      process.setuid(Number(process.env.ID))
      await lockDirectories({}, 'linux').catch((fault) => console.log(fault.code, fault.details[0], fault.details[1]))`
      const as = (id: number) =>
        execFileSync(process.execPath, ['--input-type=module', '-e', script], {
          env: { ID: `${id}` },
          encoding: 'utf8',
        }).trim()
      expect(as(ANOTHER)).toBe('lock.no-place field: user 12345 found: no entry')
    },
  )
})
