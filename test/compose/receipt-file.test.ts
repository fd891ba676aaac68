import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ReceiptFile, receiptOf, writeReceipt } from '../../src/compose/receipt-file.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { verifyDeposit } from '../../src/core/chain/deposit/verify.ts'
import type { GuardStanding } from '../../src/core/observe/picture.ts'
import { toldGuard } from '../../src/core/pay/guard/standing.ts'
import { guardAfter, handed, hashOf, includedIn } from '../support/guard-world.ts'
import { journey } from '../support/register.ts'
import { startWorld } from '../support/world.ts'

const effects = { store: createNodeStore(), clock: createNodeClock() }

const OWN = {
  program: ['node', '/opt/a place/cli.js'],
  options: ['--network', 'bepolia', '--state', '/var/bearings'],
}

type Written = {
  receipt: ReceiptFile
  json: string
  markdown: string
  endpoints: (string | undefined)[]
  hashes: Hex[]
  again: boolean
  /** After two guards of two accounts have paid, a third one waits, and a fourth can't be read. */
  byGuards: { receipt: ReceiptFile | undefined; markdown: string }
}

const paid = { ...toldGuard(handed(3), 'nobody'), stand: 'over', end: 'paid', block: 90n } as const
const GUARDS: readonly GuardStanding[] = [
  paid,
  { ...paid, from: `0x${'71'.repeat(20)}`, hash: hashOf(1), amountGwei: tokens(20_000n), block: 70n },
  { ...toldGuard(guardAfter(handed(2), includedIn(hashOf(2))), 'nobody'), nonce: 9 },
]

let written: Written

beforeAll(async () => {
  written = await journey({}, async ({ session, world }) => {
    const receipt = receiptOf(session, { nowMs: 1_700_000_000_000 })
    const path = await writeReceipt(effects, session, OWN)
    const again = (await writeReceipt(effects, session, OWN)) === path
    if (receipt === undefined || path === undefined) throw new Error('there is no receipt')
    const json = path.replace(/md$/, 'json')
    const [firstJson, first] = [readFileSync(json, 'utf8'), readFileSync(path, 'utf8')]
    await session.dispatch({ step: 'topup', type: 'guardsRead', guards: { guards: GUARDS, isWhole: false } })
    await writeReceipt(effects, session, OWN)
    const byGuards = {
      receipt: receiptOf(session, { nowMs: 0 }),
      markdown: readFileSync(path, 'utf8'),
    }
    expect(dirname(path)).toBe(dirname(world.journalPath() ?? ''))
    return {
      receipt,
      json: firstJson,
      markdown: first,
      endpoints: [
        ...Object.values(session.setup.endpoints).flat(),
        session.setup.homePath,
        session.setup.keystore ?? 'none',
      ],
      hashes: [
        ...new Set(
          world
            .journal()
            .flatMap((line) => /"hash":"(0x[0-9a-f]{64})"/.exec(JSON.stringify(line))?.[1] ?? []),
        ),
      ] as Hex[],
      again,
      byGuards,
    }
  })
})

describe('the receipt of a registration', () => {
  test('names both payments, the registration and that the validator is active', () => {
    const { receipt } = written
    expect(receipt).toMatchObject({ format: 'bearings-receipt', version: 1, active: true })
    expect(receipt.writtenAt).toBe('2023-11-14T22:13:20.000Z')
    const paid = [receipt.deposit, ...receipt.topUps].map((payment) => payment?.hash ?? 'none')
    expect(paid.sort()).toEqual(written.hashes.sort())
    expect(receipt.registration?.validatorIndex).toBeTypeOf('number')
  })

  test('holds what is needed to judge the signature again', () => {
    const { receipt } = written
    const { signed, pubkey, network } = receipt
    if (signed === undefined) throw new Error('nothing was signed')
    expect(verifyDeposit({ ...signed, pubkey, ...network })).toEqual({ verdict: 'accepted' })
    expect(signed.amountGwei * 1_000_000_000n).toBe(receipt.deposit?.valueWei)
  })

  test('is the same for machines and for people', () => {
    const { receipt, json, markdown } = written
    const read = JSON.parse(json) as ReceiptFile
    expect(read.deposit?.valueWei).toBe('10000000000000000000000')
    for (const text of [
      receipt.pubkey,
      receipt.deposit?.hash,
      receipt.signed?.signature,
      receipt.topUps[0]?.blockHash,
    ]) {
      expect(json).toContain(text)
      expect(markdown).toContain(text)
    }
    expect(markdown).toContain('| value | 10,000 BERA |')
  })

  test('has commands that begin this very program and name the network and the state', () => {
    const { receipt, markdown } = written
    const options = '--network bepolia --state /var/bearings'
    expect(markdown).toContain(`node '/opt/a place/cli.js' status --validator ${receipt.pubkey} ${options}`)
    expect(markdown).toMatch(new RegExp(`cli.js' api /bkit/v1/proof/\\S+ --verify ${options}`))
    expect(markdown).toMatch(/cli.js' verify --pubkey 0x/)
    expect(markdown).not.toMatch(/^bearings /m)
  })

  test('names each guard that has paid, in the order of their blocks, and says where one could not be read', () => {
    const { byGuards, markdown } = written
    expect(written.receipt).not.toHaveProperty('byGuards')
    expect(written.receipt).not.toHaveProperty('guardsUnread')
    expect(byGuards.receipt?.byGuards).toMatchObject([
      { from: `0x${'71'.repeat(20)}`, amountGwei: tokens(20_000n), block: 70n },
      { hash: hashOf(3), amountGwei: tokens(40_000n), block: 90n },
    ])
    const headings = (text: string) => text.match(/^## /gm)?.length ?? 0
    expect(headings(byGuards.markdown)).toBe(headings(markdown) + 2)
    expect(byGuards.markdown).toContain(`cast receipt ${hashOf(3)}`)
    const unread = 'Not every guard on this computer could be read'
    expect(byGuards.receipt?.guardsUnread).toBe(true)
    expect(byGuards.markdown).toContain(unread)
    expect(markdown).not.toContain(unread)
  })

  test('tells no endpoint and no path, and may be written anew', () => {
    const { json, markdown, endpoints, again } = written
    for (const text of endpoints) expect(json + markdown).not.toContain(text)
    expect(json + markdown).not.toContain('127.0.0.1')
    expect(again).toBe(true)
  })
})

test('before a deposit is final there is no receipt', async () => {
  const world = await startWorld()
  try {
    const session = await world.clock.flow(() => world.session(world.begin()))
    expect(receiptOf(session, { nowMs: 0 })).toBeUndefined()
    expect(await writeReceipt(effects, session, OWN)).toBeUndefined()
    expect(existsSync(`${world.directory}/journal/receipt.md`)).toBe(false)
  } finally {
    await world.end()
  }
})
