import { forksAhead } from '../../chain/consensus/fork-outlook.ts'
import type { GenesisFact, Setup } from '../../chain/facts.ts'
import { offeredValue } from '../../chain/network/offered.ts'
import { known, type Seen, type SeenEntry, withSeen } from '../../view/observation.ts'
import { gateHolds, nothingAsked } from '../../view/rows.ts'
import { GENESIS_FACTS, type GenesisAnswers } from './facts.ts'

export type GenesisState = { seen: Seen<GenesisAnswers>; asking: boolean }

export type GenesisEvent =
  | { step: 'genesis'; type: 'entered' | 'retried' | 'finished' }
  | ({ step: 'genesis'; type: 'observed' } & SeenEntry<GenesisAnswers>)

export type GenesisCommand = { step: 'genesis'; type: 'ask'; scope: 'here' }

export const initialGenesis: GenesisState = {
  seen: nothingAsked(GENESIS_FACTS),
  asking: false,
}

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

/** The proven fact, once every source that is needed has answered and agrees; one that did not answer keeps the gate shut. */
export function genesisFact({ seen }: GenesisState, setup: Setup): GenesisFact | undefined {
  const execution = known(seen.execution)
  const fork = known(seen.fork)
  if (!gateHolds(GENESIS_FACTS, seen, { seen, setup }) || !execution || !fork) return undefined
  const { genesisValidatorsRoot, genesisForkVersion, spec } = setup.network
  return {
    genesisValidatorsRoot,
    genesisForkVersion,
    executionGenesisHash: execution.genesisHash,
    forksAhead: forksAhead(offeredValue(known(seen.schedule)) ?? [], fork, spec),
  }
}
