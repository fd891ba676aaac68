import { describe, expect, test } from 'vitest'
import { api } from '../../src/commands/api.ts'
import { offline } from '../support/offline.ts'
import { runCommandWith } from '../support/run-command.ts'

describe('what api can tell beforehand', () => {
  const refusal = async (...argv: string[]) => {
    const { words: err, json } = await runCommandWith(
      api,
      [...argv, '--network', 'mainnet', '--json'],
      offline,
    )
    return { err, error: json().error }
  }

  test('names the statuses there are', async () => {
    const { err, error } = await refusal('/eth/v1/beacon/states/head/validators?status=active')
    expect(error).toMatchObject({ code: 'usage.option', money: 'untouched', details: ['found: active'] })
    expect(err).toContain('active_ongoing, active_exiting')
  })

  test('says where the proofs of the network are', async () => {
    const { err } = await refusal('/custom/v1/proof/validator_pubkey/head/0')
    expect(err).toContain('The proofs of Berachain are not below /custom/v1.')
    expect(err).toContain('Write /bkit/v1/proof/validator_pubkey/')
  })

  test('says how a proof is asked for', async () => {
    const { err } = await refusal('/bkit/v1/proof/validator_pubkey/head')
    expect(err).toContain('found: /bkit/v1/proof/validator_pubkey/head')
    expect(err).toContain('/{index}')
  })
})
