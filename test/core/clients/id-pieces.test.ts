import { expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/core/base/effects/effects.ts'
import { createNodeClient } from '../../../src/core/clients/node/client.ts'
import {
  getValidatorBalances,
  getValidators,
  postValidatorBalances,
  postValidators,
} from '../../../src/core/clients/node/validators.ts'
import { clockAt } from '../../support/look-clock.ts'

const IDS = Array.from({ length: 2500 }, (_, at) => 2499 - at)

/** A node that knows every index, and refuses more than 1,024 of them in one call. */
function node() {
  const sizes: number[] = []
  const answer = (ids: readonly number[], path: string) =>
    ids.map((index) => ({
      index: String(index),
      balance: '1',
      ...(path.endsWith('/validator_balances')
        ? {}
        : { status: 'active_ongoing', validator: validatorAt(index) }),
    }))
  const request = async ({ url, body }: HttpRequest) => {
    const { pathname, searchParams } = new URL(url)
    const sent: unknown = body === undefined ? undefined : JSON.parse(body)
    const listed = Array.isArray(sent) ? sent : (sent as { ids?: string[] } | undefined)?.ids
    const ids = (listed ?? searchParams.getAll('id')).map(Number).toSorted((a, b) => a - b)
    sizes.push(ids.length)
    const isTaken = ids.length <= 1024
    const reply = isTaken ? { data: answer(ids, pathname) } : { code: 400, message: 'too many ids' }
    return {
      status: isTaken ? 200 : 400,
      headers: { 'content-type': 'application/json' },
      body: new TextEncoder().encode(JSON.stringify(reply)),
    }
  }
  const effects = { http: { request }, clock: clockAt(() => 0) } as unknown as Parameters<
    typeof createNodeClient
  >[0]
  return { sizes, client: createNodeClient(effects, 'http://node', { proofNamespace: 'x' }) }
}

const validatorAt = (index: number) => ({
  pubkey: `0x${index.toString(16).padStart(96, '0')}`,
  withdrawal_credentials: `0x01${'00'.repeat(31)}`,
  effective_balance: '1',
  slashed: false,
  activation_eligibility_epoch: '0',
  activation_epoch: '0',
  exit_epoch: '9',
  withdrawable_epoch: '9',
})

test('more ids than a node takes in one call are asked for in pieces, wherever a list of them is sent', async () => {
  for (const ask of [getValidators, postValidators, getValidatorBalances, postValidatorBalances]) {
    const { client, sizes } = node()
    const found = await ask(client, { state: 'head', ids: IDS })
    expect(found.map(({ index }) => index)).toEqual(IDS.toReversed())
    expect(sizes).toEqual([1024, 1024, 452])
  }
})

test('as many as it takes are one question', async () => {
  const { client, sizes } = node()
  await getValidators(client, { state: 'head', ids: IDS.slice(0, 1024) })
  expect(sizes).toEqual([1024])
})
