import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../src/core/chain/network/presets.ts'
import type { JournalOwner } from '../../src/core/observe/context.ts'
import { type JournalFile, openJournalFile } from '../../src/core/wizard/journal/journal-file.ts'
import { transition } from '../../src/core/wizard/procedure.ts'
import { initialState, type State } from '../../src/core/wizard/state.ts'

const effects = { clock: createNodeClock(), store: createNodeStore() }

/** What a session begins with that has nothing but a journal. */
export const SETUP: Setup = {
  network: MAINNET,
  endpoints: LOCAL_ENDPOINTS,
  journalDirectory: '/journals',
  lockDirectories: [],
  outputDirectory: '/output',
}

/** Opens a journal with this text, as a session does, and gives it to `use`. Nothing of it is left afterwards. */
export async function withJournal<T>(text: string, use: (journal: JournalFile) => T): Promise<T> {
  const journalDirectory = mkdtempSync(join(tmpdir(), 'journal-'))
  try {
    const header = headerOf(text)
    const path = join(journalDirectory, placeOf(header), 'journal.jsonl')
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, text, { mode: 0o600 })
    const journal = await openJournalFile(effects, { ...SETUP, journalDirectory }, header)
    try {
      return use(journal)
    } finally {
      await journal.close()
    }
  } finally {
    rmSync(journalDirectory, { recursive: true })
  }
}

/** The state of a session that has just opened a journal with this text. */
export function stateAfter(text: string, history: JournalFile['history']): State {
  const opened = {
    step: 'session',
    type: 'opened',
    header: headerOf(text),
    path: '/journal',
    history,
  } as const
  return transition(initialState, opened, SETUP)[0]
}

function headerOf(text: string): JournalOwner {
  const [first = ''] = text.split('\n')
  const { data } = JSON.parse(first) as {
    data: Record<'executionGenesisHash' | 'genesisValidatorsRoot' | 'pubkey', Hex>
  }
  return { networkId: MAINNET.id, ...data }
}

function placeOf({ executionGenesisHash, genesisValidatorsRoot, pubkey }: JournalOwner): string {
  return [executionGenesisHash, genesisValidatorsRoot, pubkey].map((hex) => hex.slice(2, 14)).join('-')
}
