import { describe, expect, test } from 'vitest'
import { api } from '../../src/commands/api.ts'

import { lookingWorld } from '../support/looking-world.ts'

const { devnet, look, validatorAt } = lookingWorld()

describe('api', () => {
  const index = '3'
  const proofs = [
    '/bkit/v1/proof/block_proposer/head',
    `/bkit/v1/proof/validator_pubkey/head/${index}`,
    `/bkit/v1/proof/validator_credentials/4/${index}`,
    `/bkit/v1/proof/validator_balance/head/${index}`,
    '/eth/v2/debug/beacon/states/head',
  ]

  test.each(proofs)('proves %s up to a root that the execution chain holds', async (path) => {
    const { code, json } = await look(api, path, '--verify', '--json')
    expect(json()).toMatchObject({ verdict: 'yes', proofLevel: 2 })
    expect(code).toBe(0)
  })

  test('reaches the third level with a second execution endpoint, and not with a closed one', async () => {
    const [, path = ''] = proofs
    const { execution } = devnet().descriptor.urls
    const both = await look(api, path, '--verify', '--json', '--second-execution', execution)
    expect([both.code, both.json().proofLevel]).toEqual([0, 3])
    const closed = await look(api, path, '--verify', '--json', '--second-execution', 'http://127.0.0.1:1')
    expect([closed.code, closed.json().proofLevel]).toEqual([3, 2])
  })

  test('finds a proof by the timestamp of the next block', async () => {
    const next = await look(api, 'eth_getBlockByNumber', '--json')
    const { timestamp } = next.json().answer as { timestamp: string }
    const { code } = await look(api, `/bkit/v1/proof/validator_pubkey/t${timestamp}/0`, '--verify')
    expect(code).toBe(0)
  })

  test('asks for an index before it asks for its proof', async () => {
    const { code, err, json } = await look(
      api,
      '/bkit/v1/proof/validator_pubkey/head/777',
      '--verify',
      '--json',
    )
    expect(code).toBe(1)
    expect(json()).toMatchObject({ offered: true, answer: null })
    expect(err).toContain(new URL(devnet().descriptor.urls.node).host)
  })

  test.each([
    ['getOperator', 'an operator'],
    ['/eth/v1/beacon/states/head/validators/0', 'a validator'],
  ])('answers %s with %s', async (path) => {
    const argument = path === 'getOperator' ? [validatorAt(0)] : []
    const { code } = await look(api, path, ...argument, '--json')
    expect(code).toBe(0)
  })

  test.each(['/eth/v1/node/health', '/eth/v1/config/fork_schedule', '/eth/v1/nope', '/nope'])(
    'takes it for no fault that %s is not offered',
    async (path) => {
      const { code, json } = await look(api, path, '--json')
      expect(code).toBe(3)
      expect(json()).toMatchObject({ offered: false, answer: null })
    },
  )

  test('does not know when the endpoint is closed', async () => {
    const { code, json } = await look(api, '/status', '--engine', 'http://127.0.0.1:1', '--json')
    expect(code).toBe(3)
    expect(json()).toMatchObject({ verdict: 'unknown', error: { code: 'client.unreachable' } })
  })
})
