import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BaseError } from '../../../../src/core/base/errors/base.ts'
import type { HomeEffects } from '../../../../src/core/chain/identity/home-files.ts'
import { readGenesis, readGenesisFile } from '../../../../src/core/chain/identity/read-genesis.ts'
import { MAINNET, PRESETS } from '../../../../src/core/chain/network/presets.ts'
import { vectorText } from '../../../support/vector-lines.ts'

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

  test.each([
    ['a byte-order mark', Buffer.from(`\ufeff${recorded}`)],
    ['UTF-16', Buffer.from(recorded, 'utf16le')],
  ])('with %s is refused for that, since the node refuses it too', async (_what, bytes) => {
    const read: HomeEffects['files']['read'] = async (_path, { sink }) => {
      sink?.(bytes)
      return new Uint8Array()
    }
    const files = { read } as HomeEffects['files']
    const opening = readGenesisFile({ files }, { path: 'genesis.json', limits: MAINNET.spec })
    await expect(opening).rejects.toMatchObject({ code: 'home.encoding' })
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

/** A file effect that hands `text` over in pieces of these lengths, over and over. */
function inPieces(text: string, lengths: readonly number[]): HomeEffects {
  const bytes = new TextEncoder().encode(text)
  const facts = () => Promise.reject(new Error('nobody asks for facts'))
  return {
    files: {
      facts,
      async read(_, { sink }) {
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const length = lengths[turn % lengths.length] ?? 1
          sink?.(bytes.slice(at, at + length))
          at += length
        }
        return new Uint8Array()
      },
    },
  }
}

describe('a genesis file on the disk', () => {
  const { spec } = MAINNET
  const published = vectorText('networks/mainnet/genesis.json')
  const all = readGenesis(published).deposits.map(({ pubkey }) => pubkey)

  test('gives the root of its network, and each key once, however it is cut into pieces', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(cuts, async (lengths) => {
        const seen: string[] = []
        const world = inPieces(published, lengths)
        const see = (pubkey: string) => void seen.push(pubkey)
        const file = await readGenesisFile(world, { path: 'genesis.json', limits: spec, see })
        expect(file).toMatchObject({ root: MAINNET.genesisValidatorsRoot, validators: 39 })
        expect(seen).toEqual(all)
      }),
      { numRuns: 30 },
    )
  })

  test('is the same from a whole reading', async () => {
    const read = async () => new TextEncoder().encode(published)
    const world = { files: { ...inPieces('', [1]).files, read } }
    const { root } = await readGenesisFile(world, { path: 'genesis.json', limits: spec })
    expect(root).toBe(MAINNET.genesisValidatorsRoot)
  })

  test.each([
    ['a field that comes twice', published.replace('{', '{"chain_id": "other",'), 'genesis-file.not-json'],
    [
      'a list that comes twice',
      published.replace('"deposits"', '"deposits":[],"deposits"'),
      'genesis-file.not-json',
    ],
    [
      'deposits that are no list',
      altered((beacon) => Object.assign(beacon, { deposits: {} })),
      'genesis-file.bad-field',
    ],
    ['text behind its end', `${published}x`, 'genesis-file.not-json'],
    ['nothing in it', '', 'genesis-file.not-json'],
  ])('with %s is refused', async (_what, text, code) => {
    const reading = readGenesisFile(inPieces(text, [4096]), { path: 'genesis.json', limits: spec })
    await expect(reading).rejects.toMatchObject({ code })
  })

  test('is held against limits that all built-in networks share', () => {
    const limitsOf = ({ spec: each }: (typeof PRESETS)[number]) => [
      each.effectiveBalanceIncrementGwei,
      each.maxEffectiveBalanceGwei,
      each.activationBalanceGwei,
    ]
    expect(new Set(PRESETS.map((preset) => limitsOf(preset).join())).size).toBe(1)
  })
})

function validDeposit(): unknown {
  return (JSON.parse(recorded) as { app_state: { beacon: { deposits: unknown[] } } }).app_state.beacon
    .deposits[0]
}
