import { forkIsKnown, forkWords } from '../../consensus/fork-outlook.ts'
import type { Setup } from '../../facts.ts'
import { sameHex } from '../../format/hex.ts'
import { ownCommand } from '../../format/shell-word.ts'
import { offeredValue } from '../../network/offered.ts'
import { known } from '../observation.ts'
import type { Problem } from '../view.ts'
import { joinClaims } from './claims.ts'
import { type GenesisState, scheduleAgrees, secondAgrees } from './machine.ts'
import { networkSource } from './network-source.ts'

const MOST_FORKS_SHOWN = 6

/** The first thing about the chain that stops a registration. */
export function genesisProblem(state: GenesisState, setup: Setup): Problem | undefined {
  const { network } = setup
  const file = known(state.seen.file)
  const node = known(state.seen.node)
  const empty = state.seen.file
  if (empty.status === 'failed' && empty.error.code === 'genesis-file.no-deposits') {
    const { shortMessage, details, nextSteps } = empty.error
    return {
      title: shortMessage,
      money: 'untouched',
      values: [],
      lines: details,
      next: [...nextSteps, 'then press r'],
    }
  }
  const wrong = [
    ['your genesis.json', file?.root],
    ['running node', node?.root],
  ].find(([, root]) => root !== undefined && !sameHex(root, network.genesisValidatorsRoot))
  if (wrong !== undefined) {
    return {
      title: 'Stop: these two roots are different.',
      money: 'untouched',
      values: [
        { label: wrong[0] ?? '', value: wrong[1] ?? '' },
        { label: `${network.label}, ${networkSource(network)}`, value: network.genesisValidatorsRoot },
      ],
      lines: [
        'A deposit signed for another root is burnt: the chain keeps the money. Your file or node belongs to another network, or the file is the empty one that `init` writes.',
      ],
      next: [
        "fetch the network's genesis.json, put it there, press r",
        'choose the network that it belongs to: Esc leads back',
      ],
    }
  }
  const mismatches = [...chainMismatches(state, setup), ...claimMismatches(state, setup)]
  if (mismatches.length === 0) return forkProblem(state, setup)
  return {
    title: 'Stop: not all of these belong to one chain.',
    money: 'untouched',
    values: mismatches,
    lines: [`Every source must name ${network.label} before anything is signed.`],
    next: [
      'Esc leads back to the addresses: correct the one that differs',
      'go back further, and choose the network that they belong to',
    ],
  }
}

function chainMismatches(state: GenesisState, setup: Setup): { label: string; value: string }[] {
  const { network } = setup
  const rows: { label: string; value: string }[] = []
  const add = (label: string, found: string, expected: string) => {
    if (found !== expected) rows.push({ label, value: found }, { label: 'expected', value: expected })
  }
  const file = known(state.seen.file)
  const node = known(state.seen.node)
  const execution = known(state.seen.execution)
  const engine = known(state.seen.engine)
  const contract = known(state.seen.contract)
  if (file) add('fork version in genesis.json', file.forkVersion, network.genesisForkVersion)
  if (file) add('engine chain in genesis.json', file.engineChainId, network.engineChainId)
  if (node) add('fork version of the node', node.forkVersion, network.genesisForkVersion)
  if (execution) add('execution chain id', String(execution.chainId), String(network.executionChainId))
  if (execution && setup.executionGenesisHash) {
    add('first block of the execution chain', execution.genesisHash, setup.executionGenesisHash)
  }
  if (engine) add('engine network', engine.network, network.engineChainId)
  if (contract) add('deposit contract code', contract.codeHash, network.depositContractCodeHash)
  if (known(state.seen.second) !== undefined && execution !== undefined && !secondAgrees(state)) {
    rows.push(
      { label: 'first block, second endpoint', value: known(state.seen.second)?.genesisHash ?? '' },
      { label: 'first block, your endpoint', value: execution.genesisHash },
    )
  }
  return rows
}

/** What the node says of chain and contract, in either place, where it is not the network's. */
function claimMismatches({ seen }: GenesisState, { network }: Setup): { label: string; value: string }[] {
  const offered = offeredValue(known(seen.deposits))
  const { chainIds, contracts } = joinClaims(known(seen.config) ?? { chainIds: [], contracts: [] }, offered)
  const { executionChainId, spec } = network
  const chainId = chainIds.find((each) => each !== executionChainId)
  const contract = contracts.find((each) => !sameHex(each, spec.depositContract))
  return [
    ...(chainId === undefined
      ? []
      : [
          { label: 'deposit chain of the node', value: String(chainId) },
          { label: 'expected', value: String(executionChainId) },
        ]),
    ...(contract === undefined
      ? []
      : [
          { label: 'deposit contract of the node', value: contract },
          { label: 'expected', value: spec.depositContract },
        ]),
  ]
}

/** Rules that are not known here, or not the ones that the network's own file gives for this time. */
function forkProblem(state: GenesisState, setup: Setup): Problem | undefined {
  const { network } = setup
  const fork = known(state.seen.fork)
  if (fork === undefined) return undefined
  const schedule = offeredValue(known(state.seen.schedule))
  if (!forkIsKnown(fork, network.spec)) {
    return {
      title: 'Stop: the chain follows other rules than this program expects.',
      money: 'untouched',
      values: [
        { label: 'fork of the head', value: fork.version },
        { label: 'in words', value: forkWords(fork, network.spec) },
      ],
      lines: [
        'What a stake buys is forecast by the rules of Electra, Electra1 and Fulu, at the times that the network’s file gives. By other rules a top-up could lose its place in the active set.',
      ],
      next: [
        'get a version of this program that knows the fork, or the network’s present files, then press r',
        `until then a validator can be looked at: ${ownCommand(setup.own, 'status')}`,
      ],
    }
  }
  if (schedule === undefined || scheduleAgrees(state, schedule, setup)) return undefined
  return {
    title: 'Stop: the node has another history of forks.',
    money: 'untouched',
    values: schedule
      .slice(-MOST_FORKS_SHOWN)
      .map(({ version, epoch }) => ({ label: `from epoch ${epoch}`, value: version })),
    lines: [
      `By the times of ${network.label} and by its own head the node should name other forks for the time until now.`,
    ],
    next: ['start the node with the network’s own files, press r', 'use the API of another node'],
  }
}
