import type { ValidatorRecord } from '../clients/node/validator-record.ts'
import type { SetSnapshot } from '../consensus/snapshot.ts'
import { ownRecord } from '../key-state/own.ts'
import type { Network } from '../network/network.ts'
import type { SeenValidator } from './sighting.ts'

/** What is told of a validator, by the node or by a set. */
export type Told = Pick<ValidatorRecord, 'index' | 'validator' | 'balanceGwei'>

/** What the node reports of a validator is proven while it is what the last proven state holds of it. */
export function levelOf(
  said: Told | undefined,
  snapshot: SetSnapshot | undefined,
  network: Network,
): NonNullable<SeenValidator['level']> {
  if (said === undefined || snapshot?.proof === undefined) return { by: 'report' }
  const own = ownRecord(snapshot, said.validator.pubkey, { network })
  const isSame = own?.balanceGwei === said.balanceGwei && sameFields(own.validator, said.validator)
  return isSame ? { by: 'proof', anchors: snapshot.proof.anchors } : { by: 'report' }
}

/** Whether a node reports the very same of the same validators. */
export function sameRecords(some: readonly ValidatorRecord[], others: readonly ValidatorRecord[]): boolean {
  const isSame = ({ validator, ...rest }: ValidatorRecord, place: number) => {
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
