import { endpointLabel } from '../../base/format/endpoint-url.ts'
import { sameHex } from '../../base/format/hex.ts'
import { distinctNext } from '../../base/format/next.ts'
import { nextText } from '../../base/format/next-text.ts'
import { ownCommand, shellCommand } from '../../base/format/text.ts'
import { forkIsKnown, forkWarnings, forkWords } from '../../chain/consensus/fork-outlook.ts'
import type { Setup } from '../../chain/facts.ts'
import { offeredValue } from '../../chain/network/offered.ts'
import { known } from '../../view/observation.ts'
import { factRows, failureProblem, moneyUntouched, problemOf } from '../../view/rows.ts'
import { goOn, type StepView, stepView } from '../../view/step-view.ts'
import { provenCount, rowsVerdict } from '../../view/verdict.ts'
import type { Problem } from '../../view/view.ts'
import { GENESIS_FACTS, genesisPresetRow, hasGenesisFile, joinClaims, sameFirstBlock } from './facts.ts'
import { type GenesisEvent, type GenesisState, genesisFact } from './machine.ts'
import { GENESIS_TEXT } from './text.ts'

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
  const facts = [genesisPresetRow(setup), ...factRows(GENESIS_FACTS, observed, { observed, setup })]
  const fork = known(observed.fork)
  return stepView({
    step: 'genesis',
    title: GENESIS_TEXT.title,
    verdict: rowsVerdict(facts, {
      isOpen: done,
      good: GENESIS_TEXT.good(provenCount(facts), network.label),
    }),
    sections: ['intro', 'facts', 'notes'],
    folds: ['facts'],
    intro: introOf(state, setup),
    factsTitle: GENESIS_TEXT.factsTitle,
    facts,
    notes: [
      ...(fork === undefined ? [] : forkWarnings(network.spec, fork.timestampSeconds, fact?.forksAhead)),
      ...(network.depositContractCodeHashConfirmed ? [] : [GENESIS_TEXT.codeNotConfirmed]),
    ],
    money: moneyUntouched(GENESIS_TEXT.worst, network.names.token),
    problem,
    actions: [
      ...(done ? [goOn('genesis')] : []),
      { key: 'r', label: GENESIS_TEXT.askAgain, does: [{ step: 'genesis', type: 'retried' }] },
    ],
    commands: commandsOf(state, setup),
    done,
  })
}

/** Where something required did not answer, what can be done about it comes first: no other row says so. */
function introOf({ observed, asking }: GenesisState, setup: Setup): string {
  const failed = Object.values(observed).flatMap((each) => (each.status === 'failed' ? [each.error] : []))
  if (asking || failed.length === 0) return GENESIS_TEXT.intro(setup.network.label)
  const telling = failed.filter(({ code }) => code !== 'client.not-offered')
  const nextSteps = (telling.length > 0 ? telling : failed).flatMap((each) => each.nextSteps.slice(0, 1))
  return GENESIS_TEXT.unknown(
    distinctNext(nextSteps)
      .slice(0, MOST_STEPS_SAID)
      .map((step) => nextText(step)),
    setup,
  )
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

/** The first thing about the chain that stops a registration. */
function genesisProblem(state: GenesisState, setup: Setup): Problem | undefined {
  const { observed } = state
  const { network } = setup
  if (observed.file.status === 'failed' && observed.file.error.code === 'genesis-file.no-deposits') {
    const failure = failureProblem(observed.file)
    return failure && { ...failure, money: 'untouched', next: [...failure.next, GENESIS_TEXT.thenAskAgain] }
  }
  for (const place of ['file', 'node'] as const) {
    const root = known<{ root: string }>(observed[place])?.root
    if (root === undefined || sameHex(root, network.genesisValidatorsRoot)) continue
    const { found, expected, ...text } = GENESIS_TEXT.otherRoot
    const values = [
      { label: found[place], value: root },
      { label: expected(network), value: network.genesisValidatorsRoot },
    ]
    return problemOf(stop('other-root'), text, values)
  }
  const values = [...chainMismatches(state, setup), ...claimMismatches(state, setup)]
  if (values.length === 0) return forkProblem(state, setup)
  const { otherChain: text } = GENESIS_TEXT
  return problemOf(stop('other-chain'), { ...text, lines: text.lines(network.label) }, values)
}

type Values = Problem['values'][number][]

/** A value that differs, with the expected one; nothing where there is none, or they are equal. */
function mismatch(
  what: keyof typeof GENESIS_TEXT.otherChain.found,
  found: string | number | undefined,
  expected: string | number | undefined,
): Values {
  if (found === undefined || expected === undefined || found === expected) return []
  const { found: labels, expected: label } = GENESIS_TEXT.otherChain
  return [
    { label: labels[what], value: String(found) },
    { label, value: String(expected) },
  ]
}

function chainMismatches({ observed }: GenesisState, { network, executionGenesisHash }: Setup): Values {
  const file = known(observed.file)
  const execution = known(observed.execution)
  const second = known(observed.second)
  const { first } = GENESIS_TEXT.otherChain
  const differ = second !== undefined && execution !== undefined && !sameFirstBlock(observed)
  return [
    ...mismatch('fileFork', file?.forkVersion, network.genesisForkVersion),
    ...mismatch('fileEngine', file?.engineChainId, network.engineChainId),
    ...mismatch('nodeFork', known(observed.node)?.forkVersion, network.genesisForkVersion),
    ...mismatch('executionChain', execution?.chainId, network.executionChainId),
    ...mismatch('secondChain', second?.chainId, network.executionChainId),
    ...mismatch('firstBlock', execution?.genesisHash, executionGenesisHash),
    ...mismatch('engine', known(observed.engine)?.network, network.engineChainId),
    ...mismatch('contract', known(observed.contract)?.codeHash, network.depositContractCodeHash),
    ...(differ
      ? [
          { label: first.second, value: second.genesisHash },
          { label: first.own, value: execution.genesisHash },
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
    ...mismatch('depositChain', chainId, executionChainId),
    ...mismatch('depositContract', contract, spec.depositContract),
  ]
}

/** Rules that are not known here, or not the ones that the network's own file gives for this time. */
function forkProblem({ observed }: GenesisState, setup: Setup): Problem | undefined {
  const { spec, label } = setup.network
  const fork = known(observed.fork)
  if (fork === undefined) return undefined
  if (!forkIsKnown(fork, spec)) {
    const { version, words, next, ...text } = GENESIS_TEXT.otherRules
    const values = [
      { label: version, value: fork.version },
      { label: words, value: forkWords(fork, spec) },
    ]
    return problemOf(stop('other-rules'), { ...text, next: next(ownCommand(setup.own, 'status')) }, values)
  }
  const schedule = offeredValue(known(observed.schedule))
  if (schedule === undefined || GENESIS_FACTS.schedule.judge(schedule, { observed, setup })) return undefined
  const { from, ...text } = GENESIS_TEXT.otherHistory
  const last = schedule.slice(-MOST_FORKS_SHOWN)
  const values = last.map(({ version, epoch }) => ({ label: from(epoch), value: version }))
  return problemOf(stop('other-history'), { ...text, lines: text.lines(label) }, values)
}
