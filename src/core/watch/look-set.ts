import { unlessSilent } from '../clients/ask-as-service.ts'
import { getDepositCount } from '../clients/execution/call.ts'
import type { ExecutionClient } from '../clients/execution/client.ts'
import type { NodeClient } from '../clients/node/client.ts'
import type { ValidatorRecord } from '../clients/node/validator-record.ts'
import { getValidators } from '../clients/node/validators.ts'
import { type SetSnapshot, waitingDeposits } from '../consensus/snapshot.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import { ownRecord } from '../key-state/own.ts'
import { createArrivals, lookAtOperators } from './look-contract.ts'
import {
  askForks,
  type ForkAnswers,
  type ForksSeen,
  forksIn,
  type Healthy,
  type LookInput,
} from './look-node.ts'
import { levelOf, sameRecords, type Told } from './look-records.ts'
import { snapshotOf } from './look-snapshot.ts'
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
/** While a validator drops out, or a set was never read, no wait is longer than so many slots. */
const MOST_SLOTS_OF_WAIT = 8
/** Where nothing depends on it, an attempt that failed is made again after so many slots. */
const SLOTS_BETWEEN_ATTEMPTS = 8n

/** The set that was read last, and what was so when it was. */
type Read = {
  snapshot: SetSnapshot
  epoch: bigint
  deposits: bigint | undefined
  /** What the node reported of the watched validators then. */
  records: readonly ValidatorRecord[]
  /** Whether an own endpoint bears it out, or two of others. */
  isOwn: boolean
}

type Now = { deposits: bigint | undefined; records: readonly ValidatorRecord[] }
const NOBODY = { height: 0n, isOwn: false }
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
export function createSetLook({ effects, network, validators, isOwnTransaction, elsewhere }: LookInput) {
  const { clock } = effects
  const { spec } = network
  const { depositContract } = spec
  const pubkeys = validators.map(({ pubkey }) => pubkey)
  let read: Read | undefined
  let last: { endedMs: number; tookMs: number; head: bigint } | undefined
  let failed = 0
  /** What was said of the forks, and once a set was there what follows from it at the time of that set. */
  let forks: { epoch: bigint; by: string; said: ForkAnswers; seen?: ForksSeen } | undefined
  let operators: { epoch: bigint; by: string; seen: ReadonlyMap<Hex, SeenOperator> } | undefined
  const arrivals = createArrivals({ network, pubkeys, isOwnTransaction })

  /** Where the attempt before gave nothing, it is made with the next ones. */
  const readSet = async (healthy: Healthy, now: Now): Promise<void> => {
    const node = healthy.node[failed % Math.max(1, healthy.node.length)]
    const turn = failed % Math.max(1, healthy.execution.length)
    const [first, second] = [...healthy.execution.slice(turn), ...healthy.execution.slice(0, turn)]
    if (node === undefined || first === undefined) return
    const startedMs = clock.monotonicMs()
    const clients = { node: node.client, execution: first.client, second: second?.client }
    const options = { network, keep: undefined, alsoKeep: pubkeys, clock }
    const found = await unlessSilent(snapshotOf(clients, options, { alone: first.isOwn }))
    failed = found?.snapshot === undefined ? failed + 1 : 0
    if (found === undefined) return
    const endedMs = clock.monotonicMs()
    last = { endedMs, tookMs: endedMs - startedMs, head: node.height }
    const { snapshot } = found
    if (snapshot === undefined) return
    const epoch = snapshot.consensus.slot / spec.slotsPerEpoch
    const { proof } = snapshot
    const isOwn = proof === undefined ? node.isOwn : first.isOwn || proof.anchors > 1
    read = { snapshot, epoch, deposits: now.deposits, records: now.records, isOwn }
  }

  const isWaitOver = (isUrgent: boolean): boolean => {
    if (last === undefined) return true
    const waitMs = SHARE_OF_TIME * last.tookMs
    const limitMs = isUrgent ? MOST_SLOTS_OF_WAIT * network.slotMs : waitMs
    return clock.monotonicMs() >= last.endedMs + Math.min(waitMs, limitMs)
  }

  const isDue = (memory: WatchMemory, { node }: Healthy, now: Now): boolean => {
    const [{ height: head, isOwn } = NOBODY] = node
    const dropsOut = memory.alarms.some(({ alarm }) => alarm === 'drops-out')
    if (!isWaitOver(dropsOut || read === undefined)) return false
    if (read === undefined || read.snapshot.consensus.slot > head + 1n)
      return last === undefined || head < last.head || head >= last.head + SLOTS_BETWEEN_ATTEMPTS
    const { snapshot } = read
    const isNewer = head > snapshot.consensus.slot + 1n
    if (!isNewer) return false
    // What others said of it is asked for again once somebody of the own ones can be.
    if (isOwn && !read.isOwn) return true
    // The state that is proven is one slot behind the head.
    if ((head - 1n) / spec.slotsPerEpoch !== read.epoch) return true
    if (now.deposits !== undefined && now.deposits !== read.deposits) return true
    if (now.records.length > 0 && !sameRecords(now.records, read.records)) return true
    return waitingDeposits(snapshot).length > 0 || dropsOut
  }

  /** What changes with an epoch at most, of the endpoints that are asked now. */
  const askAtEpoch = async (node: NodeClient, execution: ExecutionClient | undefined, head: bigint) => {
    const epoch = head / spec.slotsPerEpoch
    const isOf = (one: { epoch: bigint; by: string } | undefined, by: string) =>
      one?.epoch === epoch && one.by === by
    const [said, seen] = await Promise.all([
      isOf(forks, node.label) ? undefined : askForks({ node, execution }),
      execution === undefined || isOf(operators, execution.label)
        ? undefined
        : lookAtOperators(execution, { pubkeys, depositContract }),
    ])
    if (said !== undefined) forks = { epoch, by: node.label, said }
    if (execution !== undefined && seen !== undefined) operators = { epoch, by: execution.label, seen }
  }

  /** What somebody else has read, as if it had been read here. */
  const hear = (set: SetSnapshot, deposits: bigint | undefined): readonly Told[] => {
    const epoch = set.consensus.slot / spec.slotsPerEpoch
    read = { snapshot: set, epoch, deposits, records: [], isOwn: true }
    return pubkeys.flatMap((pubkey) => ownRecord(set, pubkey, { network }) ?? [])
  }

  return {
    async look(memory: WatchMemory, healthy: Healthy): Promise<SetSeen> {
      const [node] = healthy.node
      const [first] = healthy.execution
      const { height: block, isOwn } = first ?? NOBODY
      const execution = first?.client
      if (node === undefined) return { validators: validators.map(bare) }
      // What it says of a validator is of its own head, not of the newest that anybody has.
      const { client, height: head } = node
      const askContract = async () => {
        if (execution === undefined) return {}
        const count = await unlessSilent(getDepositCount(execution, { depositContract, block }))
        return { count, arrived: await arrivals(execution, { from: memory.depositsTo, block, count }) }
      }
      const [said, { count: deposits, arrived }] = await Promise.all([
        elsewhere === undefined
          ? unlessSilent(getValidators(client, { state: 'head', ids: pubkeys }))
          : undefined,
        askContract(),
        askAtEpoch(client, execution, head),
      ])
      const set = await elsewhere?.set()
      const records = set === undefined ? said : hear(set, deposits)
      const now = { deposits, records: said ?? [] }
      if (elsewhere === undefined && isDue(memory, healthy, now)) await readSet(healthy, now)
      if (forks !== undefined && read !== undefined) forks.seen ??= forksIn(forks.said, read.snapshot, spec)
      // That no deposit came since is nothing to believe somebody else alone.
      const count = isOwn ? deposits : undefined
      const seen = validators.map((each) => ({
        ...validatorSeen(each, { records, read, deposits: count, head }),
        ...(arrived === undefined ? {} : { deposits: arrived.get(each.pubkey) ?? [] }),
        ...operatorIn(operators?.seen, each.pubkey),
      }))
      return {
        validators: seen,
        ...forks?.seen,
        ...(deposits === undefined ? {} : { deposits }),
        ...(arrived === undefined || !isOwn ? {} : { depositsTo: block }),
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
      ...(set === undefined
        ? {}
        : wayAhead(set, pubkey, { network, isNewest, isOwn: now.read?.isOwn === true })),
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

function operatorIn(
  seen: ReadonlyMap<Hex, SeenOperator> | undefined,
  pubkey: Hex,
): Pick<SeenValidator, 'operator'> {
  const operator = seen?.get(pubkey)
  return operator === undefined ? {} : { operator }
}
