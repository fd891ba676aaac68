import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import { status } from '../../src/commands/status.ts'
import { watch } from '../../src/commands/watch.ts'
import { rehearsalSetup } from '../../src/compose/attach-rehearsal.ts'
import { openGuards } from '../../src/compose/watch-guards.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { GUARD_ROW_TEXT } from '../../src/core/observe/guard-text.ts'
import { ladderOf } from '../../src/core/pay/guard/terms.ts'
import { openGuardBook } from '../../src/core/wizard/journal/guard-file.ts'
import { createSessionLocks } from '../../src/core/wizard/journal/journal-file.ts'
import { DAMAGES, type Damage, damage } from '../support/damaged-files.ts'
import { type Document, readDocument } from '../support/documents.ts'
import { terms } from '../support/guard-world.ts'
import { lookingWorld } from '../support/looking-world.ts'

const { devnet, directory, effects, look, validatorAt } = lookingWorld()
const account = privateKeyToAccount('0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d')
const NONCE = 5

/** A state directory in which a guard of a validator of the network is armed. */
async function guardedState() {
  const state = mkdtempSync(join(directory(), 'state-'))
  const journalDirectory = join(state, 'journal')
  const descriptor = JSON.stringify(devnet().descriptor)
  const setup = await rehearsalSetup(effects(), descriptor, { journalDirectory, outputDirectory: state })
  const { network, executionGenesisHash = '0x' } = setup
  const { executionChainId, genesisValidatorsRoot, spec } = network
  const { depositContract } = spec
  const validator = { ...terms().validator, pubkey: validatorAt(0) }
  const own = terms({
    chain: { executionChainId, executionGenesisHash, genesisValidatorsRoot, depositContract },
    validator,
    from: account.address.toLowerCase() as Hex,
    nonce: NONCE,
  })
  const locks = createSessionLocks(effects().store, setup)
  const book = openGuardBook({ effects: effects(), setup, executionGenesisHash, borrow: locks.borrow })
  const raws = await Promise.all(
    ladderOf(own).map(({ transaction: { valueWei, gasLimit, ...fees } }) =>
      account.signTransaction({
        type: 'eip1559',
        chainId: fees.chainId,
        nonce: fees.nonce,
        to: fees.to,
        data: fees.data,
        value: valueWei,
        gas: gasLimit,
        maxFeePerGas: fees.maxFeePerGasWei,
        maxPriorityFeePerGas: fees.maxPriorityFeePerGasWei,
      }),
    ),
  )
  await book.arm(own, raws)
  await locks.releaseAll()
  const folder = readdirSync(journalDirectory).find((name) => /^guard-.*-\d+$/.test(name)) ?? ''
  return { state, file: (name: string) => join(journalDirectory, folder, name) }
}

/** The first event of an alarm of a watch on a state directory, without a guard to hold. */
async function firstOf(alarm: string, state: string): Promise<Document> {
  const stop = new AbortController()
  const found = Promise.withResolvers<Document>()
  const run = watch({
    argv: ['--devnet', JSON.stringify(devnet().descriptor), '--state', state, '--json', '0'],
    effects: effects(),
    io: {
      out: (line) => {
        const document = readDocument(line)
        if (document.alarm === alarm) found.resolve(document)
      },
      err: () => undefined,
      signal: stop.signal,
    },
    stateDirectory: state,
    environment: { HOME: '/nowhere' },
    openGuards,
  })
  const event = await found.promise
  stop.abort()
  await run
  return event
}

const withGuards = (input: CommandInput) => status({ ...input, openGuards })

describe.each(['journal.jsonl', 'members.json'])('a guard whose %s is', (name) => {
  test.each<[Damage]>(DAMAGES.map((how) => [how]))('%s is told by `status` and by a watch', async (how) => {
    const { state, file } = await guardedState()
    damage(file(name), how)
    const ended = await look(withGuards, '--state', state, '--validator', '0', '--json')
    expect(ended.code).toBe(1)
    const row = ended.json().rows.find(({ id }) => id === 'guard')
    expect(row).toMatchObject({ mark: 'refused', value: GUARD_ROW_TEXT.unreadable })
    expect(row?.long).toContain(file(name))
    expect(row?.long).toContain(`nonce ${NONCE}`)
    expect(row?.fix).toContain(`nonce ${NONCE}`)
    const alarm = await firstOf('guard-unheld', state)
    expect(alarm).toMatchObject({ change: 'fired', severity: 'critical' })
    expect(alarm.words).toMatchObject({ what: expect.stringContaining(file(name)) })
  })
})
