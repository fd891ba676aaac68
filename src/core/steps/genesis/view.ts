import { formatCount } from '../../base/format/amount.ts'
import { endpointLabel } from '../../base/format/endpoint-url.ts'
import { sameHex } from '../../base/format/hex.ts'
import { again, back, distinctNext, KEY, nextText, parts } from '../../base/format/next.ts'
import { ownCommand, shellCommand } from '../../base/format/text.ts'
import { forkIsKnown, forkWarnings, forkWords } from '../../chain/consensus/fork-outlook.ts'
import type { Setup } from '../../chain/facts.ts'
import { offeredValue } from '../../chain/network/offered.ts'
import { known } from '../../view/observation.ts'
import {
  drawRows,
  failureProblem,
  moneyUntouched,
  problemOf,
  provenCount,
  rowsVerdict,
} from '../../view/rows.ts'
import { goOn, type StepView, stepView } from '../../view/step-view.ts'
import { STEP_NAMES_TEXT } from '../../view/text.ts'
import type { Problem } from '../../view/view.ts'
import {
  GENESIS_FACTS,
  genesisPresetRow,
  hasGenesisFile,
  joinClaims,
  sameFirstBlock,
  sourceOf,
} from './facts.ts'
import { type GenesisEvent, type GenesisState, genesisFact } from './machine.ts'

/** Of several failures so many are answered at once. */
const MOST_STEPS_SAID = 2
const MOST_FORKS_SHOWN = 6
/** Without a home the node tool makes one of its own. */
const IN_NO_HOME = '--home "$(mktemp -d)"'
const ROOT_VERB = ['genesis', 'validator-root'] as const

/** Everything the genesis screen draws. */
export function genesisView(state: GenesisState, setup: Setup): StepView<GenesisEvent> {
  const { network } = setup
  const { observed } = state
  const fact = genesisFact(state, setup)
  const done = fact !== undefined
  const problem = genesisProblem(state, setup)
  const facts = [genesisPresetRow(setup), ...drawRows(GENESIS_FACTS, observed, { observed, setup })]
  const fork = known(observed.fork)
  return stepView({
    step: 'genesis',
    title: STEP_NAMES_TEXT.of.genesis.title,
    verdict: rowsVerdict(facts, {
      isOpen: done,
      good: `All ${provenCount(facts)} answers name one chain: ${network.label}. Enter goes on.`,
    }),
    sections: ['intro', 'facts', 'notes'],
    folds: ['facts'],
    intro: introOf(state, setup),
    factsTitle: 'Is this the chain it says it is?',
    facts,
    notes: [
      ...(fork === undefined ? [] : forkWarnings(network.spec, fork.timestampSeconds, fact?.forksAhead)),
      ...(network.depositContractCodeHashConfirmed
        ? []
        : ['The expected contract code was read from the test network only, never from a node of this one.']),
    ],
    money: moneyUntouched(
      'worst case here: none. Nothing is signed and nothing is sent.',
      network.names.token,
    ),
    problem,
    actions: [
      ...(done ? [goOn('genesis')] : []),
      { key: 'r', label: 'ask again', does: [{ step: 'genesis', type: 'retried' }] },
    ],
    commands: commandsOf(state, setup),
    done,
  })
}

/** Where something required did not answer, what can be done about it comes first: no other row says so. */
function introOf({ observed, asking }: GenesisState, setup: Setup): string {
  const failed = Object.values(observed).flatMap((each) => (each.status === 'failed' ? [each.error] : []))
  const { network } = setup
  if (asking || failed.length === 0)
    return `Everything is signed for one chain. Do all sources name ${network.label}?`
  const telling = failed.filter(({ code }) => code !== 'client.not-offered')
  const nextSteps = (telling.length > 0 ? telling : failed).flatMap((each) => each.nextSteps.slice(0, 1))
  const steps = distinctNext(nextSteps)
    .slice(0, MOST_STEPS_SAID)
    .map((step) => nextText(step))
  const away = network.kind === 'rehearsal' ? '' : 'Esc leads back to the addresses, '
  return `What is not known (?) keeps this step closed. ${steps.join(' ')} ${away}r asks again.`
}

function commandsOf({ observed }: GenesisState, setup: Setup): string[] {
  const { endpoints, homePath = '', network } = setup
  const node = endpointLabel(endpoints.node)
  // As long as it is not known where the file is: where it is by default.
  const file = known(observed.place)?.path ?? `${homePath}/config/genesis.json`
  return [
    ...(hasGenesisFile(setup)
      ? [`${shellCommand(network.names.nodeTool, ...ROOT_VERB, file)} ${IN_NO_HOME}`]
      : []),
    shellCommand('cast', 'chain-id', '--rpc-url', endpointLabel(endpoints.execution)),
    shellCommand('curl', '-s', `${node}/eth/v1/beacon/genesis`),
    shellCommand('curl', '-s', `${node}/eth/v1/config/spec`),
    ...(endpoints.engine === undefined
      ? []
      : [shellCommand('curl', '-s', `${endpointLabel(endpoints.engine)}/status`)]),
  ]
}

const stop = (what: string) => ({ id: `genesis.${what}`, kind: 'stop' }) as const
const PRESS_AGAIN = again`, press ${KEY}`

/** What stops a registration, and what to do about it. */
export const GENESIS_STOPS = {
  otherRoot: {
    title: 'Stop: these two roots are different.',
    lines: [
      'A deposit signed for another root is burnt: the chain keeps the money. Your file or node belongs to another network, or the file is the empty one that `init` writes.',
    ],
    next: [
      parts`fetch the network's genesis.json, put it there${PRESS_AGAIN}`,
      parts`choose the network that it belongs to${back`: ${KEY} leads back`}`,
    ],
  },
  otherChain: {
    title: 'Stop: not all of these belong to one chain.',
    next: [
      parts`${back`${KEY} leads back to the addresses: `}correct the one that differs`,
      parts`${back`${KEY} leads further back: `}choose the network that they belong to`,
    ],
  },
  otherHistory: {
    title: 'Stop: the node has another history of forks.',
    next: [parts`start the node with the network’s own files${PRESS_AGAIN}`, 'use the API of another node'],
  },
}

/** The first thing about the chain that stops a registration. */
function genesisProblem(state: GenesisState, setup: Setup): Problem | undefined {
  const { observed } = state
  const { network } = setup
  if (observed.file.status === 'failed' && observed.file.error.code === 'genesis-file.no-deposits') {
    const failure = failureProblem(observed.file)
    return failure && { ...failure, money: 'untouched', next: [...failure.next, again`then press ${KEY}`] }
  }
  for (const place of ['file', 'node'] as const) {
    const root = known<{ root: string }>(observed[place])?.root
    if (root === undefined || sameHex(root, network.genesisValidatorsRoot)) continue
    return problemOf(stop('other-root'), GENESIS_STOPS.otherRoot, [
      { label: place === 'file' ? 'your genesis.json' : 'running node', value: root },
      { label: `${network.label}, ${sourceOf(network).short}`, value: network.genesisValidatorsRoot },
    ])
  }
  const values = [...chainMismatches(state, setup), ...claimMismatches(state, setup)]
  if (values.length === 0) return forkProblem(state, setup)
  const lines = [`Every source must name ${network.label} before anything is signed.`]
  return problemOf(stop('other-chain'), { ...GENESIS_STOPS.otherChain, lines }, values)
}

type Values = Problem['values'][number][]

/** A value that differs, with the expected one; nothing where there is none, or they are equal. */
function mismatch(
  label: string,
  found: string | number | undefined,
  expected: string | number | undefined,
): Values {
  if (found === undefined || expected === undefined || found === expected) return []
  return [
    { label, value: String(found) },
    { label: 'expected', value: String(expected) },
  ]
}

function chainMismatches({ observed }: GenesisState, { network, executionGenesisHash }: Setup): Values {
  const file = known(observed.file)
  const execution = known(observed.execution)
  const second = known(observed.second)
  const differ = second !== undefined && execution !== undefined && !sameFirstBlock(observed)
  return [
    ...mismatch('fork version in genesis.json', file?.forkVersion, network.genesisForkVersion),
    ...mismatch('engine chain in genesis.json', file?.engineChainId, network.engineChainId),
    ...mismatch('fork version of the node', known(observed.node)?.forkVersion, network.genesisForkVersion),
    ...mismatch('execution chain id', execution?.chainId, network.executionChainId),
    ...mismatch('chain id, second endpoint', second?.chainId, network.executionChainId),
    ...mismatch('first block of the execution chain', execution?.genesisHash, executionGenesisHash),
    ...mismatch('engine network', known(observed.engine)?.network, network.engineChainId),
    ...mismatch('deposit contract code', known(observed.contract)?.codeHash, network.depositContractCodeHash),
    ...(differ
      ? [
          { label: 'first block, second endpoint', value: second.genesisHash },
          { label: 'first block, your endpoint', value: execution.genesisHash },
        ]
      : []),
  ]
}

/** What the node says of chain and contract, in either place, where it is not the network's. */
function claimMismatches({ observed }: GenesisState, { network }: Setup): Values {
  const { executionChainId, spec } = network
  const config = known(observed.config) ?? { chainIds: [], contracts: [] }
  const { chainIds, contracts } = joinClaims(config, offeredValue(known(observed.deposits)))
  const chainId = chainIds.find((each) => each !== executionChainId)
  const contract = contracts.find((each) => !sameHex(each, spec.depositContract))
  return [
    ...mismatch('deposit chain of the node', chainId, executionChainId),
    ...mismatch('deposit contract of the node', contract, spec.depositContract),
  ]
}

/** Rules that are not known here, or not the ones that the network's own file gives for this time. */
function forkProblem({ observed }: GenesisState, setup: Setup): Problem | undefined {
  const { spec, label } = setup.network
  const fork = known(observed.fork)
  if (fork === undefined) return undefined
  if (!forkIsKnown(fork, spec)) {
    const text = {
      title: 'Stop: the chain follows other rules than this program expects.',
      lines: [
        'What a stake buys is forecast by the rules of Electra, Electra1 and Fulu, at the times that the network’s file gives. By other rules a top-up could lose its place in the active set.',
      ],
      next: [
        parts`get a version of this program that knows the fork, or the network’s present files${again`, then press ${KEY}`}`,
        `until then a validator can be looked at: ${ownCommand(setup.own, 'status')}`,
      ],
    }
    return problemOf(stop('other-rules'), text, [
      { label: 'fork of the head', value: fork.version },
      { label: 'in words', value: forkWords(fork, spec) },
    ])
  }
  const schedule = offeredValue(known(observed.schedule))
  if (schedule === undefined || GENESIS_FACTS.schedule.judge(schedule, { observed, setup })) return undefined
  const values = schedule
    .slice(-MOST_FORKS_SHOWN)
    .map(({ version, epoch }) => ({ label: `from epoch ${formatCount(epoch)}`, value: version }))
  const lines = [
    `By the times of ${label} and by its own head the node should name other forks for the time until now.`,
  ]
  return problemOf(stop('other-history'), { ...GENESIS_STOPS.otherHistory, lines }, values)
}
