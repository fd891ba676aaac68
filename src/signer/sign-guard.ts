import type { PrivateKeyAccount } from 'viem/accounts'
import { getAddress } from 'viem/utils'
import { walletError } from '../core/base/errors/wallet.ts'
import { formatWei } from '../core/base/format/amount.ts'
import { type FieldReader, readFields } from '../core/base/format/fields.ts'
import { type Hex, sameHex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import { decodeDepositCalldata } from '../core/chain/deposit/calldata.ts'
import { readTerminalUse } from './ask-password.ts'
import { withDescriptorWallet, withTypedWallet } from './open-wallet.ts'
import { grouped, row } from './password-line.ts'
import { checkPurpose, type Eip1559Transaction, readTransaction } from './read-transaction.ts'
import { MAX_NETWORK, MAX_TOKEN, type RequestContext, signAndReadBack } from './sign-transaction.ts'

/** Rungs and the cancellation. */
const MOST_MEMBERS = 13
const LEAST_MEMBERS = 2

/**
 * Signs the members of a guard with one opening of the keystore: top-ups of one validator that differ in value and fees
 * alone, and a cancellation with the same nonce as the last. Throws `signer.other-purpose` for anything else,
 * `keystore.other-account` and what opening the keystore throws.
 */
export async function signGuard(
  request: FieldReader,
  context: RequestContext,
): Promise<{ rawTransactions: readonly Hex[]; from: Hex }> {
  request.only([
    'keystore',
    'passwordDescriptor',
    'from',
    'pubkey',
    'members',
    'prompt',
    'rawModeIsOn',
    'linesOnly',
    'wasTyped',
  ])
  const from = request.hex('from', 20)
  const pubkey = request.hex('pubkey', 48)
  const members = request.list('members').map((member, at) =>
    readTransaction(
      readFields(member, {
        path: `members[${at}]`,
        fail: (problem) => walletError('signer.bad-request', problem),
      }),
    ),
  )
  checkMembers(members, { from, pubkey })
  const words = readWords(request.object('prompt'))
  const work = (account: PrivateKeyAccount) => signAll(account, members, from)
  const [least] = members
  if (request.has('passwordDescriptor'))
    return withDescriptorWallet(request, least === undefined ? {} : { chainId: least.chainId }, work)
  const lines = guardLines(members, { ...words, from, pubkey })
  return withTypedWallet(request, { ...context, ...readTerminalUse(request), lines }, work)
}

async function signAll(
  account: PrivateKeyAccount,
  members: readonly Eip1559Transaction[],
  from: Hex,
): Promise<{ rawTransactions: readonly Hex[]; from: Hex }> {
  const rawTransactions: Hex[] = []
  for (const member of members)
    rawTransactions.push((await signAndReadBack(account, member, from)).rawTransaction)
  return { rawTransactions, from: account.address }
}

/**
 * Refuses members that are no guard: of all of them only one may ever happen, and none may pay anybody but this validator.
 * Throws `signer.other-purpose`.
 */
function checkMembers(
  members: readonly Eip1559Transaction[],
  { from, pubkey }: { from: Hex; pubkey: Hex },
): void {
  const rungs = members.slice(0, -1)
  const cancellation = members.at(-1)
  const [least] = rungs
  if (least === undefined || cancellation === undefined || members.length > MOST_MEMBERS)
    throw walletError(
      'signer.other-purpose',
      `It has ${members.length} members, expected ${LEAST_MEMBERS} to ${MOST_MEMBERS}.`,
    )
  for (const rung of rungs) {
    checkPurpose(rung, from)
    checkRung(rung, { least, pubkey })
  }
  checkPurpose(cancellation, from)
  if (cancellation.data !== '0x' || !sameHex(cancellation.to, from))
    throw walletError('signer.other-purpose', 'Its last member is no cancellation.')
  for (const [at, member] of members.entries()) {
    if (member.chainId !== least.chainId || member.nonce !== least.nonce)
      throw walletError(
        'signer.other-purpose',
        'Its members have more than one nonce or chain: more than one of them could happen.',
      )
    const before = members[at - 1]
    if (before === undefined) continue
    if (member.data !== '0x' && member.value <= before.value)
      throw walletError('signer.other-purpose', 'The amounts of its members do not rise.')
    if (!isDearer(member, before))
      throw walletError('signer.other-purpose', 'The fees of its members do not rise by an eighth.')
  }
}

function checkRung(
  rung: Eip1559Transaction,
  { least, pubkey }: { least: Eip1559Transaction; pubkey: Hex },
): void {
  if (rung.data === '0x')
    throw walletError('signer.other-purpose', 'A member before the last one is no top-up.')
  const call = decodeDepositCalldata(rung.data)
  if (call.kind !== 'top-up' || !sameHex(call.pubkey, pubkey))
    throw walletError('signer.other-purpose', 'A member is no top-up of this validator.')
  if (!sameHex(rung.to, least.to) || rung.gas !== least.gas)
    throw walletError('signer.other-purpose', 'Its members differ in more than value and fees.')
}

const isDearer = (member: Eip1559Transaction, before: Eip1559Transaction): boolean =>
  member.maxFeePerGas * 8n >= before.maxFeePerGas * 9n &&
  member.maxPriorityFeePerGas * 8n >= before.maxPriorityFeePerGas * 9n

function readWords(fields: FieldReader): { network: string; token: string } {
  fields.only(['network', 'token'])
  return {
    network: safeText(fields.text('network'), MAX_NETWORK),
    token: safeText(fields.text('token'), MAX_TOKEN),
  }
}

/**
 * What the members of a guard are, in lines of at most 80 columns: everything but names is read from the transactions
 * themselves, which `checkMembers` let through.
 */
export function guardLines(
  members: readonly Eip1559Transaction[],
  { network, token, from, pubkey }: { network: string; token: string; from: Hex; pubkey: Hex },
): string[] {
  const rungs = members.slice(0, -1)
  const [least] = rungs
  const dearest = rungs.at(-1)
  if (least === undefined || dearest === undefined) return []
  const most = members.reduce((fee, { gas, maxFeePerGas }) => {
    const mostOfMember = gas * maxFeePerGas
    return mostOfMember > fee ? mostOfMember : fee
  }, 0n)
  return [
    ` Sign a guard of ${members.length} transactions with your keystore?`,
    '',
    ...row('network', [`${network}, chain ${least.chainId}`]),
    ...row('top-ups', [
      `${rungs.length} of ${formatWei(least.value)} to ${formatWei(dearest.value)} ${token}`,
      'sent later without asking; one at most',
    ]),
    ...row('most', [`${formatWei(dearest.value)} ${token} and ${formatWei(most)} ${token} fee, in all`]),
    ...row('cancellation', [`1 of 0 ${token} to the account itself`]),
    ...row('validator', grouped(pubkey)),
    ...row('contract', grouped(least.to)),
    ...row('paying account', grouped(getAddress(from))),
    ...row('nonce', [`${least.nonce}, the same for all: only one can ever happen`]),
  ]
}
