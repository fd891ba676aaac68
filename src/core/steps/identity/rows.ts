import type { KeyHistory } from '../../deposit/key-history.ts'
import type { Setup } from '../../facts.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { type IdentityAnswers, type IdentityState, identityJudges, MAX_LAG_SLOTS } from './machine.ts'

/** The facts of the identity step, in the order of asking. */
export function identityRows(state: IdentityState, setup: Setup): FactRow[] {
  const { seen, own } = state
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
      judge: (value) => identityJudges.operator(value, state),
      say: (value) => operatorWords(value.operator, state),
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
        judge: (value) => identityJudges.operator(value, state),
        say: (value) => operatorWords(value.operator, state),
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
    ...(seen.history.status === 'unasked' ? [] : [historyRow(state)]),
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

/** What is wrong with a key file, or that nothing is. */
export function keyWords(
  value: { storedPubkeyMatches: boolean; storedAddressMatches: boolean; publishedKey: boolean },
  playKey: boolean,
): string {
  if (!value.storedPubkeyMatches) return 'the file names another public key'
  if (!value.storedAddressMatches) return 'the file names another address'
  if (value.publishedKey && !playKey) return 'this private key is publicly known'
  return 'sound, the file agrees'
}

function operatorWords(operator: string, { own, rescue }: Pick<IdentityState, 'own' | 'rescue'>): string {
  if (/^0x0+$/.test(operator)) return 'zero: never used'
  if (own !== undefined) return 'set by your own deposit'
  return rescue === undefined ? `already set to ${operator}` : 'yours, from a deposit that was lost'
}

function historyRow(state: IdentityState): FactRow {
  return factRow({
    id: 'history',
    label: 'its past',
    observation: state.seen.history,
    judge: () => state.rescue !== undefined,
    say: pastWords,
    explain: {
      what: 'Every deposit that was made for this key since its operator was set, each judged as the chain judges it.',
      who: 'The logs of the deposit contract; the signatures are verified on this computer.',
      later: 'No.',
    },
  })
}

function pastWords({ deposits }: KeyHistory): string {
  const accepted = deposits.filter((deposit) => deposit.accepted).length
  const many = deposits.length === 1 ? '1 deposit' : `${deposits.length} deposits`
  return accepted === 0 ? `${many}, refused by the chain` : `${many}, ${accepted} valid`
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
  executionBlock: bigint
}): string {
  if (value.syncing) return 'still syncing'
  if (!value.advanced) return `no new head for ${value.secondsToAdvance} s`
  const behind = value.executionBlock - value.headSlot
  if (behind > MAX_LAG_SLOTS) return `${behind} slots behind the execution chain`
  if (-behind > MAX_LAG_SLOTS) return `its execution chain is ${-behind} slots behind`
  return `new head, slot ${value.headSlot}`
}
