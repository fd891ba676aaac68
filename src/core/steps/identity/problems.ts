import { keyStory } from '../../deposit/key-history.ts'
import { payoutOf } from '../../deposit/payout.ts'
import type { Setup } from '../../facts.ts'
import { formatGwei } from '../../format/amount.ts'
import type { Hex } from '../../format/hex.ts'
import { homeStops } from '../../identity/key-place.ts'
import { besideWords } from '../../network/standstill.ts'
import { known } from '../observation.ts'
import type { Problem } from '../view.ts'
import { type IdentityAnswers, type IdentityState, identityJudges, keyAllowed, keyOf } from './machine.ts'
import { keyWords } from './rows.ts'
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
      'Without it nothing can be sent: it is what keeps a payment from happening twice.',
    ],
    next: ['close the other window that works on this key, press r', 'look at the file named above'],
  }
}

/** The first thing about the key that stops a registration. */
export function identityProblem(state: IdentityState, setup: Setup): Problem | undefined {
  const { seen, own } = state
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
  if (key && engine && !identityJudges.engine(engine, key)) {
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
          : 'x types the public key anew; or give the node the signer that holds this one, then press r',
      ],
    }
  }
  if (beacon && !identityJudges.beacon(beacon, own)) return usedKeyProblem(beacon)
  if (operator && !identityJudges.operator(operator, state)) {
    return pastIsAsked(state) ? undefined : operatorProblem(state, operator.operator, setup)
  }
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
  return seen.history.status === 'asking' || (seen.history.status === 'unasked' && asking)
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
  const fresh = 'otherwise make a new key with the node tool and register that one'
  switch (story) {
    case 'burnt':
      return {
        title: 'Stop: a deposit for this key was burnt already.',
        money: 'untouched',
        values,
        lines: [
          `${amount} were sent for it with a signature that the chain refuses. They are lost, whoever sent them.`,
          'The operator stays for ever. Is it yours? Then the key can still be registered, with a valid signature. If it is a stranger’s, the rewards would be too.',
        ],
        next: ['only if that operator is your own address: x registers the key after all', fresh],
      }
    case 'on-its-way':
      return {
        title: 'Stop: a deposit for this key is on its way.',
        money: 'untouched',
        values,
        lines: [`${amount} were sent for it; the chain takes it up within a few slots.`],
        next: ['wait two slots, press r', 'if it is not yours, make a new key'],
      }
    default:
      return {
        title: 'Stop: somebody has used this key already.',
        money: 'untouched',
        values,
        lines: [
          'The contract has an operator for this key, but the chain does not know a validator with it.',
          'A first deposit from here would be refused by the contract.',
        ],
        next: ['if you have just sent a deposit elsewhere: wait two slots, press r', fresh],
      }
  }
}

function usedKeyProblem(beacon: {
  index: number | undefined
  status: string | undefined
  exiting: boolean
  withdrawalCredentials: string | undefined
}): Problem {
  const { withdrawalCredentials } = beacon
  const values = withdrawalCredentials === undefined ? [] : [payoutOf(withdrawalCredentials)]
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
      'if it is yours and you have its journal: start again with the state directory that registered it',
      'without that, `bearings status` watches it and `bearings topup-plan` says what a top-up needs',
      'if it is not yours: make a new key',
    ],
  }
}
