import type { Hex } from '../../base/format/hex.ts'
import type { NetworkKind } from '../../chain/network/network.ts'
import type { NetworkChoice } from './choice.ts'

/** What an earlier run left in the state directory, as it is remembered there: no payment rests on it. */
export type UnderWay = {
  /** Path of its journal. */
  id: string
  badge: { kind: NetworkKind; label: string }
  /** Absent where the journal does not say it any more. */
  pubkey?: Hex
  /** Where it stands. */
  words: string
  /** Whether it can only be looked at: a network that ended, a journal that cannot be continued. */
  trouble: boolean
  /** Whether another window works on it. */
  isHeld?: true
  /** How it is continued. */
  choice: NetworkChoice
  /** The same from a shell: the words behind the name of the program. */
  command: readonly string[]
  /** Texts for every field of its form; without them the form is shown first. */
  values?: Readonly<Record<string, string>>
}
