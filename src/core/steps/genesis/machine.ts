import { forksAhead } from '../../chain/consensus/fork-outlook.ts'
import type { GenesisFact, Setup } from '../../chain/facts.ts'
import { offeredValue } from '../../chain/network/offered.ts'
import { known, type Observations, type Observed, withObservation } from '../../view/observation.ts'
import { gateHolds, nothingAsked } from '../../view/rows.ts'
import { GENESIS_FACTS, type GenesisAnswers } from './facts.ts'

export type GenesisState = { observed: Observations<GenesisAnswers>; asking: boolean }

export type GenesisEvent =
  | { step: 'genesis'; type: 'entered' | 'retried' | 'finished' }
  | ({ step: 'genesis'; type: 'observed' } & Observed<GenesisAnswers>)

export type GenesisCommand = { step: 'genesis'; type: 'ask'; scope: 'here' }

export const initialGenesis: GenesisState = {
  observed: nothingAsked(GENESIS_FACTS),
  asking: false,
}

/** Returns the first step: is this the chain it says it is? */
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
      return [{ ...state, observed: withObservation(state.observed, event) }, []]
    case 'finished':
      return [{ ...state, asking: false }, []]
  }
}

function ask(state: GenesisState): readonly [GenesisState, readonly GenesisCommand[]] {
  return [{ ...state, asking: true }, [{ step: 'genesis', type: 'ask', scope: 'here' }]]
}

/** The proven fact, once every source that is needed has answered and agrees; one that did not answer keeps the gate shut. */
export function genesisFact({ observed }: GenesisState, setup: Setup): GenesisFact | undefined {
  const execution = known(observed.execution)
  const fork = known(observed.fork)
  if (!gateHolds(GENESIS_FACTS, observed, { observed, setup }) || !execution || !fork) return undefined
  const { genesisValidatorsRoot, genesisForkVersion, spec } = setup.network
  return {
    genesisValidatorsRoot,
    genesisForkVersion,
    executionGenesisHash: execution.genesisHash,
    forksAhead: forksAhead(offeredValue(known(observed.schedule)) ?? [], fork, spec),
  }
}
