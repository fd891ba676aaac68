import { createHash } from 'node:crypto'
import { decimal, FieldFault, list, record, text, uintIndex } from '../../base/format/decode.ts'
import { JsonFault, jsonText, parseStrictJson } from '../../base/format/strict-json.ts'
import { isActive, type Validator } from '../consensus/state.ts'
import { engineKey } from '../identity/engine-key.ts'
import type { ChainSpec, Network } from '../network/network.ts'
import { type EngineValidator, engineAddressOf } from './encode.ts'
import type { TrustedHeader } from './light-client.ts'

/** A trusted header with where its trust comes from: `genesis`, or the endpoints that proved the state it began with. */
export type KeptTrust = { trusted: TrustedHeader; from: string }

const LEAST_TRUST_MS = 24 * 60 * 60 * 1000

/**
 * Returns how old a trusted header may be, in milliseconds: no older than the time after which a validator that left
 * is paid out, since from then on it could sign a false history without losing anything. A day at least, so that a
 * test network with short epochs doesn't begin anew at each start.
 */
function trustPeriodMs(spec: ChainSpec): number {
  const slots = spec.withdrawabilityDelayEpochs * spec.slotsPerEpoch
  return Math.max(Number(slots) * spec.targetSecondsPerSlot * 1000, LEAST_TRUST_MS)
}

/** Whether a trusted header is too old to follow the chain from. Where chain time isn't the wall's, none is. */
export function isTrustOver({ time }: Pick<TrustedHeader, 'time'>, network: Network, nowMs: number): boolean {
  return network.clockIsWall && nowMs - Number(time.seconds) * 1000 > trustPeriodMs(network.spec)
}

/**
 * Returns the engine's set of a state, in the engine's order: the validators active in an epoch, their effective
 * balance as power, the strongest first and ties by address. A change of the set is in force two blocks after an epoch
 * turn. Throws `key-file.bad-field` for a key that is none.
 */
export function engineSetOf(
  validators: readonly Pick<Validator, 'pubkey' | 'effectiveBalanceGwei' | 'activationEpoch' | 'exitEpoch'>[],
  epoch: bigint,
): EngineValidator[] {
  return validators
    .filter((validator) => isActive(validator, epoch))
    .map(({ pubkey, effectiveBalanceGwei: power }) => ({ key: engineKey(pubkey), power }))
    .map((member) => ({ ...member, address: engineAddressOf(member.key) }))
    .toSorted((a, b) => compareMembers(a, b))
    .map(({ key, power }) => ({ key, power }))
}

type Member = { power: bigint; address: string }

function compareMembers(a: Member, b: Member): number {
  if (a.power !== b.power) return a.power > b.power ? -1 : 1
  return a.address < b.address ? -1 : 1
}

/** The chain that a kept header must be of. */
type TrustOwner = Pick<Network, 'engineChainId' | 'genesisValidatorsRoot'>

const FORMAT = 1

const keptFields = record({
  format: uintIndex,
  engineChainId: text,
  genesisValidatorsRoot: text,
  from: text,
  height: decimal,
  hash: text,
  seconds: decimal,
  nanos: uintIndex,
  nextSetHash: text,
  set: list(record({ key: text, power: decimal })),
  checksum: text,
})

/** Returns the text of the file that keeps a trusted header, with its format number and a checksum. */
export function encodeTrust({ trusted, from }: KeptTrust, owner: TrustOwner): string {
  const content = {
    format: FORMAT,
    engineChainId: owner.engineChainId,
    genesisValidatorsRoot: owner.genesisValidatorsRoot,
    from,
    height: String(trusted.height),
    hash: trusted.hash,
    seconds: String(trusted.time.seconds),
    nanos: trusted.time.nanos,
    nextSetHash: trusted.nextSetHash,
    set: trusted.set.map(({ key, power }) => ({ key, power: String(power) })),
  }
  return `${jsonText({ ...content, checksum: checksumOf(content) })}\n`
}

/** Reads what `encodeTrust` wrote; undefined where it is damaged, of another format or of another chain. */
export function decodeTrust(content: string, owner: TrustOwner): KeptTrust | undefined {
  try {
    const read = keptFields(parseStrictJson(content), '')
    const { format, engineChainId, genesisValidatorsRoot, from, height, hash, seconds, nanos } = read
    const isOurs =
      format === FORMAT &&
      engineChainId === owner.engineChainId &&
      genesisValidatorsRoot === owner.genesisValidatorsRoot
    const trusted = { height, hash, time: { seconds, nanos }, nextSetHash: read.nextSetHash, set: read.set }
    const kept = { trusted, from }
    return isOurs && encodeTrust(kept, owner) === content ? kept : undefined
  } catch (thrown) {
    if (thrown instanceof JsonFault || thrown instanceof FieldFault) return undefined
    throw thrown
  }
}

const checksumOf = (content: object): string => createHash('sha256').update(jsonText(content)).digest('hex')
