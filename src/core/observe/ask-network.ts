import { failureWords } from '../base/errors/base.ts'
import { ClientError } from '../base/errors/client.ts'
import { formatCount } from '../base/format/amount.ts'
import { endpointName } from '../base/format/endpoint-url.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../base/format/hex.ts'
import { isActive } from '../chain/consensus/state.ts'
import { engineKey } from '../chain/identity/engine-key.ts'
import { MOST_SLOTS_APART } from '../chain/network/network.ts'
import { patienceOf } from '../chain/network/standstill.ts'
import { unlessSilent } from '../clients/ask-as-service.ts'
import { type ClaimedHeader, getCommit } from '../clients/engine/blocks.ts'
import { createEngineClient, type EngineClient } from '../clients/engine/client.ts'
import { type EngineValidatorSet, getEngineValidators } from '../clients/engine/get-status.ts'
import { getDepositCount, getOperator, getQueuedOperator } from '../clients/execution/call.ts'
import { createExecutionClient, type ExecutionClient } from '../clients/execution/client.ts'
import { areAllDeposits, type DepositLog, getDepositLogs } from '../clients/execution/deposit-logs.ts'
import { createNodeClient } from '../clients/node/client.ts'
import { boundEndpoint, createStatePace, SLOTS_BETWEEN_STATES } from '../clients/state-pace.ts'
import { headsQuestion } from './ask-heads.ts'
import {
  type Arrivals,
  epochIn,
  executionIn,
  type Healthy,
  type HealthyOne,
  healthyIn,
  isOfNow,
  type LookInput,
  type WatchAnswers,
  type WatchPicture,
  type WatchQuestions,
} from './ask-input.ts'
import { createNodeMemory, nodeQuestions } from './ask-node.ts'
import { createSetReader, recordInPicture, setQuestions } from './ask-set.ts'
import { recalled as rememberedOf, type WatchMemory } from './memory.ts'
import { createObserver, knownOf, lastOf } from './observer.ts'
import type {
  DepositPicture,
  LackingLogs,
  LogsPicture,
  NetworkPicture,
  OperatorPicture,
  ValidatorPicture,
  Watched,
} from './picture.ts'

/** Blocks that are looked through for deposits after a time in which nobody looked. */
const MOST_EVENT_BLOCKS_BACK = 8192n
/** A range of more blocks than this takes an honest endpoint longer. */
const SHORT_RANGE = 64n
/** So long, or a slot where that is longer, the events of a few blocks may take. */
const LEAST_PATIENCE_MS = 1000

/** What the contract says: how many deposits it has taken, the new ones for the watched validators, and who manages them. */
function contractQuestions(input: LookInput): Pick<WatchQuestions, 'count' | 'arrivals' | 'operators'> {
  const { network, validators } = input
  const { depositContract } = network.spec
  const pubkeys = validators.map(({ pubkey }) => pubkey)
  const arrivals = createArrivals(input)
  return {
    count: {
      needs: ['heads'],
      async ask(picture) {
        const execution = executionIn(picture)
        return execution && getDepositCount(execution.client, { depositContract, block: execution.height })
      },
    },
    arrivals: {
      needs: ['heads'],
      after: ['count'],
      async ask(picture, { depositsTo: from, depositsTaken: taken }) {
        const { node, execution } = healthyIn(picture)
        const [first, ...others] = execution
        if (node[0] === undefined || first === undefined) return undefined
        return arrivals([first, ...others], { from, taken, count: knownOf(picture.count) })
      },
    },
    operators: {
      needs: ['heads'],
      due: (picture) => !isOfNow(lastOf(picture.operators), executionIn(picture), epochIn(picture, network)),
      async ask(picture) {
        const epoch = epochIn(picture, network)
        const execution = executionIn(picture)
        if (execution === undefined || epoch === undefined) return undefined
        const { client } = execution
        return {
          epoch,
          by: client.label,
          operators: await askOperators(client, { pubkeys, depositContract }),
        }
      },
    },
  }
}

type Execution = HealthyOne<ExecutionClient>
/** Blocks after `from` up to `to`, and how many deposits the contract had taken at both ends, where that is known. */
type Range = { from: bigint; to: bigint; taken: bigint | undefined; count: bigint | undefined }
/**
 * While the first endpoint doesn't give the events: who lacked them when they were asked for last, and how far others gave
 * them in its place. `told` are those deposits, which the first one names once more when it gives them.
 */
type Gap = {
  lacking: readonly LackingLogs[]
  read: Pick<Range, 'from' | 'taken'>
  told: ReadonlySet<string>
  isUnread: boolean
}

/**
 * Asks for the deposits for the watched validators in blocks that no look has seen, up to the head of the first endpoint.
 * While the contract has taken no more of them nothing is asked for; `count` is how many it had taken in that very block, so
 * that none is passed over that came with a later one. Events count where there are as many as the contract has taken since,
 * one number after the other. An endpoint that doesn't give them is replaced by the next one, and asked again, by the pace of
 * what that took: what others gave in its place is told, and stays open until it bears that out itself.
 */
function createArrivals({ effects: { clock }, network, validators, isOwnTransaction }: LookInput) {
  const { slotMs, spec } = network
  const address = spec.depositContract
  /** How many there were when all were looked for, and by whom. */
  let counted: { to: bigint | undefined; by: string } | undefined
  let gap: Gap | undefined
  const pace = createStatePace(clock)
  const countAt = (client: ExecutionClient, block: bigint) =>
    getDepositCount(client, { depositContract: address, block })

  const read = async (
    { client }: Execution,
    { from, to, taken, count }: Range,
  ): Promise<DepositLog[] | LackingLogs> => {
    const oldest = to > MOST_EVENT_BLOCKS_BACK ? to - MOST_EVENT_BLOCKS_BACK : 0n
    const fromBlock = from + 1n > oldest ? from + 1n : oldest
    const mostMs = to - from > SHORT_RANGE ? patienceOf(slotMs) : Math.max(slotMs, LEAST_PATIENCE_MS)
    const bounded = boundEndpoint(client, { clock, mostMs }).client
    const name = endpointName(client.label)
    try {
      const made = await getDepositLogs(bounded, { address, fromBlock, toBlock: to })
      if (count === undefined) return made
      const before =
        fromBlock === from + 1n ? (taken ?? (await unlessSilent(countAt(bounded, from)))) : undefined
      if (areAllDeposits(made, { before, taken: count })) return made
      const given = formatCount(BigInt(made.length))
      return {
        name,
        why: `${name} gives ${given} deposit events, not those up to the contract's count of ${formatCount(count)}.`,
      }
    } catch (thrown) {
      if (!(thrown instanceof ClientError)) throw thrown
      return { name, why: failureWords(thrown) }
    }
  }

  const watchedIn = (logs: readonly DepositLog[], told: ReadonlySet<string>) => {
    const found = new Map<Hex, DepositPicture[]>()
    for (const { event, block: blockSlot, hash: transactionHash } of logs) {
      const pubkey = validators.find((each) => sameHex(event.pubkey, each.pubkey))?.pubkey
      if (pubkey === undefined || told.has(`${event.index} ${transactionHash}`)) continue
      const { index, amountGwei } = event
      const isOwn = isOwnTransaction(transactionHash)
      const before = found.get(pubkey) ?? []
      found.set(pubkey, [...before, { index, blockSlot, amountGwei, transactionHash, isOwn }])
    }
    return found
  }

  return async (
    [first, ...others]: readonly [Execution, ...Execution[]],
    {
      from,
      taken,
      count,
    }: { from: bigint | undefined; taken: bigint | undefined; count: bigint | undefined },
  ): Promise<Arrivals | undefined> => {
    const { height: to, isOwn } = first
    const { label: by } = first.client
    const whole = (deposits: Arrivals['deposits'] = new Map()): Arrivals => {
      counted = { to: count, by }
      if (isOwn) gap = undefined
      return { deposits, lacking: [], to, taken: count }
    }
    if (from === undefined || from === to) return whole()
    if (to < from) return undefined
    // Whoever is asked in the place of an own one is measured by nothing: its count is its own word.
    const range = { from, to, taken, count: isOwn ? count : undefined }
    const isNews = count === undefined || count !== counted?.to || counted.by !== by
    const mayAskAgain = gap === undefined || pace.isOver(SLOTS_BETWEEN_STATES * slotMs)
    if (!isNews && gap === undefined) return whole()
    const before: Gap = gap ?? { lacking: [], read: { from, taken }, told: new Set(), isUnread: false }
    const open = (deposits: Arrivals['deposits'], now: Gap): Arrivals => {
      gap = now
      return { deposits, ...openOf(now, range) }
    }
    const given = (one: Execution, asked: Range) => pace.ask(() => read(one, asked))
    const lacking: LackingLogs[] = []
    if (mayAskAgain) {
      const own = await given(first, range)
      if (!('why' in own)) return whole(watchedIn(own, before.told))
      lacking.push(own)
    }
    const isOpen = before.isUnread ? mayAskAgain : isNews
    if (!isOpen) return open(before.isUnread ? undefined : new Map(), before)
    for (const one of others.filter(({ height }) => height >= to)) {
      const logs = await given(one, { ...range, ...before.read })
      if ('why' in logs) {
        lacking.push(logs)
        continue
      }
      counted = { to: count, by }
      const told = new Set([...before.told, ...logs.map(({ event, hash }) => `${event.index} ${hash}`)])
      const lackedBy = mayAskAgain ? lacking : before.lacking
      const now = { lacking: lackedBy, read: { from: to, taken: range.count }, told, isUnread: false }
      return open(watchedIn(logs, before.told), now)
    }
    return open(undefined, { ...before, lacking: mayAskAgain ? lacking : before.lacking, isUnread: true })
  }
}

/** What is open while the first endpoint lacks the events. */
function openOf({ lacking, isUnread, read }: Gap, { count }: Range): LogsPicture {
  const unread = count === undefined || read.taken === undefined ? undefined : count - read.taken
  return { lacking, ...(isUnread && { unread: { fromBlock: read.from + 1n, count: unread } }) }
}

/** Who manages the rewards of each of these validators, and who is queued to. Left out is of whom nobody says it. */
async function askOperators(
  client: ExecutionClient,
  { pubkeys, depositContract }: { pubkeys: readonly Hex[]; depositContract: Hex },
): Promise<ReadonlyMap<Hex, OperatorPicture>> {
  const found = new Map<Hex, OperatorPicture>()
  for (const pubkey of pubkeys) {
    const asked = { depositContract, pubkey }
    const replies = await unlessSilent(
      Promise.all([getOperator(client, asked), getQueuedOperator(client, asked)]),
    )
    if (replies === undefined) continue
    const [operator, queued] = replies
    // Nobody has deposited for it yet: the first operator is no change.
    if (operator === ZERO_ADDRESS) continue
    found.set(pubkey, queued === undefined ? { operator } : { operator, queued })
  }
  return found
}

/** So many blocks are made up for after a time in which nobody looked; older ones are left out. */
const MOST_SIGNED_BLOCKS_BACK = 16n
/** The flags of a commit: signed alone, or as part of a signature of many, which one of them carries. */
const SIGNED: readonly number[] = [2, 4, 5]
/** Voted, for no block: the block came too late to this validator. */
const FOR_NO_BLOCK: readonly number[] = [3, 6, 7]
/** A member that signed none of so many blocks in a row does not run: a block that it missed as well says nothing. */
const BLOCKS_TO_BE_GONE = 32

type SignedBlocks = NonNullable<ValidatorPicture['signed']>

/** Asks the engine for the commits since the last picture, and checks which of them the watched validators signed. */
function signedQuestions({ network, validators }: LookInput): Pick<WatchQuestions, 'signed'> {
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
      [least, readTo, to - MOST_SIGNED_BLOCKS_BACK].reduce((one, other) => (other > one ? other : one)) + 1n
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

/** Who looks at a network again and again, with small questions wherever these are enough. */
export type Looker = {
  /** One look. What nobody answered is left out of it. Rejects only when the effects end. */
  look(memory: WatchMemory): Promise<NetworkPicture>
}

/** Creates what takes the pictures of a watch. */
export function createLooker(input: LookInput): Looker {
  const { questions, picture } = watchQuestions(input)
  const observer = createObserver<WatchAnswers, WatchMemory>(
    { ...questions, ...setQuestions(input) },
    input.effects,
  )
  return {
    async look(memory) {
      return picture(await observer.look(memory))
    },
  }
}

/** Returns the questions of a watch besides the validator set and its records, and how their replies form a picture. */
export function watchQuestions(input: LookInput): {
  questions: Omit<WatchQuestions, 'set' | 'records'>
  picture(known: WatchPicture): NetworkPicture
} {
  const { effects, network, endpoints } = input
  const clients = {
    nodes: endpoints.node.map((url) =>
      createNodeClient(effects, url, { proofNamespace: network.names.proofNamespace }),
    ),
    executions: endpoints.execution.map((url) => createExecutionClient(effects, url)),
    engines: endpoints.engine.map((url) => createEngineClient(effects, url)),
  }
  const [node, execution, engine] = [clients.nodes[0], clients.executions[0], clients.engines[0]]
  const own = createNodeMemory(input)
  const setIn = createSetReader(input)
  return {
    questions: {
      heads: headsQuestion(input, { clients, hear: own.hear }),
      ...contractQuestions(input),
      ...nodeQuestions(input, { node, execution, engine }),
      ...signedQuestions(input),
    },
    picture(known) {
      const { heads = [], nodeKey, engine: engineHead } = knownOf(known.heads) ?? {}
      const { reported } = lastOf(known.forks) ?? {}
      const { validators, ...forks } = setIn(known)
      const signed = knownOf(known.signed)
      const { isRefuted, unproven, proof } = lastOf(known.set)?.snapshot ?? {}
      const isSigned = proof !== undefined && (engine === undefined || proof.signed !== undefined)
      return {
        atMs: effects.clock.nowMs(),
        heads,
        others: isRefuted ? ['node', 'execution', 'engine'] : healthyIn(known).others,
        ...(isRefuted && unproven !== undefined ? { refuted: unproven } : {}),
        ...(isSigned && { isSigned }),
        ...forks,
        ...(reported === undefined ? {} : { namedForks: reported }),
        ...(engineHead === undefined ? {} : { headTimeMs: engineHead.latestBlockTimeMs }),
        validators: validators.map((each) => {
          const blocks = signed?.get(each.pubkey)
          return blocks === undefined ? each : { ...each, signed: blocks }
        }),
        node: own.look(known),
        ...(nodeKey === undefined ? {} : { nodeKey }),
      }
    },
  }
}
