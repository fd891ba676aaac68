import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { doctor } from '../../src/commands/doctor.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { noSigner } from '../support/offline.ts'
import { runCommandWith } from '../support/run-command.ts'

const http = {
  request: ({ url }: { url: string }) => Promise.reject(httpError('http.unreachable', url, 'ECONNREFUSED')),
}
const effects = { ...createNodeEffects({ signer: noSigner }), http }
let user: string

beforeAll(async () => {
  user = await mkdtemp(join(tmpdir(), 'default-home-'))
})
afterAll(() => rm(user, { recursive: true }))

test.each<[string, Record<string, string>, readonly string[], () => string]>([
  ['BEACOND_HOME names', { BEACOND_HOME: '/nowhere/named' }, [], () => '/nowhere/named'],
  ['--home names', { BEACOND_HOME: '/nowhere/named' }, ['--home', '/nowhere/given'], () => '/nowhere/given'],
  [
    'the node tool makes, where BEACOND_HOME is empty',
    { BEACOND_HOME: '' },
    [],
    () => join(user, '.beacond'),
  ],
])('the home is the one that %s', async (_what, environment, argv, expected) => {
  const asked = ['--network', 'mainnet', ...argv]
  const { words } = await runCommandWith(doctor, asked, effects, { HOME: user, ...environment })
  expect(words).toContain(`(${expected()})`)
})
