import type { Hex } from '../base/format/hex.ts'
import { isActive } from '../chain/consensus/state.ts'
import { engineKey } from '../chain/identity/engine-key.ts'
import { MOST_SLOTS_APART } from '../chain/network/limits.ts'
import { unlessSilent } from '../clients/ask-as-service.ts'
import { type ClaimedHeader, getCommit } from '../clients/engine/blocks.ts'
import type { EngineClient } from '../clients/engine/client.ts'
import { type EngineValidatorSet, getEngineValidators } from '../clients/engine/get-status.ts'
import { type Healthy, healthyIn, type LookInput, type WatchQuestions } from './ask-input.ts'
import { recordInPicture } from './ask-records.ts'
import { recalled as rememberedOf, type WatchMemory } from './memory.ts'
import type { ValidatorPicture, Watched } from './picture.ts'

/** So many blocks are made up for after a time in which nobody looked; older ones are left out. */
const MOST_BLOCKS_BACK = 16n
/** The flags of a commit: signed alone, or as part of a signature of many, which one of them carries. */
const SIGNED: readonly number[] = [2, 4, 5]
/** Voted, for no block: the block came too late to this validator. */
const FOR_NO_BLOCK: readonly number[] = [3, 6, 7]
/** A member that signed none of so many blocks in a row does not run: a block that it missed as well says nothing. */
const BLOCKS_TO_BE_GONE = 32

type SignedBlocks = NonNullable<ValidatorPicture['signed']>

/** Asks the engine for the commits since the last picture, and checks which of them the watched validators signed. */
export function signedQuestions({ network, validators }: LookInput): Pick<WatchQuestions, 'signed'> {
  const keys = new Map(validators.map(({ pubkey }) => [pubkey, engineKey(pubkey)]))
  /** The set of the last block that was looked at: whoever signed is told by the place in it. */
  let set: { hash: string; places: ReadonlyMap<string, number>; decides: string | undefined } | undefined

  const membersAt = async (engine: EngineClient, { header }: ClaimedHeader) => {
    if (set?.hash !== header.validatorsHash) {
      const found = await getEngineValidators(engine, { height: header.height })
      const places = new Map(found.validators.map(({ publicKey }, place) => [publicKey.value, place]))
      set = { hash: header.validatorsHash, places, decides: decidingAlone(found) }
    }
    return set
  }

  /** How many blocks in a row each member has not signed, by its key, of those that were looked at. */
  let unsigned: ReadonlyMap<string, number> = new Map()
  /** The newest block that was looked at: no commit is asked for twice. */
  let readTo = 0n

  const look = async (
    { client, height: newest }: Healthy['engine'][number],
    memory: WatchMemory,
    active: readonly Watched[],
  ): Promise<ReadonlyMap<Hex, SignedBlocks>> => {
    const found = new Map<Hex, SignedBlocks>()
    // The commit of the newest block itself may still grow.
    const to = newest - 1n
    const searchedTo = active.map(({ pubkey }) => {
      const { signedTo } = rememberedOf(memory, pubkey)
      // What was kept of a block that is not made yet says nothing.
      return signedTo === undefined || signedTo > newest + MOST_SLOTS_APART ? to - 1n : signedTo
    })
    const least = searchedTo.reduce((one, other) => (other < one ? other : one), to - 1n)
    if (readTo > newest + MOST_SLOTS_APART) readTo = 0n
    const from =
      [least, readTo, to - MOST_BLOCKS_BACK].reduce((one, other) => (other > one ? other : one)) + 1n
    for (let height = from; height <= to && height > 0n; height += 1n) {
      const commit = await unlessSilent(getCommit(client, { height }))
      const members = commit && (await unlessSilent(membersAt(client, commit)))
      if (commit === undefined || members === undefined) break
      const { places, decides } = members
      readTo = height
      const { signatures } = commit.commit
      const flagAt = (place: number | undefined) => signatures[place ?? -1]?.flag ?? 0
      const hasSigned = (place: number | undefined) => SIGNED.includes(flagAt(place))
      const before = unsigned
      unsigned = new Map(
        [...places].map(([key, place]) => [key, hasSigned(place) ? 0 : (before.get(key) ?? 0) + 1]),
      )
      const runs = (key: string) => (unsigned.get(key) ?? 0) < BLOCKS_TO_BE_GONE
      const running = [...places].filter(([key]) => runs(key))
      const missed = running.filter(([, place]) => !hasSigned(place)).length
      for (const { pubkey } of active) {
        const key = keys.get(pubkey) ?? ''
        const place = places.get(key)
        if (signatures[place ?? -1] === undefined) continue
        const others = running.length - (runs(key) ? 1 : 0)
        const othersMissed = missed - (runs(key) && !hasSigned(place) ? 1 : 0)
        // Who has two thirds of the power waits for nobody: then a block may be made before others have it.
        const isOvertaken = decides !== undefined && decides !== key && FOR_NO_BLOCK.includes(flagAt(place))
        const signed = hasSigned(place) || isOvertaken
        const one = { height, signed, othersMissed, others }
        found.set(pubkey, [...(found.get(pubkey) ?? []), one])
      }
    }
    return found
  }

  return {
    signed: {
      needs: ['heads'],
      after: ['records'],
      async ask(picture, memory) {
        const [engine] = healthyIn(picture).engine
        if (engine === undefined) return undefined
        // Where no node tells of it, it is what it was: its own node may be the one that does not run.
        const active = validators.filter(({ pubkey }) => {
          const record = recordInPicture(picture, pubkey, network)
          if (record === undefined) return rememberedOf(memory, pubkey).wasActive
          return record !== 'absent' && isActive(record.validator, record.epoch)
        })
        return active.length === 0 ? new Map() : look(engine, memory, active)
      },
    },
  }
}

/** Who has more than two thirds of the power, and so makes blocks without the others. */
function decidingAlone({ validators }: EngineValidatorSet): string | undefined {
  const total = validators.reduce((sum, { votingPowerGwei }) => sum + votingPowerGwei, 0n)
  return validators.find(({ votingPowerGwei }) => 3n * votingPowerGwei > 2n * total)?.publicKey.value
}
