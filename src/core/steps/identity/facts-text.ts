import type { KeyFacts } from '../../base/effects/effects.ts'
import { formatCount } from '../../base/format/amount.ts'
import { sameHex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import type { KeyHistory } from '../../chain/deposit/event.ts'
import type { Setup } from '../../chain/facts.ts'
import { runsWithKey } from '../../chain/identity/engine-key.ts'
import { homeStops, keyIsElsewhere } from '../../chain/identity/home-findings.ts'
import type { TypedKey } from '../../chain/identity/typed-key.ts'
import { judgeNode } from '../../observe/findings.ts'
import { CATCHES_UP, SAME_HEADS, STOP_OTHER, standstillWords } from '../../observe/node-text.ts'
import { standbyWords } from '../../observe/standby-text.ts'
import type { FactTexts } from '../../view/rows.ts'
import { operatorsDiffer } from './adopt.ts'
import { type AboutIdentity, beaconFits, isToolKey, type PartAnswers, signsNowhereElse } from './facts.ts'
import { OPERATOR_TEXT } from './operator-text.ts'
import { type IdentityAnswers, identityKey } from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

const AGAIN = 'Yes. It is checked again before anything is sent.'
const OPERATOR_LATER = 'Only by the operator itself, with a delay.'

/** The parts of a live node. */
const parts: FactTexts<PartAnswers, AboutIdentity> = {
  sync: {
    label: 'node synced',
    say: ({ syncing }) => (syncing ? 'reports that it is syncing' : 'reports that it is synced'),
    explain: {
      what: 'What the node reports about itself. It reports the same even when its chain stands still.',
      who: 'The node API.',
      later: AGAIN,
    },
  },
  engineSync: {
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

/** The facts of the key. */
const facts: FactTexts<IdentityAnswers, AboutIdentity> = {
  home: {
    label: 'node home',
    say: homeText,
    explain: {
      what: 'The folder of your node, and whether the validator key is in it or with a remote signer.',
      who: 'config.toml in that folder.',
      later: 'Yes, in config.toml. This program never writes there.',
    },
  },
  key: {
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
  permissions: {
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
  standby: {
    ...IDENTITY_TEXT.standby,
    say: (value, { setup }) => standbyWords(value, setup.network),
    change: () => STOP_OTHER,
  },
  toolKeys: {
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
    label: 'operator',
    say: OPERATOR_TEXT.of,
    long: (value, { state }) => OPERATOR_TEXT.shown(value, state),
    explain: {
      what: 'The operator is the account that manages and receives the validator’s rewards. The contract keeps one for each key, set by the first deposit for the key or by the genesis. For an unused key it is zero.',
      who: 'The deposit contract, through the execution endpoint.',
      later: OPERATOR_LATER,
    },
  },
  secondOperator: {
    label: 'operator, again',
    say: OPERATOR_TEXT.of,
    long: (value, { state }) => (operatorsDiffer(state) ? OPERATOR_TEXT.shown(value, state) : undefined),
    explain: {
      what: 'The same question to the second execution endpoint, on another server.',
      who: 'The second execution endpoint.',
      later: OPERATOR_LATER,
    },
  },
  beacon: {
    label: 'beacon state',
    say: beaconText,
    explain: {
      what: 'The list of all validators that the chain knows. An unused key is not in it.',
      who: 'The whole state, hashed on this computer and found in the execution chain, or the proofs of this one record. If neither can be had, the node API alone: reported (not proven). Before money moves it is proven again.',
      later: 'Yes, once: a registered key stays in the list for ever.',
    },
  },
  history: {
    label: 'deposit history',
    say: historyText,
    explain: {
      what: 'Every deposit for this key since its operator was set, each checked by the rules of the chain.',
      who: 'The logs of the deposit contract; the signatures are verified on this computer.',
      later: 'No.',
    },
  },
  node: {
    label: 'node is live',
    say: nodeText,
    explain: {
      what: 'A node does not report that its chain stands still. So this check waits until a new head (the newest block) appears.',
      who: 'The node API and the execution endpoint, timed by the clock of this computer.',
      later: AGAIN,
    },
  },
  ...IDENTITY_TEXT.health,
}

function homeText(home: IdentityAnswers['home']): string {
  const stops = homeStops(home).length
  if (stops > 0) return `${stops} of its settings must be changed first`
  if (home.remoteSigner !== '') return 'a remote signer holds the key'
  if (keyIsElsewhere(home)) return 'has no key file'
  const { length } = home.findings
  return length === 0 ? 'holds the key itself' : `holds the key itself; ${length} to look at`
}

/** What is wrong with a key, or that nothing is. */
function keyText(value: KeyFacts | TypedKey, { network }: Setup): string {
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

function nodeText(value: IdentityAnswers['node'], { setup }: AboutIdentity): string {
  if (value.syncing) return 'still syncing'
  const { headSlot, executionBlock, secondsToAdvance, beside } = value
  if (!value.advanced) return standstillWords({ slot: headSlot, stillMs: secondsToAdvance * 1000, beside })
  if (judgeNode('heads', { slot: headSlot, block: executionBlock }, setup.network) === true)
    return `new head, slot ${formatCount(headSlot)}`
  const behind = executionBlock - headSlot
  return behind > 0n
    ? `${behind} slots behind the execution chain`
    : `its execution chain is ${-behind} slots behind`
}

/** Every sentence of the facts of the step about the key. */
export const IDENTITY_FACTS_TEXT = { facts, parts, key: keyText }
