import type { KeyFacts } from '../../base/effects/effects.ts'
import { formatCount } from '../../base/format/amount.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import { withChecksum } from '../../chain/deposit/credentials.ts'
import type { KeyHistory } from '../../chain/deposit/event.ts'
import type { Setup } from '../../chain/facts.ts'
import { engineKey, runsWithKey } from '../../chain/identity/engine-key.ts'
import { homeStops, keyIsElsewhere } from '../../chain/identity/home-findings.ts'
import type { TypedKey } from '../../chain/identity/typed-key.ts'
import {
  CATCHES_UP,
  FINALITY,
  healthWords,
  judgeNode,
  PEERS,
  peersWords,
  SAME_HEADS,
  STOP_OTHER,
  standstillWords,
} from '../../observe/findings.ts'
import {
  isStateAhead,
  judgeStandby,
  REPLACE_STATE,
  standbyNumbers,
  standbyWords,
} from '../../observe/standby.ts'
import { type Judgement, known, type Observation, SOURCES } from '../../view/observation.ts'
import type { FactTable } from '../../view/rows.ts'
import { EVIDENCE_TEXT } from '../../view/text.ts'
import { adoptable, operatorsDiffer } from './adopt.ts'
import {
  type HealthAnswers,
  type IdentityAnswers,
  type IdentityState,
  identityKey,
  isRegistered,
  type OperatorAnswer,
} from './state.ts'

/** What the answers are judged by: one another, what was typed, this journal, and what was chosen before. */
export type AboutIdentity = { state: IdentityState; setup: Setup }

type ValueOf<K extends keyof IdentityAnswers> = IdentityAnswers[K]

const here = () => 'this computer'
const hasSecond = ({ setup }: AboutIdentity) => setup.endpoints.secondExecution !== undefined
const isHere = ({ state }: AboutIdentity) => !keyIsAway(state)
const isSettled = (observation: Observation<unknown>) =>
  observation.status !== 'unasked' || observation.words !== undefined

const AGAIN = 'Yes. It is checked again before anything is sent.'
const OPERATOR_LATER = 'Only by the operator itself, with a delay.'
const MAY_LACK = 'The node API, if it has this answer; many nodes do not.'
const AT_ANY_MOMENT = 'Yes, at any moment. It is asked again with this step.'

/** What node and engine say of themselves. A lack of peers is told, not refused: a new head tells more than their number. */
export const HEALTH_FACTS: FactTable<HealthAnswers, Pick<AboutIdentity, 'setup'>> = {
  peers: {
    gate: 'told',
    isOptional: true,
    source: SOURCES.engineOrNode,
    judge: (value, { setup }) => judgeNode('peers', value, setup.network),
    numbers: ({ engine: engineCount, node: nodeCount }) => ({
      ...(engineCount === undefined ? {} : { engineCount }),
      ...(nodeCount === undefined ? {} : { nodeCount }),
    }),
    label: PEERS,
    say: (value, { setup }) => peersWords(value, setup.network),
    change: () => 'set seeds or persistent_peers under [p2p] in config/config.toml; open port 26656',
    explain: {
      what: 'How many other nodes this node is connected to. Without any, its blocks and votes reach nobody.',
      who: 'The engine, and the node API where it counts them.',
      later: AT_ANY_MOMENT,
    },
  },
  health: {
    gate: 'needed',
    isOptional: true,
    source: SOURCES.node,
    judge: (value, { setup }) => judgeNode('health', value, setup.network),
    label: 'node health',
    say: healthWords,
    change: () => 'look at the logs of the node: it says itself that it is not ready',
    explain: {
      what: 'Whether the node reports that it is ready. It does not report that its chain stands still.',
      who: MAY_LACK,
      later: AT_ANY_MOMENT,
    },
  },
  finality: {
    gate: 'needed',
    isOptional: true,
    source: SOURCES.node,
    judge: (value, { setup }) => judgeNode('finality', value, setup.network),
    label: FINALITY,
    say: ({ finalizedEpoch, headEpoch }) =>
      `final to epoch ${formatCount(finalizedEpoch)}, head in epoch ${formatCount(headEpoch)}`,
    change: () =>
      'look at the logs of the node, or use the API of another one: on this chain every block is final',
    explain: {
      what: 'On this chain every block is final at once, so the last final epoch must be the epoch of the head (the newest block).',
      who: MAY_LACK,
      later: AT_ANY_MOMENT,
    },
  },
}

/** The facts of this step. Of the operator and the record the gate asks less than a row does to look proven. */
export const IDENTITY_FACTS: FactTable<IdentityAnswers, AboutIdentity> = {
  home: {
    gate: 'needed',
    source: () => 'config.toml',
    judge: (value) => homeStops(value).length === 0,
    label: 'node home',
    say: homeText,
    explain: {
      what: 'The folder of your node, and whether the validator key is in it or with a remote signer.',
      who: 'config.toml in that folder.',
      later: 'Yes, in config.toml. This program never writes there.',
    },
  },
  key: {
    gate: 'needed',
    source: here,
    isAsked: isHere,
    hasRow: isHere,
    judge: (value, { setup }) => keyAllowed(value, setup),
    label: 'key',
    say: (value, { setup }) => keyText(value, setup),
    long: ({ pubkey }) => pubkey,
    change: () => 'make a new key with the node tool in a fresh home, and restart the node with it',
    explain: {
      what: 'The public key that names your validator for ever. It is derived again from the private key and compared with what the file says.',
      who: 'A separate short-lived process that reads the key file and reports only public facts.',
      later: 'Never for this validator. Before the first deposit you can still make another key.',
    },
  },
  // A too open key file is told, not refused.
  permissions: {
    gate: 'told',
    source: here,
    hasRow: isHere,
    judge: ({ mode, ownedByUser }) => (mode === undefined ? 'given' : ownedByUser && (mode & 0o077) === 0),
    label: 'key file',
    say: ({ mode, ownedByUser }) =>
      mode === undefined
        ? 'who may open it stands in its properties, under Security'
        : `mode ${mode.toString(8)}${ownedByUser ? '' : ', another owner'}`,
    explain: {
      what: 'Who on this machine may read the private key.',
      who: 'The file system.',
      later: 'Yes: chmod 600 on the key file.',
    },
  },
  engine: {
    gate: 'needed',
    source: SOURCES.engine,
    judge: (value, { state }) => runsWithKey(value.pubkey, identityKey(state)),
    label: 'consensus engine',
    say: (value, { state }) => {
      const isSame = runsWithKey(value.pubkey, identityKey(state))
      if (isSame === undefined) return 'its key is not known here to compare with'
      return isSame ? 'runs with this key' : 'runs with another key'
    },
    change: (about) => {
      switch (signsNowhereElse(about)) {
        case true:
          return 'start the node with this home (--home), or name the home that the node runs with'
        case false:
          return STOP_OTHER
        case undefined:
          return 'name the home that the node runs with; or see that no other node signs with this key (docs/moving.md), then start the node with this home (--home)'
      }
    },
    explain: {
      what: 'The key that the running node signs blocks with. If it is another one, your validator would be active and silent.',
      who: 'The consensus engine (CometBFT), in its status.',
      later: 'Yes, by restarting the node with this key.',
    },
  },
  // A key that signs elsewhere loses no money: it is told, and a top-up in need is not held up by it.
  standby: {
    gate: 'told',
    source: SOURCES.engine,
    isAsked: isHere,
    // Of a key that nobody votes with nothing is said.
    hasRow: (about) => known(about.state.observed.standby)?.votes.vote !== undefined || hasStateAhead(about),
    judge: (value, { setup }) => judgeStandby(value, setup.network),
    numbers: standbyNumbers,
    label: 'key elsewhere',
    explain: {
      what: 'Whether the last blocks hold votes of this key that the node of this home did not make, by data/priv_validator_state.json. Two nodes with one key vote twice, and the chain keeps the evidence.',
      who: 'The consensus engine, by the votes of its last blocks, and the file of the node that names the last block it signed.',
      later: 'Yes: whoever starts a second node with a copy of the key file votes with it.',
    },
    say: (value, { setup }) => standbyWords(value, setup.network),
    change: (about) => (hasStateAhead(about) ? REPLACE_STATE : STOP_OTHER),
  },
  // The node tool may be absent, unable or silent, but never disagree; as long as it is asked it may still do so.
  toolKeys: {
    gate: 'where answered',
    hasRow: ({ state }) => isSettled(state.observed.toolKeys),
    judge: (value, { state }) => isToolKey(value, identityKey(state)),
    label: 'node tool key',
    say: (value, { state }) => {
      const key = identityKey(state)
      if (!sameHex(value.pubkey, key?.pubkey ?? '')) return 'another key'
      if (value.address !== key?.address) return 'another engine address'
      return isToolKey(value, key) ? 'the same in all three forms' : 'another key in base64'
    },
    change: () => 'use the node tool of the version that the node runs',
    explain: {
      what: 'The same key, read by the node tool. Its engine address, its base64 form and its compressed form must equal the ones computed here.',
      who: 'The node tool, run in this home (deposit validator-keys).',
      later: 'Never for this validator.',
    },
  },
  toolStatus: {
    gate: 'where answered',
    hasRow: ({ state }) => isSettled(state.observed.toolStatus),
    judge: ({ network, pubkey }, { state, setup }) =>
      network === setup.network.engineChainId && sameHex(pubkey, identityKey(state)?.pubkey ?? ''),
    label: 'node tool status',
    say: ({ network, height, catchingUp, pubkey }, { state }) => {
      const own = sameHex(pubkey, identityKey(state)?.pubkey ?? '') ? 'this key' : 'another key'
      return `${safeText(network, 40)}, ${own}, height ${height}${catchingUp ? ', catching up' : ''}`
    },
    change: () => 'set node in config/client.toml of this home to the engine of its node',
    explain: {
      what: 'The engine that client.toml of this home names: its network, its height and the key it signs with.',
      who: 'The node tool, which asks that engine (status).',
      later: 'Yes: `node` in config/client.toml.',
    },
  },
  operator: {
    gate: 'needed',
    source: SOURCES.execution,
    judge: judgeOperator,
    suffices: (value, { state }) => operatorFits(value, state),
    label: 'operator',
    say: sayOperator,
    long: (value, { state }) => shownOperator(value, state),
    explain: {
      what: 'The operator is the account that manages and receives the validator’s rewards. The contract keeps one for each key, set by the first deposit for the key or by the genesis. For an unused key it is zero.',
      who: 'The deposit contract, through the execution endpoint.',
      later: OPERATOR_LATER,
    },
  },
  secondOperator: {
    gate: 'needed',
    source: SOURCES.secondExecution,
    isAsked: hasSecond,
    hasRow: hasSecond,
    judge: judgeOperator,
    suffices: (value, { state }) => operatorFits(value, state),
    label: 'operator, again',
    say: sayOperator,
    long: (value, { state }) => (operatorsDiffer(state) ? shownOperator(value, state) : undefined),
    explain: {
      what: 'The same question to the second execution endpoint, on another server.',
      who: 'The second execution endpoint.',
      later: OPERATOR_LATER,
    },
  },
  beacon: {
    gate: 'needed',
    source: SOURCES.node,
    judge: judgeBeacon,
    suffices: (value, { state }) => beaconFits(value, state.own),
    label: 'beacon state',
    say: beaconText,
    explain: {
      what: 'The list of all validators that the chain knows. An unused key is not in it.',
      who: 'The whole state, hashed on this computer and found in the execution chain, or the proofs of this one record. If neither can be had, the node API alone: reported (not proven). Before money moves it is proven again.',
      later: 'Yes, once: a registered key stays in the list for ever.',
    },
  },
  history: {
    gate: 'told',
    source: SOURCES.execution,
    hasRow: ({ state }) => state.observed.history.status !== 'unasked',
    judge: (_, { state }) => state.rescue !== undefined || state.adopted !== undefined,
    label: 'deposit history',
    say: historyText,
    explain: {
      what: 'Every deposit for this key since its operator was set, each checked by the rules of the chain.',
      who: 'The logs of the deposit contract; the signatures are verified on this computer.',
      later: 'No.',
    },
  },
  node: {
    gate: 'needed',
    source: SOURCES.node,
    judge: (value, about) =>
      isSynced(value, about) && hasAdvanced(value, about) && areHeadsClose(value, about),
    label: 'node is live',
    say: nodeText,
    explain: {
      what: 'A node does not report that its chain stands still. So this check waits until a new head (the newest block) appears.',
      who: 'The node API and the execution endpoint, timed by the clock of this computer.',
      later: AGAIN,
    },
  },
  ...HEALTH_FACTS,
}

/** What the answers of node and engine say besides: rows of their own. */
export type PartAnswers = { sync: ValueOf<'node'>; engineSync: ValueOf<'engine'>; heads: ValueOf<'node'> }

/** The parts of a live node besides a new head. An engine that catches up settles nothing. */
export const PART_FACTS: FactTable<PartAnswers, AboutIdentity> = {
  sync: {
    gate: 'told',
    judge: isSynced,
    label: 'node synced',
    say: ({ syncing }) => (syncing ? 'reports that it is syncing' : 'reports that it is synced'),
    explain: {
      what: 'What the node reports about itself. It reports the same even when its chain stands still.',
      who: 'The node API.',
      later: AGAIN,
    },
  },
  engineSync: {
    gate: 'needed',
    judge: (value, { setup }) => judgeNode('votes', value, setup.network),
    label: 'engine synced',
    say: ({ catchingUp }) => {
      if (catchingUp === false) return 'reports that it is synced'
      return catchingUp === 'once'
        ? 'catches up; asking again'
        : `${CATCHES_UP}. Wait until it has, or restart the node`
    },
    explain: {
      what: 'Whether the consensus engine (CometBFT) votes on the blocks that it follows. Right after a start it may catch up for a moment. While it catches up it does not vote, and nothing is sent.',
      who: 'The consensus engine, asked a second time if it catches up.',
      later: AGAIN,
    },
  },
  heads: {
    gate: 'told',
    judge: areHeadsClose,
    label: SAME_HEADS,
    say: ({ headSlot, executionBlock }) =>
      `slot ${formatCount(headSlot)}, block ${formatCount(executionBlock)}`,
    explain: {
      what: 'On this network the slot of the node and the block of the execution client have the same number, so both must be at the same place.',
      who: 'The node API and the execution endpoint.',
      later: AGAIN,
    },
  },
}

/** Returns the observations that the parts of node health are read from. */
export const observedParts = ({ observed }: IdentityState) =>
  ({ sync: observed.node, engineSync: observed.engine, heads: observed.node }) as const

function isSynced({ syncing: isSyncing }: ValueOf<'node'>, { setup }: AboutIdentity): Judgement {
  return judgeNode('sync', { isSyncing }, setup.network)
}

function hasAdvanced({ advanced }: ValueOf<'node'>, { setup }: AboutIdentity): Judgement {
  return judgeNode('advance', { advanced }, setup.network)
}

function areHeadsClose({ headSlot: slot, executionBlock: block }: ValueOf<'node'>, { setup }: AboutIdentity) {
  return judgeNode('heads', { slot, block }, setup.network)
}

/** Whether the signing state of the home names a block that the chain doesn't have, as far as that is known. */
function hasStateAhead({ state, setup }: AboutIdentity): boolean {
  const standby = known(state.observed.standby)
  return standby !== undefined && isStateAhead(standby, setup.network) !== false
}

/** Whether the key of the home signs on no other node, as far as the chain shows it; undefined where that is not known. */
export function signsNowhereElse({ state: { observed }, setup }: AboutIdentity): boolean | undefined {
  const standby = known(observed.standby)
  return standby && judgeStandby(standby, setup.network)
}

/** Whether the private key is known to be on another machine. */
export function keyIsAway({ observed }: Pick<IdentityState, 'observed'>): boolean {
  const home = known(observed.home)
  return home !== undefined && keyIsElsewhere(home)
}

/** Whether the node tool reports the key in all its forms. */
export function isToolKey(value: ValueOf<'toolKeys'>, key: { pubkey: Hex; address: string } | undefined) {
  return (
    key !== undefined &&
    sameHex(value.pubkey, key.pubkey) &&
    value.address === key.address &&
    value.uncompressedBase64 === engineKey(key.pubkey)
  )
}

/** Whether the key may be used: a published key is refused everywhere but on a rehearsal chain. */
export function keyAllowed(key: KeyFacts | TypedKey, { network }: Setup): boolean {
  const isSound = !('fileHash' in key) || (key.storedPubkeyMatches && key.storedAddressMatches)
  return isSound && !(key.publishedKey && network.kind !== 'rehearsal')
}

/** Of a registered validator the operator is shown for the user to compare; where endpoints differ it is not known. */
function judgeOperator(value: { operator: Hex }, { state, setup }: AboutIdentity): Judgement {
  if (operatorsDiffer(state) && isRegistered(state)) return undefined
  return adoptable(state, setup) !== undefined ? 'given' : operatorFits(value, state)
}

/** What makes a set operator our own: a deposit of this journal, or the operator typed for a rescue. */
type OwnOperator = Pick<IdentityState, 'own' | 'adopted' | 'rescue' | 'observed'>

/** Whether the contract's operator is the expected one: the adopted one, none, that of a rescued key, or our own. */
export function operatorFits(value: { operator: Hex }, state: OwnOperator): boolean {
  return state.adopted !== undefined
    ? sameHex(value.operator, state.adopted.operator)
    : sameHex(value.operator, state.rescue ?? ZERO_ADDRESS) || isOwnOperator(value, state)
}

/**
 * Whether the operator was set by the deposit that this journal holds. One that was not sent from here must be there as
 * it was signed: a validator that pays out to its address, or a deposit on its way that the chain takes.
 */
function isOwnOperator({ operator }: { operator: Hex }, { own, observed }: OwnOperator): boolean {
  if (own === undefined || !sameHex(operator, own.operator)) return false
  const pays = (credentials: Hex | undefined) => sameHex(credentials ?? '', own.withdrawalCredentials)
  const deposits = known(observed.history)?.deposits ?? []
  const isThere = deposits.some((one) => one.accepted && pays(one.withdrawalCredentials))
  return own.out || isThere || pays(known(observed.beacon)?.withdrawalCredentials)
}

/** What the node reports alone never looks proven; what speaks against the key counts from whomever it comes. */
function judgeBeacon(value: ValueOf<'beacon'>, { state }: AboutIdentity): Judgement {
  const { adopted, own, keyOnly } = state
  const isSought = keyOnly && adopted === undefined
  const isGood = isSought ? value.index !== undefined && !value.exiting : beaconFits(value, adopted ?? own)
  return isGood && value.provenSlot === undefined ? undefined : isGood
}

/** Whether the beacon state lacks the key, or holds it without an exit as it was signed or adopted. */
export function beaconFits(
  value: ValueOf<'beacon'>,
  terms: { withdrawalCredentials: Hex } | undefined,
): boolean {
  if (value.index === undefined) return true
  if (terms === undefined || value.exiting) return false
  return sameHex(value.withdrawalCredentials ?? '', terms.withdrawalCredentials)
}

function homeText(home: IdentityAnswers['home']): string {
  const stops = homeStops(home).length
  if (stops > 0) return `${stops} of its settings must be changed first`
  if (home.remoteSigner !== '') return 'a remote signer holds the key'
  if (keyIsElsewhere(home)) return 'has no key file'
  const { length } = home.findings
  return length === 0 ? 'holds the key itself' : `holds the key itself; ${length} to look at`
}

/** Returns what is wrong with a key, or that nothing is. */
export function keyText(value: KeyFacts | TypedKey, { network }: Setup): string {
  const inFile = 'fileHash' in value
  if (inFile && !value.storedPubkeyMatches) return 'the file names another public key'
  if (inFile && !value.storedAddressMatches) return 'the file names another address'
  if (value.publishedKey && network.kind !== 'rehearsal') return 'this private key is publicly known'
  return inFile ? 'valid, the file agrees' : 'a valid key, typed'
}

function beaconText(value: IdentityAnswers['beacon'], { state }: AboutIdentity): string {
  const { index, status = 'no status', provenSlot } = value
  const level = provenSlot === undefined ? ', reported (not proven)' : ', proven'
  if (index === undefined) return `does not know this key${level}`
  if (state.keyOnly) return `validator ${index}, ${status}${level}`
  return beaconFits(value, state.adopted ?? state.own)
    ? `knows your validator, index ${index}${level}`
    : `knows it already: index ${index}, ${status}${level}`
}

function historyText({ deposits }: KeyHistory): string {
  const accepted = deposits.filter((deposit) => deposit.accepted).length
  const many = deposits.length === 1 ? '1 deposit' : `${deposits.length} deposits`
  return accepted === 0 ? `${many}, refused by the chain` : `${many}, ${accepted} valid`
}

function nodeText(value: IdentityAnswers['node'], about: AboutIdentity): string {
  if (value.syncing) return 'still syncing'
  const { headSlot, executionBlock, secondsToAdvance, beside } = value
  if (!value.advanced) return standstillWords({ slot: headSlot, stillMs: secondsToAdvance * 1000, beside })
  if (areHeadsClose(value, about) === true) return `new head, slot ${formatCount(headSlot)}`
  const behind = executionBlock - headSlot
  return behind > 0n
    ? `${behind} slots behind the execution chain`
    : `its execution chain is ${-behind} slots behind`
}

/** What is said of an operator, and whose other word is left out. */
function sayOperator({ operator, leftOut }: OperatorAnswer, about: AboutIdentity): string {
  const words = operatorText(operator, about)
  return leftOut === undefined ? words : EVIDENCE_TEXT.withLeftOut(words, [leftOut])
}

/** What is said of an operator agrees with the mark beside it: one that shuts the gate is not asked to be compared. */
function operatorText(operator: Hex, { state, setup }: AboutIdentity): string {
  const { rescue, adopted } = state
  const isZero = sameHex(operator, ZERO_ADDRESS)
  if (isRegistered(state) && !isOwnOperator({ operator }, state)) {
    if (isZero) return 'none named by the contract'
    if (adopted === undefined) {
      const isRefused = !operatorsDiffer(state) && adoptable(state, setup) === undefined
      return isRefused ? 'set already, not by this journal' : 'manages and receives the rewards; compare it'
    }
    return sameHex(operator, adopted.operator) ? 'as adopted' : 'not the operator you adopted'
  }
  if (isZero) return 'zero: never used'
  if (isOwnOperator({ operator }, state)) return 'set by your own deposit'
  return rescue === undefined
    ? `already set to ${withChecksum(operator)}`
    : 'yours, from a deposit that was lost'
}

/** The address below the row, where it stands there to be compared. */
function shownOperator({ operator }: { operator: Hex }, state: IdentityState): Hex | undefined {
  const compared = isRegistered(state) && !isOwnOperator({ operator }, state)
  return compared && !sameHex(operator, ZERO_ADDRESS) ? withChecksum(operator) : undefined
}
