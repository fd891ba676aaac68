import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { readDocument } from '../support/documents.ts'
import { pattern } from '../support/pattern.ts'
import { buildCli, runCli } from '../support/run-cli.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

let devnet: Devnet
let end: () => Promise<void>

beforeAll(async () => {
  await buildCli()
  const network = await testDevnet({ clock: createNodeClock(), seed: 'fields', realCurve: true })
  devnet = network.devnet
  end = network.end
  await (await userOf(devnet)).firstDeposit(10_000n)
  await pass(devnet, 5)
})
afterAll(() => end())

const PLACES = 12

test.each(['en', 'zh'])(
  'status --json names status, rank and places as fields, whatever the language (%s)',
  async (lang) => {
    const { pubkey } = await userOf(devnet)
    const nobody = `0x${'97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb'}`
    const fieldsOf = async (validator: string) => {
      const descriptor = JSON.stringify(devnet.descriptor)
      const argv = ['status', '--devnet', descriptor, '--validator', validator, '--lang', lang, '--json']
      const { status, rank, places } = JSON.parse((await runCli(argv).end).stdout)
      return { status, rank, places }
    }
    const strongest = devnet.state().validators[0]?.pubkey ?? '0x'
    expect(await fieldsOf(strongest)).toEqual({ status: 'active_ongoing', rank: 1, places: PLACES })
    expect(await fieldsOf(pubkey)).toEqual({ status: 'pending_initialized', rank: null, places: PLACES })
    expect(await fieldsOf(nobody)).toEqual({ status: null, rank: null, places: PLACES })
  },
)

test('of a validator that waits for its turn status says from when on it is active', async () => {
  const network = await testDevnet({
    clock: createNodeClock(),
    seed: 'turn',
    realCurve: true,
    scenario: 'free-places',
  })
  try {
    const user = await userOf(network.devnet)
    await user.firstDeposit(10_000n)
    await pass(network.devnet, 5)
    await user.topUp(290_000n)
    await pass(network.devnet, 4)
    const argv = ['status', '--devnet', JSON.stringify(network.devnet.descriptor), '--validator', user.pubkey]
    const { verdict, findings, words } = readDocument((await runCli([...argv, '--json']).end).stdout)
    const outlook = findings?.find(({ id }) => id === 'outlook')
    expect({ verdict, outlook }).toMatchObject({
      verdict: 'no',
      outlook: { numbers: { activeAtEpoch: expect.stringMatching(/^\d+$/) } },
    })
    expect(words?.sentence).toMatch(pattern` ${String(outlook?.numbers.activeAtEpoch)} `)
  } finally {
    await network.end()
  }
})
