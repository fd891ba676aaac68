import { forkWarnings } from '../../consensus/fork-outlook.ts'
import type { GenesisFact, Setup } from '../../facts.ts'
import { endpointLabel } from '../../format/endpoint-url.ts'
import { shellCommand } from '../../format/shell-word.ts'
import { known } from '../observation.ts'
import { moneyUntouched } from '../rows.ts'
import { goOn, type StepView } from '../step-view.ts'
import { provenCount, verdictOf } from '../verdict.ts'
import { type GenesisState, genesisFact, hasGenesisFile } from './machine.ts'
import { genesisProblem } from './problems.ts'
import { genesisRows } from './rows.ts'

/** Of several failures so many are answered at once. */
const MOST_STEPS_SAID = 2
/** Without a home the node tool makes one of its own. */
const IN_NO_HOME = '--home "$(mktemp -d)"'
const ROOT_VERB = ['genesis', 'validator-root'] as const

/** Everything the genesis screen draws. */
export function genesisView(state: GenesisState, setup: Setup): StepView {
  const { network } = setup
  const fact = genesisFact(state, setup)
  const done = fact !== undefined
  const problem = genesisProblem(state, setup)
  const facts = genesisRows(state, setup)
  return {
    step: 'genesis',
    title: 'Check the chain',
    verdict: verdictOf(facts, {
      isOpen: done,
      good: `All ${provenCount(facts)} answers name one chain: ${network.label}. Enter goes on.`,
    }),
    sections: ['intro', 'facts', 'notes'],
    folds: ['facts'],
    intro: introOf(state, setup),
    factsTitle: 'Is this the chain it says it is?',
    facts,
    fields: [],
    checks: [],
    ladder: [],
    timeline: [],
    notes: [
      ...forksSoon(state, fact, setup),
      ...(network.depositContractCodeHashConfirmed
        ? []
        : ['The expected contract code was read from the test network only, never from a node of this one.']),
    ],
    money: moneyUntouched(
      'worst case here: none. Nothing is signed and nothing is sent.',
      network.names.token,
    ),
    ...(problem === undefined ? {} : { problem }),
    actions: [
      ...(done ? [goOn('genesis')] : []),
      { key: 'r', label: 'ask again', does: [{ step: 'genesis', type: 'retried' }] },
    ],
    commands: [
      ...(hasGenesisFile(setup)
        ? [`${shellCommand(network.names.nodeTool, ...ROOT_VERB, placeOf(state, setup))} ${IN_NO_HOME}`]
        : []),
      shellCommand('cast', 'chain-id', '--rpc-url', endpointLabel(setup.endpoints.execution)),
      shellCommand('curl', '-s', `${endpointLabel(setup.endpoints.node)}/eth/v1/beacon/genesis`),
      shellCommand('curl', '-s', `${endpointLabel(setup.endpoints.node)}/eth/v1/config/spec`),
      ...(setup.endpoints.engine === undefined
        ? []
        : [shellCommand('curl', '-s', `${endpointLabel(setup.endpoints.engine)}/status`)]),
    ],
    done,
  }
}

/** Where something required did not answer, what can be done about it comes first: no other row says so. */
function introOf({ seen, asking }: GenesisState, { network }: Setup): string {
  const failed = Object.values(seen).flatMap((each) => (each.status === 'failed' ? [each.error] : []))
  if (asking || failed.length === 0)
    return `Everything is signed for one chain. Do all sources name ${network.label}?`
  const telling = failed.filter(({ code }) => code !== 'client.not-offered')
  const nextSteps = (telling.length > 0 ? telling : failed).flatMap((each) => each.nextSteps.slice(0, 1))
  const steps = [...new Set(nextSteps)].slice(0, MOST_STEPS_SAID)
  const away = network.kind === 'rehearsal' ? '' : 'Esc leads back to the addresses, '
  return `What is not known (?) keeps this step closed. ${steps.join(' ')} ${away}r asks again.`
}

function forksSoon(state: GenesisState, fact: GenesisFact | undefined, { network }: Setup): string[] {
  const fork = known(state.seen.fork)
  return fork === undefined ? [] : forkWarnings(network.spec, fork.timestampSeconds, fact?.forksAhead)
}

/** Where the file is; where it is by default as long as that is not known. */
function placeOf({ seen }: GenesisState, { homePath = '' }: Setup): string {
  return known(seen.place)?.path ?? `${homePath}/config/genesis.json`
}
