import { parse } from 'smol-toml'
import { networkError } from '../../base/errors/http.ts'
import { type Decoder, fieldPath, hex, record, refuse } from '../../base/format/decode.ts'
import { safeText } from '../../base/format/text.ts'
import { type ChainSpec, decodeNetwork, positive, positiveIndex, wholeNumber } from './network.ts'

const DEPOSIT_DOMAIN = new Set<unknown>([3, 3n, '3', '0x03000000'])

const depositDomain: Decoder<true> = (value, path) =>
  value === undefined || DEPOSIT_DOMAIN.has(value)
    ? true
    : refuse(path, '3 or "0x03000000", the domain that deposits are signed for', value)

const fields = record({
  'slots-per-epoch': positive,
  'target-seconds-per-eth1-block': positiveIndex,
  'max-effective-balance': positive,
  'effective-balance-increment': positive,
  'min-activation-balance': positive,
  'hysteresis-quotient': positive,
  'hysteresis-downward-multiplier': wholeNumber,
  'hysteresis-upward-multiplier': wholeNumber,
  'hysteresis-quotient-fulu': positive,
  'hysteresis-upward-multiplier-fulu': wholeNumber,
  'validator-set-cap': positiveIndex,
  'min-validator-withdrawability-delay': wholeNumber,
  'max-withdrawals-per-payload': positiveIndex,
  'max-validators-per-withdrawals-sweep': positiveIndex,
  'max-deposits-per-block': positiveIndex,
  'deposit-eth1-chain-id': positiveIndex,
  'deposit-contract-address': hex(20),
  'domain-type-deposit': depositDomain,
  'genesis-time': wholeNumber,
  'electra-fork-time': wholeNumber,
  'electra-one-fork-time': wholeNumber,
  'fulu-fork-time': wholeNumber,
})

/**
 * Reads the fields of a chain's `spec.toml` (amounts in gwei, times in Unix seconds). Keys that do not matter here
 * are ignored. Refuses, besides odd fields, limits that contradict each other and forks out of order.
 */
export const specFields: Decoder<ChainSpec> = (value, path) => {
  const read = fields(value, path)
  const increment = read['effective-balance-increment']
  if (read['max-effective-balance'] < read['min-activation-balance']) {
    refuse(
      fieldPath(path, 'max-effective-balance'),
      'at least min-activation-balance',
      read['max-effective-balance'],
    )
  }
  if (read['max-effective-balance'] % increment !== 0n) {
    refuse(fieldPath(path, 'effective-balance-increment'), 'a divisor of max-effective-balance', increment)
  }
  if (read['electra-one-fork-time'] < read['electra-fork-time']) {
    refuse(
      fieldPath(path, 'electra-one-fork-time'),
      'no earlier than electra-fork-time',
      read['electra-one-fork-time'],
    )
  }
  if (read['fulu-fork-time'] < read['electra-one-fork-time']) {
    refuse(fieldPath(path, 'fulu-fork-time'), 'no earlier than electra-one-fork-time', read['fulu-fork-time'])
  }
  return toSpec(read)
}

function toSpec(read: ReturnType<typeof fields>): ChainSpec {
  return {
    slotsPerEpoch: read['slots-per-epoch'],
    targetSecondsPerSlot: read['target-seconds-per-eth1-block'],
    maxEffectiveBalanceGwei: read['max-effective-balance'],
    effectiveBalanceIncrementGwei: read['effective-balance-increment'],
    activationBalanceGwei: read['min-activation-balance'],
    hysteresisQuotient: read['hysteresis-quotient'],
    hysteresisDownwardMultiplier: read['hysteresis-downward-multiplier'],
    hysteresisUpwardMultiplier: read['hysteresis-upward-multiplier'],
    hysteresisQuotientFulu: read['hysteresis-quotient-fulu'],
    hysteresisUpwardMultiplierFulu: read['hysteresis-upward-multiplier-fulu'],
    validatorSetCap: read['validator-set-cap'],
    withdrawabilityDelayEpochs: read['min-validator-withdrawability-delay'],
    maxWithdrawalsPerPayload: read['max-withdrawals-per-payload'],
    maxValidatorsPerWithdrawalsSweep: read['max-validators-per-withdrawals-sweep'],
    maxDepositsPerBlock: read['max-deposits-per-block'],
    depositChainId: read['deposit-eth1-chain-id'],
    depositContract: read['deposit-contract-address'],
    genesisTimeSeconds: read['genesis-time'],
    electraTimeSeconds: read['electra-fork-time'],
    electraOneTimeSeconds: read['electra-one-fork-time'],
    fuluTimeSeconds: read['fulu-fork-time'],
  }
}

/**
 * Reads a chain's `spec.toml` as the node reads it. Amounts come out in gwei, times in Unix seconds.
 *
 * Throws a `network.*` error when the text is not TOML or when a field that matters is missing, odd or contradicts
 * another one; the field is named.
 */
export function readSpecToml(text: string): ChainSpec {
  return decodeNetwork('spec.toml', specFields, parseToml(text))
}

function parseToml(text: string): unknown {
  try {
    return parse(text, { integersAsBigInt: true })
  } catch (fault) {
    const [firstLine] = String(fault instanceof Error ? fault.message : fault).split('\n')
    throw networkError('network.unreadable', 'spec.toml', 'TOML', safeText(firstLine ?? ''))
  }
}
