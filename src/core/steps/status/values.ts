import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { HomeFinding } from '../../chain/identity/home-findings.ts'

/** What the files of the home say that the checklist needs. */
export type HomeAnswer = {
  /** Where the fees of the node's own blocks go; undefined where the file does not say. */
  feeRecipient: Hex | undefined
  findings: readonly HomeFinding[]
}
/** The address that the fees of a block were paid to; undefined where the endpoint does not say. */
export type PaidAnswer = { slot: bigint; feeRecipient: Hex | undefined }
/** What the file that was named as a backup holds. `own`: it is the very file that the node uses. */
export type BackupAnswer = { holds: 'this-key' | 'own' | Hex }

/** What the node tool's `status` says: of the engine that `client.toml` names, and of the key it runs with. */
export type ToolAnswer = { powerGwei: Gwei; height: bigint; sameKey: boolean }
