import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNodeClock } from '../../../../src/core/base/effects/node-clock.ts'
import { createNodeStore } from '../../../../src/core/base/effects/node-store.ts'
import { BaseError } from '../../../../src/core/base/errors/base.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { phaseOf } from '../../../../src/core/pay/guard/guard.ts'
import { giveUpLeft } from '../../../../src/core/pay/guard/hold-track.ts'
import { type GuardTerms, ladderOf } from '../../../../src/core/pay/guard/terms.ts'
import { openGuardBook, readKept } from '../../../../src/core/wizard/journal/guard-file.ts'
import { createSessionLocks } from '../../../../src/core/wizard/journal/journal-file.ts'
import {
  EPOCH,
  PAYER,
  picture,
  RIVAL,
  setup as realSetup,
  terms,
  UNPROVEN,
  withMine,
} from '../../../support/guard-world.ts'

const account = privateKeyToAccount('0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d')
const own = terms({ from: account.address.toLowerCase() as Hex })
const effects = { store: createNodeStore(), clock: createNodeClock() }
let directory = ''

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'guards-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const signed = (of: GuardTerms): Promise<Hex[]> =>
  Promise.all(
    ladderOf(of).map(
      ({ transaction: { valueWei, gasLimit, maxFeePerGasWei, maxPriorityFeePerGasWei, ...rest } }) =>
        account.signTransaction({
          ...rest,
          type: 'eip1559',
          value: valueWei,
          gas: gasLimit,
          maxFeePerGas: maxFeePerGasWei,
          maxPriorityFeePerGas: maxPriorityFeePerGasWei,
        }),
    ),
  )

/** The guards of a state directory, as one window of the program has them. */
function windowOf() {
  const setup = { ...realSetup, journalDirectory: directory, lockDirectories: [join(directory, 'locks')] }
  const locks = createSessionLocks(effects.store, setup)
  const { executionGenesisHash } = own.chain
  return {
    book: openGuardBook({ effects, setup, executionGenesisHash, borrow: locks.borrow }),
    kept: () => readKept(effects.store, setup),
    locks,
  }
}

const folder = () =>
  join(
    directory,
    readdirSync(directory).find((name) => name.startsWith('guard-') && !name.includes('.lock')) ?? '',
  )
const bytesOf = () => join(folder(), 'members.json')

/** When a process began, in clock ticks after boot: proc(5), field 22. */
function startOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

async function codeOf(run: Promise<unknown>): Promise<string | undefined> {
  try {
    await run
    return undefined
  } catch (thrown) {
    return thrown instanceof BaseError ? thrown.code : String(thrown)
  }
}

describe('a guard on the disk', () => {
  test('lies in a journal without bytes, and in a file of its own that nobody else may read', async () => {
    const { book } = windowOf()
    const raws = await signed(own)
    await book.arm(own, raws)
    expect(statSync(bytesOf()).mode & 0o777).toBe(0o600)
    const journal = readFileSync(join(folder(), 'journal.jsonl'), 'utf8')
    for (const raw of raws) expect(journal).not.toContain(raw.slice(2))
    const [found] = await book.here()
    expect(found?.state?.terms).toEqual(own)
    expect(found).toMatchObject({ from: own.from, nonce: own.nonce })
  })

  test('is held by one window, account and validator with it', async () => {
    const [one, other] = [windowOf(), windowOf()]
    await one.book.arm(own, await signed(own))
    const held = await one.book.open(own)
    if (!('members' in held)) throw new Error(JSON.stringify(held))
    expect(held.members).toHaveLength(ladderOf(own).length)
    expect(await other.book.open(own)).toMatchObject({ heldBy: expect.any(String) })
    expect(await other.book.holderOf(own)).toMatchObject({ heldBy: expect.any(String) })
    const { executionChainId: chain } = own.chain
    expect(await other.locks.take(`funder-${chain}-${own.from}`)).toBeDefined()
    await held.close()
    await one.locks.releaseAll()
    // Who only asks takes nothing: the other one holds it at once.
    expect(await one.book.holderOf(own)).toBe('nobody')
    const again = await other.book.open(own)
    if (!('members' in again)) throw new Error(JSON.stringify(again))
    await again.close()
    await other.locks.releaseAll()
  })

  test('gives its account free once it is closed, unless its window has taken that itself', async () => {
    const [one, other] = [windowOf(), windowOf()]
    await one.book.arm(own, await signed(own))
    const account = `funder-${own.chain.executionChainId}-${own.from}`
    for (const isTaken of [false, true]) {
      const held = await one.book.open(own)
      if (!('members' in held)) throw new Error(JSON.stringify(held))
      expect(await other.locks.take(account)).toBeDefined()
      if (isTaken) expect(await one.locks.take(account)).toBeUndefined()
      await held.close()
      expect((await other.locks.take(account)) === undefined).toBe(!isTaken)
      await other.locks.releaseAll()
    }
    await one.locks.releaseAll()
  })

  test('is asked to be voided by another window, for the transactions that were signed then', async () => {
    const [one, other] = [windowOf(), windowOf()]
    await one.book.arm(own, await signed(own))
    const held = await one.book.open(own)
    if (!('members' in held)) throw new Error(JSON.stringify(held))
    expect(await held.isVoidAsked()).toBe(false)
    await other.book.askToVoid(own, `0x${'ab'.repeat(32)}`)
    expect(await held.isVoidAsked()).toBe(false)
    await other.book.askToVoid(own, held.members.at(-1)?.hash ?? '0x')
    expect(await held.isVoidAsked()).toBe(true)
    await held.close()
    await one.locks.releaseAll()
  })

  test('is held by nobody where another window has its account alone, and can be held once that has ended', async () => {
    const [one, other] = [windowOf(), windowOf()]
    await one.book.arm(own, await signed(own))
    expect(await one.locks.take(`funder-${own.chain.executionChainId}-${own.from}`)).toBeUndefined()
    expect(await other.book.open(own)).toEqual({ barredBy: expect.stringContaining(`${process.pid}`) })
    // The window that has the account can hold it meanwhile.
    const held = await one.book.open(own)
    expect(held).toHaveProperty('members')
    if ('members' in held) await held.close()
    await one.locks.releaseAll()
    const now = await other.book.open(own)
    expect(now).toHaveProperty('members')
    if ('members' in now) await now.close()
    await other.locks.releaseAll()
  })

  test('is known to others by who has its account, without a lock', async () => {
    const { kept, locks } = windowOf()
    const parent = { bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() }
    const lock = (from: Hex, { startTime }: { startTime: string }) =>
      writeFileSync(
        join(directory, `funder-${own.chain.executionChainId}-${from}.lock`),
        JSON.stringify({ pid: process.ppid, startTime, ...parent }),
      )
    lock(own.from, { startTime: startOf(process.ppid) })
    expect((await kept()).windows).toEqual([{ from: own.from, pid: process.ppid, isSure: true }])
    // Its id was given to another program after it had ended.
    lock(own.from, { startTime: '1' })
    expect((await kept()).windows).toEqual([])
    // What this process has itself is nobody else's.
    expect(await locks.take(`funder-${own.chain.executionChainId}-${RIVAL.slice(0, 42)}`)).toBeUndefined()
    expect((await kept()).windows).toEqual([])
    await locks.releaseAll()
    mkdirSync(join(directory, `funder-${own.chain.executionChainId}-${RIVAL.slice(0, 42)}.lock`))
    expect(await codeOf(kept())).toBe('file.not-a-file')
  })

  test('is armed once for a nonce, and its bytes stay where it is armed already', async () => {
    const { book } = windowOf()
    const raws = await signed(own)
    await book.arm(own, raws)
    const before = readFileSync(bytesOf(), 'utf8')
    const more = { ...own, slotsToHuman: 61 }
    expect(await codeOf(book.arm(more, await signed(more)))).toBe('guard.there')
    expect(readFileSync(bytesOf(), 'utf8')).toBe(before)
  })

  test('is ended where its validator has left: its nonce stays held, and the next guard takes that one', async () => {
    const { book, kept } = windowOf()
    await book.arm(own, await signed(own))
    await book.end(own, 'given-up')
    expect((await kept()).guards).toEqual([
      { from: own.from, nonce: own.nonce, pubkey: own.validator.pubkey, stand: 'given-up' },
    ])
    const next = { ...own, validator: { ...own.validator, pubkey: RIVAL } }
    await book.arm(next, await signed(next))
    expect((await kept()).guards).toMatchObject([{ pubkey: RIVAL, stand: 'armed' }])
    const held = await book.open(next)
    expect(held).toHaveProperty('members')
    // One that somebody holds is left to that one.
    await windowOf().book.end(next, 'given-up')
    expect((await kept()).guards).toMatchObject([{ stand: 'armed' }])
    if ('members' in held) await held.close()
  })

  test('makes room for another guard of its account once a proven set shows that its validator left', async () => {
    const { book, kept } = windowOf()
    await book.arm(own, await signed(own))
    const stand = async () => (await kept()).guards.map((one) => one.stand)
    const left = picture(withMine({ exitEpoch: EPOCH - 1n }))
    await giveUpLeft(book, picture(), own.from)
    await giveUpLeft(book, picture(withMine({ exitEpoch: EPOCH + 1n })), own.from)
    await giveUpLeft(book, picture(UNPROVEN), own.from)
    await giveUpLeft(book, left, PAYER)
    expect(await stand()).toEqual(['armed'])
    const held = await book.open(own)
    await giveUpLeft(windowOf().book, left, own.from)
    expect(await stand()).toEqual(['armed'])
    if ('members' in held) await held.close()
    await giveUpLeft(book, left, own.from)
    expect(await stand()).toEqual(['given-up'])
  })

  test('is armed only by bytes that are exactly its terms', async () => {
    const { book } = windowOf()
    const raws = await signed(own)
    const dearer = { ...own, gasLimit: own.gasLimit + 1n }
    expect(await codeOf(book.arm(dearer, raws))).toBe('wallet.not-as-prepared')
    expect(await codeOf(book.arm(own, raws.slice(1)))).toBe('guard.bytes')
    expect(await codeOf(book.arm(own, raws.toReversed()))).toBe('wallet.not-as-prepared')
    expect(await book.here()).toEqual([])
  })

  test('is not held where its bytes were changed, are gone, or are others', async () => {
    const { book, locks } = windowOf()
    await book.arm(own, await signed(own))
    const text = readFileSync(bytesOf(), 'utf8')
    const { raws } = JSON.parse(text) as { raws: string[] }
    const write = (value: unknown) => writeFileSync(bytesOf(), JSON.stringify(value))
    const other = await signed({ ...own, nonce: own.nonce + 1 })
    write({ version: 1, raws: [...raws.slice(0, -1), other.at(-1)] })
    expect(await codeOf(book.open(own))).toBe('wallet.not-as-prepared')
    write({ version: 1, raws: raws.slice(0, -1) })
    expect(await codeOf(book.open(own))).toBe('guard.bytes')
    write({ version: 2, raws, more: {} })
    expect(await codeOf(book.open(own))).toBe('guard.newer')
    rmSync(bytesOf())
    expect(await codeOf(book.open(own))).toBe('guard.bytes')
    writeFileSync(bytesOf(), text)
    const held = await book.open(own)
    expect('heldBy' in held).toBe(false)
    if ('close' in held) await held.close()
    await locks.releaseAll()
  })

  test('holds its nonce where its journal cannot be read, and from the export on', async () => {
    const { book } = windowOf()
    await book.exportTerms(own)
    const [exported] = await book.here()
    expect(exported?.state && phaseOf(exported.state)).toBe('exported')
    await book.arm(own, await signed(own))
    const [armed] = await book.here()
    expect(armed?.state && phaseOf(armed.state)).toBe('armed')
    const path = join(folder(), 'journal.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('60', '61'))
    expect(await book.here()).toMatchObject([
      { from: own.from, nonce: own.nonce, path: folder(), state: undefined, unread: { path } },
    ])
  })
})
