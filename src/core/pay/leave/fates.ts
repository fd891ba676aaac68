import type { Gwei } from '../../base/format/amount.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { executionAddress, hasExecutionCredentials } from '../../chain/consensus/pay-withdrawals.ts'
import type { SetSnapshot } from '../../chain/consensus/snapshot.ts'
import {
  epochOfSlot,
  FAR_FUTURE_EPOCH,
  type PendingPartialWithdrawal,
  type WithdrawalRequest,
} from '../../chain/consensus/state.ts'
import type { DropReason } from '../../chain/consensus/withdrawal-request.ts'
import { type Own, ownRecord, wayOut } from '../../chain/key-state/own.ts'
import type { Network } from '../../chain/network/network.ts'

/** A request that is in a block, by the log of the contract. */
export type MadeRequest = WithdrawalRequest & { blockSlot: bigint; transactionHash: Hex }

/** When a validator leaves by its record, when its stake is due, and whether that was paid. */
type ExitEpochs = { exitEpoch: bigint; withdrawableEpoch: bigint; paid: boolean }

/**
 * What became of a request. `in-block`: the state is older. `unclear`: the state does not tell whether the chain took it:
 * of several for parts in one epoch it took some, or an exit came behind a part that is over and the validator was out at
 * that boundary. Of such an exit the epochs of the validator's record are told. `past`: a part that no state would hold any more, taken and paid or dropped.
 */
export type RequestFate = { request: MadeRequest } & (
  | { is: 'in-block' }
  | ({ is: 'unclear' } & (ExitEpochs | { [K in keyof ExitEpochs]?: undefined }))
  | ({ is: 'exit' } & ExitEpochs)
  | { is: 'part'; amountGwei: Gwei; withdrawableEpoch: bigint }
  | { is: 'past'; withdrawableEpoch: bigint }
  | { is: 'dropped'; reason: DropReason }
)

/**
 * Returns what became of the requests for one validator, in the order of their blocks, by a state that is newer. A state
 * keeps an exit for ever and a part until it is due, and credentials never change: so what was taken is in it, and for
 * what was not one reason alone is left.
 */
export function fatesOf(
  requests: readonly MadeRequest[],
  snapshot: SetSnapshot,
  { network, pubkey }: { network: Network; pubkey: Hex },
): RequestFate[] {
  const own = ownRecord(snapshot, pubkey, { network })
  const { consensus } = snapshot
  const waiting = partsOf(snapshot, pubkey)
  const first = requests.map((request): RequestFate | undefined => {
    if (request.blockSlot > consensus.slot) return { request, is: 'in-block' }
    const reason = alwaysDropped(request, own, epochOfSlot(request.blockSlot, network.spec))
    return reason === undefined ? undefined : { request, is: 'dropped', reason }
  })
  const open = requests.filter((_, at) => first[at] === undefined)
  const later = own === undefined ? [] : openFates(open, own, { waiting, network })
  return first.map((fate, at) => {
    const found = fate ?? later[open.indexOf(requests[at] as MadeRequest)]
    if (found === undefined) throw new RangeError('a request without a fate')
    return found
  })
}

/** Returns the parts of one validator's stake that wait to be paid out in a state. */
function partsOf({ consensus }: SetSnapshot, pubkey: Hex) {
  const place = consensus.validators.findIndex((one) => sameHex(one.pubkey, pubkey))
  return consensus.pendingPartialWithdrawals.filter(({ validatorIndex }) => validatorIndex === place)
}

/** What the chain took of one validator, by a state, though no request for it is known. */
export type Taken =
  | { is: 'part'; amountGwei: Gwei; withdrawableEpoch: bigint }
  | { is: 'exit'; exitEpoch: bigint; withdrawableEpoch: bigint; paid: boolean }

/** Returns what a state shows as taken that no fate explains. An exit may be no request's: who is outbid leaves as well. */
export function unexplained(
  fates: readonly RequestFate[],
  snapshot: SetSnapshot,
  { network, pubkey }: { network: Network; pubkey: Hex },
): Taken[] {
  const own = ownRecord(snapshot, pubkey, { network })
  if (own === undefined) return []
  const open = [...fates]
  const parts = partsOf(snapshot, pubkey).filter(({ withdrawableEpoch }) => {
    const dueOf = ({ blockSlot }: MadeRequest) =>
      epochOfSlot(blockSlot, network.spec) + 1n + network.spec.withdrawabilityDelayEpochs
    const at = open.findIndex(
      ({ is, request }) => (is === 'part' || is === 'unclear') && dueOf(request) === withdrawableEpoch,
    )
    if (at !== -1) open.splice(at, 1)
    return at === -1
  })
  const { exitEpoch, withdrawableEpoch } = own.validator
  const isOut =
    exitEpoch !== FAR_FUTURE_EPOCH && !fates.some((one) => 'exitEpoch' in one && one.exitEpoch !== undefined)
  return [
    ...parts.map(
      ({ amountGwei, withdrawableEpoch: due }): Taken => ({ is: 'part', amountGwei, withdrawableEpoch: due }),
    ),
    ...(isOut ? [{ is: 'exit' as const, exitEpoch, withdrawableEpoch, paid: wayOut(own) === 'paid' }] : []),
  ]
}

function alwaysDropped(request: MadeRequest, own: Own | undefined, epoch: bigint): DropReason | undefined {
  if (own === undefined) return 'unknown-key'
  const { withdrawalCredentials, exitEpoch, activationEpoch } = own.validator
  if (!hasExecutionCredentials(withdrawalCredentials)) return 'no-address'
  if (!sameHex(executionAddress(withdrawalCredentials), request.sourceAddress)) return 'other-sender'
  if (exitEpoch <= epoch) return 'exit-begun'
  return activationEpoch > epoch ? 'not-active' : undefined
}

type About = { waiting: readonly PendingPartialWithdrawal[]; network: Network }

/** Of requests that nothing stands against by itself: the exit comes behind all parts, and parts compete. */
function openFates(open: readonly MadeRequest[], own: Own, about: About): RequestFate[] {
  const { spec } = about.network
  const epochOf = ({ blockSlot }: MadeRequest) => epochOfSlot(blockSlot, spec)
  const { exitEpoch, withdrawableEpoch } = own.validator
  const isCause = (request: MadeRequest) =>
    request.amountGwei === 0n && exitEpoch === epochOf(request) + 1n && about.waiting.length === 0
  const exitAt = exitEpoch === FAR_FUTURE_EPOCH ? -1 : open.findIndex(isCause)
  const dueOf = (request: MadeRequest) => epochOf(request) + 1n + spec.withdrawabilityDelayEpochs
  const exit = open[exitAt]
  // A part that may have waited then, of which no state tells any more, would have had it dropped: others may have had it out.
  const isUnclear =
    exit !== undefined &&
    open
      .slice(0, exitAt)
      .some((part) => part.amountGwei > 0n && dueOf(part) >= epochOf(exit) && own.epoch >= dueOf(part))
  const byEpoch = Map.groupBy(
    open.filter((request, at) => request.amountGwei > 0n && (exitAt === -1 || at < exitAt)),
    epochOf,
  )
  const parts = new Map(
    [...byEpoch].flatMap(([epoch, asked]) =>
      partFates(asked, own, { ...about, dueEpoch: epoch + 1n + spec.withdrawabilityDelayEpochs }),
    ),
  )
  return open.map((request, at): RequestFate => {
    const epochs = { exitEpoch, withdrawableEpoch, paid: wayOut(own) === 'paid' }
    if (isUnclear && at >= exitAt) return { request, is: 'unclear', ...(at === exitAt ? epochs : {}) }
    if (at === exitAt) return { request, is: 'exit', ...epochs }
    if (exitAt !== -1 && at > exitAt) return { request, is: 'dropped', reason: 'exit-begun' }
    return parts.get(request) ?? { request, is: 'dropped', reason: 'part-pending' }
  })
}

/** Parts asked for in one epoch: each entry of the queue is one of them, in order, and no larger than what was asked. */
function partFates(
  asked: readonly MadeRequest[],
  own: Own,
  { waiting, dueEpoch }: About & { dueEpoch: bigint },
): [MadeRequest, RequestFate][] {
  if (own.epoch >= dueEpoch)
    return asked.map((request) => [request, { request, is: 'past', withdrawableEpoch: dueEpoch }])
  const entries = waiting.filter(({ withdrawableEpoch }) => withdrawableEpoch === dueEpoch)
  const earliest = placesOf(entries, asked)
  const latest = placesOf(entries.toReversed(), asked.toReversed()).map((at) => asked.length - 1 - at)
  const sure = new Set(earliest.filter((at, entry) => at === latest.at(-1 - entry)))
  const mayBe = (at: number) =>
    earliest.some((from, entry) => from <= at && at <= (latest.at(-1 - entry) ?? -1) && !sure.has(at))
  return asked.map((request, at): [MadeRequest, RequestFate] => {
    const entry = entries[earliest.indexOf(at)]
    if (sure.has(at) && entry !== undefined)
      return [request, { request, is: 'part', amountGwei: entry.amountGwei, withdrawableEpoch: dueEpoch }]
    return [
      request,
      mayBe(at) ? { request, is: 'unclear' } : { request, is: 'dropped', reason: 'nothing-above' },
    ]
  })
}

/** The first place among the requests for each entry, in order. */
function placesOf(entries: readonly PendingPartialWithdrawal[], asked: readonly MadeRequest[]): number[] {
  let at = -1
  return entries.map(({ amountGwei }) => {
    at = asked.findIndex((request, place) => place > at && request.amountGwei >= amountGwei)
    return at
  })
}
