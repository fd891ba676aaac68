import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import type { Setup } from '../../chain/facts.ts'
import type { HomeFinding } from '../../chain/identity/home-files.ts'
import type { OwnBlocks } from '../../chain/key-state/own.ts'
import type { Offered } from '../../chain/network/offered.ts'
import type { NodeHealth, PeerCounts } from '../../chain/network/standstill.ts'
import { SOURCES } from '../../view/observation.ts'

/** What the files of the home say that the checklist needs. */
export type HomeAnswer = {
  /** Where the fees of the node's own blocks go; undefined where the file does not say. */
  feeRecipient: Hex | undefined
  findings: readonly HomeFinding[]
}
/** The address that the fees of a block were paid to; undefined where the endpoint does not say. */
export type PaidAnswer = { slot: bigint; feeRecipient: Hex | undefined }
/** What the file that was named as a backup holds. `own`: it is the very file that the node uses; `no-key`: no validator key at all. */
export type BackupAnswer = { holds: 'this-key' | 'own' | 'no-key' | Hex }

/** What the node tool's `status` says: of the engine that `client.toml` names, and of the key it runs with. */
export type ToolAnswer = { powerGwei: Gwei; height: bigint; sameKey: boolean }

/** Answers about the way to the active set, and about what is to be seen to behind it. */
export type StatusAnswers = {
  snapshot: SetSnapshot
  engine: {
    powerGwei: Gwei
    totalGwei: Gwei
    members: number
    height: bigint
    catchingUp: boolean
    sameKey: boolean
  }
  /** The voting power that the node tool prints. */
  tool: ToolAnswer
  /** The blocks of our own that were seen, once the engine counts us. */
  proposal: OwnBlocks
  /** What node and engine say of their own state, which they need not say. */
  health: Offered<NodeHealth>
  peers: Offered<PeerCounts>
  /** What the node home says. */
  home: HomeAnswer
  /** Where the fees of the last own block went. */
  paid: PaidAnswer
  /** What is in the file that was named as a backup of the key. */
  backup: BackupAnswer
}

/** Who gives each answer. */
export const STATUS_SOURCES: { readonly [K in keyof StatusAnswers]: { source: (setup: Setup) => string } } = {
  snapshot: { source: SOURCES.node },
  engine: { source: SOURCES.engine },
  tool: { source: ({ network }) => network.names.nodeTool },
  proposal: { source: SOURCES.node },
  health: { source: SOURCES.node },
  peers: { source: SOURCES.engineOrNode },
  home: { source: () => 'app.toml' },
  paid: { source: SOURCES.execution },
  backup: { source: () => 'this computer' },
}
