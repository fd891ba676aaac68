import type { KeyHistory } from '../../deposit/key-history.ts'
import type { KeyFacts } from '../../effects/effects.ts'
import type { Setup } from '../../facts.ts'
import type { Hex } from '../../format/hex.ts'
import { homeStops, keyIsElsewhere } from '../../identity/key-place.ts'
import type { TypedKey } from '../../identity/typed-key.ts'
import { MOST_SLOTS_APART, standstillWords } from '../../network/standstill.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { freshnessRows, vitalRows } from './freshness.ts'
import {
  awaitsTypedKey,
  type IdentityAnswers,
  type IdentityState,
  identityJudges,
  isOwnOperator,
  keyAllowed,
  keyOf,
} from './machine.ts'
import { toolRows } from './tool.ts'

/** The facts of the identity step, in the order of asking; of a key that is still to be typed nothing is asked. */
export function identityRows(state: IdentityState, setup: Setup): FactRow[] {
  const rows = allRows(state, setup)
  const toBeTyped = state.typedKey === undefined && awaitsTypedKey(state)
  return toBeTyped ? rows.filter(({ id, mark }) => id === 'key' || mark !== 'unasked') : rows
}

function allRows(state: IdentityState, setup: Setup): FactRow[] {
  const { seen, own } = state
  const key = keyOf(state)
  const home = known(seen.home)
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
    ...(home !== undefined && keyIsElsewhere(home)
      ? [typedKeyRow(state.typedKey, setup)]
      : keyFileRows(state, setup)),
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
    ...toolRows(seen, key, setup),
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
          what: 'The same question to the second execution endpoint, on another server.',
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
      say: (value) => beaconWords(value.index, value.status, identityJudges.beacon(value, own)),
      explain: {
        what: 'The list of all validators that the chain knows. An unused key is not in it.',
        who: 'The node API, asked for this one key: its word. Right before the first deposit it is proven with the whole state.',
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
    ...freshnessRows(seen),
    ...vitalRows(seen, setup),
  )
  return rows
}

function keyFileRows({ seen }: IdentityState, setup: Setup): FactRow[] {
  return [
    factRow({
      id: 'key',
      label: 'key',
      observation: seen.key,
      judge: (value) => keyAllowed(value, setup),
      say: (value) => keyWords(value, setup),
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
  ]
}

function typedKeyRow(key: TypedKey | undefined, setup: Setup): FactRow {
  const row = {
    id: 'key',
    label: 'key',
    explain: {
      what: 'The public key that names your validator for ever. The private one is on another machine; the running engine must sign with it.',
      who: 'You, from your own record of the key machine.',
      later: 'Never for this validator. Before the first deposit you can still make another key.',
    },
  } as const
  if (key === undefined) return { ...row, mark: 'unasked', value: 'on another machine', source: '' }
  const mark = keyAllowed(key, setup) ? 'proven' : 'refused'
  return { ...row, mark, value: keyWords(key, setup), long: key.pubkey, source: 'you' }
}

function homeWords(home: IdentityAnswers['home']): string {
  const { remoteSigner, findings } = home
  const stops = homeStops(home).length
  if (stops > 0) return `${stops} of its settings must be changed first`
  if (remoteSigner !== '') return 'a remote signer holds the key'
  if (keyIsElsewhere(home)) return 'has no key file'
  return findings.length === 0
    ? 'holds the key itself'
    : `holds the key itself; ${findings.length} to look at`
}

/** What is wrong with a key, or that nothing is. */
export function keyWords(value: KeyFacts | TypedKey, { network }: Setup): string {
  const inFile = 'fileHash' in value
  if (inFile && !value.storedPubkeyMatches) return 'the file names another public key'
  if (inFile && !value.storedAddressMatches) return 'the file names another address'
  if (value.publishedKey && network.kind !== 'rehearsal') return 'this private key is publicly known'
  return inFile ? 'sound, the file agrees' : 'a valid key, typed'
}

function operatorWords(operator: Hex, state: IdentityState): string {
  const { rescue } = state
  if (/^0x0+$/.test(operator)) return 'zero: never used'
  if (isOwnOperator({ operator }, state)) return 'set by your own deposit'
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

function nodeWords(value: IdentityAnswers['node']): string {
  if (value.syncing) return 'still syncing'
  const { headSlot, secondsToAdvance, beside } = value
  if (!value.advanced) return standstillWords({ slot: headSlot, stillMs: secondsToAdvance * 1000, beside })
  const behind = value.executionBlock - value.headSlot
  if (behind > MOST_SLOTS_APART) return `${behind} slots behind the execution chain`
  if (-behind > MOST_SLOTS_APART) return `its execution chain is ${-behind} slots behind`
  return `new head, slot ${value.headSlot}`
}
