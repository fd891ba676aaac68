import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordedNetwork } from '../support/recorded-network.ts'
import { getJson } from '../support/with-devnet.ts'

type SlotRow = { slot: number; validators: unknown[]; engineSet: unknown[]; withdrawals: string[][] }

const packed = readFileSync(new URL('../vectors/consensus/slots.jsonl.gz', import.meta.url))
const slots = gunzipSync(packed)
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SlotRow)

let network: Awaited<ReturnType<typeof recordedNetwork>>

beforeAll(async () => {
  network = await recordedNetwork()
})

afterAll(() => network.end())

describe('the recorded network, started again from its files', () => {
  test('has the genesis that the real node reports', () => {
    expect(network.devnet.descriptor).toMatchObject({
      genesisRoot: '0x961b839044d9e6f1e527f0622cea49397f9f315c769dd1258a91c9f31e651d0c',
      genesisForkVersion: '0x05000000',
      engineChainId: 'beacond-2061',
      chainId: 80087,
    })
  })

  test('goes the same way slot by slot: validators, engine set, withdrawals', async () => {
    const { urls } = network.devnet.descriptor
    for (const row of slots) {
      const report = await network.advance()
      const paid = report.withdrawals.map((item) =>
        [item.index, item.validatorIndex, item.address, item.amountGwei].map(String),
      )
      expect([row.slot, paid]).toEqual([row.slot, row.withdrawals.slice(1)])
      const { body } = await getJson(urls.node, '/eth/v1/beacon/states/head/validators')
      expect([row.slot, (body as { data: unknown }).data]).toEqual([row.slot, row.validators])
      expect([row.slot, await engineSet(urls.engine, row.slot)]).toEqual([row.slot, row.engineSet])
    }
  })
})

async function engineSet(engine: string, height: number): Promise<unknown[]> {
  const { body } = await getJson(engine, `/validators?height=${height}&per_page=100`)
  type Member = { address: string; pub_key: { value: string }; voting_power: string }
  const { validators } = (body as { result: { validators: Member[] } }).result
  return validators.map(({ address, pub_key, voting_power }) => ({
    address,
    pub_key: pub_key.value,
    voting_power,
  }))
}
