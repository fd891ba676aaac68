import { formatCount, formatGwei, type Gwei } from '../../base/format/amount.ts'
import { decides, KEY } from '../../base/format/next.ts'
import type { UncountedDeposit } from '../../chain/consensus/snapshot.ts'
import { payoutOf } from '../../chain/deposit/credentials.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import { isLost, type Own } from '../../chain/key-state/own.ts'
import type { Margin } from '../../chain/key-state/standing.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { tokensOf } from '../../chain/network/network.ts'
import { isPoolValidator, POOLS_TEXT } from '../../chain/network/pools.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { chainSentence } from '../../observe/findings.ts'
import { GUARD_SENT_TEXT } from '../../observe/guard-text.ts'
import type { MoneyBand, Problem } from '../../view/view.ts'
import { STATUS_FACTS_TEXT } from './facts.ts'
import type { StatusState } from './machine.ts'
import { type Contact, contactOf, type Situation, situationOf } from './situation.ts'
import { STATUS_TEXT as TEXT } from './text.ts'

/** What the page says of a situation and of the node: the line on top, the money band, and what is the matter. */
export type PageStanding = {
  situation: Situation
  contact: Contact
  /** The user's validator; undefined while the state does not hold it. */
  own: Own | undefined
  /** Whether it is in the active set, by the state; has left it or is leaving; and is a staking pool's. */
  isIn: boolean
  isOut: boolean
  isPools: boolean
  title: string
  money: MoneyBand
  /** What it is when the place is lost, or in danger. */
  problem: Problem | undefined
  /** The amount that keeps the place; undefined while none is needed, or none helps. */
  rescueGwei: Gwei | undefined
}

/**
 * Describes where the validator stands, by what was last heard. What is lost or in danger is said first, then a node that is
 * not heard, then the place. Nothing is to be done only where chain, waiting deposits and node all say so, and nothing is
 * `open`.
 */
export function describePage(
  state: StatusState,
  { facts, setup, open }: { facts: Facts; setup: Setup; open: number },
): PageStanding {
  const situation = situationOf(state, facts, setup)
  const contact = contactOf(state, setup)
  const isIn = situation.is === 'active' || situation.is === 'before-engine'
  const own = 'own' in situation ? situation.own : undefined
  const { title, line, worst, problem } = wordsOf(situation, { contact, open: isIn ? open : 0 }, setup)
  return {
    situation,
    contact,
    own,
    isIn,
    isOut: own !== undefined && isLost(own),
    isPools: own !== undefined && isPoolValidator(own.validator.withdrawalCredentials, setup.network),
    title,
    money: { line, worst },
    problem,
    rescueGwei:
      situation.is === 'dropping' && !situation.isEnough
        ? situation.danger.rescue?.leastTopUpGwei
        : undefined,
  }
}

type Weighed = { contact: Contact; open: number }
type Words = { title: string; line: string; worst: string; problem?: Problem }

function wordsOf(situation: Situation, weighed: Weighed, setup: Setup): Words {
  switch (situation.is) {
    case 'leaving':
    case 'left':
    case 'paid':
      return lostWords(situation, setup)
    case 'dropping':
      return dangerWords(situation, setup)
    default: {
      const words = placeWords(situation, weighed, setup)
      return { ...words, title: contactWords(weighed.contact).title ?? words.title }
    }
  }
}

type Out = Extract<Situation, { is: 'leaving' | 'left' | 'paid' }>
type Dropping = Extract<Situation, { is: 'dropping' }>
type Staked = Extract<Situation, { is: 'below' | 'waiting' | 'before-engine' | 'active' }>

/** What is the matter with the node: over all else, over an active validator, and behind what is staked. */
type ContactWords = { title?: string; active?: string; money?: string; isOld?: true }

const PARTLY = 'your node answers only in part: look at it'

function contactWords(contact: Contact): ContactWords {
  switch (contact.is) {
    case 'doubt':
      return { ...doubtWords(contact.doubt), isOld: true }
    case 'node-failed':
      return { title: 'Your node does not answer', money: PARTLY, isOld: true }
    case 'engine-failed':
      return { title: 'Your node’s engine does not answer', money: PARTLY, isOld: true }
    case 'catching-up':
      return {
        active: 'Your node is catching up and does not vote until then',
        money: 'your engine is catching up and does not vote until then',
      }
    case 'other-key':
      return {
        active: 'The node that answers runs with another key',
        money: 'the node that answers runs with another key',
      }
    case 'troubled': {
      const troubles = STATUS_FACTS_TEXT.troubles(contact.troubles)
      return {
        active: `Your validator is active, your node is not well: ${troubles}`,
        money: `your node is not well: ${troubles}`,
      }
    }
    case 'alarmed':
      return { active: 'Your validator is active, and an alarm stands' }
    default:
      return {}
  }
}

/** Of a screen whose facts are not of now: that, and what to do. */
function doubtWords({ is, beside }: NodeDoubt): ContactWords {
  if (is === 'silent')
    return { title: 'Your node does not answer', money: 'your node does not answer: start it again' }
  return beside.is === 'ahead'
    ? { title: 'Your node stands still', money: 'your node stands still: restart it' }
    : { title: 'No new block is seen', money: 'no new block is seen: look at your node' }
}

/** From when the facts are, and what of the chain is known since. */
export function doubtIntro({ is, slot, beside }: NodeDoubt, epoch: bigint): string {
  const last = is === 'silent' ? 'The last answer of your node' : 'The newest block of your node'
  const chain = chainSentence(beside)
  return `${last}: slot ${slot} · epoch ${epoch}. ${chain} Whether an epoch boundary has changed anything is not known.`
}

function placeWords(
  situation: Exclude<Situation, Out | Dropping>,
  { contact, open }: Weighed,
  setup: Setup,
): Words {
  const { money: trouble, active } = contactWords(contact)
  switch (situation.is) {
    case 'unheard':
      return {
        title: 'Asking for the validator',
        line:
          trouble === undefined
            ? 'asking what is staked'
            : `what is staked is not known · ${unanswered(contact)}`,
        worst: 'worst case: something changes and this screen does not show it.',
      }
    case 'absent': {
      const nothing = situation.isWhole
        ? 'nothing is staked yet · no deposit waits to be counted'
        : 'nothing is staked yet · deposits not counted yet are not known'
      return {
        title: 'The chain does not hold this validator',
        line: trouble === undefined ? nothing : `nothing staked at the last answer · ${trouble}`,
        worst: 'worst case: a top-up sent now is burnt; the top-up step stays closed.',
      }
    }
    case 'arriving':
      return {
        title: 'Waiting for the first deposit to be counted',
        line: `${sentWords(situation.deposit, setup)}, not counted yet · ${trouble ?? 'look again in a few slots'}`,
        worst: 'worst case: none here. A top-up sent before it is counted is burnt.',
      }
    case 'refused':
      return {
        title: 'The first deposit will not be counted',
        line: `${sentWords(situation.deposit, setup)} · its signature is not valid`,
        worst: 'worst case: this deposit is lost; step 2 (identity) says what to do.',
      }
    case 'below': {
      const threshold = tokensOf(setup.network.spec.activationBalanceGwei, setup)
      return {
        title: `Below the threshold: ${tokensOf(situation.missingGwei, setup)} are missing`,
        line: stakedWords(situation, missingWords(situation, setup), { contact, setup }),
        worst: `worst case: none here; below ${threshold} nothing can be withdrawn.`,
      }
    }
    case 'waiting':
      return {
        title: joinsWords(situation, setup),
        line: stakedWords(situation, marginWords(situation.margin, { contact, open }, setup), {
          contact,
          setup,
        }),
        worst: 'worst case: outbid at the boundary; the stake comes back, this key does not.',
      }
    case 'before-engine':
      return {
        title: 'Active, but the consensus engine does not count it yet',
        line: stakedWords(situation, 'the engine counts it 2 slots after the epoch boundary', {
          contact,
          setup,
        }),
        worst: OUTBID_LATER,
      }
    case 'active':
      return {
        title:
          active ?? `Your validator is active${situation.margin.is === 'thin' ? ', by a thin margin' : ''}`,
        line: stakedWords(situation, marginWords(situation.margin, { contact, open }, setup), {
          contact,
          setup,
        }),
        worst: OUTBID_LATER,
      }
  }
}

const OUTBID_LATER = 'worst case: outbid later; the stake comes back, this key does not.'

const unanswered = ({ is }: Contact): string =>
  is === 'node-failed' ? 'your node does not answer: start it' : PARTLY

const sentWords = ({ amountGwei, blockSlot }: UncountedDeposit, setup: Setup): string =>
  `sent ${tokensOf(amountGwei, setup)}, in block ${formatCount(blockSlot)}`

function joinsWords({ own, epoch }: Situation & { is: 'waiting' }, setup: Setup): string {
  if (epoch === undefined) return 'Waiting for your deposits to be counted'
  return `You join the active set at epoch ${formatCount(epoch)}: ${TEXT.countdown(epoch, own, setup)}`
}

/** What is staked, and what is the matter with the node, else what is said of the place. */
function stakedWords(
  { own, waitingGwei }: Staked,
  placeIs: string,
  { contact, setup }: { contact: Contact; setup: Setup },
): string {
  const { money: trouble, isOld } = contactWords(contact)
  const waiting = waitingGwei === 0n ? '' : `, ${formatGwei(waitingGwei)} not counted yet`
  const staked = `staked ${tokensOf(own.balanceGwei, setup)}${waiting}`
  if (trouble === undefined) return `${staked} · ${placeIs}`
  return `${staked}${isOld ? ' at the last answer' : ''} · ${trouble}`
}

function missingWords(
  { missingGwei, waitingGwei, isWhole }: Situation & { is: 'below' },
  setup: Setup,
): string {
  if (!isWhole) return `${formatGwei(missingGwei)} missing · deposits not counted yet are not known`
  return `${tokensOf(missingGwei, setup)} are missing${waitingGwei === 0n ? ' to become active' : ''}`
}

function marginWords(margin: Margin, { contact, open }: Weighed, setup: Setup): string {
  switch (margin.is) {
    case 'last':
    case 'wide':
      if (contact.is === 'no-engine') return 'whether your node signs is not known: no engine was given'
      if (contact.is === 'alarmed') return 'an alarm stands: what to do is on top'
      return margin.is === 'last' ? 'last place: keep a watch running' : TEXT.checklist.open(open)
    case 'thin':
      if (margin.othersNeedGwei === 0n)
        return 'you hold the last place by a tie: you may drop out if others add any stake'
      return STANDING_TEXT.mayDropOut.you(tokensOf(margin.othersNeedGwei, setup))
    case 'unknown':
      return 'deposits not counted yet are not known'
  }
}

/** Of a validator that has left the set, or is leaving it: the place is lost, the stake is not. */
function lostWords({ is, own }: Out, setup: Setup): Words {
  const { validator, balanceGwei } = own
  const out = STANDING_TEXT.out(own)
  const atOnce = validator.exitEpoch === validator.activationEpoch
  const isEmpty = balanceGwei === 0n
  const problem: Problem = {
    id: atOnce ? 'status.lost-at-once' : `status.${is === 'leaving' ? 'leaving' : 'left'}`,
    kind: 'event',
    title: atOnce ? 'The place was lost at the same epoch boundary that gave it.' : `The validator ${out}.`,
    money: 'moved',
    values: [payoutOf(validator.withdrawalCredentials)],
    lines: [backWords(own, setup), STANDING_TEXT.forEver],
    next: [isEmpty ? 'nothing to do here any more' : STANDING_TEXT.nothingToDo, STANDING_TEXT.newAttempt],
  }
  return {
    title: is === 'paid' ? 'The stake was paid back' : `Your validator ${out}`,
    line: isEmpty
      ? 'staked nothing any more · the stake was paid back · safe to close this window'
      : `staked ${tokensOf(balanceGwei, setup)}, coming back · safe to close this window`,
    worst: STANDING_TEXT.worstLost,
    problem,
  }
}

/** When the stake comes back; at the next sweep once it may be withdrawn. */
function backWords(own: Own, setup: Setup): string {
  const { balanceGwei, slot, validator } = own
  const epoch = validator.withdrawableEpoch
  if (balanceGwei === 0n) return 'The stake was paid back to the withdrawal address.'
  const amount = tokensOf(balanceGwei, setup)
  return epoch * setup.network.spec.slotsPerEpoch <= slot
    ? `The stake of ${amount} goes back to the withdrawal address, at the next sweep.`
    : `${STANDING_TEXT.back(amount, epoch)}: ${TEXT.countdown(epoch, own, setup)}.`
}

/** Of a validator in danger: when it drops out, what keeps its place and until when, and what happens otherwise. */
function dangerWords({ danger, own, inDanger, sentGwei, isEnough }: Dropping, setup: Setup): Words {
  const { outAtEpoch, rescue } = danger
  const { instead } = inDanger ?? {}
  const now = headNow(own, inDanger)
  const amount = rescue && tokensOf(rescue.leastTopUpGwei, setup)
  const left = (slots: bigint) => TEXT.slots(slots, setup, own, 'by')
  const boundary = outAtEpoch * setup.network.spec.slotsPerEpoch
  const until = now === undefined || boundary <= now ? '' : `: in ${TEXT.slots(boundary - now, setup, own)}`
  const { lines, lost } = STANDING_TEXT.danger(danger, { now, left, ...setup })
  const old =
    own.doubt === undefined
      ? []
      : [`As of slot ${formatCount(own.slot)}: your node has reported nothing newer.`]
  const shape = {
    // Another epoch is another danger; the time that is left is not.
    id: `status.drops-out.${outAtEpoch}`,
    kind: 'warning',
    title: `Your validator ${STANDING_TEXT.outAt(outAtEpoch)}${until}.`,
    money: 'untouched',
    values: [],
  } as const
  const staked = `staked ${tokensOf(own.balanceGwei, setup)}`
  if (instead !== undefined) {
    const { title, what, next } = instead
    return {
      title: 'Whether your validator keeps its place is not known',
      line: `${staked} · send no top-up now`,
      worst: 'worst case: it drops out; the stake comes back, this key does not.',
      problem: {
        ...shape,
        title,
        lines: [what, `If it drops out, ${lost}`, ...old],
        next: next ? [next] : [],
      },
    }
  }
  const worst = 'worst case: you do nothing; the stake comes back, this key does not.'
  if (amount === undefined)
    return {
      title: `Your validator ${STANDING_TEXT.dropsOut}, and no top-up helps`,
      line: `${staked} · no top-up helps any more: the stake comes back`,
      worst,
      problem: {
        ...shape,
        lines: [...lines, ...old],
        next: [`${STANDING_TEXT.nothingToDo}; ${STANDING_TEXT.newAttempt}`],
      },
    }
  const byGuard = tokensOf(sentGwei, setup)
  if (isEnough)
    return {
      title: 'Your guard has sent a top-up for the place: wait',
      line: `${staked} · your guard has sent ${byGuard}`,
      worst,
      problem: {
        ...shape,
        lines: [
          GUARD_SENT_TEXT.isEnough(byGuard, formatCount(rescue?.lastGoodBlock ?? 0n)),
          `If not, ${lost}`,
          ...old,
        ],
        next: [GUARD_SENT_TEXT.next],
      },
    }
  const beside = sentGwei === 0n ? [] : [GUARD_SENT_TEXT.isTooLittle(byGuard)]
  const isPools = isPoolValidator(own.validator.withdrawalCredentials, setup.network)
  const way = isPools ? POOLS_TEXT.ownDoor : decides('t')`${KEY} tops up ${amount}, after all checks`
  return {
    title: `Your validator ${STANDING_TEXT.dropsOut} if nothing is done`,
    line: `${staked} · a top-up of ${amount} is needed`,
    worst,
    problem: {
      ...shape,
      lines: [...beside, ...lines, ...old],
      next: [way, ...(own.doubt === undefined ? [] : [anotherNode(own)])],
    },
  }
}

/** The checks refuse a payment beside a node that does not follow its chain. */
function anotherNode({ index }: Own): string {
  return `restart your node first; or quit and start with --validator ${index}, and in the form name a node that follows the chain`
}

/**
 * The chain's head, as the rules of the watch have it. Before they have looked it is that of another endpoint that goes on
 * where the node is in doubt; undefined: nobody says.
 */
function headNow({ slot, doubt }: Own, inDanger: Dropping['inDanger']): bigint | undefined {
  if (inDanger !== undefined) return inDanger.now > slot ? inDanger.now : slot
  if (doubt === undefined) return slot
  return doubt.beside.is === 'ahead' ? doubt.beside.block : undefined
}
