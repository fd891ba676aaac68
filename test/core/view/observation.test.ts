import { describe, expect, test } from 'vitest'
import { programError } from '../../../src/core/base/errors/base.ts'
import { errorFacts } from '../../../src/core/view/observation.ts'

describe('what was thrown, as facts', () => {
  test.each([
    [
      'Node does not find it',
      "Cannot find module '@chainsafe/blst-linux-x64-gnu'\nRequire stack:\n- /somewhere/index.js",
      "Cannot find module '@chainsafe/blst-linux-x64-gnu'",
    ],
    [
      'the system does not load it',
      "/lib/libc.so.6: version `GLIBC_2.34' not found (required by /somewhere/blst.linux-x64-gnu.node)",
      undefined,
    ],
    [
      'Windows does not load it',
      'The specified module could not be found.\r\n\\\\?\\C:\\app\\blst.win32-x64-msvc.node',
      'The specified module could not be found. \\\\?\\C:\\app\\blst.win32-x64-msvc.node',
    ],
    [
      'the single executable does not load it',
      'The library @chainsafe/blst cannot be loaded: no room. Set TMPDIR to a directory of yours.',
      'The library @chainsafe/blst cannot be loaded: no room. Set TMPDIR to a directory of yours.',
    ],
  ])('names a native library that is not there: %s', (_, message, detail = message) => {
    const { shortMessage, nextSteps } = programError('install.library', detail, undefined)
    expect(errorFacts(new Error(message))).toEqual({
      code: 'install.library',
      shortMessage,
      details: [detail],
      nextSteps,
      retryable: false,
      money: 'untouched',
    })
  })

  test.each([
    ['ERR_DLOPEN_DISABLED', 'Cannot load native addon because loading addons is disabled.'],
    ['ERR_ACCESS_DENIED', 'Access to this API has been restricted. Use --allow-child-process.'],
  ])('names what Node was told to forbid: %s', (code, message) => {
    expect(errorFacts(Object.assign(new Error(message), { code }))).toMatchObject({
      code: 'install.forbidden',
      details: [message],
      nextSteps: ['Start it without `--permission` and `--no-addons`, also in NODE_OPTIONS.'],
      money: 'untouched',
    })
  })

  test('calls anything else a fault of the program', () => {
    for (const thrown of [
      new Error("Cannot find module './chunk.js'"),
      new TypeError('x is not a y'),
      'no',
    ]) {
      expect(errorFacts(thrown).code).toBe('internal.fault')
    }
  })
})
