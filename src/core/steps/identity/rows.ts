import type { KeyFacts } from '../../effects/effects.ts'
import type { Setup } from '../../facts.ts'
import { homeStops, keyIsElsewhere } from '../../identity/key-place.ts'
import type { TypedKey } from '../../identity/typed-key.ts'
import { MOST_SLOTS_APART, standstillWords } from '../../network/standstill.ts'
import { known } from '../observation.ts'
import { factRow } from '../rows.ts'
import type { FactRow } from '../view.ts'
import { chainRows } from './chain-rows.ts'
import { freshnessRows, vitalRows } from './freshness.ts'
import { identityJudges, keyAllowed } from './judges.ts'
import { awaitsTypedKey } from './machine.ts'
import { type IdentityAnswers, type IdentityState, keyOf } from './state.ts'
import { toolRows } from './tool.ts'

/** The facts of the identity step, in the order of asking; of a key that is still to be typed nothing is asked. */
export function identityRows(state: IdentityState, setup: Setup): FactRow[] {
  const rows = allRows(state, setup)
  const toBeTyped = state.typedKey === undefined && awaitsTypedKey(state)
  return toBeTyped ? rows.filter(({ id, mark }) => id === 'key' || mark !== 'unasked') : rows
}

function allRows(state: IdentityState, setup: Setup): FactRow[] {
  const { seen } = state
  if (setup.homePath === undefined) return rowsWithoutHome(state, setup)
  const key = keyOf(state)
  const home = known(seen.home)
  return [
    factRow({
      id: 'home',
      label: 'node home',
      observation: seen.home,
      judge: identityJudges.home,
      say: homeWords,
      explain: {
        what: 'The folder of your node, and whether the validator key is in it or with a remote signer.',
        who: 'config.toml in that folder.',
        later: 'Yes, in config.toml. This program never writes there.',
      },
    }),
    ...(home !== undefined && keyIsElsewhere(home)
      ? [typedKeyRow(state.typedKey, setup)]
      : keyFileRows(state, setup)),
    engineRow(state),
    ...toolRows(seen, key, setup),
    ...chainRows(state, setup),
    liveRow(state),
    ...freshnessRows(seen),
    ...vitalRows(seen, setup),
  ]
}

/** Of a registered validator whose key alone was given: what needs a home is not asked. */
function rowsWithoutHome(state: IdentityState, setup: Setup): FactRow[] {
  const [sync, engineSync, heads] = freshnessRows(state.seen)
  const hasEngine = setup.endpoints.engine !== undefined
  const home: FactRow = {
    id: 'home',
    mark: 'unasked',
    label: 'node home',
    value: hasEngine ? 'none given: no file is read' : 'none given: no file, no engine is asked',
    source: '',
    explain: {
      what: 'A registered validator is watched and topped up with its public key alone, from any computer.',
      who: 'You, by giving no home.',
      later: 'Yes, by starting again with the home of its node.',
    },
  }
  const engine = hasEngine ? [asTold(engineRow(state))] : []
  // What is well goes without saying here: the screen is about one address.
  const odd = [...(hasEngine ? [engineSync] : []), sync, heads].filter(
    (row) => row?.mark === 'refused' || row?.mark === 'unknown',
  )
  const rows = [
    givenKeyRow(state, setup),
    home,
    ...chainRows(state, setup),
    ...engine,
    liveRow(state),
    ...odd,
  ]
  return rows.filter((row) => row !== undefined)
}

/** A top-up can be sent beside any engine: that it runs with another key is told, and refuses nothing. */
function asTold(row: FactRow): FactRow {
  return row.mark === 'refused' ? { ...row, mark: 'unasked' } : row
}

function givenKeyRow({ typedKey }: IdentityState, { validator }: Setup): FactRow {
  const index = validator?.index
  const pubkey = typedKey?.pubkey ?? validator?.pubkey
  return {
    id: 'key',
    mark: typedKey === undefined ? 'asking' : 'given',
    label: 'key',
    value: index === undefined ? 'as you gave it' : `of validator ${index}, reported by your node`,
    source: index === undefined ? 'you' : 'node API',
    ...(pubkey === undefined ? {} : { long: pubkey }),
    explain: {
      what: 'The public key that names the validator for ever. Compare it with your own record.',
      who:
        index === undefined
          ? 'You.'
          : 'The node API, asked for the index. That key and index belong together is proven in the step "confirm".',
      later: 'Never for this validator.',
    },
  }
}

function engineRow(state: IdentityState): FactRow {
  const key = keyOf(state)
  return factRow({
    id: 'engine',
    label: 'consensus engine',
    observation: state.seen.engine,
    judge: (value) => (key === undefined ? undefined : identityJudges.engine(value, key)),
    say: (value) => {
      if (key === undefined) return 'its key is not known here to compare with'
      return identityJudges.engine(value, key) ? 'runs with this key' : 'runs with another key'
    },
    explain: {
      what: 'The key that the running node signs blocks with. If it is another one, your validator would be active and silent.',
      who: 'The consensus engine (CometBFT), in its status.',
      later: 'Yes, by restarting the node with this key.',
    },
  })
}

function liveRow({ seen }: IdentityState): FactRow {
  return factRow({
    id: 'node',
    label: 'node is live',
    observation: seen.node,
    judge: identityJudges.node,
    say: (value) => nodeWords(value),
    explain: {
      what: 'A node does not report that its chain stands still. So this check waits until a new head (the newest block) appears.',
      who: 'The node API and the execution endpoint, timed by the clock of this computer.',
      later: 'Yes. It is checked again before anything is sent.',
    },
  })
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
        what: 'The public key that names your validator for ever. It is derived again from the private key and compared with what the file says.',
        who: 'A separate short-lived process that reads the key file and reports only public facts.',
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
  const mark = keyAllowed(key, setup) ? 'given' : 'refused'
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
  return inFile ? 'valid, the file agrees' : 'a valid key, typed'
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
