import type { Effects } from '../core/base/effects/effects.ts'
import { badUsage } from '../core/base/errors/base.ts'
import type { Gwei } from '../core/base/format/amount.ts'
import { asGiven } from '../core/base/format/document.ts'
import { command, type Next, parts } from '../core/base/format/next.ts'
import { safeText } from '../core/base/format/text.ts'
import type { Setup } from '../core/chain/facts.ts'
import { typedPart } from '../core/chain/network/network.ts'
import { askLeave, leaveFile } from '../core/pay/leave/ask-commands.ts'
import type { RequestFate } from '../core/pay/leave/fates.ts'
import {
  type LeavePicture,
  type LeaveRequest,
  leaveCommands,
  leaveNotes,
  leavePicture,
  leaveSentence,
} from '../core/pay/leave/picture.ts'
import { LEAVE_TEXT as TEXT } from '../core/pay/leave/text.ts'
import { known } from '../core/view/observation.ts'
import { readKept } from '../core/wizard/journal/guard-file.ts'
import type { ExitCode } from '../output/io.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import type { LeaveFields } from './documents/leave.ts'
import { indexRows, subjectOf, validatorOf } from './outlook-rows.ts'
import { type Report, type ReportEnding, reportRows, tellReport } from './report.ts'
import { readOnlyContext, setupOf } from './setup.ts'

/** The command `leave`. */
export const leaveCommand = commandOf('leave', run)

async function run(call: Call): Promise<ExitCode> {
  const setup = await setupOf(call)
  const amountGwei = readPart(call.options.amount, setup)
  const validator = await validatorOf(call, setup)
  const { pubkey } = validator
  const about = await askLeave(
    { ...readOnlyContext(call, setup, () => undefined), kept: () => readKept(call.effects.store, setup) },
    { pubkey, amountGwei },
  )
  const picture = leavePicture(about)
  const { request, outcome, fates } = picture
  const out = request === undefined ? undefined : await written(call, request, pubkey)
  const snapshot = known(about.observed.set)?.snapshot
  const report: Report<LeaveFields> = {
    document: 'leave',
    network: setup.network.id,
    rows: [
      ...(snapshot === undefined ? [] : indexRows(validator, snapshot, setup)),
      ...reportRows('status', picture.rows),
    ],
    sentence: (ending: ReportEnding) => leaveSentence(picture, ending, setup),
    data: {
      ...subjectOf(snapshot, pubkey, setup),
      amountGwei,
      requests: fates.map(fateFields),
      outcome: outcomeFields(outcome),
      request: request && requestFields(request, call.effects),
      path: out,
    },
    notes: request === undefined ? cancelNotes(picture, setup) : notesOf(request, out),
    verbatim: request === undefined ? [] : handed(request),
  }
  return tellReport(report, call)
}

/** The amount of a command line in gwei; without one 0, which asks for the exit. Throws `usage.option`. */
function readPart(text: string | undefined, { network }: Setup): Gwei {
  if (text === undefined) return 0n
  const typed = typedPart(text, network)
  if ('amountGwei' in typed) return typed.amountGwei
  throw badUsage({
    sentence: `--amount: ${typed.error}`,
    found: safeText(text, 40),
    next: 'Give such as --amount 10,000, or leave it out for the exit.',
  })
}

/** Writes the file that was asked for; it never takes the place of another one. Throws a `file.*` error. */
async function written(call: Call, request: LeaveRequest, pubkey: string): Promise<string | undefined> {
  const { out } = call.options
  if (out === undefined) return undefined
  const path = pathOf(out, call.environment)
  const createdAtMs = call.effects.clock.nowMs()
  const name = `leave-${pubkey.slice(2, 10)}-${createdAtMs}`
  await call.effects.store.writeText(path, leaveFile(request, { name, createdAtMs }), { replace: false })
  return path
}

/** The file that was written, or for a contract account how one is, stands before what is said of the request. */
function notesOf(request: LeaveRequest, out: string | undefined): Next[] {
  const file = request.contract ? TEXT.notes.batch : TEXT.notes.commandFile
  if (out !== undefined) return [file(out), ...leaveNotes(request)]
  return [...(request.contract ? [TEXT.notes.out] : []), ...leaveNotes(request)]
}

/** The way to cancel a guard that keeps the request back; it may be of another validator. */
function cancelNotes({ guard }: LeavePicture, { own }: Setup): Next[] {
  if (guard?.pubkey === undefined) return []
  return [parts`${TEXT.notes.cancelGuard}${command('--validator', guard.pubkey, ...(own?.wizard ?? []))}`]
}

/** What is copied: the command for an external signer, or the call that the owners of a contract account carry out. */
function handed(request: LeaveRequest): string[] {
  const { contract, transaction } = request
  if (!contract) return leaveCommands(request)
  const { to, valueWei, data } = transaction
  return [`to: ${to}`, `value: ${valueWei} wei`, `data: ${data}`]
}

const NO_EPOCHS = { exitEpoch: null, withdrawableEpoch: null, reason: null }

/** Returns what became of a request that is in a block, as fields of a document. */
function fateFields({ request, ...fate }: RequestFate): LeaveFields['requests'][number] {
  const { blockSlot: block, transactionHash, sourceAddress, amountGwei: askedGwei } = request
  return {
    ...NO_EPOCHS,
    amountGwei: null,
    paid: null,
    block,
    transactionHash,
    sourceAddress,
    askedGwei,
    ...fate,
  }
}

/** Returns what a request would do, as fields of a document; unknown where it could not be found out. */
function outcomeFields(outcome: LeavePicture['outcome']): LeaveFields['outcome'] {
  if (outcome === undefined) return 'unknown'
  const none = { ...NO_EPOCHS, amountGwei: null, balanceGwei: null, cut: null, after: null }
  if (outcome.is !== 'part') return { ...none, ...outcome }
  const { place, ...after } = outcome.after
  return { ...none, ...outcome, after: { ...after, rank: place?.rank, places: place?.places } }
}

/** Returns the request for the wallet: its commands, or for a contract account the batch that its owners carry out. */
function requestFields(request: LeaveRequest, { clock }: Pick<Effects, 'clock'>): LeaveFields['request'] {
  const { transaction, from, contract, feeWei } = request
  const { to, valueWei, data, chainId } = transaction
  const call = { from, contract, feeWei, chainId, to, valueWei, data, commands: leaveCommands(request) }
  if (!contract) return { ...call, ...transaction, batch: null }
  const createdAtMs = clock.nowMs()
  const batch: unknown = JSON.parse(leaveFile(request, { name: `leave-${createdAtMs}`, createdAtMs }))
  const none = { nonce: null, gasLimit: null, maxFeePerGasWei: null, maxPriorityFeePerGasWei: null }
  return { ...call, ...none, batch: asGiven(batch) }
}
