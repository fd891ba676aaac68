import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import type { GuardStanding } from '../../src/core/observe/picture.ts'
import type { GuardBook, HeldGuard } from '../../src/core/pay/guard/book.ts'
import { decideGuard, guardTroubles } from '../../src/core/pay/guard/decide.ts'
import { type GuardState, handedMember, mayHand, phaseOf } from '../../src/core/pay/guard/guard.ts'
import { toldGuard } from '../../src/core/pay/guard/standing.ts'
import type { GuardHeader } from '../../src/core/wizard/journal/guard-events.ts'
import { openGuardBook } from '../../src/core/wizard/journal/guard-file.ts'
import {
  endpoint,
  inSet,
  MINE,
  picture,
  RIVAL,
  type SetOver,
  setup,
  UNPROVEN,
  VALIDATORS,
} from './guard-world.ts'
import { digest, effects, place, plain, stateFiles, stateText, withDirectory } from './state-files.ts'
import { SETUP } from './written-journal.ts'

/** What the first line of a recorded guard says. */
export function headerOf(name: string): GuardHeader {
  const [first = ''] = stateText(`${name}/journal.jsonl`).split('\n')
  return (JSON.parse(first) as { data: GuardHeader }).data
}

/** Where the files of a guard lie below the directory of its network. */
export function guardFolder(directory: string, header: GuardHeader): string {
  const { account, nonce, executionGenesisHash, genesisValidatorsRoot } = header
  const [execution, root] = [executionGenesisHash, genesisValidatorsRoot].map((hex) => hex.slice(2, 14))
  return join(directory, `guard-${execution}-${root}-${account.slice(2)}-${nonce}`)
}

/** The guards in a directory, as a session has them. */
export function guardsIn(directory: string, header: GuardHeader): GuardBook {
  const { executionGenesisHash, genesisValidatorsRoot } = header
  const network = { ...MAINNET, genesisValidatorsRoot }
  const own: Setup = { ...SETUP, network, journalDirectory: directory }
  return openGuardBook({
    effects,
    setup: own,
    executionGenesisHash,
    borrow: async () => ({ release: async () => undefined }),
  })
}

/** Gives `use` a recorded guard that this process holds, as its journal has it while nobody does, and its place. */
export function withGuard<T>(
  name: string,
  use: (guard: { held: HeldGuard; read: GuardState; directory: string }) => Promise<T> | T,
): Promise<T> {
  return withDirectory(async (directory) => {
    const header = headerOf(name)
    const folder = guardFolder(directory, header)
    mkdirSync(folder, { mode: 0o700 })
    for (const file of stateFiles(name)) place(file, join(folder, file.slice(name.length + 1)))
    const book = guardsIn(directory, header)
    const [found, ...more] = await book.here()
    const held = await book.open({ from: header.account, nonce: header.nonce })
    if (found?.state === undefined || more.length > 0 || !('members' in held))
      throw new Error(`${name}: ${JSON.stringify(held)}`)
    try {
      return await use({ held, read: found.state, directory })
    } finally {
      await held.close()
    }
  })
}

/** What is known of a recorded guard: what is signed is given by its SHA-256. */
export const guardPictureOf = (name: string): Promise<unknown> =>
  withGuard(name, ({ held, read }) => {
    const state = held.state()
    return plain({
      phase: phaseOf(state),
      sameUnheld: JSON.stringify(plain(read)) === JSON.stringify(plain(state)),
      terms: state.terms,
      hashes: state.hashes,
      target: state.target,
      handed: handedMember(state),
      mayHand: state.hashes.map((_, member) => mayHand(state, member)),
      told: withoutHashes(toldGuard(state, 'nobody')),
      members: held.members.map(({ kind, hash, raw, transaction }) => ({
        kind,
        hash,
        bytes: digest(raw.toLowerCase()),
        transaction: { ...transaction, data: digest(transaction.data.toLowerCase()) },
      })),
      decides: Object.fromEntries(
        Object.entries(worldsOf(state)).map(([world, over]) => [world, decidedIn(state, over)]),
      ),
    })
  })

type Over = NonNullable<Parameters<typeof picture>[0]>

/** The slot of the proven set, while the recorded guards were awake. */
const AT = 57n
const OTHER: Hex = `0x${'0c'.repeat(20)}`

/** The worlds in which a guard is asked what it does; in the first of them all is well, and its place is lost. */
function worldsOf({ terms }: GuardState): Readonly<Record<string, Over>> {
  const { chain, validator, nonce } = terms
  const { withdrawalCredentials, pubkey } = validator
  const validators = VALIDATORS.map((one) => {
    if (one.pubkey === MINE) return { ...one, pubkey, withdrawalCredentials }
    return one.pubkey === RIVAL ? { ...one, activationEligibilityEpoch: 3n } : one
  })
  const [others, rival] = [validators.slice(0, 3), validators.slice(3)]
  const stronger = rival.map((one) => ({ ...one, effectiveBalanceGwei: tokens(295_000n) }))
  const endpoints = (used: number) =>
    ['first', 'second'].map((name) =>
      endpoint(name, {
        chainId: chain.executionChainId,
        genesisHash: chain.executionGenesisHash,
        operator: validator.operator,
        nonce: { latest: used, pending: used, final: used },
        head: AT + 1n,
      }),
    )
  const seen = (over: SetOver) => inSet({ validators, slot: AT, ...over })
  const well: Over = { ...seen({}), endpoints: endpoints(nonce) }
  return {
    outbid: well,
    'outbid, not tried': { ...well, dryRun: undefined },
    'outbid by more, in a later block': {
      ...well,
      ...seen({ validators: [...others, ...stronger], slot: AT + 2n }),
      dryRun: { member: 4, results: ['done', 'done'] },
    },
    'not outbid': { ...well, ...seen({ validators: others }) },
    'outbid, past its boundary': { ...well, ...seen({ slot: AT + 40n }) },
    unproven: { ...well, ...UNPROVEN },
    'nonce used': { ...well, endpoints: endpoints(nonce + 1) },
    'other operator': { ...well, endpoints: endpoints(nonce).map((one) => ({ ...one, operator: OTHER })) },
    'unknown rules': { ...well, forks: { isKnown: false, ahead: [] } },
  }
}

function decidedIn(state: GuardState, over: Over) {
  const { executionChainId, genesisValidatorsRoot } = state.terms.chain
  const spec = { ...setup.network.spec, slotsPerEpoch: 8n }
  const network = { ...setup.network, spec, executionChainId, genesisValidatorsRoot }
  const seen = picture(over, { state, since: 1n, own: { ...setup, network } })
  const decision = decideGuard(seen)
  const since = { unprovenMs: undefined, unheardMs: undefined }
  return { ...decision, troubles: guardTroubles(seen, decision, since) }
}

/** The members tell their hashes already. */
function withoutHashes(guard: GuardStanding): Omit<GuardStanding, 'hashes'> {
  const { hashes: _, ...told } = guard
  return told
}
