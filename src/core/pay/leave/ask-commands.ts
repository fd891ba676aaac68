import { failureWords, unawaited } from '../../base/errors/base.ts'
import { ClientError } from '../../base/errors/client.ts'
import type { Gwei } from '../../base/format/amount.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import type { QueuedRequest } from '../../chain/consensus/leave-outlook.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import {
  encodeWithdrawalCall,
  excessOfFee,
  feeWithRoomWei,
  REQUESTS_CONTRACT,
  requestOfLog,
} from '../../chain/deposit/withdrawal-call.ts'
import { isContractCode } from '../../chain/identity/check-address.ts'
import { mayHoldLog } from '../../chain/proofs/execution-proof.ts'
import { getBlockNumber, latestBlock } from '../../clients/execution/blocks.ts'
import { getCode } from '../../clients/execution/call.ts'
import { getBalance } from '../../clients/execution/chain.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { proveLogs } from '../../clients/execution/prove-account.ts'
import { getRequestFee, getWithdrawalRequests } from '../../clients/execution/withdrawal-requests.ts'
import { readSnapshot } from '../../clients/prove-snapshot.ts'
import { readNonces } from '../../clients/read-uncounted.ts'
import { asker, type Clients, type CommandContext, clientsOf } from '../../observe/context.ts'
import { type Observed, withObservation } from '../../view/observation.ts'
import { nothingAsked } from '../../view/rows.ts'
import { sendCommands } from '../gate/cast.ts'
import { askGateChain, dryRun, finalNonceOf, offeredFees } from '../gate/chain-commands.ts'
import type { WithKept } from '../gate/commitments.ts'
import { gasLimitFor } from '../wallet/fees.ts'
import { safeBatch } from '../wallet/safe-batch.ts'
import {
  type AboutLeave,
  LEAVE_FACTS,
  type LeaveAnswers,
  leaveOutcome,
  neededOf,
  withdrawalAddressOf,
} from './facts.ts'
import { fatesOf, unexplained } from './fates.ts'
import type { LeaveRequest } from './picture.ts'
import { LEAVE_TEXT } from './text.ts'

export type LeaveContext = Pick<CommandContext<never>, 'effects' | 'setup' | 'signal' | 'facts'> & WithKept
type Tell = (entry: Observed<LeaveAnswers>) => Promise<void>

/**
 * Asks everything that a withdrawal request rests on, at every execution endpoint, and resolves to the answers of this
 * asking. Of a request that would be dropped nothing more is asked: none is made.
 */
export async function askLeave(
  context: LeaveContext,
  { pubkey, amountGwei }: Pick<AboutLeave, 'pubkey' | 'amountGwei'>,
  tell: Tell = async () => undefined,
): Promise<AboutLeave> {
  const { setup, effects } = context
  const clients = clientsOf(context)
  const { node, execution, second, signed } = clients
  const about = { observed: nothingAsked(LEAVE_FACTS), setup, pubkey, amountGwei }
  const ask = asker<LeaveAnswers>(context, LEAVE_FACTS, (entry) => {
    about.observed = withObservation(about.observed, entry)
    return tell(entry)
  })
  const all = second === undefined ? [execution] : [execution, second]
  const latest = unawaited(latestBlock(execution))
  const chainAsked = unawaited(ask('chain', () => askGateChain(context, { clients, latest })))
  const set = await ask('set', async () => {
    const options = { network: setup.network, keep: pubkey, clock: effects.clock }
    const [snapshot, block] = await Promise.all([
      readSnapshot({ node, execution, second, signed }, options),
      latest,
    ])
    const behindSlots = block.number - snapshot.consensus.slot
    return { snapshot, behindSlots }
  })
  const since = set && (await ask('requests', () => requestsSince(clients, set.snapshot)))
  const madeAsked =
    set && unawaited(ask('made', () => requestsMade(all, set.snapshot, { setup, pubkey, since })))
  const outcome = leaveOutcome(about)
  const address = set && withdrawalAddressOf(set.snapshot, about)
  if (
    address !== undefined &&
    amountGwei !== undefined &&
    (outcome?.is === 'exit' || outcome?.is === 'part')
  ) {
    const [wallet, fee] = await Promise.all([
      ask('wallet', () => walletAt(all, address)),
      ask('fee', () => feeNow(all, clients)),
      ask('open', async () => ({ kept: await context.kept(), final: await finalNonceOf(all, address) })),
    ])
    // Who cannot pay the fee is refused for that, and by nothing that an endpoint says of it.
    if (wallet !== undefined && fee !== undefined && wallet.balanceWei >= (neededOf(about) ?? 0n))
      await ask('dryRun', () => dryRunAt(all, wallet, { valueWei: fee.valueWei, pubkey, amountGwei }))
  }
  await Promise.all([chainAsked, madeAsked])
  return about
}

/** Twice as long as a part waits, and an exit: what was paid is told for as long again. */
function lookBackSlots({ network: { spec } }: AboutLeave['setup']): bigint {
  return 2n * (spec.withdrawabilityDelayEpochs + 2n) * spec.slotsPerEpoch
}

/** So many signed blocks are looked at for what a state does not hold yet. */
const MOST_SIGNED_BLOCKS = 16n

/**
 * The requests of anybody behind a state, as the blocks that the set signed hold them: a block without one shows that by its
 * bloom, else its receipts are all there. undefined where that cannot be had.
 */
async function signedRequests(
  { signed, execution, second }: Pick<Clients, 'signed' | 'execution' | 'second'>,
  { consensus: { slot } }: SetSnapshot,
): Promise<LeaveAnswers['requests'] | undefined> {
  const toBlock = await signed.claimedHeight()
  if (toBlock === undefined || toBlock <= slot || toBlock - slot > MOST_SIGNED_BLOCKS) return undefined
  const waiting: QueuedRequest[] = []
  for (let blockSlot = slot + 1n; blockSlot <= toBlock; blockSlot += 1n) {
    const answer = await signed.blockAt(blockSlot)
    if (answer.is !== 'signed') return undefined
    const { payload } = answer.block
    if (!mayHoldLog(payload.logsBloom, { address: REQUESTS_CONTRACT, topics: [] })) continue
    const logs =
      (await proveLogs(execution, payload)) ??
      (second === undefined ? undefined : await proveLogs(second, payload))
    if (logs === undefined) return undefined
    for (const { address, data } of logs) {
      const request = sameHex(address, REQUESTS_CONTRACT) ? requestOfLog(data) : undefined
      if (request !== undefined) waiting.push({ ...request, blockSlot })
    }
  }
  return { waiting, toBlock }
}

async function requestsSince(clients: Clients, snapshot: SetSnapshot): Promise<LeaveAnswers['requests']> {
  const { execution, second } = clients
  const all = second === undefined ? [execution] : [execution, second]
  return (await signedRequests(clients, snapshot)) ?? requestsOfAll(all, snapshot)
}

/** The same where nothing is signed: only what every endpoint has in the same blocks, up to the newest that all of them know. */
async function requestsOfAll(
  all: readonly ExecutionClient[],
  { consensus: { slot } }: SetSnapshot,
): Promise<LeaveAnswers['requests']> {
  const heads = await Promise.all(all.map((client) => getBlockNumber(client)))
  const toBlock = heads.reduce((low, head) => (head < low ? head : low))
  const [here = [], ...others] = await Promise.all(
    all.map((client) => getWithdrawalRequests(client, { fromBlock: slot + 1n, toBlock })),
  )
  const own = JSON.stringify(here.map(writtenRequest))
  const apart = others.findIndex((there) => JSON.stringify(there.map(writtenRequest)) !== own)
  const behind = toBlock < slot ? heads.indexOf(toBlock) : -1
  const label = all[apart === -1 ? behind : apart + 1]?.label
  return { waiting: here, toBlock, ...(label === undefined ? {} : { apart: label }) }
}

type MadeInput = Pick<AboutLeave, 'setup' | 'pubkey'> & { since: LeaveAnswers['requests'] | undefined }

/** The requests for a key that any endpoint has in the last epochs. Who gives none, or leaves one out, is named. */
async function requestsMade(
  all: readonly ExecutionClient[],
  snapshot: SetSnapshot,
  { setup, pubkey, since }: MadeInput,
): Promise<LeaveAnswers['made']> {
  const { slot } = snapshot.consensus
  const back = slot - lookBackSlots(setup)
  const fromBlock = back > 0n ? back : 0n
  const replies = await Promise.all(
    all.map(async (client) => {
      try {
        const toBlock = await getBlockNumber(client)
        const found = await getWithdrawalRequests(client, { fromBlock, toBlock })
        return { client, toBlock, made: found.filter((request) => sameHex(request.pubkey, pubkey)) }
      } catch (thrown) {
        if (!(thrown instanceof ClientError)) throw thrown
        return { client, toBlock: -1n, made: [], why: failureWords(thrown) }
      }
    }),
  )
  const byText = new Map(replies.flatMap(({ made }) => made).map((one) => [writtenRequest(one), one]))
  const made = [...byText.values()].toSorted((a, b) => Number(a.blockSlot - b.blockSlot))
  const leftOut = replies.flatMap(({ client, why, toBlock, made: own }) => {
    if (why !== undefined) return [why]
    const lost = made.find(
      (one) => one.blockSlot <= toBlock && !own.some((each) => writtenRequest(each) === writtenRequest(one)),
    )
    return lost === undefined ? [] : [LEAVE_TEXT.lacksOne(endpointName(client.label), lost.blockSlot)]
  })
  const about = { network: setup.network, pubkey }
  const isTaken = unexplained(fatesOf(made, snapshot, about), snapshot, about).some(
    (one) => one.is === 'part' || one.exitEpoch * setup.network.spec.slotsPerEpoch >= fromBlock,
  )
  const isUnseen = since?.waiting.some(
    (one) => sameHex(one.pubkey, pubkey) && !made.some(({ blockSlot }) => blockSlot === one.blockSlot),
  )
  const lacks = [...leftOut, ...(isTaken || isUnseen === true ? [LEAVE_TEXT.lacksTaken] : [])].join(' ')
  // Behind the state nothing but a signed block shows whether they are all: the other row has those.
  const toBlock = replies.reduce(
    (low, { toBlock: to, why }) => (why === undefined && to < low ? to : low),
    slot,
  )
  return { made, toBlock, ...(lacks === '' ? {} : { lacks }) }
}

type Found = LeaveAnswers['made']['made'][number]

const writtenRequest = ({ transactionHash, pubkey, sourceAddress, amountGwei, blockSlot }: Found) =>
  [transactionHash, pubkey, sourceAddress, amountGwei, blockSlot].join()

/** The account of an address by every endpoint: the least that it holds, and a nonce only where all say the same. */
async function walletAt(all: readonly ExecutionClient[], address: Hex): Promise<LeaveAnswers['wallet']> {
  const replies = await Promise.all(
    all.map(async (client) => {
      const [code, balanceWei, nonces] = await Promise.all([
        getCode(client, { address }),
        getBalance(client, { address }),
        readNonces(client, { address }),
      ])
      return { label: client.label, contract: isContractCode(code), balanceWei, ...nonces }
    }),
  )
  const [first] = replies
  if (first === undefined) throw new RangeError('there is an execution endpoint')
  const apart = replies.find((one) => one.latest !== first.latest || one.contract !== first.contract)
  return {
    address,
    contract: replies.some(({ contract }) => contract),
    balanceWei: replies.reduce(
      (least, one) => (one.balanceWei < least ? one.balanceWei : least),
      first.balanceWei,
    ),
    nonce: first.latest,
    pending: Math.max(...replies.map(({ pending }) => pending)),
    ...(apart === undefined ? {} : { apart: apart.label }),
  }
}

/** The highest fee of the endpoints; one that the rule never gives is shown as it is, and refused. */
async function feeNow(
  all: readonly ExecutionClient[],
  { execution, second }: ReturnType<typeof clientsOf>,
): Promise<LeaveAnswers['fee']> {
  const [fees, price] = await Promise.all([
    Promise.all(all.map((client) => getRequestFee(client))),
    offeredFees({ execution, second }),
  ])
  const feeWei = fees.reduce((most, fee) => (fee > most ? fee : most))
  const excess = excessOfFee(feeWei)
  const valueWei = excess === undefined ? feeWei : feeWithRoomWei(excess)
  return { feeWei, valueWei, price: { gasLimit: gasLimitFor(0n), ...price } }
}

/** The call as the withdrawal address would make it, at every endpoint: the first refusal, and the most gas. */
async function dryRunAt(
  all: readonly ExecutionClient[],
  { address }: LeaveAnswers['wallet'],
  { valueWei, pubkey, amountGwei }: { valueWei: bigint; pubkey: Hex; amountGwei: Gwei },
): Promise<LeaveAnswers['dryRun']> {
  const plan = { to: REQUESTS_CONTRACT, valueWei, data: encodeWithdrawalCall({ pubkey, amountGwei }) }
  const runs = await Promise.all(all.map((client) => dryRun(client, address, plan)))
  const gas = runs.reduce((most, run) => (run.gas > most ? run.gas : most), 0n)
  return { gasLimit: gasLimitFor(gas), refusal: runs.find(({ refusal }) => refusal !== undefined)?.refusal }
}

/** Returns the text of a file for the wallet: the batch for a Safe, or the command for each kind of wallet. */
export function leaveFile(
  { transaction, from, contract }: LeaveRequest,
  about: { name: string; createdAtMs: number },
): string {
  return contract ? safeBatch(transaction, from, about) : sendCommands(transaction, from)
}
