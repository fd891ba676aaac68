import type { GuardTroubleId } from './picture.ts'

/** What each trouble of a guard is called, in one line. */
export const GUARD_TROUBLES_TEXT: Readonly<Record<GuardTroubleId, string>> = {
  nonce: 'its nonce is used or waits in a mempool, as an endpoint says: the guard can’t pay while that is so',
  balance: 'the account is short of the cap and its fee',
  cap: 'its cap is below what keeps the place',
  term: 'its term ends soon, or is over',
  fee: 'the base fee is above half of what its least amount offers',
  unproven: 'it can’t act now, and nothing is sent meanwhile',
  blind: 'it can’t act while your node hangs: no other node API is set',
  fork: 'the rules in force are not known to this program: nothing is sent',
  'other-payment': 'it stands down while a payment for this validator from another account is open here',
  'cannot-send': 'no amount may go out',
}

/** What is said of a place in danger beside an amount that a guard has sent. */
export const GUARD_SENT_TEXT = {
  isEnough: (amount: string, block: string) =>
    `The guard has sent ${amount}, which keeps the place: it waits for block ${block} at the latest.`,
  isTooLittle: (amount: string) =>
    `The guard has sent ${amount}, which is not enough any more; that and the difference may both count.`,
  next: 'Send nothing now: you are asked for the difference if more is needed.',
}

/** What the row of a guard says, and the key that leads to it. */
export const GUARD_ROW_TEXT = {
  key: 'guard',
  label: 'guard',
  armed: (cap: string, until: string) => `armed up to ${cap} until ${until}, held by this screen`,
  heldElsewhere: (heldBy: string) => `armed, held by another process: ${heldBy}`,
  barred: (barredBy: string) => `armed, and held by nobody: another window has its account. ${barredBy}`,
  unheld: (cap: string) => `armed up to ${cap}, and held by nobody: it does nothing`,
  exported: 'exported, not signed yet: its nonce is held',
  unreadable: 'its files can’t be read: nothing of it is sent',
  unreadableButHeld: 'its files can’t be read: nothing of it is sent once the process that has it open ends',
  /** `file`: which one; `why`: what is wrong with it, a sentence. */
  unreadFile: (from: string, nonce: number, file: string, why: string) =>
    `Account ${from}, nonce ${nonce}, file ${file}: ${why}`,
  /** What to do about a file of a guard that a newer version wrote, and about one that is of no use. */
  newerNext: 'Use the newer version of Bearings again: it can hold this guard, or cancel it.',
  unreadableNext: (from: string, nonce: number) =>
    `Put the file back from a copy. Without one, use nonce ${nonce} of ${from} for a transaction of 0 to yourself. Once that is final, move the folder of the guard away and arm another one.`,
  handedOver: (amount: string) => `${amount} sent, waits for a block`,
  cancelling: 'its cancellation waits for a block',
  unfollowed: (waits: string) => `${waits}, and nobody holds the guard: nothing follows it`,
  inBlock: (amount: string, block: string) => `${amount} in block ${block}, not final yet`,
  cancelledInBlock: (block: string) => `its cancellation is in block ${block}, not final yet`,
  over: {
    paid: (amount: string, block: string) => `over: it paid ${amount} in block ${block}, and pays no more`,
    cancelled: (_: string, block: string) => `over: cancelled in block ${block}, nothing was paid`,
    reverted: () => 'over: its transaction was reverted, nothing was paid but the fee',
    'given-up': () => 'over: the validator has left, and nothing of it is sent any more',
    void: () => 'over: another transaction has used its nonce, and it can no longer pay',
  },
  node: {
    label: 'second node API',
    none: 'none: the guard can’t act while your node hangs',
    explain: {
      what: 'While your own node hangs, your execution client gets no blocks either. Then another node API serves, with signed blocks of another engine and one execution endpoint that goes on, or with two execution endpoints that your node doesn’t feed. Else nothing is sent.',
      who: 'This program: the status screen has your own node alone. A watch takes another one: watch with --guard and --node OWN,OTHER.',
      later: 'Yes: begin such a watch, and it holds the guard.',
    },
  },
  trouble: (words: string, causes: readonly string[]) =>
    causes.length === 0 ? words : `${words} (${causes.join('; ')})`,
  leftOut: (why: string) => `goes on without ${why}`,
  source: 'this computer',
  explain: {
    what: 'A top-up that was agreed and signed beforehand, and goes out by itself if that keeps the place.',
    who: 'This program, by two proven endpoints.',
    later: 'Yes: with every proven block.',
  },
}
