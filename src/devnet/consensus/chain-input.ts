import type { Hex } from '../../core/base/format/hex.ts'
import type { ConsensusState } from '../../core/chain/consensus/state.ts'
import type { ChainSpec } from '../../core/chain/network/network.ts'
import type { RehearsalExecution } from '../execution/types.ts'
import type { SignVotes } from '../sign-votes.ts'
import type { HistoryLimits } from './deposit-queue.ts'
import type { Inflation } from './payouts.ts'

/** What a chain is made from. */
export type ChainInput = {
  spec: ChainSpec
  /** State of slot 0. */
  genesis: ConsensusState
  /** The engine's name for the chain. */
  engineChainId: string
  genesisForkVersion: Hex
  genesisValidatorsRoot: Hex
  genesisDepositsRoot: Hex
  inflation: Inflation
  /** Where a proposer has the fees of its blocks paid to; undefined where it has no account for them. */
  feeRecipientOf?: (pubkey: Hex) => Hex | undefined
  execution: Pick<RehearsalExecution, 'genesisBlock' | 'mineSlot' | 'rpc'>
  /** Signs for members of the set; called only where somebody asks for a commit. */
  signVotes: SignVotes
  /** Whether `signVotes` can sign for a key (96 bytes, base64). A member that it can't sign for counts as absent. */
  holdsKey(key: string): boolean
  /** Returns the member that votes for no block at a height, if one does. */
  votesNil?: (height: bigint) => Hex | undefined
  forgery?: Forgery
  /** How much is remembered; as much as by the real node where it is left out. */
  limits?: HistoryLimits
}

/** In what a network lies that shows a chain without the keys of its set. */
type Forgery = {
  /** Returns the key that sits in the engine's set in the place of a validator's. */
  seatOf?: (pubkey: Hex) => Hex
  /** Returns the height whose commit is shown as that of a height. */
  commitOf?: (height: bigint) => bigint
  /** The height of the engine's newest block, however far the chain is. */
  stopsAt?: bigint
}
