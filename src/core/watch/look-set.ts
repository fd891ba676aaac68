import type { ExecutionClient } from '../clients/execution/client.ts'
import { getDepositCount } from '../clients/execution/get-deposit-count.ts'
import { getLogs } from '../clients/execution/get-logs.ts'
import { getOperator } from '../clients/execution/get-operator.ts'
import type { NodeClient } from '../clients/node/client.ts'
import { getFork } from '../clients/node/get-fork.ts'
import { getValidators } from '../clients/node/get-validators.ts'
import type { ValidatorRecord } from '../clients/node/validator-record.ts'
import { proveSurvey } from '../clients/prove-survey.ts'
import { readReportedSurvey } from '../clients/read-reported-survey.ts'
import { unlessSilent } from '../clients/unless-silent.ts'
import { forkIsKnown } from '../consensus/fork-outlook.ts'
import type { Survey } from '../consensus/survey.ts'
import { waitingDeposits } from '../consensus/survey.ts'
import { DEPOSIT_TOPIC } from '../deposit/abi.ts'
import { decodeDepositLog } from '../deposit/event.ts'
import { StateMismatchError } from '../errors/proofs.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import type { Own } from '../steps/status/own.ts'
import type { Healthy, LookInput } from './look.ts'
import type { WatchMemory } from './memory.ts'
import {
  type SeenDeposit,
  type SeenOperator,
  type SeenValidator,
  type Sighting,
  type Watched,
  wayAhead,
} from './sighting.ts'

/** Blocks that are looked through for deposits after a time in which nobody looked. */
const MOST_BLOCKS_BACK = 8192n
/** The whole state is asked for again at once where something depends on it, but never for more than this share of the time. */
const SHARE_OF_TIME = 20
/** Where nothing depends on it, an attempt that failed is made again after so many slots. */
const SLOTS_BETWEEN_ATTEMPTS = 8n

/** The set that was read last, and what was so when it was. */
type Read = {
  survey: Survey
  epoch: bigint
  deposits: bigint | undefined
  /** What the node reported of the watched validators then. */
  records: string
}

type Given = { healthy: Healthy; head: bigint | undefined }
type SetSeen = Pick<Sighting, 'validators' | 'depositsTo' | 'fork'>

/**
 * What a look sees of the watched validators and of the set. In every slot only small questions are asked: the own
 * records, how many deposits the contract has taken, the new ones of these. The whole state is asked for and hashed when an
 * epoch begins, when a record of theirs or the number of deposits has changed, while deposits wait, and while one of them
 * drops out.
 */
export function createSetLook({ effects, network, validators, isOwnTransaction }: LookInput) {
  const { clock } = effects
  const { spec } = network
  const pubkeys = validators.map(({ pubkey }) => pubkey)
  let read: Read | undefined
  let notBeforeMs = 0
  let triedAt: bigint | undefined
  let fork: { epoch: bigint; seen: NonNullable<Sighting['fork']> } | undefined
  let operators: { epoch: bigint; seen: ReadonlyMap<Hex, SeenOperator> } | undefined
  let countedTo: bigint | undefined

  const readSet = async (
    { healthy, head }: Given,
    now: { deposits: bigint | undefined; records: readonly ValidatorRecord[] },
  ): Promise<void> => {
    const { node, execution } = healthy
    const [first, second] = execution
    if (node === undefined || first === undefined || head === undefined) return
    const startedMs = clock.monotonicMs()
    const clients = { node, execution: first, second }
    const survey = await surveyOf(clients, { network, keep: pubkeys[0], clock })
    const endedMs = clock.monotonicMs()
    notBeforeMs = endedMs + SHARE_OF_TIME * (endedMs - startedMs)
    triedAt = head
    if (survey === undefined) return
    const epoch = survey.consensus.slot / spec.slotsPerEpoch
    read = { survey, epoch, deposits: now.deposits, records: contentOf(now.records) }
  }

  const isDue = (
    memory: WatchMemory,
    head: bigint,
    now: { deposits: bigint | undefined; records: readonly ValidatorRecord[] },
  ): boolean => {
    if (clock.monotonicMs() < notBeforeMs) return false
    if (read === undefined) return triedAt === undefined || head >= triedAt + SLOTS_BETWEEN_ATTEMPTS
    const { survey } = read
    const isNewer = head > survey.consensus.slot + 1n
    if (!isNewer) return false
    // The state that is proven is one slot behind the head.
    if ((head - 1n) / spec.slotsPerEpoch !== read.epoch) return true
    if (now.deposits !== undefined && now.deposits !== read.deposits) return true
    if (now.records.length > 0 && contentOf(now.records) !== read.records) return true
    if (waitingDeposits(survey).length > 0) return true
    return memory.alarms.some(({ alarm }) => alarm === 'drops-out')
  }

  const atEpoch = async (node: NodeClient, execution: ExecutionClient | undefined, head: bigint) => {
    const epoch = head / spec.slotsPerEpoch
    if (fork?.epoch !== epoch && read !== undefined) {
      const said = await unlessSilent(getFork(node, { state: 'head' }))
      const { timestampSeconds, consensus } = read.survey
      if (said !== undefined) {
        const now = { version: said.currentVersion, slot: consensus.slot, timestampSeconds }
        fork = { epoch, seen: { version: said.currentVersion, isKnown: forkIsKnown(now, spec) } }
      }
    }
    if (operators?.epoch !== epoch && execution !== undefined)
      operators = { epoch, seen: await operatorsOf(execution, pubkeys, spec.depositContract) }
  }

  return {
    async look(memory: WatchMemory, given: Given): Promise<SetSeen> {
      const { healthy, head } = given
      const { node } = healthy
      const [execution] = healthy.execution
      if (node === undefined || head === undefined) return { validators: validators.map(bare) }
      const [records, deposits] = await Promise.all([
        unlessSilent(getValidators(node, { state: 'head', ids: pubkeys })),
        execution && unlessSilent(getDepositCount(execution, { depositContract: spec.depositContract })),
      ])
      if (isDue(memory, head, { deposits, records: records ?? [] }))
        await unlessSilent(readSet(given, { deposits, records: records ?? [] }))
      await atEpoch(node, execution, head)
      const arrived =
        execution === undefined
          ? undefined
          : await arrivals(execution, { memory, block: head, count: deposits })
      const seen = validators.map((each) => ({
        ...validatorSeen(each, { records, read, deposits, head }),
        ...(arrived === undefined ? {} : { deposits: arrived.get(each.pubkey) ?? [] }),
        ...operatorIn(operators?.seen, each.pubkey),
      }))
      return {
        validators: seen,
        ...(fork === undefined ? {} : { fork: fork.seen }),
        ...(arrived === undefined ? {} : { depositsTo: head }),
      }
    },
  }

  /** The deposits of blocks that no look has seen; undefined where that cannot be told. */
  async function arrivals(
    client: ExecutionClient,
    { memory, block, count }: { memory: WatchMemory; block: bigint; count: bigint | undefined },
  ): Promise<ReadonlyMap<Hex, readonly SeenDeposit[]> | undefined> {
    const found = new Map<Hex, SeenDeposit[]>()
    const { depositsTo } = memory
    const isNews = count === undefined || count !== countedTo
    if (depositsTo !== undefined && depositsTo < block && isNews) {
      const oldest = block > MOST_BLOCKS_BACK ? block - MOST_BLOCKS_BACK : 0n
      const fromBlock = depositsTo + 1n > oldest ? depositsTo + 1n : oldest
      const address = spec.depositContract
      const logs = await unlessSilent(
        getLogs(client, { address, topic: DEPOSIT_TOPIC, fromBlock, toBlock: block }),
      )
      if (logs === undefined) return undefined
      for (const log of logs) {
        const event = decodeDepositLog(log, address)
        const pubkey = pubkeys.find((each) => event !== undefined && sameHex(event.pubkey, each))
        const { transactionHash, blockNumber: blockSlot } = log
        if (event === undefined || pubkey === undefined) continue
        if (transactionHash === undefined || blockSlot === undefined) continue
        const { index, amountGwei } = event
        const isOwn = isOwnTransaction(transactionHash)
        const before = found.get(pubkey) ?? []
        found.set(pubkey, [...before, { index, blockSlot, amountGwei, transactionHash, isOwn }])
      }
    }
    countedTo = count
    return found
  }

  function validatorSeen(
    watched: Watched,
    now: {
      records: readonly ValidatorRecord[] | undefined
      read: Read | undefined
      deposits: bigint | undefined
      head: bigint
    },
  ): SeenValidator {
    const { pubkey } = watched
    const { records, head } = now
    const said = records?.find((record) => sameHex(record.validator.pubkey, pubkey))
    const isSame = now.read !== undefined && records !== undefined && contentOf(records) === now.read.records
    const survey = isSame && now.read?.epoch === head / spec.slotsPerEpoch ? now.read.survey : undefined
    const record = reportedOwn(said, records, head)
    const shape = { ...watched, ...(record === undefined ? {} : { record }) }
    const proof = survey?.proof
    const isNewest = now.deposits !== undefined && now.deposits === now.read?.deposits
    const set = now.read?.survey
    return {
      ...shape,
      level: proof === undefined ? { by: 'report' } : { by: 'proof', anchors: proof.anchors },
      ...(set === undefined ? {} : wayAhead(set, pubkey, { network, isNewest })),
    }
  }

  function reportedOwn(
    said: ValidatorRecord | undefined,
    records: readonly ValidatorRecord[] | undefined,
    head: bigint,
  ): Own | 'absent' | undefined {
    if (records === undefined) return undefined
    if (said === undefined) return 'absent'
    const { index, validator, balanceGwei } = said
    return { index, validator, balanceGwei, slot: head, epoch: head / spec.slotsPerEpoch }
  }
}

function bare({ pubkey, name }: Watched): SeenValidator {
  return name === undefined ? { pubkey } : { pubkey, name }
}

function contentOf(records: readonly ValidatorRecord[]): string {
  return JSON.stringify(records, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}

/** The proven set, else the reported one; undefined where the state is not the chain's. */
async function surveyOf(
  clients: Parameters<typeof proveSurvey>[0],
  options: Parameters<typeof proveSurvey>[1],
): Promise<Survey | undefined> {
  try {
    const found = await proveSurvey(clients, options)
    if ('consensus' in found) return found
    return await readReportedSurvey(clients, { ...options, unproven: found.unproven })
  } catch (thrown) {
    if (thrown instanceof StateMismatchError) return undefined
    throw thrown
  }
}

async function operatorsOf(
  execution: ExecutionClient,
  pubkeys: readonly Hex[],
  depositContract: Hex,
): Promise<ReadonlyMap<Hex, SeenOperator>> {
  const found = new Map<Hex, SeenOperator>()
  for (const pubkey of pubkeys) {
    const operator = await unlessSilent(getOperator(execution, { depositContract, pubkey }))
    if (operator !== undefined) found.set(pubkey, { operator })
  }
  return found
}

function operatorIn(
  seen: ReadonlyMap<Hex, SeenOperator> | undefined,
  pubkey: Hex,
): Pick<SeenValidator, 'operator'> {
  const operator = seen?.get(pubkey)
  return operator === undefined ? {} : { operator }
}
