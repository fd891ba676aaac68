import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stateDirectory } from '../../src/compose/state-directory.ts'

describe("the program's own state directory", () => {
  test.each([
    ['linux', {}, join(homedir(), '.local/state/bearings')],
    ['linux', { XDG_STATE_HOME: '/srv/state' }, '/srv/state/bearings'],
    ['linux', { XDG_STATE_HOME: 'not/absolute' }, join(homedir(), '.local/state/bearings')],
    ['darwin', {}, join(homedir(), 'Library/Application Support/bearings')],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/bearings'],
  ])('on %s with %j is %s', (platform, environment, expected) => {
    expect(stateDirectory(environment, platform)).toBe(expected)
  })
})
