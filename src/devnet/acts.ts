import { SecretKey } from '@chainsafe/blst'
import { encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { type Gwei, gweiToWei } from '../core/base/format/amount.ts'
import { bytesToHex, type Hex, sameHex } from '../core/base/format/hex.ts'
import { compareStake } from '../core/chain/consensus/process-epoch.ts'
import { activeSet, type ConsensusState, epochOfSlot, isActive } from '../core/chain/consensus/state.ts'
import type { Chain } from './consensus/chain.ts'
import type { RehearsalExecution } from './execution/start.ts'
import { type RehearsalValidatorKey, seededBytes, validatorKey } from './keys.ts'
import type { LoopbackServer } from './loopback-server.ts'
import { type LostDeposit, type Plan, type Rival, SECOND_NODE, withdrawalCredentials } from './scenarios.ts'
import type { Note } from './story.ts'

const ABI = parseAbi([
  'function deposit(bytes pubkey, bytes credentials, bytes signature, address operator) payable',
  'function getOperator(bytes pubkey) view returns (address)',
  'function requestOperatorChange(bytes pubkey, address newOperator)',
  'function cancelOperatorChange(bytes pubkey)',
])
const GAS_LIMIT = '0x7a120'

/**
 * Puts a first deposit for the fresh key into the pool. Its signature is made the way Ethereum's tools make them,
 * so the contract takes it, the operator is set for ever, and consensus ignores it.
 */
export async function sendLostDeposit(
  execution: RehearsalExecution,
  plan: Plan,
  lost: LostDeposit,
): Promise<void> {
  const { address } = lost.sender === 'user' ? plan.user : plan.stranger
  const args = [plan.fresh.pubkey, withdrawalCredentials(address), foreignSignature(plan), address] as const
  await payFrom(execution, { from: address, args, amountGwei: lost.amountGwei }, plan)
}

/** What stands where a top-up has no credentials and no signature. */
const NOTHING = { credentials: `0x${'00'.repeat(32)}`, signature: `0x${'00'.repeat(96)}` } as const

/** Puts a stranger's top-up of a validator into the pool. */
async function sendTopUp(
  execution: RehearsalExecution,
  plan: Plan,
  { pubkey, topUpGwei }: Rival,
): Promise<void> {
  const args = [pubkey, NOTHING.credentials, NOTHING.signature, zeroAddress] as const
  await payFrom(execution, { from: plan.stranger.address, args, amountGwei: topUpGwei }, plan)
}

async function payFrom(
  execution: RehearsalExecution,
  { from, args, amountGwei }: { from: Hex; args: readonly [Hex, Hex, Hex, Hex]; amountGwei: Gwei },
  { spec }: Plan,
): Promise<void> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'deposit', args })
  const value: Hex = `0x${gweiToWei(amountGwei).toString(16)}`
  await sendFrom(execution, { from, to: spec.depositContract, value, data })
}

function foreignSignature(plan: Plan): Hex {
  const secret = SecretKey.fromBytes(Buffer.from(plan.fresh.secretBase64, 'base64'))
  return bytesToHex(secret.sign(seededBytes(plan.fresh.address, 'lost deposit')).toBytes())
}

/** Puts a transaction of an account of the network into the pool. */
async function sendFrom(
  { rpc }: Pick<RehearsalExecution, 'rpc'>,
  transaction: { from: Hex; to: Hex; data: Hex; value: Hex },
): Promise<void> {
  const { from } = transaction
  await rpc('hardhat_impersonateAccount', [from])
  await rpc('eth_sendTransaction', [{ ...transaction, gas: GAS_LIMIT }])
  await rpc('hardhat_stopImpersonatingAccount', [from])
}

/**
 * The rival of a scenario, if it has one. It adds to its own validator once, in the first block of an epoch: from there
 * it takes three epochs until somebody loses a place by it, the most time that there can be for an answer. `arrivedAt`: the
 * slot in which the user came to the last step.
 */
export function createRival(plan: Plan, execution: RehearsalExecution, arrivedAt: () => bigint | undefined) {
  const { rival } = plan
  let waits = rival !== undefined
  const isDue = ({ after, laterSlots }: Rival, slot: bigint, state: ConsensusState): boolean => {
    if (after === 'active') return isSettled(state, slot - laterSlots, plan)
    const arrived = arrivedAt()
    return arrived !== undefined && slot >= arrived + laterSlots
  }
  return {
    /** Acts, if its time has come, so that its deposit is in the block of `slot`. */
    async actBefore(slot: bigint, state: ConsensusState): Promise<void> {
      if (!waits || rival === undefined || !isDue(rival, slot, state)) return
      waits = false
      await sendTopUp(execution, plan, rival)
    },
  }
}

/**
 * The node of a scenario that stops answering once the user's validator has been active for an epoch, and answers again
 * some slots later. The chain goes on meanwhile without its signatures, and its execution client answers all along.
 */
export function createSilence(
  plan: Plan,
  {
    servers,
    chain,
    note,
  }: { servers: readonly LoopbackServer[]; chain: Pick<Chain, 'withhold'>; note: Note },
) {
  const { silentSlots } = plan
  let waits = silentSlots !== undefined
  let endsAt: bigint | undefined
  return {
    /** Acts, if its time has come, before the block of `slot`. */
    actBefore(slot: bigint, state: ConsensusState): void {
      if (endsAt !== undefined && slot >= endsAt) {
        endsAt = undefined
        chain.withhold([])
        for (const server of servers) server.resume()
        note({ id: 'node-back', slot, blocks: silentSlots ?? 0 })
      }
      if (!waits || silentSlots === undefined) return
      if (!isSettled(state, slot, plan)) return
      waits = false
      endsAt = slot + BigInt(silentSlots)
      chain.withhold([plan.fresh.pubkey])
      for (const server of servers) server.pause()
      note({ id: 'node-stopped', slot, blocks: silentSlots })
    },
  }
}

/**
 * The second node of a network that is asked for one: once the user's validator has been active for an epoch its own node runs with
 * another key, as one does that was moved, and for some slots somewhere else a node signs with the key of the home.
 */
export function createSecondNode(plan: Plan, { isAsked }: { isAsked: boolean }) {
  let waits = isAsked
  let endsAt: bigint | undefined
  const other = validatorKey(plan.seed, SECOND_NODE)
  return {
    /** The key with which the node of the home runs. */
    ownKey: (): RehearsalValidatorKey => (endsAt === undefined ? plan.fresh : other),
    /** Acts, if its time has come, before the block of `slot`. */
    actBefore(slot: bigint, state: ConsensusState): void {
      if (endsAt !== undefined && slot >= endsAt) endsAt = undefined
      if (!waits || !isSettled(state, slot, plan)) return
      waits = false
      endsAt = slot + SECOND_NODE_SLOTS
    },
  }
}

/** For so many slots the key signs elsewhere. */
const SECOND_NODE_SLOTS = 60n

/** Blocks that the user's validator misses alone, and, after as many that it signs, with many others. */
const MISSED_BLOCKS = 8n
/** Others that miss blocks with it: more than a third of them by number, less than a third of the power. */
const OTHERS_MISSING = 4
/** From the queueing of an operator change to its end. */
const QUEUED_SLOTS = 40n

/**
 * The troubles of a scenario, from the first block on in which the user's validator has been active for an epoch: it
 * misses an epoch of blocks, one epoch later another one that many miss, and whoever has the key of its operator queues an
 * operator change and cancels it five epochs later. Where the user's account is not the operator, nobody queues one.
 */
export function createTroubles(
  plan: Plan,
  { execution, chain, note }: { execution: RehearsalExecution; chain: Pick<Chain, 'withhold'>; note: Note },
) {
  const { spec, user, stranger } = plan
  let beganAt: bigint | undefined
  /** Whether the user's account is the operator, and so has sent it. */
  const send = async (data: Hex): Promise<boolean> => {
    const asked = encodeFunctionData({ abi: ABI, functionName: 'getOperator', args: [plan.fresh.pubkey] })
    const operator = await execution.rpc('eth_call', [{ to: spec.depositContract, data: asked }, 'latest'])
    if (!sameHex(String(operator).slice(-40), user.address.slice(2))) return false
    await sendFrom(execution, { from: user.address, to: spec.depositContract, data, value: '0x0' })
    return true
  }
  return {
    /** Acts, if its time has come, before the block of `slot`. */
    async actBefore(slot: bigint, state: ConsensusState): Promise<void> {
      if (!plan.troubles) return
      if (beganAt === undefined && !isSettled(state, slot, plan)) return
      beganAt ??= slot
      const since = slot - beganAt
      const { pubkey } = plan.fresh
      if (since === 0n) {
        const args = [pubkey, stranger.address] as const
        chain.withhold([pubkey])
        if (await send(encodeFunctionData({ abi: ABI, functionName: 'requestOperatorChange', args })))
          note({ id: 'operator-queued', slot })
      }
      if (since === 2n * MISSED_BLOCKS) chain.withhold([pubkey, ...weakest(state, plan)])
      if (since === MISSED_BLOCKS || since === 3n * MISSED_BLOCKS) {
        chain.withhold([])
        note({ id: 'missed', slot, blocks: Number(MISSED_BLOCKS) })
      }
      if (since === QUEUED_SLOTS) {
        const data = encodeFunctionData({ abi: ABI, functionName: 'cancelOperatorChange', args: [pubkey] })
        if (await send(data)) note({ id: 'operator-cancelled', slot })
      }
    },
  }
}

/** The others of the active set with the least stake. */
function weakest(state: ConsensusState, { spec, fresh }: Plan): Hex[] {
  return activeSet(state, epochOfSlot(state.slot, spec))
    .filter(({ pubkey }) => pubkey !== fresh.pubkey)
    .sort(compareStake)
    .slice(0, OTHERS_MISSING)
    .map(({ pubkey }) => pubkey)
}

/** Whether an epoch begins with `slot` and the user's validator has been active in the whole one before. */
function isSettled({ validators }: ConsensusState, slot: bigint, { spec, fresh }: Plan): boolean {
  if (slot % spec.slotsPerEpoch !== 0n) return false
  const user = validators.find(({ pubkey }) => pubkey === fresh.pubkey)
  return user !== undefined && isActive(user, epochOfSlot(slot, spec) - 1n)
}
