import type { HttpRequest } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { verifyDeposit } from '../../src/core/chain/deposit/verify.ts'
import { candidatesOf, endedOf, signedOf } from '../../src/core/pay/payment/candidates.ts'
import type { PayingStep, PaymentState } from '../../src/core/pay/payment/payment.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { State } from '../../src/core/wizard/state.ts'
import { secretsIn } from '../hostile/secrets.ts'
import { sentBytes } from '../support/sent-bytes.ts'
import { type AlarmJudge, createAlarmJudge } from './alarm-judge.ts'
import type { SimDisk } from './disk.ts'
import type { SeenEvent } from './event.ts'
import { type DepositCall, depositCallOf, type Included, readTx, type Tx } from './execution.ts'
import { createGuardJudge, type GuardJudge, type Met } from './guard-judge.ts'
import type { Ground, Network } from './network.ts'
import { secretsOf, WEBHOOK_SECRET } from './secrets.ts'
import { type Conditions, createSteadyJudge, type SteadyJudge } from './steady-judge.ts'
import type { Story } from './story.ts'

const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`

/** What must never be, by the names that a failing seed is told with. */
export type Rule =
  /** A first deposit left that the chain refuses, or for other addresses than the user's. */
  | 'burnt'
  | 'top-up-before-registration'
  /** More than one transaction of one payment of a journal has deposited. */
  | 'paid-twice'
  /** Bytes left that no journal on the disk has. */
  | 'not-durable'
  /** An end of a payment was told that is not so on the chain. */
  | 'false-end'
  /** A registration is taken for proven that the chain does not have. */
  | 'believed'
  /** A watch did not tell of a danger while there was time, or ended its alarm while the danger held. */
  | 'silent'
  /** A watch told a drop-out as something that the owner asked for. */
  | 'told-as-exit'
  /** The end of a payment that the chain holds for good was taken back. */
  | 'denied'
  | 'secret'
  /** A journal lost a line that was said to be on the disk, or is refused though nothing happened to it. */
  | 'journal'
  | 'alarm-lost'
  /** An alarm fired twice in a minute, ended while its cause held, or stood on though that was over. */
  | 'alternates'
  /** A guard sent something outside its terms, more than was needed, or after its cancellation. */
  | 'guard'
  /** Everything was well, somebody did what was offered, and it came to nothing. */
  | 'no-way-on'
  /** The program met something that it had no answer for. */
  | 'fault'

export type Objection = { rule: Rule; words: string }

/** How a watch begins to say that the disk does not take its alarms, and how soon it tries again once it does. */
const UNSAVED = 'Alarms that wait to be sent could not be saved'
const SAVED_AGAIN_MS = 4000

/** Who sees everything, and objects to what must never be. */
export type Judge = {
  readonly objections: readonly Objection[]
  object(rule: Rule, words: string): void
  /** A request leaves a process. */
  leaves(who: string, request: HttpRequest): void
  /** A process has signed bytes for a payment of its journal. */
  signed(raw: Hex, payment: string): Promise<void>
  /** A process has signed the members of a guard. */
  guarded(raws: readonly Hex[]): Promise<void>
  readonly ofGuard: GuardJudge
  /** Whether something was signed that no block holds. */
  isPaying(): boolean
  /** A line of a file was said to be on the disk. */
  acknowledged(path: string, line: string): void
  /** A process opens a file of lines that it takes for empty. */
  beginsAnew(who: string, path: string): void
  /** A watch tells a change of an alarm, or says a sentence. */
  alarmed(event: SeenEvent, who: string): void
  readonly ofAlarms: AlarmJudge
  /** The service has taken an event. */
  arrived(event: SeenEvent): void
  readonly ofSteadiness: SteadyJudge
  watchBegins(who: string): void
  said(sentence: string, who: string): void
  /** A process is no more, so long after it last met a fault of the disk. */
  gone(who: string, afterFaultMs: number): void
  /** What was told and has not arrived, unless it was said that it was dropped. */
  undelivered(): readonly string[]
  /** A process prints. */
  printed(who: string, text: string): void
  /** The state of a wizard changed. */
  told(who: string, session: Session, state: State): void
  /** The power was gone, or a process begins: what was acknowledged must be there. */
  checkFiles(): void
  /** A block is final. */
  checkBlocks(): void
  /** All is over: what was written is looked through. */
  checkSecrets(): void
}

export function createJudge({
  ground,
  network,
  disk,
  story,
  received,
  met,
  failsOwn,
  watchesOnly,
  isSteady,
  conditions,
}: {
  ground: Ground
  network: Network
  disk: SimDisk
  story: Story
  received: ReadonlySet<string>
  met: Met
  failsOwn: () => boolean
  /** Whether nobody is there but a watch: then its alarms are judged. */
  watchesOnly: boolean
  /** Whether it is judged that alarms come and go with their causes. */
  isSteady: boolean
  conditions: Conditions
}): Judge {
  const { plan } = ground
  const objections: Objection[] = []
  const payments = new Map<Hex, string>()
  const lines = new Map<string, string[]>()
  const endsSeen = new Set<string>()
  const secrets = secretsOf(plan)
  const credentials = `0x01${'00'.repeat(11)}${plan.user.address.slice(2)}`
  const chain = {
    genesisValidatorsRoot: network.consensus.input.genesisValidatorsRoot,
    genesisForkVersion: network.consensus.input.genesisForkVersion,
  }
  const alarms = new Map<string, string>()
  const unsaved = new Set<string>()
  let hasDropped = false
  let newestWatch = ''
  let sums = ''

  const object = (rule: Rule, words: string) => {
    if (objections.some((one) => one.rule === rule)) return
    objections.push({ rule, words })
    story.note('JUDGE', () => `objects, ${rule}: ${words}`)
  }
  const ofGuard = createGuardJudge({ network, story, object, met })
  const ofAlarms = createAlarmJudge({ network, ofGuard, object, failsOwn })
  const ofSteadiness = createSteadyJudge({ network, disk, ofGuard, object, conditions })
  const includedOf = (hash: Hex): Included | undefined =>
    network.blocks.flatMap(({ included }) => included).find(({ tx }) => tx.hash === hash)

  const isRegistered = (key: Hex): boolean =>
    network.consensus.state().validators.some(({ pubkey }) => pubkey === key)

  function checkDeposit(call: DepositCall, tx: Tx): void {
    const isKnown = isRegistered(call.pubkey)
    if (call.operator === ZERO_ADDRESS) {
      if (!isKnown)
        object(
          'top-up-before-registration',
          `a top-up of ${call.amountGwei} gwei left, and nobody knows the key`,
        )
      return
    }
    const { pubkey, signature, amountGwei } = call
    const verdict = verifyDeposit({
      pubkey,
      signature,
      amountGwei,
      withdrawalCredentials: call.credentials,
      ...chain,
    })
    if (verdict.verdict !== 'accepted')
      object('burnt', `a first deposit left that the chain refuses: ${verdict.words}`)
    if (call.credentials !== credentials || call.operator !== plan.user.address)
      object('burnt', `a first deposit left for ${call.credentials} and ${call.operator}`)
    // The same bytes may come again while they are being counted.
    if (isKnown && includedOf(tx.hash) === undefined)
      object('burnt', 'a first deposit left for a key that is registered')
  }

  function checkSent(who: string, raw: Hex, tx: Tx): void {
    story.note(
      who,
      () => `sends nonce ${tx.nonce}, ${tx.valueWei / 10n ** 18n} tokens, ${tx.hash.slice(0, 10)}`,
    )
    const isDurable = disk
      .paths()
      .some((path) => path.endsWith('journal.jsonl') && disk.safeTextAt(path).includes(raw))
    if (!isDurable) object('not-durable', `${tx.hash} left, and no journal on the disk has it`)
    const call = depositCallOf(tx.data, tx.valueWei)
    if (call !== undefined) checkDeposit(call, tx)
    ofGuard.sent(who, tx)
  }

  return {
    objections,
    object,
    leaves(who, request) {
      const { url, body = '' } = request
      const raw = sentBytes(request)
      if (raw !== undefined) {
        void readTx(raw).then((tx) => {
          if (tx === undefined) object('fault', `bytes left that are no transaction: ${raw.slice(0, 40)}`)
          else checkSent(who, raw, tx)
        })
      }
      const text = `${url.replaceAll(WEBHOOK_SECRET, '')}\n${JSON.stringify(request.headers ?? {})}\n${body}`
      const found = secretsIn(text, secrets)
      if (found.length > 0) object('secret', `${found.join(', ')} left in a request to ${new URL(url).host}`)
    },
    async signed(raw, payment) {
      const tx = await readTx(raw)
      if (tx === undefined) return object('fault', 'what was signed is no transaction')
      payments.set(tx.hash, payment)
    },
    guarded: ofGuard.guarded,
    ofGuard,
    isPaying: () => [...payments.keys()].some((hash) => includedOf(hash) === undefined),
    acknowledged(path, line) {
      checkDenial(line)
      const known = lines.get(path) ?? []
      known.push(line)
      lines.set(path, known)
    },
    beginsAnew(who, path) {
      const known = lines.get(path) ?? []
      if (known.length > 0) object('journal', `${who} begins ${path} anew, which had ${known.length} lines`)
    },
    ofAlarms,
    alarmed(seen, who) {
      const { key: event } = seen
      if (watchesOnly) ofAlarms.told(seen)
      if (isSteady) ofSteadiness.told(seen, who)
      alarms.set(event, who)
      if (received.has(event)) story.reached('alarm-delivered')
    },
    ofSteadiness,
    arrived(seen) {
      if (isSteady) ofSteadiness.arrived(seen)
      const { key: event } = seen
      const watch = alarms.get(event)
      // It may arrive before it is told.
      if (watch !== undefined) story.reached('alarm-delivered')
      if (watch !== undefined && watch !== newestWatch) story.reached('alarm-after-restart')
    },
    watchBegins: (who) => {
      ofSteadiness.begins(who)
      newestWatch = who
    },
    said(sentence, who) {
      if (/dropped/i.test(sentence)) hasDropped = true
      if (sentence.startsWith(UNSAVED)) unsaved.add(who)
    },
    gone(who, afterFaultMs) {
      if (!unsaved.has(who) || afterFaultMs > SAVED_AGAIN_MS) return
      const outbox = disk.paths().find((path) => path.endsWith('watch-outbox.json'))
      const kept = outbox === undefined ? '' : (disk.textAt(outbox) ?? '')
      // It was said that these could not be saved, and there was no time for it since.
      for (const [event, by] of alarms)
        if (by === who && !received.has(event) && !kept.includes(event.split(' ')[0] ?? ''))
          alarms.delete(event)
    },
    undelivered: () => (hasDropped ? [] : [...alarms.keys()].filter((event) => !received.has(event))),
    printed(who, text) {
      const found = secretsIn(text, secrets)
      if (found.length > 0) object('secret', `${who} printed ${found.join(', ')}`)
    },
    told(who, session, state) {
      if (session.facts().registration !== undefined && !isRegistered(plan.fresh.pubkey))
        object('believed', `${who} takes a key for registered that nobody knows`)
      for (const [step, payment] of [
        ['deposit', state.deposit],
        ['topup', state.topup.send],
      ] as const) {
        const ended = endedOf(payment)
        if (ended === undefined || ended.remembered) continue
        const { outcome } = ended
        const hash = 'included' in outcome ? outcome.included.hash : candidatesOf(payment).at(-1)?.hash
        const text = `${who} ${step} ${payment.ordinal} ${outcome.is} ${hash}`
        if (endsSeen.has(text)) continue
        endsSeen.add(text)
        story.note(who, () => `tells that payment ${payment.ordinal} of ${step} ended: ${outcome.is}`)
        if (outcome.is !== 'reverted') story.reached(`ended-${outcome.is}`)
        if (outcome.is === 'paid' && isReplacement(payment, hash)) story.reached('replacement-mined')
        checkEnd(step, outcome.is, hash)
      }
    },
    checkFiles() {
      for (const [path, known] of lines) {
        const text = disk.textAt(path)
        if (text === undefined) {
          object('journal', `${path} is gone, with ${known.length} lines that were on the disk`)
          continue
        }
        if (!holdsInOrder(text.split('\n'), known))
          object('journal', `${path} has lost lines that were said to be on the disk`)
      }
    },
    checkBlocks() {
      ofGuard.look()
      if (watchesOnly) ofAlarms.look()
      ofSteadiness.look()
      const final = network.blocks.slice(0, -1).flatMap(({ included }) => included)
      const sum = `${final.length}`
      if (sum === sums) return
      sums = sum
      const done = final.filter(
        ({ tx, success, deposit }) => success && deposit !== undefined && payments.has(tx.hash),
      )
      const counts = new Map<string, number>()
      for (const { tx } of done) {
        const payment = payments.get(tx.hash) ?? ''
        counts.set(payment, (counts.get(payment) ?? 0) + 1)
      }
      for (const [payment, count] of counts)
        if (count > 1) object('paid-twice', `payment ${payment} is in ${count} transactions of the chain`)
    },
    checkSecrets() {
      for (const text of disk.written) {
        const found = secretsIn(text, secrets)
        if (found.length > 0) object('secret', `the disk was given ${found.join(', ')}`)
      }
    },
  }

  function checkDenial(line: string): void {
    const [, step] = /"type":"(deposit|topup|guard)\.contradicted"/.exec(line) ?? []
    if (step === undefined) return
    const paid = network.blocks
      .slice(0, -1)
      .flatMap(({ included }) => included)
      .find(
        ({ tx, success, deposit }) =>
          success &&
          deposit !== undefined &&
          (deposit.operator !== ZERO_ADDRESS) === (step === 'deposit') &&
          (payments.has(tx.hash) || step === 'guard'),
      )
    if (paid !== undefined)
      object(
        'denied',
        `${step} is told as contradicted, and ${paid.tx.hash.slice(0, 10)} is in block ${paid.block}`,
      )
  }

  function checkEnd(step: PayingStep, is: string, hash: Hex | undefined): void {
    if (hash === undefined) return
    const included = includedOf(hash)
    const isFinal = included !== undefined && included.block < network.blocks.length
    if ((is === 'paid' || is === 'cancelled') && !(isFinal && included.success))
      object('false-end', `${step} is told as ${is}, and ${hash.slice(0, 10)} is in no block that stays`)
    if (is === 'reverted' && !(isFinal && !included.success))
      object('false-end', `${step} is told as reverted, and ${hash.slice(0, 10)} is not`)
    if (is === 'nonce-taken' && included !== undefined)
      object(
        'false-end',
        `${step} is told as overtaken, and ${hash.slice(0, 10)} is in block ${included.block}`,
      )
  }
}

/** Whether the candidate with a hash was signed to take the place of another one. */
const isReplacement = (payment: PaymentState, hash: Hex | undefined): boolean =>
  signedOf(payment).some((one) => one.hash === hash && one.kind === 'speed-up')

/** Whether some lines stand among others in this order; between them may be some of a process that did not live to hear of it. */
function holdsInOrder(lines: readonly string[], wanted: readonly string[]): boolean {
  let at = 0
  for (const line of lines) if (line === wanted[at]) at += 1
  return at === wanted.length
}
