import { endpointName } from '../core/base/format/endpoint-url.ts'
import type { Mark } from '../core/view/view.ts'
import type { DepositFate } from './documents/words.ts'
import type { ReportRow } from './report-lines.ts'

type FateText = { mark: Mark; value: string; sentence: string }

const FATES: Readonly<Record<DepositFate, FateText>> = {
  counted: {
    mark: 'proven',
    value: 'counted: the balance of the validator holds it',
    sentence: 'Counted: the beacon state holds the validator, and this deposit with it.',
  },
  'paid-back': {
    mark: 'proven',
    value: 'counted; the validator has left since, and its stake was paid back',
    sentence: 'Counted. The validator has left since, and its stake was paid back to the withdrawal address.',
  },
  burnt: {
    mark: 'refused',
    value: 'burnt: the chain kept the money and counted nothing',
    sentence: 'Burnt: the chain kept the money, and no validator has it.',
  },
  'not-counted-yet': {
    mark: 'unknown',
    value: 'in a block, and not counted yet',
    sentence: 'In a block, and not counted yet: wait, and send nothing more.',
  },
  reverted: {
    mark: 'refused',
    value: 'reverted: it is in a block and had no effect',
    sentence: 'Reverted: no deposit was made, and the amount stayed in the wallet.',
  },
  'in-mempool': {
    mark: 'unknown',
    value: 'in the mempool alone, in no block yet',
    sentence: 'It waits in the mempool: not counted yet, and nothing is decided. Send nothing more.',
  },
  'would-register': {
    mark: 'proven',
    value: 'a first deposit of an unused key registers it',
    sentence: 'The key is unused, and the signature is right: this deposit registers it.',
  },
  'would-be-rescued': {
    mark: 'unknown',
    value: 'an earlier deposit was burnt, and set this operator: a first deposit reverts',
    sentence: 'Send it with the wizard alone: the operator is set already, and must not be named once more.',
  },
  'would-rescue': {
    mark: 'unknown',
    value: 'an earlier deposit was burnt; this one registers the key, with the operator that is set',
    sentence: 'It registers the key, with the operator that is set already: only if that is your own.',
  },
  'would-revert': {
    mark: 'refused',
    value: 'the operator of this key is set already: a first deposit reverts',
    sentence: 'Do not send this: somebody has used this key already, and the contract refuses it.',
  },
  'would-revert-unset': {
    mark: 'refused',
    value: 'no operator is set for this key: a deposit that names none reverts',
    sentence: 'Do not send this: it names no operator, and none is set, so the contract refuses it.',
  },
  'would-come-second': {
    mark: 'refused',
    value: 'a deposit for this key is in a block already, and not counted yet',
    sentence: 'Do not send this: a deposit for this key is in a block already. Wait until it is counted.',
  },
  'is-registered': {
    mark: 'refused',
    value: 'the key is registered already: this can be no first deposit',
    sentence: 'Do not send this: the key is registered already, so this can be no first deposit.',
  },
  'has-left': {
    mark: 'refused',
    value: 'the validator of this key has left for ever',
    sentence: 'Do not send this: the validator of this key has left for ever.',
  },
  'would-be-unknown': {
    mark: 'unknown',
    value: 'whether its key is unused is not known',
    sentence: 'Not certain, so do not send this: whether its key is unused is not known.',
  },
  'not-asked': {
    mark: 'unasked',
    value: 'not asked',
    sentence: 'Whether its key is unused was not asked.',
  },
  'would-count': {
    mark: 'proven',
    value: 'a deposit for a registered validator counts once it is in a block',
    sentence: 'The key is registered: this top-up counts once it is in a block.',
  },
  'would-be-burnt': {
    mark: 'refused',
    value: 'a top-up of a key that is not registered is burnt',
    sentence: 'Do not send this: the key is not registered, and the chain would keep the money.',
  },
  'would-come-back': {
    mark: 'refused',
    value: 'a top-up of a validator that is leaving comes back',
    sentence: 'Do not send this: the validator is leaving or has left, and it would come back.',
  },
  unknown: {
    mark: 'unknown',
    value: 'whether it was counted is not known',
    sentence: 'Not known whether it was counted. Name the network and its node with --network.',
  },
}

/** Returns what became of a deposit, as the line of the report that decides. */
export function fateRow(fate: DepositFate, endpoints: readonly string[]): ReportRow {
  const { mark, value } = FATES[fate]
  const source = endpoints.map(endpointName).join(', ')
  return { step: 'deposit', id: 'fate', label: 'this deposit', mark, value, source }
}

/** Returns what became of a deposit, as the verdict. */
export function fateSentence(fate: DepositFate): string {
  return FATES[fate].sentence
}

/** Returns how a fate is marked: `refused` where the deposit must not be sent, or was lost. */
export function fateMark(fate: DepositFate): Mark {
  return FATES[fate].mark
}

const IN_A_BLOCK: readonly DepositFate[] = ['counted', 'paid-back', 'burnt', 'not-counted-yet', 'reverted']
const OF_A_TOP_UP: readonly DepositFate[] = ['would-count', 'would-be-burnt', 'would-come-back']

/** Whether the signature says nothing any more: the chain has decided, or a top-up is judged, which has none. */
export function isDecided(fate: DepositFate | undefined): boolean {
  return fate !== undefined && (IN_A_BLOCK.includes(fate) || OF_A_TOP_UP.includes(fate))
}
