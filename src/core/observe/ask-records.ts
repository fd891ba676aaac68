import { type Hex, sameHex } from '../base/format/hex.ts'
import type { SetSnapshot } from '../chain/consensus/snapshot.ts'
import { ownRecord } from '../chain/key-state/own.ts'
import { evidenceOf } from '../chain/network/anchors.ts'
import type { Network } from '../chain/network/network.ts'
import { healthyIn, type ReportedRecord, type WatchPicture } from './ask-input.ts'
import { knownOf } from './observer.ts'
import type { OwnRecord, ValidatorPicture } from './picture.ts'

/** Returns the record of a validator in the state that the node was asked for; its epoch is that state's. */
export function recordInPicture(
  picture: WatchPicture,
  pubkey: Hex,
  { spec }: Network,
): OwnRecord | 'absent' | undefined {
  const read = knownOf(picture.records)
  const [node] = healthyIn(picture).node
  if (read === undefined || node === undefined) return undefined
  const { slot } = read
  const reported = read.records.find(({ validator }) => sameHex(validator.pubkey, pubkey))
  if (reported === undefined) return 'absent'
  const { index, validator, balanceGwei } = reported
  return { index, validator, balanceGwei, slot, epoch: slot / spec.slotsPerEpoch }
}

/** Returns `proof` while the node's reported record equals the one in the last proven state, else `report`. */
export function levelOf(
  reported: ReportedRecord | undefined,
  snapshot: SetSnapshot | undefined,
  network: Network,
): NonNullable<ValidatorPicture['level']> {
  if (reported === undefined || snapshot?.proof === undefined) return { by: 'report' }
  const own = ownRecord(snapshot, reported.validator.pubkey, { network })
  const isSame = own?.balanceGwei === reported.balanceGwei && sameFields(own.validator, reported.validator)
  return isSame ? { by: 'proof', ...evidenceOf(snapshot.proof) } : { by: 'report' }
}

/** Whether two reports of a node hold the same records of the same validators. */
export function sameRecords(some: readonly ReportedRecord[], others: readonly ReportedRecord[]): boolean {
  const isSame = ({ validator, ...rest }: ReportedRecord, place: number) => {
    const { validator: otherValidator, ...otherRest } = others[place] ?? {}
    return (
      otherValidator !== undefined && sameFields(validator, otherValidator) && sameFields(rest, otherRest)
    )
  }
  return some.length === others.length && some.every(isSame)
}

/** Whether two records of texts, numbers and the like have the same ones. */
function sameFields<T extends object>(one: T, other: Partial<T>): boolean {
  const names = Object.keys(one) as (keyof T)[]
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
