import type { Setup } from '../../facts.ts'
import { known } from '../observation.ts'
import { factRow, moneyUntouched } from '../rows.ts'
import type { FactRow, Problem, StepView } from '../view.ts'
import { type IdentityAnswers, type IdentityState, identityFact, identityJudges } from './machine.ts'

/** Everything the identity screen draws. */
export function identityView(
  state: IdentityState,
  journal: { status: string; reason?: string },
  setup: Setup,
): StepView {
  const { network } = setup
  const key = known(state.seen.key)
  const done = identityFact(state, setup) !== undefined && journal.status === 'open'
  const problem = journalProblem(journal) ?? identityProblem(state, setup)
  return {
    step: 'identity',
    title: 'Check the key',
    intro: 'A key can be registered once, ever. Is this one unused, sound, and the one your node runs with?',
    factsTitle: 'May this key be registered?',
    facts: identityRows(state, setup),
    fields: [],
    checks: [],
    ladder: [],
    timeline: [],
    notes: (known(state.seen.home)?.findings ?? []).map(({ text, fix }) => `${text} ${fix}`),
    money: moneyUntouched(
      'worst case here: none. The key is only read, by a separate process.',
      network.names.token,
    ),
    ...(problem === undefined ? {} : { problem }),
    actions: [
      ...(done ? [{ id: 'next', key: 'return', label: 'continue' }] : []),
      { id: 'retry', key: 'r', label: 'ask again' },
    ],
    commands: [
      `${network.names.nodeTool} deposit validator-keys --home '${setup.homePath}'`,
      `cast call ${network.spec.depositContract} 'getOperator(bytes)(address)' ${key?.pubkey ?? '<pubkey>'} --rpc-url '${setup.endpoints.execution}'`,
      `curl -s '${setup.endpoints.node}/eth/v1/beacon/states/head/validators?id=${key?.pubkey ?? '<pubkey>'}'`,
    ],
    done,
  }
}

function identityRows({ seen, own }: IdentityState, setup: Setup): FactRow[] {
  const key = known(seen.key)
  const playKey = setup.network.kind === 'rehearsal'
  const rows: FactRow[] = [
    factRow({
      id: 'home',
      label: 'node home',
      observation: seen.home,
      judge: identityJudges.home,
      say: homeWords,
      explain: {
        what: 'The folder of the node, and whether the key lies in it or with a remote signer.',
        who: 'config.toml in that folder.',
        later: 'Yes, in config.toml. This program never writes there.',
      },
    }),
    factRow({
      id: 'key',
      label: 'key',
      observation: seen.key,
      judge: (value) => identityJudges.key(playKey ? { ...value, publishedKey: false } : value),
      say: (value) => keyWords(value, playKey),
      long: (value) => value.pubkey,
      explain: {
        what: 'The public key that names your validator for ever. It is derived anew from the private key and compared with what the file says.',
        who: 'A separate short-lived process that reads the key file and tells only public facts.',
        later: 'Never for this validator. Before the first deposit you can still make another key.',
      },
    }),
    factRow({
      id: 'permissions',
      label: 'key file',
      observation: seen.permissions,
      judge: identityJudges.permissions,
      say: (value) => `mode ${value.mode.toString(8)}${value.ownedByUser ? '' : ', another owner'}`,
      explain: {
        what: 'Who on this machine may read the private key.',
        who: 'The file system.',
        later: 'Yes: chmod 600 on the key file.',
      },
    }),
    factRow({
      id: 'engine',
      label: 'engine',
      observation: seen.engine,
      judge: (value) => identityJudges.engine(value, key),
      say: (value) => (identityJudges.engine(value, key) ? 'runs with this key' : 'runs with another key'),
      explain: {
        what: 'The key that the running node signs blocks with. If it is another one, your validator would be active and silent.',
        who: 'The consensus engine, in its status.',
        later: 'Yes, by restarting the node with this key.',
      },
    }),
    factRow({
      id: 'operator',
      label: 'operator',
      observation: seen.operator,
      judge: (value) => identityJudges.operator(value, own),
      say: (value) => operatorWords(value.operator, own !== undefined),
      explain: {
        what: 'The contract keeps one operator for each key, set by the first deposit ever made for it. For an unused key it is zero.',
        who: 'The deposit contract, through the execution endpoint.',
        later: 'Only by the operator itself, with a delay.',
      },
    }),
  ]
  if (setup.endpoints.secondExecution !== undefined) {
    rows.push(
      factRow({
        id: 'secondOperator',
        label: 'operator, again',
        observation: seen.secondOperator,
        judge: (value) => identityJudges.operator(value, own),
        say: (value) => operatorWords(value.operator, own !== undefined),
        explain: {
          what: 'The same question to an execution endpoint of another operator.',
          who: 'The second execution endpoint.',
          later: 'See the row above.',
        },
      }),
    )
  }
  rows.push(
    factRow({
      id: 'beacon',
      label: 'beacon state',
      observation: seen.beacon,
      judge: (value) => identityJudges.beacon(value, own),
      say: (value) => beaconWords(value.index, value.status, own !== undefined),
      explain: {
        what: 'The list of all validators that the chain knows. An unused key is not in it.',
        who: 'The node API, asked for this one key.',
        later: 'Once in it, a key stays in it.',
      },
    }),
    factRow({
      id: 'node',
      label: 'node is live',
      observation: seen.node,
      judge: identityJudges.node,
      say: (value) => nodeWords(value),
      explain: {
        what: 'Nothing a node says reveals that its chain stands still, so this waits until a new head appears.',
        who: 'The node API and the execution endpoint, watched with our own clock.',
        later: 'It is asked again before anything is sent.',
      },
    }),
  )
  return rows
}

function homeWords({ remoteSigner, findings }: IdentityAnswers['home']): string {
  if (remoteSigner !== '') return 'a remote signer holds the key'
  const stops = findings.filter(({ severity }) => severity === 'stop').length
  if (stops > 0) return `${stops} of its settings must be changed first`
  return findings.length === 0
    ? 'holds the key itself'
    : `holds the key itself; ${findings.length} to look at`
}

function keyWords(
  value: { storedPubkeyMatches: boolean; storedAddressMatches: boolean; publishedKey: boolean },
  playKey: boolean,
): string {
  if (!value.storedPubkeyMatches) return 'the file names another public key'
  if (!value.storedAddressMatches) return 'the file names another address'
  if (value.publishedKey && !playKey) return 'this private key is publicly known'
  return 'sound, the file agrees'
}

function operatorWords(operator: string, own: boolean): string {
  if (/^0x0+$/.test(operator)) return 'zero: never used'
  return own ? 'set by your own deposit' : `already set to ${operator}`
}

function beaconWords(index: number | undefined, status: string | undefined, own: boolean): string {
  if (index === undefined) return 'does not know this key'
  return own
    ? `knows your validator, index ${index}`
    : `knows it already: index ${index}, ${status ?? 'no status'}`
}

function nodeWords(value: {
  syncing: boolean
  advanced: boolean
  secondsToAdvance: number
  headSlot: bigint
}): string {
  if (value.syncing) return 'still syncing'
  if (!value.advanced) return `no new head for ${value.secondsToAdvance} s`
  return `new head, slot ${value.headSlot}`
}

function journalProblem(journal: { status: string; reason?: string }): Problem | undefined {
  if (journal.status !== 'refused') return undefined
  return {
    title: 'Stop: the journal of this key cannot be used.',
    money: 'unknown',
    values: [],
    lines: [
      journal.reason ?? '',
      'Without it nothing can be sent: it is what keeps a payment from happening twice.',
    ],
    next: ['close the other window that works on this key, press r', 'or look at the file named above'],
  }
}

function identityProblem(state: IdentityState, setup: Setup): Problem | undefined {
  const { seen, own } = state
  const key = known(seen.key)
  const engine = known(seen.engine)
  const operator = known(seen.operator)
  const beacon = known(seen.beacon)
  const stops = (known(seen.home)?.findings ?? []).filter(({ severity }) => severity === 'stop')
  const playKey = setup.network.kind === 'rehearsal'
  if (stops.length > 0) {
    return {
      title: 'Stop: this node home is not ready for a deposit.',
      money: 'untouched',
      values: [],
      lines: stops.map(({ text }) => text),
      next: [...stops.map(({ fix }) => fix), 'r asks again'],
    }
  }
  if (key && !identityJudges.key(playKey ? { ...key, publishedKey: false } : key)) {
    return {
      title: 'Stop: this key file cannot be used.',
      money: 'untouched',
      values: [{ label: 'key derived from the file', value: key.pubkey }],
      lines: [keyWords(key, playKey)],
      next: ['make a new key with the node tool in a fresh home, restart the node with it, press r'],
    }
  }
  if (key && engine && !identityJudges.engine(engine, key)) {
    return {
      title: 'Stop: the running node uses another key.',
      money: 'untouched',
      values: [
        { label: 'key file', value: key.pubkey },
        { label: 'engine', value: engine.pubkey },
      ],
      lines: ['A validator registered with this file would be active and never sign a block.'],
      next: ['restart the node with this home, or choose the home of the running node, then press r'],
    }
  }
  if (beacon && !identityJudges.beacon(beacon, own)) return usedKeyProblem(beacon)
  if (operator && !identityJudges.operator(operator, own)) {
    return {
      title: 'Stop: somebody has used this key already.',
      money: 'untouched',
      values: [{ label: 'operator set in the contract', value: operator.operator }],
      lines: [
        'The contract has an operator for this key, but the chain does not know a validator with it.',
        'Either a first deposit for it was lost (a wrong signature burns it), or a stranger took the key’s place, or a deposit is still on its way.',
        'A first deposit from here would be refused by the contract.',
      ],
      next: [
        'if you have just sent a deposit elsewhere: wait two slots, press r',
        'otherwise make a new key with the node tool and register that one',
      ],
    }
  }
  return undefined
}

function usedKeyProblem(beacon: {
  index: number | undefined
  status: string | undefined
  exiting: boolean
  withdrawalCredentials: string | undefined
}): Problem {
  const values = [{ label: 'pays out to', value: beacon.withdrawalCredentials ?? 'unknown' }]
  if (beacon.exiting) {
    return {
      title: 'Stop: this key has left the validator set for ever.',
      money: 'untouched',
      values,
      lines: [
        `The chain knows it as validator ${beacon.index}, ${beacon.status}.`,
        'Whatever is deposited for it is paid back to the old withdrawal address; it never becomes active again.',
      ],
      next: ['make a new key with the node tool and register that one'],
    }
  }
  return {
    title: 'Stop: this key is registered already.',
    money: 'untouched',
    values,
    lines: [
      `The chain knows it as validator ${beacon.index}, ${beacon.status}.`,
      'A deposit now would be a top-up that pays out to the address above.',
    ],
    next: [
      'if it is yours, start again with the state directory that registered it',
      'otherwise make a new key',
    ],
  }
}
