import { formatCount, formatGwei, type Gwei } from '../../base/format/amount.ts'
import type { Setup } from '../../chain/facts.ts'
import { OUTLOOK_TEXT } from '../../chain/key-state/outlook-text.ts'
import type { Own } from '../../chain/key-state/own.ts'
import { tokensOf } from '../../chain/network/network.ts'
import type { NodeDoubt } from '../../chain/network/standstill.ts'
import { chainSentence } from '../../observe/node-text.ts'
import type { MoneyBand } from '../../view/view.ts'
import { STATUS_FACTS_TEXT } from './facts-text.ts'
import { STATUS_PROBLEMS_TEXT } from './problems-text.ts'
import type { Contact, Margin, Situation } from './situation.ts'
import { STATUS_TEXT } from './text.ts'

type Standing = { situation: Situation; contact: Contact }
type Weighed = { contact: Contact; open: number }

/** The line on top: what is lost or in danger first, then a node that is not heard, then where the validator stands. */
function titleOf({ situation, contact }: Standing, setup: Setup): string {
  switch (situation.is) {
    case 'leaving':
      return `Your validator leaves the active set at epoch ${formatCount(situation.own.validator.exitEpoch)}`
    case 'left':
      return 'Your validator has left the active set'
    case 'paid':
      return 'The stake was paid back'
    case 'dropping':
      return STATUS_PROBLEMS_TEXT.dangerTitle(situation)
    default:
      return contactTitle(contact) ?? standingTitle(situation, contact, setup)
  }
}

function contactTitle(contact: Contact): string | undefined {
  switch (contact.is) {
    case 'doubt':
      return doubtTitle(contact.doubt)
    case 'node-failed':
      return 'Your node does not answer'
    case 'engine-failed':
      return 'Your node’s engine does not answer'
    default:
      return undefined
  }
}

function standingTitle(
  situation: Exclude<Situation, { is: 'leaving' | 'left' | 'paid' | 'dropping' }>,
  contact: Contact,
  setup: Setup,
): string {
  switch (situation.is) {
    case 'unheard':
      return 'Asking for the validator'
    case 'absent':
      return 'The chain does not hold this validator'
    case 'arriving':
      return 'Waiting for the first deposit to be counted'
    case 'refused':
      return 'The first deposit will not be counted'
    case 'below':
      return `Below the threshold: ${tokensOf(situation.missingGwei, setup)} are missing`
    case 'waiting':
      return waitingTitle(situation, setup)
    case 'before-engine':
      return 'Active, but the consensus engine does not count it yet'
    case 'active':
      return (
        activeTitle(contact) ??
        `Your validator is active${situation.margin.is === 'thin' ? ', by a thin margin' : ''}`
      )
  }
}

function waitingTitle({ own, epoch }: Situation & { is: 'waiting' }, setup: Setup): string {
  if (epoch === undefined) return 'Waiting for your deposits to be counted'
  return `You join the active set at epoch ${formatCount(epoch)}: ${STATUS_TEXT.countdown(epoch, own, setup)}`
}

/** What keeps an active validator from signing. */
function activeTitle(contact: Contact): string | undefined {
  switch (contact.is) {
    case 'catching-up':
      return 'Your node is catching up and does not vote until then'
    case 'other-key':
      return 'The node that answers runs with another key'
    case 'troubled':
      return `Your validator is active, your node is not well: ${STATUS_FACTS_TEXT.troubles(contact.troubles)}`
    case 'alarmed':
      return 'Your validator is active, and an alarm stands'
    default:
      return undefined
  }
}

/** The money band: nothing is to be done only where chain, waiting deposits and node all say so, and nothing is `open`. */
function moneyOf({ situation, contact, open = 0 }: Standing & { open?: number }, setup: Setup): MoneyBand {
  switch (situation.is) {
    case 'leaving':
    case 'left':
    case 'paid':
      return STATUS_PROBLEMS_TEXT.lostMoney(situation.own, setup)
    case 'dropping':
      return STATUS_PROBLEMS_TEXT.dangerMoney(situation, setup)
    case 'unheard':
      return {
        line: unheardWords(contact),
        worst: 'worst case: something changes and this screen does not show it.',
      }
    case 'absent':
    case 'arriving':
    case 'refused':
      return beforeMoney(situation, contact, setup)
    default:
      return stakedMoney(situation, { contact, open }, setup)
  }
}

function unheardWords(contact: Contact): string {
  return ['sound', 'no-engine', 'alarmed'].includes(contact.is)
    ? 'asking what is staked'
    : `what is staked is not known · ${unansweredWords(contact)}`
}

const PARTLY = 'your node answers only in part: look at it'
function unansweredWords({ is }: Contact): string {
  return is === 'node-failed' ? 'your node does not answer: start it' : PARTLY
}

function beforeMoney(
  situation: Situation & { is: 'absent' | 'arriving' | 'refused' },
  contact: Contact,
  setup: Setup,
): MoneyBand {
  const trouble = contactMoney(contact)
  if (situation.is === 'absent') {
    const nothing = situation.isWhole
      ? 'nothing is staked yet · no deposit waits to be counted'
      : 'nothing is staked yet · deposits not counted yet are not known'
    const worst = 'worst case: a top-up sent now is burnt; the top-up step stays closed.'
    return { line: trouble === undefined ? nothing : `nothing staked at the last answer · ${trouble}`, worst }
  }
  const { amountGwei, blockSlot } = situation.deposit
  const sent = `sent ${tokensOf(amountGwei, setup)}, in block ${formatCount(blockSlot)}`
  if (situation.is === 'refused') {
    const worst = 'worst case: this deposit is lost; step 2 (identity) says what to do.'
    return { line: `${sent} · its signature is not valid`, worst }
  }
  return {
    line: `${sent}, not counted yet · ${trouble ?? 'look again in a few slots'}`,
    worst: 'worst case: none here. A top-up sent before it is counted is burnt.',
  }
}

type Staked = Exclude<
  Situation,
  { is: 'unheard' | 'absent' | 'arriving' | 'refused' | 'dropping' | 'leaving' | 'left' | 'paid' }
>

function stakedMoney(situation: Staked, { contact, open }: Weighed, setup: Setup): MoneyBand {
  const staked = stakedWords(situation, setup)
  const worst = worstOf(situation, setup)
  const trouble = contactMoney(contact)
  if (trouble !== undefined)
    return { line: `${staked}${isOld(contact) ? ' at the last answer' : ''} · ${trouble}`, worst }
  switch (situation.is) {
    case 'below':
      return { line: `${staked} · ${missingWords(situation, setup)}`, worst }
    case 'before-engine':
      return { line: `${staked} · the engine counts it 2 slots after the epoch boundary`, worst }
    case 'waiting':
    case 'active':
      return { line: `${staked} · ${marginWords(situation.margin, { contact, open }, setup)}`, worst }
  }
}

function stakedWords({ own, waitingGwei }: { own: Own; waitingGwei: Gwei }, setup: Setup): string {
  const staked = `staked ${tokensOf(own.balanceGwei, setup)}`
  return waitingGwei === 0n ? staked : `${staked}, ${formatGwei(waitingGwei)} not counted yet`
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
      if (margin.is === 'last') return 'last place: keep a watch running'
      return STATUS_TEXT.checklist.open(open)
    case 'thin':
      if (margin.othersNeedGwei === 0n)
        return 'you hold the last place by a tie: you may drop out if others add any stake'
      return OUTLOOK_TEXT.mayDropOut.you(tokensOf(margin.othersNeedGwei, setup))
    case 'unknown':
      return 'deposits not counted yet are not known'
  }
}

function worstOf({ is }: Staked, { network }: Setup): string {
  if (is === 'below') {
    const threshold = formatGwei(network.spec.activationBalanceGwei)
    return `worst case: none here; below ${threshold} ${network.names.token} nothing can be withdrawn.`
  }
  const when = is === 'waiting' ? 'at the boundary' : 'later'
  return `worst case: outbid ${when}; the stake comes back, this key does not.`
}

/** What is the matter with the node, for the money band; undefined where nothing is. */
function contactMoney(contact: Contact): string | undefined {
  switch (contact.is) {
    case 'doubt':
      return doubtMoney(contact.doubt)
    case 'node-failed':
    case 'engine-failed':
      return PARTLY
    case 'catching-up':
      return 'your engine is catching up and does not vote until then'
    case 'other-key':
      return 'the node that answers runs with another key'
    case 'troubled':
      return `your node is not well: ${STATUS_FACTS_TEXT.troubles(contact.troubles)}`
    default:
      return undefined
  }
}

function isOld({ is }: Contact): boolean {
  return is === 'doubt' || is === 'node-failed' || is === 'engine-failed'
}

/** The title of a screen whose facts are not of now. */
function doubtTitle({ is, beside }: NodeDoubt): string {
  if (is === 'silent') return 'Your node does not answer'
  return beside.is === 'ahead' ? 'Your node stands still' : 'No new block is seen'
}

/** From when the facts are, and what of the chain is known since. */
function doubtIntro({ is, slot, beside }: NodeDoubt, epoch: bigint): string {
  const last = is === 'silent' ? 'The last answer of your node' : 'The newest block of your node'
  const chain = chainSentence(beside)
  return `${last}: slot ${slot} · epoch ${epoch}. ${chain} Whether an epoch boundary has changed anything is not known.`
}

/** What to do, for the money band. */
function doubtMoney({ is, beside }: NodeDoubt): string {
  if (is === 'silent') return 'your node does not answer: start it again'
  return beside.is === 'ahead'
    ? 'your node stands still: restart it'
    : 'no new block is seen: look at your node'
}

/** What title, money band and introduction say of a situation and of the node. */
export const SITUATION_TEXT = { titleOf, moneyOf, doubtIntro }
