import { validatorStatus } from '../consensus/state.ts'
import { formatCount, formatGwei, ordinal } from '../format/amount.ts'
import { shellCommand } from '../format/text.ts'
import type { KnownValidator } from './memory.ts'
import type { OwnRecord, SeenAhead, SeenValidator, WatchContext } from './sighting.ts'

/** One thing that is known of a validator: words, a value that is drawn whole, or a command that can be copied. */
export type Detail = { label: string } & ({ value: string } | { whole: string } | { command: string })

/** Everything a watch knows of one validator, in words; what was not seen is said to be so. */
export function detailsOf(
  seen: SeenValidator,
  known: KnownValidator,
  { network, wizardOptions }: WatchContext,
): Detail[] {
  const { pubkey, record, level, ahead, operator } = seen
  const { token } = network.names
  const key = { label: 'public key', whole: pubkey }
  const command = shellCommand('bearings', '--validator', pubkey, ...wizardOptions)
  const wizard = { label: 'in the wizard', command }
  if (record === undefined) return [key, { label: 'record', value: 'not seen yet' }, wizard]
  if (record === 'absent')
    return [key, { label: 'record', value: 'the beacon state does not hold this key' }, wizard]
  const manager = operator?.operator ?? known.operator
  return [
    ...recordDetails(record, token),
    ...(ahead === undefined ? [{ label: 'place', value: 'not seen yet' }] : placeDetails(ahead, token)),
    { label: 'blocks', value: blocksText(known) },
    ...(manager === undefined ? [] : [{ label: 'rewards operator', whole: manager }]),
    {
      label: 'known by',
      value: level?.by === 'proof' ? anchorsText(level.anchors) : 'the word of the node (not proven)',
    },
    wizard,
    key,
  ]
}

/** Blocks that many missed say little of one validator: they are told apart. */
function blocksText({ signed }: KnownValidator): string {
  if (signed === '') return 'none counted yet'
  const of = (mark: string) => signed.split(mark).length - 1
  const shared = of('s') === 0 ? '' : `, ${of('s')} not, as many others`
  return `signed ${of('1')} of the last ${signed.length}${shared}`
}

function recordDetails({ validator, balanceGwei, index, epoch }: OwnRecord, token: string): Detail[] {
  const status = validatorStatus(validator, epoch).split('_').join(' ')
  return [
    { label: 'status', value: `validator ${index}, ${status}` },
    {
      label: 'stake',
      value: `${formatGwei(balanceGwei)} ${token}, of which ${formatGwei(validator.effectiveBalanceGwei)} counts`,
    },
  ]
}

function placeDetails({ now, place, dropsOutAtEpoch }: SeenAhead, token: string): Detail[] {
  const present = now === undefined ? 'none' : `${ordinal(now.rank)} of ${now.seats}`
  const rows: Detail[] = [{ label: 'place now', value: present }]
  if (place !== undefined) {
    const { epoch, rank, seats, cut, unseatedByGwei } = place
    const cutoff =
      cut === undefined ? 'nobody else needs one' : `cutoff ${formatGwei(cut.stakeGwei)} ${token}`
    rows.push({
      label: `at epoch ${formatCount(epoch)}`,
      value: `${ordinal(rank)} ${rank > seats ? 'for' : 'of'} ${seats}, ${cutoff}`,
    })
    if (unseatedByGwei > 0n)
      rows.push({
        label: 'margin',
        value: `it drops out if others add ${formatGwei(unseatedByGwei)} ${token} or more`,
      })
  }
  const out = dropsOutAtEpoch
  return out === undefined ? rows : [...rows, { label: 'drops out', value: `at epoch ${formatCount(out)}` }]
}

function anchorsText(anchors: number): string {
  return anchors === 1
    ? 'proof, held by one execution endpoint'
    : `proof, held by ${anchors} execution endpoints`
}
