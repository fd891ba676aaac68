import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getBlock } from '../../clients/execution/get-block.ts'
import { getLogs } from '../../clients/execution/get-logs.ts'
import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import { DEPOSIT_TOPIC } from '../../deposit/abi.ts'
import { ClientError } from '../../errors/client.ts'
import { sameHex } from '../../format/hex.ts'
import { isRecent } from '../head-is-fresh.ts'
import { depositsSince } from './deposits-commands.ts'
import { hashesOf } from './phases.ts'
import { judgeRemembered, type SaidNow } from './remembered.ts'
import { clockMs, receiptOf, type Search, slotsSince, words } from './search-track.ts'
import type { SendState } from './state.ts'
import { mayBeOurs } from './taken-track.ts'

/** Slots for which every endpoint must contradict what is remembered; one that lags a little does for a moment. */
const SLOTS_UNTIL_DISPROVED = 5

/**
 * Asks every endpoint whether the end of a payment is what the journal says. Chain facts beat the journal both ways:
 * what it calls final and the chain does not know is looked for again, and so is what it calls refused, cancelled or
 * lost and the chain has. Nothing is decided while one endpoint is silent, or while they disagree.
 */
export async function recheck(search: Search): Promise<void> {
  const { world, getState, rules, sources, since } = search
  const { step } = rules
  const [first] = sources
  if (first === undefined) return
  const replies = await Promise.allSettled(sources.map(({ client }) => askNow(search, client)))
  const said = replies.map((reply) => (reply.status === 'fulfilled' ? reply.value : undefined))
  const state = getState()
  const verdict = judgeRemembered(state, said)
  if (verdict !== 'contradicted') delete since.contradicted
  switch (verdict) {
    case 'upheld':
      await words(search, first, endWords(state))
      return world.dispatch({ step, type: 'upheld' })
    case 'silent': {
      const silent = sources.filter((_, at) => said[at] === undefined).map(({ label }) => label)
      return words(search, first, `remembered; no full answer from ${silent.join(' and ')}: waiting`)
    }
    case 'disputed':
      return words(search, first, 'remembered; the endpoints disagree: waiting')
    case 'contradicted':
      since.contradicted ??= clockMs(search)
      await words(search, first, 'remembered, and the chain says otherwise: looking again')
      if (!slotsSince(search, since.contradicted, SLOTS_UNTIL_DISPROVED)) return
      delete since.contradicted
      return world.dispatch({ step, type: 'disproved' })
  }
}

function endWords({ phase, mined }: SendState): string {
  if (phase === 'foreign') return 'not there, and its nonce is used'
  if (phase === 'reverted') return 'refused by the contract'
  return mined === undefined ? 'in a block' : `in block ${mined.blockNumber}`
}

async function askNow(search: Search, client: ExecutionClient): Promise<SaidNow> {
  const state = search.getState()
  const { prepared } = state
  if (prepared === undefined) throw notThere(client, 'the prepared transaction')
  const [receipt, nonce, latest, finalized] = await Promise.all([
    receiptOf(client, hashesOf(state)),
    getTransactionCount(client, { address: prepared.from, block: 'latest' }),
    getBlock(client, { block: 'latest' }),
    getBlock(client, { block: 'finalized' }),
  ])
  if (latest === undefined || finalized === undefined) throw notThere(client, 'its latest block')
  if (!isRecent(search.world, latest.timestamp)) throw notThere(client, 'a block of this moment')
  const isLost = receipt === undefined
  return {
    receipt,
    nonce,
    finalizedBlock: finalized.number,
    hasEvent: isLost && (await hasEvent(state, client)),
    hasOwnDeposit: state.phase === 'foreign' && isLost && (await hasOwnDeposit(search, client)),
  }
}

async function hasEvent({ mined, prepared }: SendState, client: ExecutionClient): Promise<boolean> {
  if (mined === undefined || prepared === undefined) return false
  const { blockNumber, blockHash, hash } = mined
  const range = { fromBlock: blockNumber, toBlock: blockNumber }
  const logs = await getLogs(client, { address: prepared.transaction.to, topic: DEPOSIT_TOPIC, ...range })
  return logs.some(
    (log) => sameHex(log.transactionHash ?? '', hash) && sameHex(log.blockHash ?? '', blockHash),
  )
}

async function hasOwnDeposit({ world, getState }: Search, client: ExecutionClient): Promise<boolean> {
  const { prepared, settled } = getState()
  const pubkey = world.facts().identity?.pubkey
  if (prepared === undefined || pubkey === undefined) throw notThere(client, 'the key')
  const made = await depositsSince(client, { prepared, pubkey })
  const open = made.filter(({ hash }) => hash === undefined || !settled.includes(hash))
  return open.some((one) => mayBeOurs(one, prepared))
}

function notThere({ label: endpoint }: ExecutionClient, what: string): ClientError {
  return new ClientError('not-found', { service: 'execution RPC', endpoint, what })
}
