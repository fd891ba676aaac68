import { BaseError, unawaited } from '../../base/errors/base.ts'
import { ClientError } from '../../base/errors/client.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import type { Hex } from '../../base/format/hex.ts'
import { MOST_SLOTS_APART } from '../../chain/network/network.ts'
import { addressIn, DEPOSIT_SLOTS } from '../../chain/proofs/execution-proof.ts'
import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getBlock } from '../../clients/execution/blocks.ts'
import { call, getCode, getDepositCount, getOperator } from '../../clients/execution/call.ts'
import { getBalance, getChainId } from '../../clients/execution/chain.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { getTransactionCount } from '../../clients/execution/transactions.ts'
import { getHeader } from '../../clients/node/blocks.ts'
import { createNodeClient } from '../../clients/node/client.ts'
import { proveAtAnchor } from '../../clients/prove-contract.ts'
import { trySnapshot } from '../../clients/prove-snapshot.ts'
import type { SnapshotClients } from '../../clients/prove-validator.ts'
import { readNonces } from '../../clients/read-uncounted.ts'
import { inTime, SLOTS_BETWEEN_STATES, setMayHaveMoved } from '../../clients/state-pace.ts'
import { askForks, forksIn } from '../../observe/ask-node.ts'
import { type CommandContext, clientsOf, isRecent } from '../../observe/context.ts'
import { commitmentsFor, otherPaymentIn, type WithKept } from '../gate/commitments.ts'
import { sourcesOf } from '../gate/following.ts'
import { codeHash } from '../wallet/code-hash.ts'
import type { GuardState } from './guard.ts'
import type { Lacking } from './hold.ts'
import type { EndpointLook, GuardLook, ProvenFacts, SaidByEndpoint, SetLook } from './picture.ts'
import { ladderOf } from './terms.ts'
import { GUARD_TEXT } from './text.ts'

/** What a guard looks with. `nodes`: addresses of node APIs, the own one first. `alsoKeep`: whose records a set holds as well. */
export type LookContext = Pick<CommandContext<never>, 'effects' | 'setup' | 'offers' | 'signal'> &
  WithKept & { nodes: readonly string[]; alsoKeep?: readonly Hex[] }

/** Who looks at the world of a guard, slot by slot. */
export type GuardLooker = {
  /**
   * One look. `isUrgent`: the place is in danger or a rung waits, so that the set is proven anew with every block. Between
   * the looks nothing is kept that a rung could go out by.
   */
  look(state: GuardState, options: { isUrgent: boolean }): Promise<GuardLook>
  /** The same look with a member carried out by every endpoint without a block. */
  withDryRun(look: GuardLook, state: GuardState, member: number): Promise<GuardLook>
  /** Whether any node API gave a state in the last look that asked for one. */
  isHeard(): boolean
  /**
   * What keeps the endpoints from serving a guard now. `isStill`: every execution endpoint stands still while the chain goes on.
   * It takes two slots at most, also while a look is under way.
   */
  lacking(): Promise<Lacking & { isStill: boolean }>
  /** When a look saw a newer block last, by our own clock. */
  movedMs(): number
}

/** So long a node API may take while another one could be asked, and an endpoint beside what is proven. */
const SLOTS_FOR_NODE = 5

/** So long a whole state may take before it is asked for anew. */
const SLOTS_FOR_STATE = 10
/** So long an endpoint may take to name its newest block. */
const SLOTS_FOR_HEAD = 2

/** For how many slots an endpoint is waited for: beside proven facts no longer than one. */
const patienceFor = (facts: ProvenFacts | undefined): number => (facts === undefined ? SLOTS_FOR_NODE : 1)

/** Something that was asked: since when it is waited for, and when it was asked last. */
type UnderWay = { sinceMs: number; askedMs: number; asked: Promise<unknown> }
/** `isNew`: it was asked just now. */
type Begun<T> = { sinceMs: number; asked: Promise<T>; isNew: boolean }

type ReadSet = {
  look: SetLook
  head: bigint
  deposits: readonly bigint[]
  node: number | undefined
  isHeard: boolean
}

/** Returns a set as it counts now, by the clock of `effects`: one that is kept while the chain stands still grows old. */
export function asOfNow(look: SetLook, context: Parameters<typeof isRecent>[0]): SetLook {
  if ('unknown' in look) return look
  return { ...look, isRecent: isRecent(context, look.snapshot.proof.block.timestampSeconds) }
}

/** Creates what looks for a guard. */
export function createGuardLooker(context: LookContext): GuardLooker {
  const { effects, setup, nodes } = context
  const { network } = setup
  const clients = nodes.map((url) =>
    createNodeClient(effects, url, { proofNamespace: network.names.proofNamespace }),
  )
  let read: ReadSet | undefined
  const silent = new Set<string>()
  let newestHead = { number: -1n, sinceMs: effects.clock.monotonicMs() }
  /** What endpoints have said of blocks that were newer than the proven one: checked once a proof is of such a block. */
  const claims = new Map<string, { head: bigint; nonce: number }>()
  const liars = new Map<string, string>()
  /** What was asked and is not answered yet: for a while nobody is asked the same again before that. */
  const underWay = new Map<string, UnderWay>()

  /** Asks, unless the same is under way: then that, which may tell of a moment before this one. */
  function begin<T>(what: string, ask: () => Promise<T>, slots = SLOTS_FOR_NODE): Begun<T> {
    const nowMs = effects.clock.monotonicMs()
    const before = underWay.get(what)
    if (before !== undefined && nowMs - before.askedMs < slots * network.slotMs)
      return { sinceMs: before.sinceMs, asked: before.asked as Promise<T>, isNew: false }
    const asked = unawaited(ask())
    const one = { sinceMs: before?.sinceMs ?? nowMs, askedMs: nowMs, asked }
    underWay.set(what, one)
    const over = () => {
      if (underWay.get(what) === one) underWay.delete(what)
    }
    void asked.then(over, over)
    return { sinceMs: one.sinceMs, asked, isNew: true }
  }

  /** The answer within so many slots, also to what was asked before; else since when it is waited for. */
  async function soon<T>(begun: Begun<T>, slots: number): Promise<T | { lateMs: number }> {
    const answer = await waitFor<T, undefined>(begun.asked, undefined, slots)
    return answer ?? { lateMs: effects.clock.monotonicMs() - begun.sinceMs }
  }

  /** The answer, or what stands for it once the time is over in which the others could serve. */
  async function waitFor<T, Late>(asked: Promise<T>, late: Late, slots = SLOTS_FOR_NODE): Promise<T | Late> {
    const sleep = (delayMs: number, over?: AbortSignal) =>
      effects.clock.sleep(delayMs, over && AbortSignal.any([context.signal, over]))
    const answer = await inTime(asked, { clock: { sleep }, mostMs: slots * network.slotMs })
    return answer === undefined ? late : answer.value
  }

  async function readSet(pubkey: Hex, isUrgent: boolean): Promise<SetLook> {
    const { signed } = clientsOf(context)
    const { depositContract } = network.spec
    const found = await Promise.all(
      executions().map(async (client) => {
        const headOf = () =>
          unlessSilent(
            Promise.all([
              getBlock(client, { block: 'latest' }),
              getDepositCount(client, { depositContract }),
            ]),
          )
        const said = await soon(begin(`head ${client.label}`, headOf), 1)
        return { client, said: said === undefined || 'lateMs' in said ? undefined : said }
      }),
    )
    silent.clear()
    for (const { client, said } of found) if (said === undefined) silent.add(client.label)
    const [execution, second] = executions()
    if (execution === undefined) return { unknown: 'silent' }
    const now = found.map(({ said }) => said)
    // The newest of them: an endpoint that stays at one block must not keep the set from being read again.
    const [head] = now.flatMap((one) => one?.[0]?.number ?? []).toSorted((a, b) => Number(b - a))
    if (head === undefined) return { unknown: 'silent' }
    if (head > newestHead.number) newestHead = { number: head, sinceMs: effects.clock.monotonicMs() }
    const deposits = now.flatMap((one) => (one === undefined ? [] : [one[1]]))
    if (read !== undefined && !isDue(read, { head, deposits, isUrgent })) return asOfNow(read.look, context)
    const order = [...clients.keys()].toSorted((a, b) => Number(b === read?.node) - Number(a === read?.node))
    let look: SetLook = { unknown: 'no node API' }
    let node: number | undefined
    let isHeard = false
    for (const at of order) {
      const client = clients[at]
      if (client === undefined || node !== undefined) continue
      // One that hangs must not use up the time in which the next one could serve. What comes late is of the next look.
      const prove = () => proven({ node: client, execution, second, signed }, pubkey)
      const answer = await soon(begin(`set ${at}`, prove, SLOTS_FOR_STATE), SLOTS_FOR_NODE)
      look =
        'lateMs' in answer
          ? { unknown: GUARD_TEXT.causes.late(client.label, answer.lateMs), isOfNode: true }
          : answer
      isHeard ||= !('unknown' in look) || look.isOfNode !== true
      if (!('unknown' in look) || look.isRefuted === true) node = at
    }
    read = { look, head, deposits, node, isHeard }
    return look
  }

  const isDue = (
    before: ReadSet,
    now: { head: bigint; deposits: readonly bigint[]; isUrgent: boolean },
  ): boolean => {
    if ('unknown' in before.look) return true
    const { snapshot } = before.look
    const { slot } = snapshot.consensus
    if (now.head <= slot + 1n) return false
    const waits = !('unknown' in snapshot.uncounted) && snapshot.uncounted.length > 0
    const isOld = now.head >= before.head + BigInt(SLOTS_BETWEEN_STATES)
    const isNew = now.deposits.some((count, at) => count !== before.deposits[at])
    const read = { slot, deposits: undefined, waiting: waits }
    return (
      now.isUrgent ||
      isOld ||
      isNew ||
      setMayHaveMoved(read, { slot: now.head - 1n, deposits: undefined }, network.spec)
    )
  }

  async function proven(asked: SnapshotClients, pubkey: Hex): Promise<SetLook> {
    try {
      const { alsoKeep = [] } = context
      const options = { network, keep: pubkey, alsoKeep, clock: effects.clock }
      const found = await trySnapshot(asked, options)
      if ('mismatch' in found) return { unknown: found.mismatch.shortMessage, isRefuted: true }
      if (!('consensus' in found)) {
        const { unproven: unknown, isRefuted, isOfNode } = found
        return { unknown, ...(isRefuted && { isRefuted }), ...(isOfNode && { isOfNode }) }
      }
      return asOfNow({ snapshot: found, isRecent: false }, context)
    } catch (thrown) {
      return { unknown: reasonOf(thrown, context.signal) }
    }
  }

  /** The execution endpoints, the own one first; one that was silent when it was asked last is not waited for before another. */
  function executions(): readonly ExecutionClient[] {
    const { execution, second } = clientsOf(context)
    const all = second === undefined ? [execution] : [execution, second]
    return all.toSorted((a, b) => Number(silent.has(a.label)) - Number(silent.has(b.label)))
  }

  /** The newest block that an endpoint has, and when it was made; or why it names none. */
  async function headAt(
    label: string,
    ask: () => Promise<{ number: bigint; timestamp?: bigint } | undefined>,
  ): Promise<{ name: string; head: { number: bigint; timestamp?: bigint } } | { why: string }> {
    const name = endpointName(label)
    const none = { why: `${name}: ${GUARD_TEXT.causes.noBlock}` }
    const asked = () => ask().catch((thrown: unknown) => ({ why: reasonOf(thrown, context.signal) }))
    const said = await soon(
      begin(`newest ${label}`, async () => (await asked()) ?? none),
      SLOTS_FOR_HEAD,
    )
    if ('lateMs' in said) return { why: GUARD_TEXT.causes.late(label, said.lateMs) }
    return 'why' in said ? said : { name, head: said }
  }

  return {
    async lacking() {
      const { signed } = clientsOf(context)
      const [executed, others] = await Promise.all([
        Promise.all(
          executions().map((client) => headAt(client.label, () => getBlock(client, { block: 'latest' }))),
        ),
        Promise.all(
          clients.map((client) =>
            headAt(client.label, async () => ({ number: (await getHeader(client, { block: 'head' })).slot })),
          ),
        ),
      ])
      const said = [...executed, ...others]
      const { newest, why: unsigned } = signed.standing()
      const heights = said.flatMap((one) => ('head' in one ? [one.head.number] : []))
      const highest = [...heights, newest?.height ?? 0n].toSorted((a, b) => Number(b - a))[0] ?? 0n
      const isBehind = (one: (typeof said)[number]) =>
        'head' in one && one.head.number + MOST_SLOTS_APART < highest
      const causes = said.flatMap((one) => {
        if ('why' in one) return [one.why]
        const { name, head } = one
        const { number, timestamp } = head
        if (number + MOST_SLOTS_APART < highest)
          return [`${name}: ${GUARD_TEXT.causes.behind(number, highest)}`]
        const isOld = timestamp !== undefined && !isRecent(context, timestamp)
        return isOld ? [`${name}: ${GUARD_TEXT.causes.old(number)}`] : []
      })
      const isUnsigned = causes.length > 0 && unsigned !== undefined
      return {
        causes: isUnsigned ? [...causes, GUARD_TEXT.causes.unsigned(unsigned)] : causes,
        isNodeSilent: others.every((one) => 'why' in one),
        isStill: executed.every(isBehind),
      }
    },
    movedMs: () => newestHead.sinceMs,
    async look(state, { isUrgent }) {
      const { pubkey } = state.terms.validator
      const [set, kept] = await Promise.all([readSet(pubkey, isUrgent), context.kept()])
      // After the set: a deposit of our own in it has used the nonce by then.
      const asked = sourcesOf({ context }).map(({ client, label: endpoint }) => ({
        endpoint,
        reply: begin(`account ${endpoint}`, () => said(client, endpoint, { state, context })),
      }))
      const facts = await factsAt(set, state)
      const endpoints = await Promise.all(
        asked.map(({ endpoint, reply }) => {
          const late = { endpoint, unknown: GUARD_TEXT.causes.silent }
          // What was asked before the set was read says nothing beside it.
          return waitFor(reply.isNew ? reply.asked : Promise.resolve(late), late, patienceFor(facts))
        }),
      )
      return {
        atMs: effects.clock.monotonicMs(),
        set,
        endpoints: endpoints.map((one) => (facts === undefined ? one : withoutLies(one, facts))),
        facts,
        forks: await forksNow(set),
        otherPayment: otherPaymentIn(commitmentsFor(kept, { pubkey }), state.terms.from),
        dryRun: undefined,
      }
    },
    async withDryRun(look, state, member) {
      const transaction = ladderOf(state.terms)[member]?.transaction
      if (transaction === undefined) return look
      const results = await Promise.all(
        sourcesOf({ context }).map(({ client }) =>
          waitFor(
            carriedOut(client, transaction, state.terms.from),
            'unknown' as const,
            patienceFor(look.facts),
          ),
        ),
      )
      return { ...look, dryRun: { member, results } }
    },
    isHeard: () => read?.isHeard === true,
  }

  /** What is proven of account and contract, by the first endpoint that proves it at the signed block of the set. */
  async function factsAt(set: SetLook, { terms }: GuardState): Promise<ProvenFacts | undefined> {
    if ('unknown' in set || set.snapshot.proof.signed === undefined) return undefined
    const { block } = set.snapshot.proof
    const { signed: chain } = clientsOf(context)
    const answer = await chain.blockAt(block.number)
    if (answer.is !== 'signed') return undefined
    const { depositContract: address } = network.spec
    const slots = [DEPOSIT_SLOTS.operatorOf(terms.validator.pubkey)]
    const prove = async (client: ExecutionClient): Promise<ProvenFacts | undefined> => {
      const leftOut: string[] = []
      const anchor = { signed: answer.block, execution: client, second: undefined, leftOut }
      const [account, contract] = await Promise.all([
        proveAtAnchor(anchor, { address: terms.from, slots: [] }),
        proveAtAnchor(anchor, { address, slots }),
      ])
      if (leftOut.length > 0) liars.set(endpointName(client.label), 'it gave a false proof')
      if (account === undefined || contract === undefined) return undefined
      const [operator = 0n] = contract.storage
      const { nonce, balanceWei } = account
      const { codeHash } = contract
      return {
        block: block.number,
        nonce: Number(nonce),
        balanceWei,
        codeHash,
        operator: addressIn(operator),
      }
    }
    const proofs = executions().map((client) => begin(`proof ${client.label}`, () => prove(client)))
    for (const { asked, isNew } of proofs) {
      const facts = isNew ? await waitFor(asked, undefined, 1) : undefined
      if (facts !== undefined) return facts
    }
    return undefined
  }

  /** The same reply; unknown where a proof showed that the endpoint made something up. */
  function withoutLies(said: SaidByEndpoint, facts: ProvenFacts): SaidByEndpoint {
    if ('unknown' in said) return said
    const { endpoint, head, nonce } = said
    const claim = claims.get(endpoint)
    if (claim !== undefined && claim.head <= facts.block && claim.nonce > facts.nonce)
      liars.set(endpoint, 'it named a nonce that a proof refutes')
    if (claim === undefined || claim.head <= facts.block) claims.set(endpoint, { head, nonce: nonce.latest })
    const unknown = liars.get(endpoint)
    return unknown === undefined ? said : { endpoint, unknown }
  }

  async function forksNow(set: SetLook): Promise<GuardLook['forks']> {
    const node = clients[read?.node ?? 0]
    if ('unknown' in set || node === undefined) return undefined
    const height = set.snapshot.proof.block.number
    const own = clientsOf(context).execution.label
    let reported: Awaited<ReturnType<typeof askForks>> | undefined
    for (const client of executions()) {
      const execution = [{ client, height, isOwn: client.label === own }]
      reported ??= await waitFor(askForks({ node, execution }), undefined, 1)
    }
    if (reported === undefined) return undefined
    const { fork, forksAhead = [] } = forksIn(reported, set.snapshot, network.spec)
    return { isKnown: fork?.isKnown === true, ahead: forksAhead }
  }
}

async function said(
  client: ExecutionClient,
  endpoint: string,
  { state, context }: { state: GuardState; context: LookContext },
): Promise<SaidByEndpoint> {
  const { depositContract } = context.setup.network.spec
  const { from: address, validator } = state.terms
  try {
    const [chainId, genesis, code, operator, nonces, final, balanceWei, head] = await Promise.all([
      getChainId(client),
      getBlock(client, { block: 0n }),
      getCode(client, { address: depositContract }),
      getOperator(client, { depositContract, pubkey: validator.pubkey }),
      readNonces(client, { address }),
      getTransactionCount(client, { address, block: 'finalized' }),
      getBalance(client, { address, block: 'latest' }),
      getBlock(client, { block: 'latest' }),
    ])
    if (genesis === undefined || head === undefined) return { endpoint, unknown: 'no block' }
    const found: EndpointLook = {
      endpoint,
      chainId,
      genesisHash: genesis.hash,
      codeHash: codeHash(code),
      operator,
      nonce: { ...nonces, final },
      balanceWei,
      baseFeeWei: head.baseFeePerGas ?? 0n,
      head: head.number,
    }
    return found
  } catch (thrown) {
    return { endpoint, unknown: reasonOf(thrown, context.signal) }
  }
}

async function carriedOut(
  client: ExecutionClient,
  { to, valueWei, data, gasLimit }: { to: Hex; valueWei: bigint; data: Hex; gasLimit: bigint },
  from: Hex,
): Promise<'done' | 'refused' | 'unknown'> {
  try {
    await call(client, { from, to, valueWei, data, gasLimit, block: 'latest' })
    return 'done'
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    return thrown.fault === 'reverted' ? 'refused' : 'unknown'
  }
}

/** What an endpoint does is no fault of the look: the part is unknown. Rethrows the end of the look, and faults of our own. */
function reasonOf(thrown: unknown, signal: AbortSignal): string {
  signal.throwIfAborted()
  if (thrown instanceof BaseError) return thrown.shortMessage
  throw thrown
}
