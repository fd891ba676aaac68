import { join } from 'node:path'
import { gweiToWei, tokens } from '../core/base/format/amount.ts'
import { bytesToHex, type Hex, hexToBytes } from '../core/base/format/hex.ts'
import type { ConsensusState } from '../core/chain/consensus/state.ts'
import { BeaconStateType } from '../core/chain/proofs/beacon-state.ts'
import { type Chain, startChain } from './consensus/chain.ts'
import type { ChainInput } from './consensus/chain-input.ts'
import { executionGenesis } from './execution/genesis.ts'
import { startExecution } from './execution/start.ts'
import type { ExecutionClock, FrontHooks, RehearsalExecution } from './execution/types.ts'
import type { RehearsalValidatorKey } from './keys.ts'
import type { LoopbackHandler } from './loopback-server.ts'
import type { Plan } from './plan.ts'
import { type SignVotes, signWithSecrets } from './sign-votes.ts'
import { readInflation } from './spec.ts'

const PLAY_MONEY = tokens(1_000_000n)

/** Starts the execution side of a plan below `directory`. Throws the anvil.* errors. */
export function startClient(
  input: { directory: string; clock: ExecutionClock; signal?: AbortSignal },
  plan: Plan,
): Promise<RehearsalExecution> {
  const genesis = executionGenesis({
    chainId: plan.spec.depositChainId,
    timestampSeconds: plan.genesisTimeSeconds,
    genesisDeposits: {
      root: plan.genesisDepositsRoot,
      validators: plan.genesis.deposits.map(({ pubkey, withdrawalCredentials }) => ({
        pubkey,
        operator: `0x${withdrawalCredentials.slice(-40)}`,
      })),
    },
    accounts: [plan.user, plan.stranger].map(({ address }) => ({
      address,
      balanceWei: gweiToWei(PLAY_MONEY),
    })),
  })
  return startExecution({ ...input, genesis, directory: join(input.directory, 'execution') })
}

/** The parts of a chain that a network may replace. */
export type ChainSwitches = Partial<Pick<ChainInput, 'signVotes' | 'holdsKey' | 'votesNil' | 'forgery'>>

/** Returns the consensus side of a plan on a running execution side, at slot 0. */
export function chainOf(plan: Plan, execution: RehearsalExecution, switches: ChainSwitches = {}): Chain {
  return startChain({
    spec: plan.spec,
    genesis: plan.state,
    engineChainId: plan.genesis.engineChainId,
    genesisForkVersion: plan.genesis.forkVersion,
    genesisValidatorsRoot: validatorsRoot(plan.state),
    genesisDepositsRoot: plan.genesisDepositsRoot,
    inflation: readInflation(plan.specToml),
    // As the home of that validator says.
    feeRecipientOf: (pubkey) => (pubkey === plan.fresh.pubkey ? plan.user.address : undefined),
    execution,
    ...signerOf(plan.keys),
    ...switches,
  })
}

/** Returns what signs for the members of a set whose secrets are among `held`. */
export function signerOf(held: ReadonlyMap<string, RehearsalValidatorKey>) {
  const signVotes: SignVotes = ({ keys, message }) =>
    signWithSecrets(
      keys.flatMap((key) => held.get(key)?.secretBase64 ?? []),
      message,
    )
  return { signVotes, holdsKey: (key: string) => held.has(key) }
}

/** The root that the SSZ library gives for the registry of slot 0. */
function validatorsRoot(state: ConsensusState): Hex {
  const { validators } = BeaconStateType.fields
  const values = state.validators.map((validator) => ({
    ...validator,
    pubkey: hexToBytes(validator.pubkey),
    withdrawalCredentials: hexToBytes(validator.withdrawalCredentials),
    effectiveBalance: validator.effectiveBalanceGwei,
  }))
  return bytesToHex(validators.hashTreeRoot(values))
}

/** Counts what anybody asks on the network's endpoints. */
export type RequestWatch = {
  count: () => number
  /** The same handler, counted. */
  server(handle: LoopbackHandler): LoopbackHandler
  /** The same hooks of the execution endpoint, counted. */
  front(hooks?: FrontHooks): FrontHooks
}

/** Returns a counter for all endpoints of a network. */
export function requestWatch(): RequestWatch {
  let count = 0
  return {
    count: () => count,
    server: (handle) => (request) => {
      count += 1
      return handle(request)
    },
    front: (hooks = {}) => ({
      async around(call, answer) {
        count += 1
        if (hooks.around !== undefined) return hooks.around(call, answer)
        return { kind: 'answer', answer: await answer() }
      },
    }),
  }
}
