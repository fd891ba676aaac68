import { formatCount, formatGwei, ordinal } from '../../base/format/amount.ts'
import type { Placing } from '../../chain/consensus/placing.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import { validatorStatus } from '../../chain/consensus/state.ts'
import type { Setup } from '../../chain/facts.ts'
import type { ExpectedEpochs } from '../../chain/key-state/ahead.ts'
import { isLost, type Own, wayOut } from '../../chain/key-state/own.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { CATCHES_UP, judgeNode, RESTART_NODE, standstillWords } from '../../observe/findings.ts'
import { type Judgement, known, type Observations } from '../../view/observation.ts'
import type { FactTable, FactTexts } from '../../view/rows.ts'
import { EVIDENCE_TEXT } from '../../view/text.ts'
import { headStillMs, type StatusState, type Trouble, troublesOf } from './machine.ts'
import type { BackupAnswer, HomeAnswer, StatusAnswers, ToolAnswer } from './values.ts'

/** How the voting power of the node tool stands to that of the engine's set. */
type PowerCompared = 'same' | 'none' | 'not-known' | 'other-key' | 'behind' | 'differs'

/** Why the node tool is not asked; its voting power beside that of the engine's set, and what a difference means. */
export const TOOL_TEXT = {
  noHome: 'not asked: no node home',
  noTool: 'not installed',
  power: {
    same: (power: string) => `${power}, the same`,
    none: () => 'none yet, the same',
    'not-known': (power: string) => `${power}; the engine’s is not known`,
    'other-key': (power: string) => `${power}: its node runs with another key`,
    behind: (power: string, block: string) => `${power}: its node is behind, at block ${block}`,
    differs: (power: string) => `${power}, not the same: its node may be behind`,
  } satisfies Record<PowerCompared, (power: string, block: string) => string>,
}

type Engine = StatusAnswers['engine']

/** What the rows of the page are about: an answer stands for each row that says something of it. */
type StatusRows = {
  status: SetSnapshot
  balance: SetSnapshot
  rank: SetSnapshot
  power: Engine
  tool: ToolAnswer
  node: Engine
}

/** The answers in the places of the rows. */
export const observedInRows = ({
  observed: { snapshot, engine, tool },
}: StatusState): Observations<StatusRows> => ({
  status: snapshot,
  balance: snapshot,
  rank: snapshot,
  power: engine,
  tool,
  node: engine,
})

/** What the rows are judged by. `place`: the tightest one ahead; undefined where the validator asks for none. */
type AboutStatus = {
  state: StatusState
  own: Own | undefined
  expected: ExpectedEpochs
  place: Placing | undefined
  setup: Setup
}

/** The facts of this step. They open nothing: the step pays nothing. */
export const STATUS_FACTS: FactTable<StatusRows, AboutStatus> = {
  status: { gate: 'told', judge: (_, about) => ofNow(about.own !== undefined && !isLost(about.own), about) },
  balance: {
    gate: 'told',
    judge: (_, about) => ofNow(about.own !== undefined, about),
    numbers: (_, { own }) =>
      own === undefined
        ? {}
        : { balanceGwei: own.balanceGwei, effectiveBalanceGwei: own.validator.effectiveBalanceGwei },
  },
  rank: {
    gate: 'told',
    hasRow: ({ state }) => state.lastSnapshot?.isRefuted !== true,
    judge: rankIsGood,
    numbers: (_, { place }) => {
      if (place === undefined) return {}
      const { rank, places, epoch, marginGwei, othersNeedGwei } = place
      return { rank, places, epoch, othersNeedGwei, ...(marginGwei === undefined ? {} : { marginGwei }) }
    },
  },
  power: {
    gate: 'told',
    // No power yet is not a refusal: it is what the step waits for, until the place is lost.
    judge: ({ powerGwei }, { own }) =>
      powerGwei > 0n || (own !== undefined && isLost(own) ? false : 'asking'),
    numbers: ({ powerGwei, totalGwei, members, height }) => ({
      powerGwei,
      totalGwei,
      memberCount: members,
      height,
    }),
  },
  // Where nobody is asked the row would only say so: the home and the tool have rows of their own.
  tool: {
    gate: 'told',
    hasRow: ({ state: { observed } }) =>
      observed.tool.status !== 'unasked' && observed.tool.status !== 'asking',
    judge: (tool, about) => POWER_JUDGED[comparePower(tool, about)],
    numbers: ({ powerGwei, height }) => ({ powerGwei, height }),
  },
  node: { gate: 'told', judge: isWell },
}

/** A difference may be one of moments: only another key is known to be wrong. */
const POWER_JUDGED: Readonly<Record<PowerCompared, Judgement>> = {
  same: true,
  none: 'unasked',
  'not-known': undefined,
  'other-key': false,
  behind: undefined,
  differs: undefined,
}

/** So many blocks apart the answers are of different moments. */
const BLOCKS_APART = 30n

/** Returns how the voting power that the node tool prints stands to the one that the engine's set has. */
function comparePower({ powerGwei, height, sameKey }: ToolAnswer, { state }: AboutStatus): PowerCompared {
  const engine = known(state.observed.engine)
  if (!sameKey) return 'other-key'
  if (engine === undefined) return 'not-known'
  if (powerGwei === engine.powerGwei) return powerGwei === 0n ? 'none' : 'same'
  return height + BLOCKS_APART < engine.height ? 'behind' : 'differs'
}

/** What a node that is in doubt said last is not proven of now. */
function ofNow(holds: boolean, { state }: AboutStatus): Judgement {
  return (holds && state.doubt !== undefined) || state.lastSnapshot?.isRefuted ? undefined : holds
}

/** A validator that asks for no place yet is refused none. */
function rankIsGood(_: SetSnapshot, about: AboutStatus): Judgement {
  const { own, place } = about
  if (place === undefined) return own !== undefined && isLost(own) ? false : 'unasked'
  return ofNow(rankOk(place), about)
}

/** Whether a place is inside the set, a tie counted as lost. */
function rankOk({ marginGwei }: Placing): boolean {
  return marginGwei === undefined || marginGwei > 0n
}

/** undefined where it is not known: an engine that catches up says nothing of when it votes. */
function isWell({ sameKey, catchingUp }: Engine, { state, setup }: AboutStatus): Judgement {
  const { doubt, observed } = state
  const { network } = setup
  if (!sameKey || doubt?.is === 'still' || troublesOf(state, setup).length > 0) return false
  // What it said before and does not say now is not known to be good.
  const isSilent =
    doubt?.is === 'silent' || [observed.health, observed.peers].some(({ status }) => status === 'failed')
  return isSilent ? undefined : judgeNode('votes', { catchingUp }, network)
}

/** What was looked at for the page behind it. */
export type ChecklistRows = { keyBackup: BackupAnswer; exposure: HomeAnswer }

/** What is to be seen to once the validator is active, as far as it can be found out from here. */
export const CHECKLIST_FACTS: FactTable<ChecklistRows, undefined> = {
  keyBackup: { gate: 'told', judge: ({ holds }) => holds === 'this-key' },
  exposure: { gate: 'told', judge: (home) => exposedBy(home).length === 0 },
}

const EXPOSED: readonly string[] = ['node-api-exposed', 'engine-rpc-exposed']

/** What of a home opens the node to other computers. */
const exposedBy = ({ findings }: HomeAnswer) => findings.filter(({ id }) => EXPOSED.includes(id))

/** In a pending status the balance, what of it counts and the epochs follow one another: the row says how far it is. */
function statusWords({ own, expected, setup, state: { lastSnapshot } }: AboutStatus): string {
  if (own === undefined) return lastSnapshot?.isRefuted ? 'not signed by the set' : 'not in the beacon state'
  const { spec } = setup.network
  const status = validatorStatus(own.validator, own.epoch)
  if (status !== 'pending_initialized') return STANDING_TEXT.status[status].long
  if (own.validator.effectiveBalanceGwei >= spec.activationBalanceGwei)
    return 'threshold passed, waits to be eligible'
  return expected.eligibleEpoch === undefined
    ? STANDING_TEXT.status[status].long
    : 'known, stake counts from the next epoch'
}

/** A place that nobody else asks for. */
function freeWords(rank: number, places: number, lastPlace: Placing['lastPlace']): string {
  if (lastPlace === undefined) return `${rank} of ${places} · places are free`
  const behind = 'nobody waits behind you'
  return rank === places ? `last place; ${behind}` : `${rank} of ${places} · ${behind}`
}

/** The place in words, with the epoch where its boundary is not the next one after `epoch`. */
function rankWords(
  { rank, places, lastPlace, cutoff, marginGwei, stakeGwei, epoch: at }: Placing,
  epoch: bigint,
): string {
  const when = at > epoch + 1n ? ` · at epoch ${formatCount(at)}` : ''
  if (cutoff === undefined || marginGwei === undefined) return `${freeWords(rank, places, lastPlace)}${when}`
  const least = `cutoff ${formatGwei(cutoff.stakeGwei)}`
  return rank > places
    ? `${ordinal(rank)} for ${places} places · ${least} · you ${formatGwei(stakeGwei)}${when}`
    : `${rank} of ${places} · ${least} · margin ${formatGwei(marginGwei)}${when}`
}

function headWords(state: StatusState): string {
  const { doubt } = state
  const stillMs = headStillMs(state)
  if (doubt === undefined) return headAgeWords(stillMs)
  const { is, slot, beside } = doubt
  if (is === 'silent') return 'the node API does not answer'
  const words = standstillWords({ slot, stillMs, beside })
  return beside.is === 'ahead' ? `${words}: ${RESTART_NODE}` : words
}

const STEP_SECONDS = 10

/** In steps, so that a head that comes a little later than the last one is nothing new. */
function headAgeWords(stillMs: number): string {
  const steps = Math.floor(stillMs / 1000 / STEP_SECONDS)
  return steps === 0 ? 'head is new' : `head ${steps * STEP_SECONDS} s old`
}

const TROUBLES: Readonly<Record<Trouble, string>> = {
  syncing: 'syncing',
  'not-ready': 'not ready',
  'no-peers': 'no peers',
}
const troublesWords = (troubles: readonly Trouble[]) =>
  troubles.map((trouble) => TROUBLES[trouble]).join(', ')

/** Who says what the beacon state holds, for someone who asks. */
function proofWords({ state }: AboutStatus): string {
  const snapshot = known(state.observed.snapshot)
  const why = snapshot?.unproven
  if (snapshot?.proof === undefined) return `The node API. Not proven${why === undefined ? '' : ` (${why})`}.`
  const { slot } = snapshot.proof
  const held = EVIDENCE_TEXT.root(
    snapshot.proof,
    (anchors) => `${anchors === 1 ? 'the execution endpoint' : 'both execution endpoints'} held its root`,
  )
  return `The chain: the whole state of slot ${formatCount(slot)} was hashed here, and ${held}.`
}

const WITH_EVERY_EPOCH = 'Yes, with every epoch.'
const noEngine = ({ setup }: AboutStatus) =>
  setup.endpoints.engine === undefined ? 'not asked: no engine was given' : undefined

const facts: FactTexts<StatusRows, AboutStatus> = {
  status: {
    label: 'status',
    say: (_, about) => statusWords(about),
    explain: (about) => ({
      what: 'Where the validator stands, from its epochs; the beacon API has a name of its own for each. Its operator manages and receives its rewards; this program cannot see them (docs/faq.md).',
      who: proofWords(about),
      later: WITH_EVERY_EPOCH,
    }),
  },
  balance: {
    label: 'balance',
    say: (_, { own, setup }) =>
      own === undefined
        ? ''
        : `${formatGwei(own.balanceGwei)} ${setup.network.names.token}, effective ${formatGwei(own.validator.effectiveBalanceGwei)}`,
    explain: (about) => ({
      what: 'What is staked, and how much of it counts (effective): in whole steps, updated at the epoch boundary.',
      who: proofWords(about),
      later: WITH_EVERY_EPOCH,
    }),
  },
  rank: {
    label: 'rank',
    say: (_, { own, place }) => {
      const out = own && wayOut(own)
      if (out !== undefined) return STANDING_TEXT.noPlace[out]
      return place === undefined || own === undefined ? 'needs no place yet' : rankWords(place, own.epoch)
    },
    explain: (about) => ({
      what: `The rank by stake among all validators that need a place in the active set, at the tightest of the next five epoch boundaries. ${STANDING_TEXT.belowLast}`,
      who: `The consensus model on this computer. The set: ${proofWords(about)}`,
      later: 'Yes: others can raise their stake at any time.',
    }),
  },
  power: {
    label: 'power',
    unasked: noEngine,
    say: ({ powerGwei, totalGwei, members }, { own }) => {
      if (powerGwei > 0n) return `${formatGwei(powerGwei)} of ${formatGwei(totalGwei)}, ${members} members`
      return own !== undefined && isLost(own) ? 'none any more' : 'none yet'
    },
    explain: {
      what: 'The weight with which the consensus engine (CometBFT) counts the validator’s votes. It is zero until the validator is in the engine’s set.',
      who: 'The consensus engine.',
      later: WITH_EVERY_EPOCH,
    },
  },
  tool: {
    label: 'tool power',
    say: (tool, about) =>
      TOOL_TEXT.power[comparePower(tool, about)](formatGwei(tool.powerGwei), formatCount(tool.height)),
    explain: ({ setup }) => ({
      what: 'The voting power that the node tool prints for the node of client.toml, compared with the power of this validator in the set of the consensus engine. If they differ, that node runs with another key, or is behind the chain.',
      who: `The node tool (${setup.network.names.nodeTool} status).`,
      later: WITH_EVERY_EPOCH,
    }),
  },
  node: {
    label: 'node',
    unasked: noEngine,
    say: ({ sameKey, catchingUp }, { state, setup }) =>
      [
        sameKey ? 'this key' : 'another key',
        catchingUp ? CATCHES_UP : 'synced',
        headWords(state),
        ...troublesOf(state, setup).map((trouble) => TROUBLES[trouble]),
      ].join(', '),
    explain: {
      what: 'Whether the running node holds this key, is up to date and has peers, so that it can sign and its votes reach others.',
      who: 'The consensus engine, and the node API where it says more. The age of the head (the newest block) is by the clock of this computer, because a node does not report that its chain stands still.',
      later: 'Yes.',
    },
  },
}

const checklist = {
  keyBackup: {
    label: 'key backup',
    unasked: () => 'not checked: press b',
    say: ({ holds }) => {
      if (holds === 'this-key') return 'the file holds this key'
      if (holds === 'no-key') return 'no copy of the key: this file holds no validator key'
      return holds === 'own' ? 'this is the file that the node uses' : 'the file holds another key'
    },
    long: ({ holds }) => (holds.startsWith('0x') ? holds : undefined),
    explain: {
      what: 'Whether a copy of the key exists. Without the key the node signs nothing, and a key cannot be replaced. A separate process without network reads the public key of the file that you name; the copy belongs on another disk, in another place.',
      who: 'The file, read now. Where it lies, and who else may read it, only you know.',
      later: 'Yes. It is checked only when you name the file, and not remembered.',
    },
  },
  exposure: {
    label: 'exposure',
    unasked: () => 'not known: no node home was given',
    say: (home) => exposedBy(home)[0]?.text ?? 'open to this computer only',
    // What is wrong comes with what to change.
    long: (home) => exposedBy(home)[0]?.fix,
    explain: {
      what: 'Whether other computers reach the node API or the RPC of the consensus engine (CometBFT). Neither asks who is there.',
      who: 'app.toml and config.toml of the node home. What a firewall or a proxy lets through is not seen.',
      later: 'Yes: change the file, then restart the node.',
    },
  },
} satisfies FactTexts<ChecklistRows, undefined>

/** Every sentence of the rows of both pages, and what is no good of node and engine in words. */
export const STATUS_FACTS_TEXT = { facts, checklist, troubles: troublesWords }
