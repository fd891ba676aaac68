import { bool, type Decoder, decimal, list, optional, record, uintIndex } from '../../base/format/decode.ts'
import type { Hex } from '../../base/format/hex.ts'
import type { Placing } from '../../chain/consensus/placing.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import { compressedKey, runsWithKey } from '../../chain/identity/engine-key.ts'
import { findNodeTool } from '../../chain/identity/run-tool.ts'
import { engineSlotOf, type Own, type OwnBlocks, withEarlier } from '../../chain/key-state/own.ts'
import { describeStanding } from '../../chain/key-state/standing.ts'
import { type Offered, offeredValue } from '../../chain/network/offered.ts'
import type { NodeHealth } from '../../chain/network/standstill.ts'
import { askHealth, askPeers } from '../../clients/ask-as-service.ts'
import { getToolStatus } from '../../clients/engine/tool-status.ts'
import { numberedBlock } from '../../clients/execution/blocks.ts'
import type { ExecutionClient } from '../../clients/execution/client.ts'
import { watchProposals } from '../../clients/node/blocks.ts'
import { readSnapshot } from '../../clients/prove-snapshot.ts'
import { type SnapshotWatch, watchSnapshot } from '../../clients/watch-snapshot.ts'
import type { HeadReplies, LookInput, WatchAnswers } from '../../observe/ask-input.ts'
import { watchQuestions } from '../../observe/ask-network.ts'
import { setQuestionsOf } from '../../observe/ask-set.ts'
import { type CommandContext, clientsOf } from '../../observe/context.ts'
import { keptFile } from '../../observe/kept-file.ts'
import { emptyMemory, type WatchMemory } from '../../observe/memory.ts'
import {
  askedMs,
  createObserver,
  knownOf,
  lastOf,
  type Part,
  type Questions,
} from '../../observe/observer.ts'
import type { NetworkPicture, Watched } from '../../observe/picture.ts'
import { known } from '../../view/observation.ts'
import { openStepAlarms, type StatusContext } from './alarm-commands.ts'
import { createEngineAsker, statusAsker } from './ask-commands.ts'
import { TOOL_TEXT } from './facts.ts'
import { type HistoryPoint, withPlacing } from './history.ts'
import type { StatusEvent, StatusState } from './machine.ts'
import { STATUS_TEXT as TEXT } from './text.ts'
import type { StatusAnswers } from './values.ts'

/** Blocks of the own validator: what earlier runs have seen, and what this one sees as the head moves on. */
type BlockWatch = {
  /** What is known up to `headSlot`; of the block `head` the proposer is known. Throws a `ClientError`. */
  read(headSlot: bigint, head?: HeadReplies['head']): Promise<OwnBlocks>
}

/**
 * Looks for the validator's own blocks from the slot on in which the engine counts it, and keeps the first and the last
 * for runs to come. `earlier` is what this run knew when the step was left.
 */
export async function watchBlocks(
  context: CommandContext<StatusEvent>,
  own: Own,
  earlier: OwnBlocks | undefined,
): Promise<BlockWatch> {
  const file = keptFile(context, 'seen', blocksField)
  const { content: kept } = (await file?.read()) ?? {}
  const from = engineSlotOf(own.validator, context.setup.network.spec) ?? own.slot
  const proposals = watchProposals(clientsOf(context).node, { index: own.index, from })
  let written = kept
  return {
    async read(headSlot, head) {
      const blocks = withEarlier(await proposals.read(headSlot, head), earlier ?? kept, {
        from,
        to: headSlot,
      })
      const isNews = blocks.first?.slot !== written?.first?.slot || blocks.last !== written?.last
      if (file !== undefined && isNews) {
        const { first, last } = blocks
        await file.write({ firstBlock: first?.slot, isFirst: first?.isFirst, lastBlock: last })
        written = blocks
      }
      return blocks
    },
  }
}

const blocksField: Decoder<OwnBlocks> = (value, path) => {
  const fields = { firstBlock: optional(decimal), isFirst: optional(bool), lastBlock: optional(decimal) }
  const { firstBlock: slot, isFirst = false, lastBlock: last } = record(fields)(value, path)
  return { first: slot === undefined ? undefined : { slot, isFirst }, last, isWhole: false }
}

const pointField: Decoder<HistoryPoint> = (value, path) => {
  const fields = { epoch: decimal, rank: uintIndex, cutoff: optional(decimal), stake: optional(decimal) }
  const { epoch, rank, cutoff, stake } = record(fields)(value, path)
  if (cutoff === undefined || stake === undefined) return { epoch, rank }
  return { epoch, rank, cutoffGwei: cutoff, marginGwei: stake - cutoff }
}

/** Keeps where the validator stood, epoch by epoch, for runs to come, and tells it to the step. */
export async function rememberPlacings(
  context: CommandContext<StatusEvent>,
): Promise<(at: PlacingAt) => Promise<void>> {
  const file = keptFile(context, 'history', record({ points: list(pointField) }))
  let points: readonly HistoryPoint[] = (await file?.read())?.content?.points ?? []
  if (points.length > 0) await context.dispatch({ step: 'status', type: 'stood', history: points })
  return async ({ place, epoch }) => {
    const next = withPlacing(points, place, epoch)
    if (next === points) return
    points = next
    await context.dispatch({ step: 'status', type: 'stood', history: points })
    await file?.write({
      points: points.map(({ epoch, rank, cutoffGwei: cutoff, marginGwei: margin }) =>
        // The stake, not the margin: that is below zero where the validator is out of its place.
        cutoff === undefined || margin === undefined
          ? { epoch, rank }
          : { epoch, rank, cutoff, stake: cutoff + margin },
      ),
    })
  }
}

type PlacingAt = { place: Placing; epoch: bigint }

/** What a look heard that the own blocks rest on. */
type Counted = {
  set: SetSnapshot
  /** What the engine counts; undefined where it does not say, or there is none. */
  counted: StatusAnswers['engine'] | undefined
  head: HeadReplies['head'] | undefined
}

/**
 * Keeps where the validator stands, and once it is counted looks for its blocks and for where their fees went, look by look.
 */
async function createBlockAsker(
  context: CommandContext<StatusEvent>,
  getState: () => StatusState,
): Promise<(counted: Counted) => Promise<void>> {
  const { execution, engine } = clientsOf(context)
  const tell = statusAsker(context)
  const stood = await rememberPlacings(context)
  let blocks: BlockWatch | undefined
  let paidSlot: bigint | undefined
  return async ({ set, counted, head }) => {
    const pubkey = context.facts().identity?.pubkey ?? '0x'
    const { own, place, status } = describeStanding(set, pubkey, context.setup).numbers
    if (own !== undefined && place !== undefined) await stood({ place, epoch: own.epoch })
    const isActive = status === 'active_ongoing'
    if (engine === undefined) await context.dispatch({ step: 'status', type: 'counted', isActive })
    const isCounted = engine === undefined ? isActive : (counted?.powerGwei ?? 0n) > 0n
    if (own === undefined || !isCounted) return
    const watched = blocks ?? (await watchBlocks(context, own, known(getState().observed.proposal)))
    blocks = watched
    const last = (await tell('proposal', () => watched.read(own.slot, head)))?.last
    if (last === undefined || last === paidSlot) return
    const paid = await tell('paid', () => paidIn(execution, last))
    paidSlot = paid?.slot
  }
}

/** Where the fees of a block went. The number of an execution block is its slot. */
async function paidIn(execution: ExecutionClient, slot: bigint): Promise<StatusAnswers['paid']> {
  const { miner } = await numberedBlock(execution, slot)
  return { slot, feeRecipient: miner }
}

/**
 * Asks the node tool which voting power it prints. False where there is no home or no node tool: nobody is asked then, and
 * that is told.
 */
async function askTool(context: CommandContext<StatusEvent>): Promise<boolean> {
  const { effects, setup } = context
  const { homePath: home, network } = setup
  const tool = home === undefined ? undefined : await findNodeTool(effects, network.names.nodeTool)
  if (tool === undefined || home === undefined) {
    const words = home === undefined ? TOOL_TEXT.noHome : TOOL_TEXT.noTool
    const observation = { status: 'unasked', words } as const
    await context.dispatch({ step: 'status', type: 'observed', key: 'tool', observation })
    return false
  }
  const ask = async () => {
    const {
      votingPowerGwei: powerGwei,
      latestHeight: height,
      publicKey,
    } = await getToolStatus(tool, { home })
    const sameKey = runsWithKey(compressedKey(publicKey.value), context.facts().identity) === true
    return { powerGwei, height, sameKey }
  }
  await statusAsker(context)('tool', ask, tool.path)
  return true
}

/** What the step asks: all that a watch does, and what only its rows show. */
type LookAnswers = WatchAnswers & {
  snapshot: SetSnapshot
  engine: StatusAnswers['engine']
  health: Offered<NodeHealth>
  /** Whether there is a tool to be asked. */
  tool: boolean
  /** The own blocks, and what they paid. */
  blocks: true
}

/** What changes little is asked for so often. */
const SLOTS_BETWEEN_VITALS = 15

/** How a step looks: again and again, until it is left, or once for all that there is to know. */
type StatusLook = { once: boolean }

/** Follows all that the step watches, look by look, until it is left. */
export async function followStatus(context: StatusContext, getState: () => StatusState): Promise<void> {
  const { effects, setup, signal } = context
  const pause = () => effects.clock.sleep(setup.network.slotMs, signal)
  for (;;) {
    const { pubkey } = context.facts().identity ?? {}
    const look = await openObserver(context, getState, { pubkey, once: false })
    try {
      for (let isFirst = true; pubkey === context.facts().identity?.pubkey; isFirst = false) {
        await look.look()
        // With the first answers of those beside it the first look is whole.
        await (isFirst ? Promise.race([pause(), look.whole()]) : pause())
      }
    } finally {
      await look.end()
    }
  }
}

/** Looks at all that the step watches, once: nothing is followed. */
export async function askStatus(
  context: StatusContext,
  getState: () => StatusState,
  pubkey: Hex,
): Promise<void> {
  await (await openObserver(context, getState, { pubkey, once: true })).look()
}

async function openObserver(
  context: StatusContext,
  getState: () => StatusState,
  { pubkey, once }: StatusLook & { pubkey: Hex | undefined },
) {
  const watched = pubkey === undefined ? undefined : { pubkey, name: TEXT.alarm.about }
  const input = inputOf(context, watched === undefined ? [] : [watched])
  const { questions, picture: pictureOf } = watchQuestions(input)
  const alarms = watched && (await openStepAlarms(context, getState, watched))
  const reader = once ? undefined : readerOf(context, pubkey)
  const own = await ownQuestions(context, getState, { pubkey, reader })
  const setIn = (): SetSnapshot | undefined => lastOf(observer.picture().snapshot) ?? getState().lastSnapshot
  const beside = !once
  // What is asked for once an epoch holds up nothing that is asked in every slot.
  const [forks, operators] = [
    { ...questions.forks, beside },
    { ...questions.operators, beside },
  ]
  const { set, records } = setQuestionsOf(input, setIn, () => reader?.late())
  const observer = createObserver<LookAnswers, WatchMemory>(
    { ...questions, forks, operators, ...own, records, set: { ...set, after: ['snapshot', 'count'] } },
    context.effects,
  )
  return {
    async look() {
      const picture = await observer.look(alarms?.memory() ?? emptyMemory(context.setup.network))
      await alarms?.tell({ ...pictureOf(picture), ...guardsIn(getState(), watched) })
    },
    whole: () => observer.whole(),
    end: async () => alarms?.end(),
  }
}

/** What is known of the guard of the validator, as a watch knows it of all that it follows; nothing before one was sought. */
function guardsIn(
  { guard, isGuardSought }: StatusState,
  watched: Watched | undefined,
): Pick<NetworkPicture, 'guards' | 'unguarded'> {
  if (!isGuardSought || watched === undefined) return {}
  return guard === undefined
    ? { guards: [], unguarded: [watched.pubkey] }
    : { guards: [guard], unguarded: [] }
}

/** Reads the set again and again, with the own validator always in it. */
function readerOf(context: CommandContext<StatusEvent>, keep: Hex | undefined): SnapshotWatch {
  const { clock } = context.effects
  const { node, execution, second, signed } = clientsOf(context)
  const { network } = context.setup
  return watchSnapshot({ node, execution, second, signed }, { clock, network, keep, lookingAt: 'own' })
}

/** What the rows of the step need. The answers are told one by one, as they come; without a reader the set is read once. */
async function ownQuestions(
  context: CommandContext<StatusEvent>,
  getState: () => StatusState,
  { pubkey, reader }: { pubkey: Hex | undefined; reader: SnapshotWatch | undefined },
): Promise<
  Pick<Questions<LookAnswers, unknown>, 'snapshot' | 'engine' | 'health' | 'peers' | 'tool' | 'blocks'>
> {
  const { network } = context.setup
  const { clock } = context.effects
  const clients = clientsOf(context)
  const { node, execution, second, engine, signed } = clients
  const tell = statusAsker(context)
  const options = { clock, network, keep: pubkey }
  const once = reader === undefined
  const askEngine = engine && createEngineAsker(engine, pubkey)
  const blocks = once ? undefined : await createBlockAsker(context, getState)
  const beside = !once
  const isOld = (part: Part<unknown> | undefined) =>
    clock.monotonicMs() - (askedMs(part) ?? Number.NEGATIVE_INFINITY) >= SLOTS_BETWEEN_VITALS * network.slotMs
  return {
    // Read once, it is asked for at once; again and again, it rests on what was heard in the look.
    snapshot: {
      beside,
      after: once ? [] : ['heads', 'count'],
      ask: ({ heads, count }) =>
        tell('snapshot', () =>
          reader === undefined
            ? readSnapshot({ node, execution, second, signed }, options)
            : reader.read({ head: knownOf(heads)?.head?.slot, deposits: knownOf(count) }),
        ),
    },
    // What the engine counts is told beside a set that is no older: the two are read together.
    engine: {
      beside,
      after: once ? ['heads'] : ['heads', 'snapshot'],
      ask: async ({ heads }) => askEngine && tell('engine', () => askEngine(knownOf(heads)?.engine)),
    },
    health: {
      beside,
      due: ({ health }) => knownOf(health)?.offer !== 'no' && isOld(health),
      ask: () => tell('health', () => askHealth(clients)),
    },
    peers: {
      beside,
      due: ({ peers }) => isOld(peers),
      async ask() {
        const counts = offeredValue(await tell('peers', () => askPeers(clients)))
        return counts && { ...counts, execution: undefined }
      },
    },
    // A program of its own runs for each answer: often enough for what changes with an epoch.
    tool: {
      beside,
      due: ({ tool }) => knownOf(tool) !== false && isOld(tool),
      ask: () => askTool(context),
    },
    blocks: {
      beside,
      needs: ['snapshot'],
      after: ['engine'],
      due: () => blocks !== undefined,
      async ask({ snapshot, engine: counted, heads }) {
        const set = knownOf(snapshot)
        if (blocks === undefined || set === undefined) return undefined
        await blocks({ set, counted: knownOf(counted), head: knownOf(heads)?.head })
        return true
      },
    },
  }
}

function inputOf(
  {
    effects,
    setup,
    facts,
    offers,
    guardsSeen,
  }: Pick<StatusContext, 'effects' | 'setup' | 'facts' | 'offers' | 'guardsSeen'>,
  validators: LookInput['validators'],
): LookInput {
  const { node, execution, secondExecution: second, engine } = setup.endpoints
  return {
    effects,
    network: setup.network,
    endpoints: {
      node: [node],
      execution: second === undefined ? [execution] : [execution, second],
      engine: engine === undefined ? [] : [engine],
    },
    validators,
    signed: clientsOf({ effects, setup, offers }).signed,
    isOwnTransaction(hash) {
      const { nonces = [], deposit, topup } = facts()
      return (
        [deposit, topup, ...nonces].some((own) => own?.hash === hash) ||
        guardsSeen().some(({ hashes }) => hashes.some((one) => one === hash))
      )
    },
  }
}
