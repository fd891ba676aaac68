import { keyStory } from '../../deposit/key-history.ts'
import { payoutOf } from '../../deposit/payout.ts'
import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import type { Hex } from '../../format/hex.ts'
import { homeStops } from '../../identity/key-place.ts'
import { besideWords } from '../../network/standstill.ts'
import { known } from '../observation.ts'
import type { Problem } from '../view.ts'
import { adoptable, operatorsDiffer, payoutAddress } from './adopt.ts'
import { identityJudges, isUncounted, keyAllowed } from './judges.ts'
import { keyWords } from './rows.ts'
import { type IdentityAnswers, type IdentityState, keyOf } from './state.ts'
import { toolProblem } from './tool.ts'

/** Why the journal keeps the step closed. */
export function journalProblem(journal: { status: string; reason?: string }): Problem | undefined {
  if (journal.status !== 'refused') return undefined
  return {
    title: 'Stop: the journal of this key cannot be used.',
    money: 'unknown',
    values: [],
    lines: [
      journal.reason ?? '',
      'Without the journal nothing can be sent: the journal keeps a payment from happening twice.',
    ],
    next: ['close the other window that works on this key, press r', 'look at the file named above'],
  }
}

/** The first thing about the key that stops a registration. */
export function identityProblem(state: IdentityState, setup: Setup): Problem | undefined {
  const { seen, keyOnly } = state
  const home = known(seen.home)
  const key = keyOf(state)
  const engine = known(seen.engine)
  const operator = known(seen.operator)
  const beacon = known(seen.beacon)
  const stops = home === undefined ? [] : homeStops(home)
  if (stops.length > 0) {
    return {
      title: 'Stop: this node home is not ready for a deposit.',
      money: 'untouched',
      values: [],
      lines: stops.map(({ text }) => text),
      next: [...stops.map(({ fix }) => fix), 'r asks again'],
    }
  }
  if (key && !keyAllowed(key, setup)) {
    const inFile = 'fileHash' in key
    return {
      title: inFile ? 'Stop: this key file cannot be used.' : 'Stop: this key cannot be used.',
      money: 'untouched',
      values: [{ label: inFile ? 'key derived from the file' : 'key typed', value: key.pubkey }],
      lines: [keyWords(key, setup)],
      next: ['make a new key with the node tool in a fresh home, restart the node with it, press r'],
    }
  }
  if (key && engine && !keyOnly && !identityJudges.engine(engine, key)) {
    return {
      title: 'Stop: the running node uses another key.',
      money: 'untouched',
      values: [
        { label: 'fileHash' in key ? 'key file' : 'typed', value: key.pubkey },
        { label: 'engine', value: engine.pubkey },
      ],
      lines: ['A validator registered with this key would be active and never sign a block.'],
      next: [
        'fileHash' in key
          ? 'restart the node with this home, or choose the home of the running node, then press r'
          : 'x types the public key again; or give the node the signer that holds this one, then press r',
      ],
    }
  }
  if (beacon?.index !== undefined) {
    const used = usedKeyProblem(state, beacon, setup)
    if (used !== undefined) return used
  }
  if (operator && beacon?.index === undefined && !identityJudges.operator(operator, state)) {
    return pastIsAsked(state) || isUncounted(state)
      ? undefined
      : operatorProblem(state, operator.operator, setup)
  }
  // Before both have answered nothing is known of it.
  if (keyOnly && operator && beacon && beacon.index === undefined) return unusedProblem()
  return (key && toolProblem(seen, key, setup)) ?? hungProblem(known(seen.node))
}

/**
 * Nothing that a node says of itself shows that it hangs: only its head beside another one does. At slot 0 it waits for
 * its first block.
 */
function hungProblem(node: IdentityAnswers['node'] | undefined): Problem | undefined {
  if (node === undefined || node.advanced || node.headSlot === 0n) return undefined
  const { headSlot, beside } = node
  if (beside.is !== 'ahead') return undefined
  return {
    title: 'Stop: your node stands still while the chain goes on.',
    money: 'untouched',
    values: [],
    lines: [`The node stays at slot ${headSlot}${besideWords(beside)}.`],
    next: ['restart the node, wait until its head goes on, press r'],
  }
}

/** The story is not told by halves: while the key's past is still being read, the rows say that it is asked. */
function pastIsAsked({ seen, asking }: IdentityState): boolean {
  return [seen.history, seen.node].some(
    ({ status }) => status === 'asking' || (status === 'unasked' && asking),
  )
}

/** The contract has an operator and the chain no validator: what happened, by the logs. */
function operatorProblem(state: IdentityState, operator: Hex, { network }: Setup): Problem {
  const history = known(state.seen.history)
  const node = known(state.seen.node)
  const story = history === undefined || node === undefined ? undefined : keyStory(history, node.headSlot)
  const values = [
    { label: 'operator set in the contract', value: operator },
    ...(history?.setBy === undefined
      ? []
      : [{ label: `set in block ${history.setBy.blockNumber} by`, value: history.setBy.transactionHash }]),
  ]
  const total = history?.deposits.reduce((sum, deposit) => sum + deposit.amountGwei, 0n) ?? 0n
  const amount = `${formatGwei(total)} ${network.names.token}`
  const fresh = 'make a new key with the node tool and register that one'
  switch (story) {
    case 'burnt':
      return {
        title: 'Stop: a deposit for this key was burnt already.',
        money: 'untouched',
        values,
        lines: [
          `${amount} were sent for it with a signature that the chain refuses. They are lost, whoever sent them.`,
          'This first deposit has set the operator, the account that manages the rewards. If it is your own address, the key can still be registered with a valid signature. If it is not, a stranger would manage your rewards.',
        ],
        next: [fresh, 'only if that operator is your own address: x registers this key after all'],
      }
    default:
      return {
        title: 'Stop: somebody has used this key already.',
        money: 'untouched',
        values,
        lines: [
          'The contract has an operator (the account that manages the rewards) for this key, but the chain has no validator with this key.',
          'A first deposit from here would be refused by the contract.',
        ],
        next: ['if you have just sent a deposit with another program: wait two slots, press r', fresh],
      }
  }
}

/** The contract and the beacon state know nothing of the key that was given as a registered validator's. */
function unusedProblem(): Problem {
  return {
    title: 'Stop: no validator has this key.',
    money: 'untouched',
    values: [],
    lines: ['Neither the contract nor the beacon state knows it: a top-up for it would be burnt.'],
    next: [
      'compare the key with your own record; Esc leads back to it',
      'to register it: start again with the home of its node',
    ],
  }
}

type Beacon = IdentityAnswers['beacon']

/** A registered key of which nobody can say whose it is, as its record is not proven. */
function unprovenProblem({ keyOnly }: IdentityState, { index, status }: Beacon): Problem {
  return {
    title: keyOnly
      ? 'Stop: the record of this validator is not proven.'
      : 'Stop: your node reports that this key is registered already.',
    money: 'untouched',
    values: [],
    lines: [
      `The node reports it as validator ${index}, ${status}. Neither its whole state nor the proofs of this record end in a root (a hash) that the execution endpoints hold.`,
      'It can be adopted once it is proven.',
    ],
    next: [
      'r asks again',
      'see that the node and the execution endpoints answer, follow the chain and are of one network',
    ],
  }
}

/** A registered key is no problem once it is this journal's own, or adopted; without a home it is what was asked for. */
function usedKeyProblem(state: IdentityState, beacon: Beacon, setup: Setup): Problem | undefined {
  const { adopted, own, keyOnly } = state
  if (beacon.exiting) return leftProblem(beacon)
  if (operatorsDiffer(state)) return differProblem(state)
  if (adoptable(state, setup) !== undefined) return keyOnly ? undefined : registeredProblem(state, beacon)
  if (identityJudges.beacon(beacon, adopted ?? own)) return undefined
  if (beacon.isNewer === true) return undefined
  if (beacon.provenSlot === undefined && !state.asking) return unprovenProblem(state, beacon)
  const { withdrawalCredentials } = beacon
  if (withdrawalCredentials !== undefined && payoutAddress({ withdrawalCredentials }) === undefined)
    return unpaidProblem(withdrawalCredentials)
  return keyOnly ? undefined : registeredProblem(state, beacon)
}

function leftProblem({ index, status, withdrawalCredentials }: Beacon): Problem {
  return {
    title: 'Stop: this key has left the validator set for ever.',
    money: 'untouched',
    values: withdrawalCredentials === undefined ? [] : [payoutOf(withdrawalCredentials)],
    lines: [
      `The chain knows it as validator ${index}, ${status}. Its stake is paid back to the address above by itself.`,
      'Every further deposit for it is paid back in the same way; the key never becomes active again.',
    ],
    next: ['do not top it up', 'a new attempt needs a new key, made with the node tool'],
  }
}

function differProblem({ seen }: IdentityState): Problem {
  return {
    title: 'Stop: the two execution endpoints name different operators.',
    money: 'untouched',
    values: [
      { label: 'operator, first endpoint', value: known(seen.operator)?.operator ?? '' },
      { label: 'operator, second endpoint', value: known(seen.secondOperator)?.operator ?? '' },
    ],
    lines: [
      'One of them is behind, or does not tell the truth. Until they agree nothing is adopted or sent.',
    ],
    next: ['r asks both again', 'replace the endpoint that is wrong: Esc leads back to the addresses'],
  }
}

function unpaidProblem(withdrawalCredentials: string): Problem {
  return {
    title: 'Stop: the stake of this validator can never be paid out.',
    money: 'untouched',
    values: [payoutOf(withdrawalCredentials)],
    lines: ['Its withdrawal credentials name no address. What is added to it is lost as well.'],
    next: ['do not top it up'],
  }
}

function registeredProblem(state: IdentityState, { index, status }: Beacon): Problem {
  const again = state.adopted !== undefined || state.own !== undefined
  return {
    title: again
      ? 'Stop: this validator is not as your journal has it.'
      : 'Stop: this key is registered already.',
    money: 'untouched',
    values: [],
    lines: [
      `The chain knows it as validator ${index}, ${status}. A first deposit for it cannot be sent any more.`,
      again
        ? 'If you changed its operator yourself, adopt it as it is now: then it can be topped up and watched.'
        : 'If this validator is yours, adopt it: then it can be topped up and watched from here.',
    ],
    next: [
      'if it is yours: a adopts it; have its withdrawal address from your own record ready',
      'if it is not yours: make a new key with the node tool',
    ],
  }
}
