import {
  type ForkNow,
  forkIsKnown,
  forksAhead,
  type ScheduledFork,
  scheduleFits,
} from '../../consensus/fork-outlook.ts'
import type { GenesisFact, Setup } from '../../facts.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { holdsWhereOffered, type Offered, offeredValue } from '../../network/offered.ts'
import { known, nothingSeen, type Seen, type SeenEntry, withSeen } from '../observation.ts'
import { claimFits, claimIsWhole, type DepositClaim, joinClaims } from './claims.ts'

/** Answers about the chain, by who gives them. */
export type GenesisAnswers = {
  /** Where the genesis file of the home is. */
  place: { path: string }
  file: { root: Hex; forkVersion: Hex; validators: number; engineChainId: string }
  node: { root: Hex; forkVersion: Hex }
  execution: { chainId: number; genesisHash: Hex }
  second: { chainId: number; genesisHash: Hex }
  engine: { network: string }
  contract: { codeHash: Hex }
  tool: { root: Hex }
  /** What the node says in `config/spec`. */
  config: DepositClaim
  fork: ForkNow
  /** What the node says in `config/deposit_contract`, which it need not have. */
  deposits: Offered<DepositClaim>
  /** What the node says in `config/fork_schedule`, which it need not have. */
  schedule: Offered<readonly ScheduledFork[]>
}

const KEYS = [
  'place',
  'file',
  'node',
  'execution',
  'second',
  'engine',
  'contract',
  'tool',
  'config',
  'fork',
  'deposits',
  'schedule',
] as const

export type GenesisState = { seen: Seen<GenesisAnswers>; asking: boolean }

export type GenesisEvent =
  | { step: 'genesis'; type: 'entered' }
  | { step: 'genesis'; type: 'retried' }
  | ({ step: 'genesis'; type: 'observed' } & SeenEntry<GenesisAnswers>)
  | { step: 'genesis'; type: 'finished' }

export type GenesisCommand = { step: 'genesis'; type: 'ask'; scope: 'here' }

export const initialGenesis: GenesisState = { seen: nothingSeen<GenesisAnswers>(KEYS), asking: false }

/** The first step: is this the chain it says it is? */
export function genesisTransition(
  state: GenesisState,
  event: GenesisEvent,
): readonly [GenesisState, readonly GenesisCommand[]] {
  switch (event.type) {
    case 'entered':
      return ask(state)
    case 'retried':
      return ask(initialGenesis)
    case 'observed':
      return [{ ...state, seen: withSeen(state.seen, event) }, []]
    case 'finished':
      return [{ ...state, asking: false }, []]
  }
}

function ask(state: GenesisState): readonly [GenesisState, readonly GenesisCommand[]] {
  return [{ ...state, asking: true }, [{ step: 'genesis', type: 'ask', scope: 'here' }]]
}

/** How each answer is judged against the network; one entry a key. */
export const genesisJudges = {
  file: (value: GenesisAnswers['file'], { network }: Setup) =>
    sameHex(value.root, network.genesisValidatorsRoot) &&
    sameHex(value.forkVersion, network.genesisForkVersion) &&
    value.engineChainId === network.engineChainId,
  node: (value: GenesisAnswers['node'], { network }: Setup) =>
    sameHex(value.root, network.genesisValidatorsRoot) &&
    sameHex(value.forkVersion, network.genesisForkVersion),
  execution: (value: GenesisAnswers['execution'], { network, executionGenesisHash }: Setup) =>
    value.chainId === network.executionChainId &&
    (executionGenesisHash === undefined || sameHex(value.genesisHash, executionGenesisHash)),
  engine: (value: GenesisAnswers['engine'], { network }: Setup) => value.network === network.engineChainId,
  contract: (value: GenesisAnswers['contract'], { network }: Setup) =>
    sameHex(value.codeHash, network.depositContractCodeHash),
  tool: (value: GenesisAnswers['tool'], { network }: Setup) =>
    sameHex(value.root, network.genesisValidatorsRoot),
  config: (value: GenesisAnswers['config'], { network }: Setup) => claimFits(value, network),
  fork: (value: GenesisAnswers['fork'], { network }: Setup) => forkIsKnown(value, network.spec),
  deposits: (value: GenesisAnswers['deposits'], { network }: Setup) =>
    holdsWhereOffered(value, (claim) => claimFits(claim, network)),
}

/** Whether the node names chain and contract at all, in the one place or the other. */
export function namesDeposits({ seen }: GenesisState): boolean {
  const config = known(seen.config)
  return config !== undefined && claimIsWhole(joinClaims(config, offeredValue(known(seen.deposits))))
}

/** Whether a schedule of forks agrees with the head; never before the head is known. */
export function scheduleAgrees(
  { seen }: GenesisState,
  schedule: readonly ScheduledFork[],
  { network }: Setup,
): boolean {
  const fork = known(seen.fork)
  return fork !== undefined && scheduleFits(schedule, fork, network.spec)
}

/** Whether the second execution endpoint, where one is set, is on the same chain from its first block on. */
export function secondAgrees(state: GenesisState): boolean {
  const first = known(state.seen.execution)
  const second = known(state.seen.second)
  return (
    first !== undefined &&
    second !== undefined &&
    first.chainId === second.chainId &&
    sameHex(first.genesisHash, second.genesisHash)
  )
}

/**
 * The proven fact, once every required source has answered and agrees; one that was not found out keeps the
 * gate closed. The node tool is a further opinion: it may be absent, but never disagree; so is what a node need not
 * offer.
 */
export function genesisFact(state: GenesisState, setup: Setup): GenesisFact | undefined {
  const { seen } = state
  const execution = known(seen.execution)
  for (const key of REQUIRED) {
    if (key === 'file' && !hasGenesisFile(setup)) continue
    if (key === 'engine' && setup.endpoints.engine === undefined) continue
    if (!judged(state, key, setup)) return undefined
  }
  if (execution === undefined || !genesisJudges.execution(execution, setup)) return undefined
  if (setup.endpoints.secondExecution !== undefined && !secondAgrees(state)) return undefined
  if (seen.tool.status !== 'unasked' && !judged(state, 'tool', setup)) return undefined
  const fork = known(seen.fork)
  const schedule = known(seen.schedule)
  if (!namesDeposits(state) || fork === undefined || schedule === undefined) return undefined
  if (!holdsWhereOffered(schedule, (forks) => scheduleAgrees(state, forks, setup))) return undefined
  const { genesisValidatorsRoot, genesisForkVersion, spec } = setup.network
  return {
    genesisValidatorsRoot,
    genesisForkVersion,
    executionGenesisHash: execution.genesisHash,
    forksAhead: forksAhead(offeredValue(schedule) ?? [], fork, spec),
  }
}

/** Whether there is a genesis file to compare with: in the home, or named in its place. */
export function hasGenesisFile({ homePath, genesisPath }: Setup): boolean {
  return homePath !== undefined || genesisPath !== undefined
}

const REQUIRED = ['file', 'node', 'engine', 'contract', 'config', 'fork', 'deposits'] as const

function judged(
  state: GenesisState,
  key: Exclude<keyof typeof genesisJudges, 'execution'>,
  setup: Setup,
): boolean {
  const value = known<unknown>(state.seen[key])
  const judge = genesisJudges[key] as (value: unknown, setup: Setup) => boolean
  return value !== undefined && judge(value, setup)
}
