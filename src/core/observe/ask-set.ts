import { type Hex, sameHex } from '../base/format/hex.ts'
import { type SetSnapshot, waitingDeposits } from '../chain/consensus/snapshot.ts'
import { ownRecord } from '../chain/key-state/own.ts'
import { evidenceOf, isProof, type Network } from '../chain/network/network.ts'
import { type LateEndpoint, patienceOf } from '../chain/network/standstill.ts'
import { unlessSilent } from '../clients/ask-as-service.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import { getValidators } from '../clients/node/validators.ts'
import { readReportedSnapshot, trySnapshot } from '../clients/prove-snapshot.ts'
import {
  type BoundedEndpoint,
  boundEndpoint,
  createLateness,
  createStatePace,
  SLOTS_BETWEEN_STATES,
  setMayHaveMoved,
} from '../clients/state-pace.ts'
import {
  type ForkAnswers,
  type HealthyOne,
  healthyIn,
  type LookInput,
  type ReadSet,
  type ReportedRecord,
  type WatchPicture,
  type WatchQuestions,
} from './ask-input.ts'
import { type ForksPicture, forksIn } from './ask-node.ts'
import { knownOf, lastOf } from './observer.ts'
import {
  type NetworkPicture,
  type OperatorPicture,
  type OwnRecord,
  type ValidatorPicture,
  type Watched,
  wayAhead,
} from './picture.ts'
import { isBelieved } from './who-says.ts'

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
function levelOf(
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
function sameRecords(some: readonly ReportedRecord[], others: readonly ReportedRecord[]): boolean {
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

/**
 * The proven set, else the reported one; undefined where the state is not the chain's. `alone`: whether the first
 * execution endpoint may prove it by itself where the second one contradicts.
 */
async function snapshotOf(
  clients: Parameters<typeof trySnapshot>[0],
  options: Parameters<typeof trySnapshot>[1],
  { alone }: { alone: boolean },
): Promise<{ snapshot: SetSnapshot | undefined }> {
  const found = await trySnapshot(clients, options)
  if ('consensus' in found) return { snapshot: found }
  const isRefused = 'mismatch' in found || !found.outOfReach
  const { second: _, ...first } = clients
  const again = alone && isRefused && clients.second !== undefined ? await trySnapshot(first, options) : found
  if ('mismatch' in again) return { snapshot: undefined }
  if ('consensus' in again) return { snapshot: again }
  const report = () => readReportedSnapshot(clients, { ...options, ...again })
  return { snapshot: await (options.statePace?.ask(report) ?? report()) }
}

const NOBODY = { height: 0n, isOwn: false }
/** What an endpoint of somebody else may use of a look for the set, in slots. */
const SHARE_OF_SLOT = 0.5

/**
 * The records of the watched validators, and the set. In every slot only small questions are asked: the own records, how
 * many deposits the contract has taken, the new ones of these. The whole state is asked for and hashed when an epoch begins,
 * when a record of theirs or the number of deposits has changed, while deposits wait, and while one of them drops out.
 */
export function setQuestions({
  effects: { clock },
  network,
  validators,
  signed,
}: LookInput): Pick<WatchQuestions, 'records' | 'set'> {
  const { spec } = network
  const pubkeys = validators.map(({ pubkey }) => pubkey)
  const pace = createStatePace(clock)
  /** The head that the last attempt was made by. */
  let triedAt: bigint | undefined
  let failed = 0
  const lateness = createLateness(clock)
  /** One of somebody else has a share of the look; the first one, without which there is no proof, a whole answer's time. */
  const bounded = ({ client, isOwn }: HealthyOne<ExecutionClient>, mostMs: number): BoundedEndpoint =>
    isOwn ? { client, isLate: () => false } : boundEndpoint(client, { clock, mostMs })

  return {
    records: {
      needs: ['heads'],
      async ask(picture) {
        const [node] = healthyIn(picture).node
        if (node === undefined) return undefined
        // By number: the head may be of another epoch by now, in which the same record says something else.
        const { client, height: slot } = node
        return { slot, records: await getValidators(client, { state: slot, ids: pubkeys }) }
      },
    },
    set: {
      needs: ['heads'],
      after: ['records', 'count'],
      due(picture, memory) {
        const [{ height: head, isOwn } = NOBODY] = healthyIn(picture).node
        const now = nowIn(picture)
        const read = lastOf(picture.set)
        const dropsOut = memory.alarms.some(({ alarm }) => alarm === 'drops-out')
        const isUrgent = dropsOut || read === undefined
        if (!pace.isOver(isUrgent ? SLOTS_BETWEEN_STATES * network.slotMs : undefined)) return false
        if (read === undefined || read.snapshot.consensus.slot > head + 1n)
          return triedAt === undefined || head < triedAt || head >= triedAt + BigInt(SLOTS_BETWEEN_STATES)
        const { snapshot } = read
        const isNewer = head > snapshot.consensus.slot + 1n
        if (!isNewer) return false
        // What others said of it is asked for again once somebody of the own ones can be.
        if (isOwn && !read.isOwn) return true
        if (dropsOut || (now.records.length > 0 && !sameRecords(now.records, read.records))) return true
        const { slot } = snapshot.consensus
        const waiting = waitingDeposits(snapshot).length > 0
        // The state that is proven is one slot behind the head.
        return setMayHaveMoved({ ...read, slot, waiting }, { ...now, slot: head - 1n }, spec)
      },
      // Where the attempt before gave nothing, it is made with the next ones.
      async ask(picture) {
        const { node: nodes, execution: all } = healthyIn(picture)
        const node = nodes[failed % Math.max(1, nodes.length)]
        const turn = failed % Math.max(1, all.length)
        const [first, second] = [...all.slice(turn), ...all.slice(0, turn)]
        if (node === undefined || first === undefined) return undefined
        const { slotMs } = network
        const [execution, other] = [
          bounded(first, patienceOf(slotMs)),
          second && bounded(second, SHARE_OF_SLOT * slotMs),
        ]
        const clients = { node: node.client, execution: execution.client, second: other?.client, signed }
        const options = { network, keep: undefined, alsoKeep: pubkeys, clock, statePace: pace }
        const found = await unlessSilent(snapshotOf(clients, options, { alone: first.isOwn }))
        lateness.note([other, execution])
        failed = found?.snapshot === undefined || found.snapshot.isRefuted ? failed + 1 : 0
        if (found === undefined) return undefined
        triedAt = node.height
        const { snapshot } = found
        if (snapshot === undefined) return undefined
        const { proof, isRefuted } = snapshot
        const isOwn = proof === undefined ? node.isOwn && !isRefuted : first.isOwn || isProof(proof, 2)
        const late = lateness.late()
        return { snapshot, ...nowIn(picture), isOwn, ...(late && { late }) }
      },
    },
  }
}

/** Returns the same questions where another question of the table has already read the set, without whom where one was late. */
export function setQuestionsOf(
  { network, validators }: LookInput,
  snapshotNow: () => SetSnapshot | undefined,
  lateNow: () => LateEndpoint | undefined,
): Pick<WatchQuestions, 'records' | 'set'> {
  return {
    set: {
      after: ['count'],
      async ask(picture) {
        const snapshot = snapshotNow()
        if (snapshot === undefined) return undefined
        const late = lateNow()
        return { snapshot, ...nowIn(picture), records: [], isOwn: true, ...(late && { late }) }
      },
    },
    records: {
      needs: ['set'],
      async ask({ set }) {
        const snapshot = knownOf(set)?.snapshot
        if (snapshot === undefined) return undefined
        const records = validators.flatMap(({ pubkey }) => ownRecord(snapshot, pubkey, { network }) ?? [])
        return { slot: snapshot.consensus.slot, records }
      },
    },
  }
}

/** What of now the set that is read is read by. */
function nowIn({ count, records }: WatchPicture): Pick<ReadSet, 'deposits' | 'records'> {
  return { deposits: knownOf(count), records: knownOf(records)?.records ?? [] }
}

type SetPicture = Pick<
  NetworkPicture,
  'validators' | 'depositsTo' | 'depositsTaken' | 'logs' | 'fork' | 'forksAhead' | 'late'
>

/** Creates the part of a picture that shows the watched validators, and the forks as of the time of their set. */
export function createSetReader({ network, validators }: LookInput): (picture: WatchPicture) => SetPicture {
  /** What follows from what was said of the forks at the time of the first set behind it. */
  let forks: { reported: ForkAnswers; forks: ForksPicture } | undefined
  return (picture) => {
    const { node, execution, others } = healthyIn(picture)
    if (node[0] === undefined) return { validators: validators.map(bare) }
    const [{ isOwn } = NOBODY] = execution
    const read = lastOf(picture.set)
    const reported = lastOf(picture.forks)?.reported
    if (reported !== undefined && reported !== forks?.reported && read !== undefined)
      forks = { reported, forks: forksIn(reported, read.snapshot, network.spec) }
    const arrived = knownOf(picture.arrivals)
    const deposits = isBelieved('count', others) ? knownOf(picture.count) : undefined
    const isNewest = deposits !== undefined && deposits === read?.deposits
    const watched = validators.map((each) => ({
      ...validatorPicture(each, { picture, isNewest, network }),
      ...(arrived?.deposits === undefined ? {} : { deposits: arrived.deposits.get(each.pubkey) ?? [] }),
      ...operatorIn(lastOf(picture.operators)?.operators, each.pubkey),
    }))
    return {
      validators: watched,
      ...forks?.forks,
      ...(read && { late: read.late ?? 'none' }),
      ...(arrived && { logs: arrived }),
      ...(arrived?.to !== undefined && isOwn && { depositsTo: arrived.to }),
      ...(arrived?.taken !== undefined && isOwn && { depositsTaken: arrived.taken }),
    }
  }
}

function validatorPicture(
  watched: Watched,
  { picture, isNewest, network }: { picture: WatchPicture; isNewest: boolean; network: Network },
): ValidatorPicture {
  const { pubkey } = watched
  const record = recordInPicture(picture, pubkey, network)
  const read = lastOf(picture.set)
  const level = levelOf(record === 'absent' ? undefined : record, read?.snapshot, network)
  const shape = { ...watched, ...(record === undefined ? {} : { record }), level }
  if (read === undefined) return shape
  return { ...shape, ...wayAhead(read.snapshot, pubkey, { network, isNewest, isOwn: read.isOwn }) }
}

function bare({ pubkey, name }: Watched): ValidatorPicture {
  return name === undefined ? { pubkey } : { pubkey, name }
}

function operatorIn(
  operators: ReadonlyMap<Hex, OperatorPicture> | undefined,
  pubkey: Hex,
): Pick<ValidatorPicture, 'operator'> {
  const operator = operators?.get(pubkey)
  return operator === undefined ? {} : { operator }
}
