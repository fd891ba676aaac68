import type { Setup } from '../../facts.ts'
import { known } from '../observation.ts'
import type { Problem } from '../view.ts'
import { type IdentityState, identityJudges } from './machine.ts'
import { keyWords } from './rows.ts'

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
    next: ['close the other window that works on this key, press r', 'or look at the file named above'],
  }
}

/** The first thing about the key that stops a registration. */
export function identityProblem(state: IdentityState, setup: Setup): Problem | undefined {
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
