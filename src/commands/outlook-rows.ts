import { givenValidator } from '../compose/given-validator.ts'
import type { Effects } from '../core/base/effects/effects.ts'
import { badUsage } from '../core/base/errors/base.ts'
import { formatCount, formatDuration } from '../core/base/format/amount.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { EPOCHS_AHEAD, type Outlook } from '../core/chain/consensus/outlook.ts'
import { type SetSnapshot, snapshotSource } from '../core/chain/consensus/snapshot.ts'
import type { NodeSetup, Setup } from '../core/chain/facts.ts'
import { keyPlaceOf } from '../core/chain/identity/home-files.ts'
import { ownRecord } from '../core/chain/key-state/own.ts'
import { describeStanding, type Prospect } from '../core/chain/key-state/standing.ts'
import { STANDING_TEXT } from '../core/chain/key-state/standing-text.ts'
import { isRecent } from '../core/observe/context.ts'
import { STATUS_TEXT } from '../core/steps/status/text.ts'
import { EVIDENCE_TEXT } from '../core/view/text.ts'
import type { Mark } from '../core/view/view.ts'
import type { Call } from './command.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT, rootHeldBy } from './rows-text.ts'
import { requireHome } from './setup.ts'

/** Returns which validator a report is about, when, and what is ahead of it; all but its key unknown without a set. */
export function subjectOf(snapshot: SetSnapshot | undefined, pubkey: Hex, setup: Setup) {
  if (snapshot === undefined)
    return { pubkey, index: 'unknown', slot: 'unknown', proof: null, outlook: 'unknown' } as const
  const { consensus, proof } = snapshot
  const { own, outlook } = describeStanding(snapshot, pubkey, setup).numbers
  return { pubkey, index: own?.index, slot: consensus.slot, proof: proofOf(proof), outlook }
}

/** Returns what of a proof stands in a document; null where there is none. */
export function proofOf(proof: SetSnapshot['proof']) {
  if (proof === undefined) return null
  const { slot, blockRoot, anchors, signed } = proof
  return { slot, blockRoot, anchors, signedPercent: signed?.percent ?? 0 }
}

/** Returns who vouches for the set, and for the record of the validator in it. */
export function levelRows(snapshot: SetSnapshot, pubkey: Hex, setup: Setup): ReportRow[] {
  const { proof, unproven, uncounted, own } = snapshot
  const source = endpointName(setup.endpoints.node)
  const row = (id: string, label: string, part: Pick<ReportRow, 'mark' | 'value'>): ReportRow => ({
    step: 'status',
    id,
    label,
    source,
    ...part,
  })
  const waits = 'unknown' in uncounted ? `; which deposits wait is not known: ${uncounted.unknown}` : ''
  const reported = `reported, not proven${unproven === undefined ? '' : ` (${unproven})`}`
  const whole = proof && `${snapshotSource(snapshot)}, ${EVIDENCE_TEXT.root(proof, rootHeldBy)}`
  const set = row('set', ROWS_TEXT.set, {
    mark: whole === undefined ? 'unasked' : 'proven',
    value: `${whole ?? reported}${waits}`,
  })
  if (ownRecord(snapshot, pubkey, setup) === undefined) return [set]
  const alone = own && `proven on its own, ${EVIDENCE_TEXT.root(own, rootHeldBy)}`
  const value = whole === undefined ? alone : 'in the proven state'
  const record = row('record', ROWS_TEXT.ownRecord, {
    mark: value === undefined ? 'unasked' : 'proven',
    value: value ?? 'reported, not proven',
  })
  return [record, set]
}

/**
 * Returns a row with the age of a set that is not of now, and none for a set of now. What the chain has done since is unknown,
 * and so is every answer that rests on the set: a node does not say that the chain stands still, or that it hangs itself.
 */
export function ageRows(
  { timestampSeconds }: Pick<SetSnapshot, 'timestampSeconds'>,
  { effects, setup }: { effects: Pick<Effects, 'clock'>; setup: Setup },
): ReportRow[] {
  if (isRecent({ effects, setup }, timestampSeconds)) return []
  const source = endpointName(setup.endpoints.node)
  const shape = { step: 'status', id: 'age', label: ROWS_TEXT.age, mark: 'unknown', source } as const
  const ageMs = effects.clock.nowMs() - Number(timestampSeconds) * 1000
  const value =
    ageMs < 0
      ? `${formatDuration(-ageMs)} ahead of the clock of this computer: that clock is behind`
      : `${formatDuration(ageMs)}: the chain makes no block, or this node hangs; what happened since is not known`
  return [{ ...shape, value, numbers: { ageMs } }]
}

/**
 * The outlook as lines. `atRisk` is how a validator that drops out is marked: it is a verdict only where that was the
 * question. Nothing for a validator without an outlook.
 */
export function outlookRows(
  prospect: Prospect | undefined,
  { snapshot, setup, atRisk }: { snapshot: SetSnapshot; setup: Setup; atRisk: Mark },
): ReportRow[] {
  if (prospect === undefined) return []
  const shape = { step: 'status', id: 'outlook', label: ROWS_TEXT.outlook, source: 'computed here' } as const
  const { dropsOutAtEpoch: outAt, rescue } = prospect
  if (outAt === undefined) {
    const isProven = snapshot.proof !== undefined && !('unknown' in snapshot.uncounted)
    const isIn = prospect.isActive || prospect.activeAtEpoch !== undefined
    const numbers = prospect.activeAtEpoch === undefined ? {} : { activeAtEpoch: prospect.activeAtEpoch }
    return [{ ...shape, mark: isProven && isIn ? 'proven' : 'unasked', value: staysWords(prospect), numbers }]
  }
  const slots = outAt * setup.network.spec.slotsPerEpoch - snapshot.consensus.slot
  const { lessGwei, ...numbers } = rescue ?? {}
  const value = `${STANDING_TEXT.outAt(outAt)}, in ${STATUS_TEXT.slots(slots, setup, snapshot)}, ${STANDING_TEXT.ifNothingElse}`
  return [
    { ...shape, mark: atRisk, value, numbers: { dropsOutAtEpoch: outAt } },
    {
      ...shape,
      id: 'rescue',
      numbers: { ...numbers, ...(lessGwei === undefined ? {} : { lessGwei }) },
      label: ROWS_TEXT.rescue,
      mark: 'unasked',
      value: `${rescueWords(rescue, snapshot, setup)}${rescue === undefined ? '' : ` ${STANDING_TEXT.lastBlock(rescue)}`}`,
    },
  ]
}

function staysWords({ activeAtEpoch, isActive: isIn }: Prospect): string {
  const boundaries = `at the next ${EPOCHS_AHEAD} epoch boundaries, if nothing else happens`
  if (activeAtEpoch !== undefined)
    return `active from epoch ${formatCount(activeAtEpoch)} on, and keeps its place ${boundaries}`
  return isIn
    ? `keeps its place ${boundaries}`
    : `joins the active set at none of the next ${EPOCHS_AHEAD} epoch boundaries, if nothing else happens`
}

/** Returns what keeps the place and until when, or that nothing does. */
export function rescueWords(rescue: Outlook['rescue'], snapshot: SetSnapshot, setup: Setup): string {
  const left = (slots: bigint) => STATUS_TEXT.slots(slots, setup, snapshot, 'by')
  return STANDING_TEXT.rescue(rescue, { now: snapshot.consensus.slot, left, network: setup.network })
}

/** The validator a command is about. */
export type NamedValidator = {
  pubkey: Hex
  /** The index that it was named by, and the endpoint that gave its key; undefined where the key was given. */
  by: { index: number; endpoint: string } | undefined
  /** Whether it is that of the home; else it may be anybody's. */
  isOwn: boolean
}

/**
 * The validator that `--validator` names, by its public key or by the index that the node resolves; undefined without it.
 * Throws as `givenValidator` where an index cannot be resolved.
 */
export async function namedValidator(
  { effects, options: { validator: text } }: Call,
  { network, endpoints }: Setup,
): Promise<NamedValidator | undefined> {
  if (text === undefined) return undefined
  const { pubkey, index } = await givenValidator(effects, { text, node: endpoints.node, network })
  const by = index === undefined ? undefined : { index, endpoint: endpointName(endpoints.node) }
  return { pubkey: pubkey.toLowerCase() as Hex, by, isOwn: false }
}

/**
 * The validator that is named, else that of the key of the home, which the signer child derives. Throws as
 * `namedValidator`, `usage.no-home`, a `home.*` error, a `file.*` error, or what the signer child says.
 */
export async function validatorOf(call: Call, setup: NodeSetup): Promise<NamedValidator> {
  const named = await namedValidator(call, setup)
  if (named !== undefined) return named
  const { homePath, network } = setup
  await requireHome(call, setup, 'Or name the validator itself: --validator PUBKEY or its index.')
  const { keyFile, remoteSigner } = await keyPlaceOf(call.effects, { homePath })
  if (remoteSigner === '') {
    const { keyTypePrefix } = network.names
    const { pubkey } = await call.effects.signer.inspect({ keyFile, keyTypePrefix })
    return { pubkey, by: undefined, isOwn: true }
  }
  const sentence = 'A remote signer holds the key of this home.'
  throw badUsage({ sentence, next: 'Give its public key with --validator.' })
}

/**
 * A line about the index that the validator was named by, with its key: the node resolved it, so it is reported, unless
 * a proven state has the key at that place too. Nothing for a validator that was named by its key.
 */
export function indexRows(
  { pubkey, by }: Pick<NamedValidator, 'pubkey' | 'by'>,
  snapshot: SetSnapshot,
  setup: Setup,
): ReportRow[] {
  if (by === undefined) return []
  const shape = { step: 'status', id: 'index', label: `validator ${by.index}`, long: pubkey } as const
  const place = ownRecord(snapshot, pubkey, setup)?.index
  const isHeld = snapshot.indexes.includes(by.index) || place !== undefined
  if (snapshot.proof === undefined || !isHeld)
    return [{ ...shape, mark: 'unasked', value: 'has this key, reported', source: by.endpoint }]
  if (place === by.index)
    return [{ ...shape, mark: 'proven', value: 'has this key', source: snapshotSource(snapshot) }]
  const value = 'the proven state has another key at this index than the node gave'
  return [{ ...shape, mark: 'refused', value, source: by.endpoint }]
}
