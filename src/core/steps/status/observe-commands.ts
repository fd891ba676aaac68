import type { Hex } from '../../base/format/hex.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import { type Offered, offeredValue } from '../../chain/network/offered.ts'
import type { NodeHealth } from '../../chain/network/standstill.ts'
import { askHealth, askPeers } from '../../clients/ask-as-service.ts'
import { readSnapshot } from '../../clients/prove-snapshot.ts'
import { type SnapshotWatch, watchSnapshot } from '../../clients/watch-snapshot.ts'
import type { LookInput, WatchAnswers } from '../../observe/ask-input.ts'
import { watchQuestions } from '../../observe/ask-network.ts'
import { setQuestionsOf } from '../../observe/ask-set.ts'
import { type CommandContext, clientsOf } from '../../observe/context.ts'
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
import { openStepAlarms, type StatusContext } from './alarm-commands.ts'
import { createEngineAsker, statusAsker } from './ask-commands.ts'
import { createBlockAsker } from './block-commands.ts'
import type { StatusEvent, StatusState } from './machine.ts'
import { STATUS_TEXT as TEXT } from './text.ts'
import { askTool } from './tool-commands.ts'
import type { StatusAnswers } from './values.ts'

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
