import { describe, expect, test } from 'vitest'
import { keys } from '../../src/commands/keys.ts'
import { secretFault } from '../../src/core/base/format/text.ts'
import { offline } from '../support/offline.ts'
import { runCommandWith } from '../support/run-command.ts'

describe('a key on the command line', () => {
  test.each([
    ['a key that is none', `0x${'12'.repeat(48)}`, 'This is no public key'],
    ['a word', 'mykey', '--validator: Type the public key'],
  ])('%s is wrong use', async (_what, key, words) => {
    const { code, err } = await runCommandWith(keys, ['--network', 'mainnet', '--validator', key], offline)
    expect([code, err]).toEqual([2, expect.stringContaining(words)])
  })

  test.each(['7f'.repeat(32), `0x${'7f'.repeat(32)}`, Buffer.alloc(32, 0x7f).toString('base64')])(
    'that may be a private one is not repeated: %s',
    async (secret) => {
      const { code, err, out, words } = await runCommandWith(keys, ['--validator', secret, '--json'], offline)
      expect(code).toBe(2)
      expect(words).toContain(secretFault(secret) ?? 'no fault')
      expect(err + out).not.toContain(secret.slice(2, 20))
    },
  )
})
