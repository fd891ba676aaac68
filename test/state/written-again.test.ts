import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ReceiptFile, writeReceipt } from '../../src/compose/receipt-file.ts'
import { openSettings } from '../../src/compose/settings.ts'
import { keepTyped, keptTexts } from '../../src/compose/typed-rehearsal.ts'
import type { Clock, Effects } from '../../src/core/base/effects/effects.ts'
import type { Placing } from '../../src/core/chain/consensus/placing.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { mktxCommands } from '../../src/core/pay/gate/cast.ts'
import type { Following } from '../../src/core/pay/gate/following.ts'
import { saveGuard } from '../../src/core/pay/guard/arm-commands.ts'
import { leaveFile } from '../../src/core/pay/leave/ask-commands.ts'
import type { LeaveRequest } from '../../src/core/pay/leave/picture.ts'
import { draftOf } from '../../src/core/pay/payment/candidates.ts'
import type { PayingStep } from '../../src/core/pay/payment/payment.ts'
import { safeBatch } from '../../src/core/pay/wallet/safe-batch.ts'
import { rememberPlacings, watchBlocks } from '../../src/core/steps/status/observe-commands.ts'
import { readEvents } from '../../src/core/wizard/journal/entry.ts'
import { OF_GUARD } from '../../src/core/wizard/journal/guard-events.ts'
import { decodeKeyHeader, openJournal, openJournalOf } from '../../src/core/wizard/journal/journal.ts'
import { readJournal } from '../../src/core/wizard/journal/replay.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { initialState } from '../../src/core/wizard/state.ts'
import { AGAIN } from '../support/state-again.ts'
import { digest, effects, place, stateFiles, stateText, withDirectory } from '../support/state-files.ts'
import { guardFolder, guardsIn, headerOf, withGuard } from '../support/state-guards.ts'
import { ownFrom, withSeen } from '../support/state-pictures.ts'
import { SETUP, stateAfter, withJournal } from '../support/written-journal.ts'

/** A clock that says when each line of a journal was written, one after the other. */
function clockOf(lines: readonly { t: number }[]): Clock {
  const times = lines.map(({ t }) => t)
  return { ...effects.clock, nowMs: () => times.shift() ?? Number.NaN }
}

/** The text of a journal into which everything that a recorded one holds was written anew, at the same times. */
const guardJournalAgain = (text: string) =>
  withDirectory(async (directory) => {
    const [first, ...entries] = readJournal(text).entries
    const path = join(directory, 'journal.jsonl')
    const clock = clockOf(readJournal(text).entries)
    const header = OF_GUARD.decodeHeader(first?.data, '')
    const journal = await openJournalOf({ ...effects, clock }, path, { header, kind: OF_GUARD })
    for (const event of readEvents(entries, OF_GUARD.decode)) await journal.append(event)
    await journal.close()
    return readFileSync(path, 'utf8')
  })

const keyJournalAgain = (text: string) =>
  withDirectory(async (directory) => {
    const [first, ...entries] = readJournal(text).entries
    const path = join(directory, 'journal.jsonl')
    const clock = clockOf(readJournal(text).entries)
    if (first === undefined) throw new Error('no line')
    const journal = await openJournal({ ...effects, clock }, path, decodeKeyHeader(first))
    for (const event of readEvents(entries)) await journal.append(event)
    await journal.close()
    return readFileSync(path, 'utf8')
  })

/** The bytes of a recorded guard, armed anew in a directory where there is none. */
const membersAgain = (name: string) =>
  withGuard(name, ({ held }) =>
    withDirectory(async (directory) => {
      const header = headerOf(name)
      const raws = held.members.map(({ raw }) => raw)
      await guardsIn(directory, header).arm(held.state().terms, raws)
      return readFileSync(join(guardFolder(directory, header), 'members.json'), 'utf8')
    }),
  )

const GUARDS = stateFiles('guards')

/**
 * What the program that recorded it wrote otherwise, too, once it had read it, by the SHA-256 of these bytes: it has the
 * fields of what it read in the order of its reader, and the addresses of a deposit in lower case.
 */
const OTHERWISE = JSON.parse(stateText('otherwise.json')) as { [file: string]: string }

describe('written again byte for byte is', () => {
  test.each(GUARDS)('the journal of a guard: %s', async (name) => {
    const text = stateText(`${name}/journal.jsonl`)
    expect(await guardJournalAgain(text)).toBe(text)
  })

  test.each(GUARDS.filter((name) => stateFiles(name).length > 1))(
    'what a guard has signed: %s',
    async (name) => {
      expect(await membersAgain(name)).toBe(stateText(`${name}/members.json`))
    },
  )

  test.each(stateFiles('keys'))('the journal of a key: %s', async (file) => {
    const text = stateText(file)
    expect(await keyJournalAgain(text)).toBe(text)
  })

  test.each(Object.keys(AGAIN))('what is written whole: %s', async (file) => {
    const text = await AGAIN[file]?.()
    expect(JSON.parse(text?.toLowerCase() ?? '')).toEqual(JSON.parse(stateText(file).toLowerCase()))
    const other = OTHERWISE[file]
    if (other === undefined) expect(text).toBe(stateText(file))
    else expect(digest(text ?? '')).toBe(other)
  })

  test('where a validator stood, with one epoch more', () =>
    withSeen('validator/history.json', async ({ context, path }) => {
      const remember = await rememberPlacings(context)
      await remember({ epoch: 6n, place: { rank: 9 } as Placing })
      const text = stateText('validator/history.json')
      expect(readFileSync(path, 'utf8')).toBe(text.replace(']}\n', ',{"epoch":"6","rank":9}]}\n'))
    }))

  test('the blocks of a validator, with one block more', () =>
    withSeen('validator/seen.json', async ({ context, about, path }) => {
      const blocks = await watchBlocks(context, ownFrom(35n, about.pubkey), undefined)
      for (const [slot, proposerIndex] of [
        [35n, 13n],
        [36n, 13n],
      ] as const)
        await blocks.read(slot, { slot, proposerIndex })
      const text = stateText('validator/seen.json')
      expect(readFileSync(path, 'utf8')).toBe(text.replace('"lastBlock":"35"', '"lastBlock":"36"'))
    }))

  test('the settings', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'settings.json')
      const file = 'settings/settings.json'
      place(file, path)
      const settings = openSettings(directory)
      const { networks } = JSON.parse(stateText(file)) as { networks: object }
      for (const id of Object.keys(networks)) settings.remember(id, settings.of(id))
      expect(readFileSync(path, 'utf8')).toBe(stateText(file))
    }))

  test('what was typed for a rehearsal', () =>
    withDirectory(async (folder) => {
      const file = 'rehearsal/addresses.json'
      place(file, join(folder, 'addresses.json'))
      const values = (await keptTexts(effects as unknown as Effects, folder)) ?? {}
      await keepTyped(effects, { kind: 'as-on-mainnet', which: { folder } }, { ...values })
      expect(readFileSync(join(folder, 'addresses.json'), 'utf8')).toBe(stateText(file))
    }))
})

/** The draft that is exported in a recorded journal. */
async function draftIn(file: string, step: PayingStep) {
  const text = stateText(file)
  const { deposit, topup } = await withJournal(text, ({ history }) => stateAfter(text, history))
  const draft = draftOf(step === 'deposit' ? deposit : topup.send)
  if (draft === undefined) throw new Error(`no draft in ${file}`)
  return draft
}

/** A file that was exported, the step that it pays, and the journal that holds what is exported. */
const exportsOf = (start: string) =>
  stateFiles('exports').flatMap((file) => {
    const [, step, name = ''] = new RegExp(`/${start}-((deposit|topup)-.*)\\.[a-z]+$`).exec(file) ?? []
    return step === undefined ? [] : [{ file, step: name as PayingStep, name: step }]
  })
const JOURNALS = { deposit: 'deposit', topup: 'top-up' }

describe('exported again byte for byte from what was read is', () => {
  test.each(exportsOf('sign'))('the command for a wallet: $name', async ({ file, step }) => {
    const { transaction, from } = await draftIn(`keys/exported-${JOURNALS[step]}.jsonl`, step)
    expect(mktxCommands(transaction, from)).toBe(stateText(file))
  })

  test.each(exportsOf('safe'))('the batch for a Safe: $name', async ({ file, step, name }) => {
    const { transaction, from } = await draftIn(`keys/contract-${JOURNALS[step]}.jsonl`, step)
    const createdAtMs = Number(name.split('-').at(-1))
    expect(safeBatch(transaction, from, { name, createdAtMs })).toBe(stateText(file))
  })

  test('the members of a guard for a wallet', () =>
    withGuard('guards/exported', async ({ held, directory }) => {
      const header = headerOf('guards/exported')
      const context = {
        guards: () => guardsIn(directory, header),
        facts: () => ({ identity: { pubkey: held.state().terms.validator.pubkey } }),
        setup: { ...SETUP, journalDirectory: directory },
        effects,
      } as unknown as Following['context']
      const path = await saveGuard(context)
      expect(readFileSync(path, 'utf8')).toBe(stateText(`exports/${basename(path)}`))
    }))

  test('the request to leave', () => {
    const text = stateText('exports/leave.txt')
    expect(leaveFile(LEAVE, { name: '', createdAtMs: 0 })).toBe(text)
  })
})

const PUBKEY =
  'b2d6875e9f645ac758b6164e15a28f1577af09d0b0b12d61e659f4abdadd6cd46fb1d1a5e61ec4c658f6bc4962c7770f'
const LEAVE: LeaveRequest = {
  transaction: {
    chainId: 809_480_069,
    nonce: 2,
    gasLimit: 150_000n,
    maxFeePerGasWei: 3_000_000_000n,
    maxPriorityFeePerGasWei: 1_000_000_000n,
    valueWei: 12n,
    to: '0x00000961Ef480Eb55e80D19ad83579A64c007002',
    data: `0x${PUBKEY}0000000000000000`,
  },
  from: '0x265a731a1233ca9622999db012bc47cf59ed2e62',
  contract: false,
  amountGwei: 0n,
  feeWei: 12n,
}

/** The amounts and slots of a receipt are decimal texts there, and whole numbers in the program. */
const receiptIn = (text: string): ReceiptFile =>
  JSON.parse(text, (name, value: unknown) =>
    /(?:Gwei|Wei)$|^(?:slot|blockNumber)$/.test(name) ? BigInt(String(value)) : value,
  ) as ReceiptFile

describe('a receipt', () => {
  test.each(['keystore', 'contract'])('is written again byte for byte from its facts: %s', (name) =>
    withDirectory(async (directory) => {
      const json = stateText(`receipts/${name}.json`)
      const { writtenAt, active, ...receipt } = receiptIn(json)
      const clock = { ...effects.clock, nowMs: () => Date.parse(writtenAt) }
      const own = { program: ['bearings'], options: ['--devnet', '/home/user/rehearsal/descriptor.json'] }
      const session = sessionOf({ ...receipt, isActive: active, path: join(directory, 'journal.jsonl') })
      expect(await writeReceipt({ ...effects, clock }, session, own)).toBe(join(directory, 'receipt.md'))
      expect(readFileSync(join(directory, 'receipt.json'), 'utf8')).toBe(json)
      expect(readFileSync(join(directory, 'receipt.md'), 'utf8')).toBe(stateText(`receipts/${name}.md`))
    }),
  )
})

type Receipted = Omit<ReceiptFile, 'writtenAt' | 'active'> & { isActive: boolean; path: string }

/** A session that has proven what a receipt tells. */
function sessionOf({
  network: told,
  pubkey,
  signed,
  deposit,
  registration,
  topUps,
  ...more
}: Receipted): Session {
  const { name: id, label, executionGenesisHash, depositContract, ...chain } = told
  const spec = { ...MAINNET.spec, depositContract }
  const header = {
    networkId: id,
    executionGenesisHash,
    genesisValidatorsRoot: chain.genesisValidatorsRoot,
    pubkey,
  }
  const state = {
    ...initialState,
    journal: { status: 'open', header, path: more.path, resumed: false },
    status: { ...initialState.status, isActiveInState: more.isActive },
    topup: { ...initialState.topup, finished: topUps, guards: { guards: [], isWhole: true } },
  }
  const validator = signed && { ...signed, origin: 'own' }
  return {
    setup: { ...SETUP, network: { ...MAINNET, ...chain, id, label, spec } },
    getState: () => state,
    facts: () => ({ deposit, signature: signed, registration, validator, topup: topUps.at(-1) }),
  } as unknown as Session
}

test('a lock that is taken names its holder by the same fields, in the same order', () =>
  withDirectory(async (directory) => {
    const path = join(directory, 'journal.jsonl.lock')
    const { release } = await effects.store.lock(path)
    const taken = JSON.parse(readFileSync(path, 'utf8')) as object
    await release?.()
    for (const file of stateFiles('locks')) {
      const text = stateText(file)
      const recorded = JSON.parse(text) as object
      expect(Object.keys(taken)).toEqual(Object.keys(recorded))
      expect(JSON.stringify(recorded)).toBe(text)
    }
  }))
