import { unlessSilent } from '../clients/ask-as-service.ts'
import { getDepositCount } from '../clients/execution/call.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import { getFork } from '../clients/node/chain.ts'
import type { NodeClient } from '../clients/node/client.ts'
import type { ValidatorRecord } from '../clients/node/validator-record.ts'
import { getValidators } from '../clients/node/validators.ts'
import { proveSnapshot, readReportedSnapshot } from '../clients/prove-snapshot.ts'
import { forkIsKnown } from '../consensus/fork-outlook.ts'
import { type SetSnapshot, waitingDeposits } from '../consensus/snapshot.ts'
import { StateMismatchError } from '../errors/deposit.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import { ownRecord } from '../key-state/own.ts'
import type { Network } from '../network/network.ts'
import { createArrivals, lookAtOperators } from './look-contract.ts'
import { type Healthy, type LookInput, lookAtForks } from './look-node.ts'
import type { WatchMemory } from './memory.ts'
import {
  type OwnRecord,
  type SeenOperator,
  type SeenValidator,
  type Sighting,
  type Watched,
  wayAhead,
} from './sighting.ts'

/** The whole state is asked for again at once where something depends on it, but never for more than this share of the time. */
const SHARE_OF_TIME = 20
/** Where nothing depends on it, an attempt that failed is made again after so many slots. */
const SLOTS_BETWEEN_ATTEMPTS = 8n

/** The set that was read last, and what was so when it was. */
type Read = {
  snapshot: SetSnapshot
  epoch: bigint
  deposits: bigint | undefined
  /** What the node reported of the watched validators then. */
  records: readonly ValidatorRecord[]
}

type Given = { healthy: Healthy; head: bigint | undefined }
/** What is told of a validator, by the node or by a set. */
type Told = Pick<ValidatorRecord, 'index' | 'validator' | 'balanceGwei'>
type SetSeen = Pick<Sighting, 'validators' | 'depositsTo' | 'fork' | 'forksAhead'> & {
  /** How many deposits the contract had taken. */
  deposits?: bigint
}

/**
 * What a look sees of the watched validators and of the set. In every slot only small questions are asked: the own
 * records, how many deposits the contract has taken, the new ones of these. The whole state is asked for and hashed when an
 * epoch begins, when a record of theirs or the number of deposits has changed, while deposits wait, and while one of them
 * drops out. Where somebody else reads the set, nothing of that is asked for.
 */
export function createSetLook({ effects, network, validators, isOwnTransaction, set: setNow }: LookInput) {
  const { clock } = effects
  const { spec } = network
  const { depositContract } = spec
  const pubkeys = validators.map(({ pubkey }) => pubkey)
  let read: Read | undefined
  let notBeforeMs = 0
  let triedAt: bigint | undefined
  let fork: { epoch: bigint; seen: Pick<Sighting, 'fork' | 'forksAhead'> } | undefined
  let operators: { epoch: bigint; seen: ReadonlyMap<Hex, SeenOperator> } | undefined
  const arrivals = createArrivals({ network, pubkeys, isOwnTransaction })

  const readSet = async (
    { healthy, head }: Given,
    now: { deposits: bigint | undefined; records: readonly ValidatorRecord[] },
  ): Promise<void> => {
    const { node, execution } = healthy
    const [first, second] = execution
    if (node === undefined || first === undefined || head === undefined) return
    const startedMs = clock.monotonicMs()
    const clients = { node, execution: first, second }
    const snapshot = await snapshotOf(clients, { network, keep: undefined, alsoKeep: pubkeys, clock })
    const endedMs = clock.monotonicMs()
    notBeforeMs = endedMs + SHARE_OF_TIME * (endedMs - startedMs)
    triedAt = head
    if (snapshot === undefined) return
    const epoch = snapshot.consensus.slot / spec.slotsPerEpoch
    read = { snapshot, epoch, deposits: now.deposits, records: now.records }
  }

  const isDue = (
    memory: WatchMemory,
    head: bigint,
    now: { deposits: bigint | undefined; records: readonly ValidatorRecord[] },
  ): boolean => {
    if (clock.monotonicMs() < notBeforeMs) return false
    if (read === undefined) return triedAt === undefined || head >= triedAt + SLOTS_BETWEEN_ATTEMPTS
    const { snapshot } = read
    const isNewer = head > snapshot.consensus.slot + 1n
    if (!isNewer) return false
    // The state that is proven is one slot behind the head.
    if ((head - 1n) / spec.slotsPerEpoch !== read.epoch) return true
    if (now.deposits !== undefined && now.deposits !== read.deposits) return true
    if (now.records.length > 0 && !sameRecords(now.records, read.records)) return true
    if (waitingDeposits(snapshot).length > 0) return true
    return memory.alarms.some(({ alarm }) => alarm === 'drops-out')
  }

  const atEpoch = async (node: NodeClient, execution: ExecutionClient | undefined, head: bigint) => {
    const epoch = head / spec.slotsPerEpoch
    if (fork?.epoch !== epoch && read !== undefined) {
      const said = await unlessSilent(getFork(node, { state: 'head' }))
      const { timestampSeconds, consensus } = read.snapshot
      if (said !== undefined) {
        const now = { version: said.currentVersion, slot: consensus.slot, timestampSeconds }
        const isKnown = forkIsKnown(now, spec)
        const ahead = await lookAtForks({ node, execution }, now, spec)
        const seen = { fork: { version: said.currentVersion, isKnown } }
        fork = { epoch, seen: ahead === undefined ? seen : { ...seen, forksAhead: ahead } }
      }
    }
    if (operators?.epoch !== epoch && execution !== undefined)
      operators = { epoch, seen: await lookAtOperators(execution, { pubkeys, depositContract }) }
  }

  /** What somebody else has read, as if it had been read here. */
  const hear = (set: SetSnapshot, deposits: bigint | undefined): readonly Told[] => {
    read = { snapshot: set, epoch: set.consensus.slot / spec.slotsPerEpoch, deposits, records: [] }
    return pubkeys.flatMap((pubkey) => ownRecord(set, pubkey, { network }) ?? [])
  }

  return {
    async look(memory: WatchMemory, given: Given): Promise<SetSeen> {
      const { healthy, head } = given
      const { node, executionBlock: block = 0n } = healthy
      const [execution] = healthy.execution
      if (node === undefined || head === undefined) return { validators: validators.map(bare) }
      const [said, deposits] = await Promise.all([
        setNow === undefined ? unlessSilent(getValidators(node, { state: 'head', ids: pubkeys })) : undefined,
        execution && unlessSilent(getDepositCount(execution, { depositContract, block })),
      ])
      const set = setNow?.()
      const records = set === undefined ? said : hear(set, deposits)
      const now = { deposits, records: said ?? [] }
      if (setNow === undefined && isDue(memory, head, now)) await unlessSilent(readSet(given, now))
      await atEpoch(node, execution, head)
      const arrived =
        execution === undefined
          ? undefined
          : await arrivals(execution, { from: memory.depositsTo, block, count: deposits })
      const seen = validators.map((each) => ({
        ...validatorSeen(each, { records, read, deposits, head }),
        ...(arrived === undefined ? {} : { deposits: arrived.get(each.pubkey) ?? [] }),
        ...operatorIn(operators?.seen, each.pubkey),
      }))
      return {
        validators: seen,
        ...fork?.seen,
        ...(deposits === undefined ? {} : { deposits }),
        ...(arrived === undefined ? {} : { depositsTo: block }),
      }
    },
  }

  function validatorSeen(
    watched: Watched,
    now: {
      records: readonly Told[] | undefined
      read: Read | undefined
      deposits: bigint | undefined
      head: bigint
    },
  ): SeenValidator {
    const { pubkey } = watched
    const { records, head } = now
    const said = records?.find((record) => sameHex(record.validator.pubkey, pubkey))
    const record = reportedOwn(said, records, head)
    const shape = { ...watched, ...(record === undefined ? {} : { record }) }
    const isNewest = now.deposits !== undefined && now.deposits === now.read?.deposits
    const set = now.read?.snapshot
    return {
      ...shape,
      level: levelOf(said, set, network),
      ...(set === undefined ? {} : wayAhead(set, pubkey, { network, isNewest })),
    }
  }

  function reportedOwn(
    said: Told | undefined,
    records: readonly Told[] | undefined,
    head: bigint,
  ): OwnRecord | 'absent' | undefined {
    if (records === undefined) return undefined
    if (said === undefined) return 'absent'
    const { index, validator, balanceGwei } = said
    return { index, validator, balanceGwei, slot: head, epoch: head / spec.slotsPerEpoch }
  }
}

function bare({ pubkey, name }: Watched): SeenValidator {
  return name === undefined ? { pubkey } : { pubkey, name }
}

/** What the node reports of a validator is proven while it is what the last proven state holds of it. */
function levelOf(
  said: Told | undefined,
  snapshot: SetSnapshot | undefined,
  network: Network,
): NonNullable<SeenValidator['level']> {
  if (said === undefined || snapshot?.proof === undefined) return { by: 'report' }
  const own = ownRecord(snapshot, said.validator.pubkey, { network })
  const isSame = own?.balanceGwei === said.balanceGwei && sameFields(own.validator, said.validator)
  return isSame ? { by: 'proof', anchors: snapshot.proof.anchors } : { by: 'report' }
}

function sameRecords(some: readonly ValidatorRecord[], others: readonly ValidatorRecord[]): boolean {
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

/** The proven set, else the reported one; undefined where the state is not the chain's. */
async function snapshotOf(
  clients: Parameters<typeof proveSnapshot>[0],
  options: Parameters<typeof proveSnapshot>[1],
): Promise<SetSnapshot | undefined> {
  try {
    const found = await proveSnapshot(clients, options)
    if ('consensus' in found) return found
    return await readReportedSnapshot(clients, { ...options, unproven: found.unproven })
  } catch (thrown) {
    if (thrown instanceof StateMismatchError) return undefined
    throw thrown
  }
}

function operatorIn(
  seen: ReadonlyMap<Hex, SeenOperator> | undefined,
  pubkey: Hex,
): Pick<SeenValidator, 'operator'> {
  const operator = seen?.get(pubkey)
  return operator === undefined ? {} : { operator }
}
