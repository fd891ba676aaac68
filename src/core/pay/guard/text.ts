import { formatCount, formatWei, type Wei } from '../../base/format/amount.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import type { Network } from '../../chain/network/network.ts'
import { GUARD_ROW_TEXT, GUARD_TROUBLES_TEXT } from '../../observe/guard-text.ts'
import type { SendRowId } from './guard-consent.ts'

/** Why a rung stays where it is, by the row of the table that keeps it. */
const ROWS: Readonly<Record<SendRowId, string>> = {
  proven: 'the validator set is not proven by as many endpoints as are needed',
  active: 'the validator is not active, or is leaving',
  'no-partial': 'a part of its stake waits to be paid out',
  credentials: 'it pays out to another address than was agreed to',
  operator: 'its operator is not the one that was agreed to at every endpoint',
  chain: 'an endpoint is of another chain, or does not answer',
  contract: 'an endpoint has other code at the deposit contract, or does not answer',
  rules: 'the rules in force are not known, or a fork comes before the boundary',
  nonce: 'the nonce is not free at every endpoint',
  needed: 'the place is not lost',
  keeps: 'no amount keeps the place',
  'own-validators': 'a validator with the same payout address would lose its place',
  'in-term': 'the last block that counts is after the term',
  due: 'the blocks that are left to you are not over',
  balance: 'the account is short of value and fee at an endpoint, or an endpoint does not answer',
  alone: 'a payment for this validator from another account is open here',
  'not-over': 'the guard was used, or cancelled',
  'dry-run': 'an endpoint does not carry the transaction out without a block',
}

/** Every sentence about a guard. Amounts come with their token. */
export const GUARD_TEXT = {
  rows: ROWS,
  troubles: GUARD_TROUBLES_TEXT,
  /** Why an endpoint does not serve, after its name where none is in it. */
  causes: {
    silent: 'no answer in time',
    late: (endpoint: string, ms: number) =>
      `${endpointName(endpoint)}: no answer for ${Math.round(ms / 1000)} s`,
    noBlock: 'it has no block',
    behind: (block: bigint, newest: bigint) =>
      `it stays at block ${formatCount(block)}, and the chain is at ${formatCount(newest)}`,
    old: (block: bigint) => `its newest block, ${formatCount(block)}, is too old`,
    unsigned: (why: string) => `no signed block without it: ${why}`,
    rules: 'no endpoint tells which rules are in force',
    chainId: (id: number) => `it is of another chain, id ${id}`,
    genesis: 'its first block is another one',
    operator: 'it names another operator than was agreed to',
    code: 'it has other code at the deposit contract',
    next: (nonce: number) => `it says that the next nonce is ${nonce}`,
    pending: 'its mempool holds a transaction with this nonce',
    balance: (balance: string) => `it says that the account has ${balance}`,
    fee: (gwei: string) => `its base fee is ${gwei} gwei`,
    dryRun: 'it refuses the transaction when it is tried without a block',
    slow: (seconds: number) => `the last look took more than ${seconds} s`,
  },
  /** Why a file of a guard is of no use, where nothing else says so. */
  unread: {
    missing: 'There is no such file.',
    empty: 'The file is empty.',
    unfinished: 'It ends before the terms: arming was cut off, or the file was.',
  },
  refused: {
    contract:
      'A Safe cannot guard: its owners would have to sign in the night. Guard from an account with one key.',
    account: (which: string) => `Still open here: ${which}. Let it end, or cancel it first.`,
    validator: 'This validator has a guard already. Cancel it first.',
    unread: (which: string) => `It isn’t known what is open here: ${which}.`,
    notRead: 'The guard here can’t be read.',
    changed: 'What you agreed to has changed since. Look at the terms again.',
    rung: 'The cap is no multiple of the least step, or below the least deposit.',
    short: (needed: string, there: string) =>
      `The account has ${there}, and the cap with its fee needs ${needed}.`,
    row: (id: SendRowId) => `It may not be armed now: ${ROWS[id]}.`,
    node: 'Nothing was signed. Look again in a few slots.',
    silent: (heldBy: string) => `The process that holds the guard has not answered yet. ${heldBy}`,
    silentNext: [
      'It was asked to void the guard, and does so at its next look.',
      'Or end that process: close its window, or stop the watch or the service: kill and its process id. Then cancel the guard here again.',
    ],
    until: 'The term must end later than now, by the time of the chain.',
  },
  imported: (count: number) => `${count} transactions were compared with the terms, one by one.`,
  missing: (nonce: number, count: number) =>
    `Expected ${count} transactions with nonce ${nonce}, each exactly as it was exported.`,
  payment: {
    holds: 'the terms of the guard hold',
    waits: (id: SendRowId) => ROWS[id],
  },
  /** With an external signer: what can sign this, and how an export ends. */
  external: {
    who: (count: number) =>
      `An external signer must sign ${count} transactions exactly as they are: cast can, with a Ledger, a Trezor or a keystore elsewhere. A wallet that sets nonce or fee by itself cannot guard.`,
    saved: (path: string) => `The file for the signer: ${path}`,
    unsaved: 'Press s to write the file for the signer again.',
    end: (nonce: number) =>
      `From the export on nonce ${nonce} is held. To give the guard up, use that nonce: by a payment from this account here, or by a transaction of nothing to yourself.`,
  },
  /** What is agreed to, a sentence each. */
  sentences: {
    once: 'It pays once. Whoever raises after it wins, and a rival may spend it by bidding early.',
    late: 'What comes too late comes back with the stake.',
    holds: 'It works only while this screen or a watch with --guard runs and the machine is awake.',
    active: 'It is for active validators only.',
    beside: 'A guard or a payment from another account elsewhere pays beside this one.',
    part: 'While a part of the stake waits to be paid out it can’t act.',
    until: 'The term binds this program and not the signed bytes.',
    forget: 'Forgetting the file voids nothing: only a used nonce does.',
    needs:
      'To act it needs a node API, and two execution endpoints that answer and go on. With blocks that the validator set signed, one of the two is enough.',
    blind:
      'It can’t act while your node hangs: no other node API is set, and your execution client gets no blocks then.',
    trusts:
      'For cover, name two execution endpoints that your node doesn’t feed instead of your own. Without signed blocks you trust these two together.',
    thief: 'Whoever steals the file can only add stake to this validator, up to the cap, or void the guard.',
  },
  terms: {
    title: 'Guard: a top-up agreed beforehand',
    intro: (cap: string) =>
      `Adds up to ${cap} if that keeps your place, without asking you again. Signed now, sent only if it is needed.`,
    introUnread:
      'A guard is here that can’t be read: it may be that of this validator. Nothing of it is sent.',
    cap: 'adds at most',
    rungs: 'amounts',
    until: 'until',
    slots: 'left to you',
    account: 'paid from',
    fee: 'fee limit',
    last: 'last guard',
    nonceValue: (nonce: number) => `nonce ${nonce}`,
    slotsValue: (slots: number, latest: bigint) =>
      `${formatCount(BigInt(slots))} proven blocks, and at the latest until ${formatCount(latest)} before the last block that counts`,
    explain: {
      what: 'A part of what you agree to with the word.',
      who: 'Chosen by you; account, nonce and fee by the checks below.',
      later: 'No: to change it, cancel the guard and arm another one.',
    },
  },
  fields: {
    cap: {
      label: 'adds at most',
      hint: 'in tokens, a multiple of the least step',
      explain: {
        what: 'The most that the guard may add. Every amount up to it is signed; one at most is paid.',
        who: 'Chosen by you.',
        later: 'No: cancel the guard and arm another one.',
      },
      fault: (step: string) => `Type a multiple of ${step}: the place depends on whole steps.`,
      liftsNothing: (cap: string, least: string) =>
        `${cap} lifts nothing of this stake that counts. The least that does is ${least}.`,
    },
    until: {
      label: 'until (day)',
      hint: 'as 2027-03-01, end of that day, UTC',
      explain: {
        what: 'Nothing is sent for an epoch boundary whose last block is later.',
        who: 'Chosen by you.',
        later: 'No: cancel the guard and arm another one.',
      },
      fault: 'Write a day to come as 2027-03-01.',
    },
    slots: {
      label: 'slots left to you',
      hint: 'proven blocks before an amount goes out',
      explain: {
        what: 'So many proven blocks you have yourself, from the alarm on, before the least amount that helps goes out.',
        who: 'Chosen by you.',
        later: 'No: cancel the guard and arm another one.',
      },
      fault: 'Write a whole number up to 10,000.',
    },
    signed: {
      label: 'signed transactions',
      hint: 'the path of a file with all of them',
      explain: {
        what: 'The top-ups and the cancellation, signed by your wallet. Each is compared with what was exported.',
        who: 'Your wallet.',
        later: 'No.',
      },
    },
  },
  keys: {
    until: 'until',
    slots: 'slots',
    back: 'back',
    arm: (amount: string) => `guard ${amount}`,
    takeBack: 'cancel it',
    import: 'import',
    save: 'write the file',
    hold: 'status screen: holds it',
    status: 'status screen',
  },
  verdict: {
    ready: 'The terms are complete. The word arms the guard; nothing is sent by it.',
    waits: 'The checks below must hold before the guard is armed.',
    noCap: 'Type the most that it may add: press a.',
    another: 'Type the last day of another guard: press d.',
    noDay: 'Type the last day on which it may act: press d.',
    arming: 'The members are signed and written down.',
    armed: 'Armed. Now the status screen or a watch with --guard must hold it: else it does nothing.',
    heldElsewhere: (heldBy: string) => `Armed, and held by another process. ${heldBy}`,
    asked: (heldBy: string) => `Another process holds the guard, and was asked to void it. ${heldBy}`,
    exported: 'Exported, not armed yet. Have all of them signed, and import them here.',
    under: (how: string) => `The guard: ${how}.`,
    refused: 'The guard was not armed.',
    takingBack: 'Its cancellation goes out: once that is in a final block nothing of the guard can happen.',
    over: (how: string) => `The guard is ${how}.`,
  },
  money: {
    before: (cap: string, fee: string) => `arms up to ${cap} and ${fee} fee; sends nothing`,
    unknown: (cap: string) => `arms up to ${cap}; sends nothing`,
    exported: (cap: string) => `up to ${cap}, once all are signed and imported; nothing is sent now`,
    armed: (cap: string, fee: string) =>
      `may add up to ${cap}, once; to cancel it sends a transaction, fee up to ${fee}`,
    cancelling: (fee: string) => `its cancellation pays nothing and costs up to ${fee} fee`,
    sent: (amount: string) => `${amount} sent; it counts once`,
    unread: 'its signed transactions stay valid until its nonce is used, wherever a copy is',
    over: {
      paid: (amount: string) => `it paid ${amount}; nothing more of it can happen`,
      cancelled: () => 'it paid nothing; its cancellation cost a fee; nothing of it can happen',
      reverted: () => 'it paid nothing but a fee; nothing of it can happen',
      void: () => 'it paid nothing; nothing of it can happen',
      'given-up': () => 'it paid nothing; its signed transactions stay valid until its nonce is used',
    },
    worst: 'worst case: it pays the cap and is outbid all the same; stake back.',
    worstOfCancelling: 'worst case: an amount is in a block before it, and counts.',
    none: 'worst case here: none.',
  },
  consent: {
    undo: 'No way back by forgetting it: only a used nonce voids it.',
    stake: (cap: string, rungs: number) =>
      `At stake: up to ${cap}, once: ${rungs} amounts, of which one at most is paid.`,
    worst: 'worst case: it is paid, and a rival raises after it.',
    fee: (most: string) => `fee up to ${most} in all`,
    takeBack: {
      undo: 'No way back: the nonce is used up, and the guard with it.',
      stake: 'At stake: a fee, for a transaction that is sent. An amount in a block before it is paid.',
      worst: 'worst case: an amount is in a block before it, and counts.',
    },
  },
  row: GUARD_ROW_TEXT,
}

/** What an account lacks for the cap of a guard and its fee; undefined where it holds both. Amounts in wei. */
export function shortWords(
  neededWei: Wei,
  balanceWei: Wei,
  { names: { token } }: Network,
): string | undefined {
  if (balanceWei >= neededWei) return undefined
  return GUARD_TEXT.refused.short(`${formatWei(neededWei)} ${token}`, `${formatWei(balanceWei)} ${token}`)
}
