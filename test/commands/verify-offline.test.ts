import { describe, expect, test } from 'vitest'
import { verify } from '../../src/commands/verify.ts'
import { typedGwei } from '../../src/core/base/format/amount.ts'
import { offline } from '../support/offline.ts'
import { runCommandWith } from '../support/run-command.ts'
import { vectorLines } from '../support/vector-lines.ts'

describe('verify of single fields', () => {
  type Check = {
    what: string
    accepted: boolean
    pubkey: string
    credentials: string
    amountGwei: string
    signature: string
    genesisValidatorsRoot: string
    genesisForkVersion: string
  }
  const checks = vectorLines('deposits/deposits.jsonl').flatMap(
    (line) => (JSON.parse(line) as { checks: Check[] }).checks,
  )
  const argumentsOf = (check: Check) =>
    Object.entries({
      pubkey: check.pubkey,
      credentials: check.credentials,
      amount: typedGwei(BigInt(check.amountGwei)),
      signature: check.signature,
      root: check.genesisValidatorsRoot,
      'fork-version': check.genesisForkVersion,
    }).flatMap(([name, value]) => [`--${name}`, value])

  test.each(checks.slice(0, 21))('gives the node’s own verdict: $what', async (check) => {
    const { code, json } = await runCommandWith(verify, [...argumentsOf(check), '--json'], offline)
    expect(code).toBe(check.accepted ? 0 : 1)
    expect(json().verdict).toBe(check.accepted ? 'yes' : 'no')
  })

  test('names the fork version that was signed for', async () => {
    const check = checks.find(({ what }) => what === 'another fork version')
    if (check === undefined) throw new Error('no such check')
    const { json } = await runCommandWith(verify, [...argumentsOf(check), '--json'], offline)
    expect(json().explanation).toMatchObject({ origin: 'other-fork-version' })
  })
})
