import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createNodeExec } from '../../../../src/core/base/effects/node-exec.ts'
import { noRoomToStart } from '../../../../src/core/base/errors/exec.ts'
import { errorFacts } from '../../../../src/core/view/observation.ts'

const PROGRAM = join(import.meta.dirname, '../../../support/run-without-files.ts')

describe.skipIf(process.platform === 'win32')('where no more files may be open', () => {
  test.each([
    ['the signer child', 'signer', '/nowhere/priv_validator_key.json'],
    ['a program', 'exec', '/bin/sh'],
  ])('%s is not started, and that is named with the limit and what to do', (_, what, path) => {
    const args = ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, PROGRAM, what, path]
    const { status, stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      code: 'exec.no-room',
      shortMessage: expect.any(String),
      details: ['reason: EMFILE', 'limit: 64 open files'],
      nextSteps: [expect.stringMatching(/: ulimit -n 1024$/)],
      retryable: false,
      money: 'untouched',
    })
  })

  test('an endpoint is not blamed: it was not asked, and that is said with the limit and what to do', () => {
    // Node itself warns of a file of certificates that it cannot open then.
    const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
    const args = ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, PROGRAM, 'node']
    const { status, stdout, stderr } = spawnSync('sh', args, { encoding: 'utf8', env })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'client.unreachable',
      shortMessage: expect.stringContaining(' http://127.0.0.1:1 '),
      details: expect.arrayContaining(['reason: EMFILE', 'limit: 64 open files']),
      nextSteps: [expect.stringMatching(/: ulimit -n 1024$/)],
      retryable: true,
    })
  })
})

describe('what hinders a start', () => {
  test('is a lack of room only where the system says so', () => {
    expect(['ENFILE', 'EAGAIN', 'ENOMEM'].map((code) => noRoomToStart(code)?.details)).toEqual([
      ['reason: ENFILE'],
      ['reason: EAGAIN'],
      ['reason: ENOMEM'],
    ])
    expect(noRoomToStart('EACCES')).toBeUndefined()
  })

  test('is named also where a part of the program cannot be loaded', () => {
    const thrown = Object.assign(new Error('EMFILE: too many open files'), {
      code: 'EMFILE',
      path: '/app/dist/part.js',
    })
    expect(errorFacts(thrown)).toMatchObject({
      code: 'file.failed',
      details: ['path: /app/dist/part.js', 'reason: EMFILE'],
      nextSteps: [expect.stringMatching(/: ulimit -n 1024$/)],
      money: 'untouched',
    })
  })

  test.skipIf(process.platform === 'win32')('is told in the same way where Node throws it', async () => {
    const long = 'x'.repeat(4_000_000)
    const request = { path: '/bin/sh', args: [long], home: '/', timeoutMs: 60_000, maxOutputBytes: 1_000 }
    await expect(createNodeExec().run(request)).rejects.toMatchObject({ code: 'exec.not-executable' })
  })
})
