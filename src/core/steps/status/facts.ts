import type { Placing } from '../../chain/consensus/placing.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import type { Setup } from '../../chain/facts.ts'
import type { ExpectedEpochs } from '../../chain/key-state/ahead.ts'
import { isLost, type Own } from '../../chain/key-state/own.ts'
import { offeredValue } from '../../chain/network/offered.ts'
import { judgeNode } from '../../observe/findings.ts'
import { type Judgement, known, type Observations } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'
import type { StatusState } from './machine.ts'
import type { PowerCompared } from './tool-text.ts'
import type { BackupAnswer, HomeAnswer, StatusAnswers, ToolAnswer } from './values.ts'

type Engine = StatusAnswers['engine']

/** What the rows of the page are about: an answer stands for each row that says something of it. */
export type StatusRows = {
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
export type AboutStatus = {
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
export function comparePower(
  { powerGwei, height, sameKey }: ToolAnswer,
  { state }: AboutStatus,
): PowerCompared {
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

/** What node and engine say of their own state that is no good. */
export type Trouble = 'syncing' | 'not-ready' | 'no-peers'

/** Everything of that kind that they say. */
export function troublesOf({ observed }: StatusState, { network }: Setup): Trouble[] {
  const health = offeredValue(known(observed.health))
  const peers = offeredValue(known(observed.peers))
  const isReady = health === undefined || judgeNode('health', health, network) === true
  const troubles: Trouble[] = isReady ? [] : [health === 'syncing' ? 'syncing' : 'not-ready']
  const isAlone = peers !== undefined && judgeNode('peers', peers, network) === false
  return isAlone ? [...troubles, 'no-peers'] : troubles
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
export const exposedBy = ({ findings }: HomeAnswer) => findings.filter(({ id }) => EXPOSED.includes(id))
