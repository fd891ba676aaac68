import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../../src/core/errors/base.ts'
import { readGenesis } from '../../../src/core/identity/read-genesis.ts'
import { vectorText } from '../../support/vector-lines.ts'

type Json = { [key: string]: unknown }
const recorded = vectorText('recorded/genesis.json')

function altered(change: (beacon: Json, deposit: Json, file: Json) => void): string {
  const file = JSON.parse(recorded) as Json & { app_state: { beacon: Json & { deposits: Json[] } } }
  const { beacon } = file.app_state
  change(beacon, beacon.deposits[1] ?? {}, file)
  return JSON.stringify(file)
}

describe('a genesis file', () => {
  test('of a real network is read whole', () => {
    const genesis = readGenesis(vectorText('networks/mainnet/genesis.json'))
    expect(genesis).toMatchObject({
      engineChainId: 'mainnet-beacon-80094',
      genesisForkVersion: '0x04000000',
      genesisTimeSeconds: 1737381600n,
      execution: {
        blockHash: '0xd57819422128da1c44339fc7956662378c17e2213e669b427ac91cd11dfcfb38',
        blockNumber: 0n,
      },
    })
    expect(genesis.deposits).toHaveLength(39)
  })

  test('may give amounts in hex or in decimal', () => {
    const decimal = altered((_, deposit) => {
      deposit.amount = '250000000000000'
    })
    expect(readGenesis(decimal).deposits[1]?.amountGwei).toBe(250_000_000_000_000n)
    expect(readGenesis(recorded).deposits[1]?.amountGwei).toBe(250_000_000_000_000n)
  })

  test('that init wrote is told from the network’s', () => {
    const code = expect.objectContaining({ code: 'genesis-file.no-deposits' })
    expect(() => readGenesis(vectorText('deposits/init-genesis.json'))).toThrow(code)
    for (const deposits of [[], null]) {
      const empty = altered((beacon) => {
        beacon.deposits = deposits
      })
      expect(() => readGenesis(empty)).toThrow(code)
    }
  })

  test('with a missing or odd field is refused by the field’s full name', () => {
    const at = (key: string) => `field: app_state.beacon.deposits[1].${key}`
    const odd: [string, (beacon: Json, deposit: Json, file: Json) => void][] = [
      [at('pubkey'), (_, deposit) => delete deposit.pubkey],
      [at('credentials'), (_, deposit) => Object.assign(deposit, { credentials: '0x01' })],
      [at('amount'), (_, deposit) => Object.assign(deposit, { amount: 250000000000000 })],
      [at('amount'), (_, deposit) => Object.assign(deposit, { amount: '0x10000000000000000' })],
      [at('amount'), (_, deposit) => Object.assign(deposit, { amount: '1e4' })],
      [at('signature'), (_, deposit) => delete deposit.signature],
      [at('index'), (_, deposit) => Object.assign(deposit, { index: 7 })],
      ['field: app_state.beacon.fork_version', (beacon) => delete beacon.fork_version],
      [
        'field: app_state.beacon.deposits[1]',
        (beacon) => Object.assign(beacon, { deposits: [validDeposit(), 'x'] }),
      ],
      ['field: chain_id', (_, __, file) => Object.assign(file, { chain_id: '' })],
      ['field: genesis_time', (_, __, file) => Object.assign(file, { genesis_time: 'yesterday' })],
      ['field: app_state', (_, __, file) => delete file.app_state],
    ]
    for (const [named, change] of odd) {
      const error = expect.objectContaining({
        code: 'genesis-file.bad-field',
        details: expect.arrayContaining([named]),
      })
      expect(() => readGenesis(altered(change)), named).toThrow(error)
    }
  })

  test('cut anywhere is refused, never misread', () => {
    const run = fc.property(fc.nat(recorded.length - 2), (at) => {
      expect(() => readGenesis(recorded.slice(0, at))).toThrow(BaseError)
    })
    fc.assert(run, { numRuns: 200 })
  })
})

function validDeposit(): unknown {
  return (JSON.parse(recorded) as { app_state: { beacon: { deposits: unknown[] } } }).app_state.beacon
    .deposits[0]
}
