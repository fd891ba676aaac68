import { formatMinute } from '../core/base/format/amount.ts'
import { sameHex } from '../core/base/format/hex.ts'
import { forkMoments, isNear } from '../core/chain/consensus/fork-outlook.ts'
import { wayOut } from '../core/chain/key-state/own.ts'
import { judgeClock, NEAR_SLOTS, type Network, SLOTS_TO_STAND } from '../core/chain/network/network.ts'
import { executionBeside, haltAfterMs, patienceOf } from '../core/chain/network/standstill.ts'
import { judgeNode } from '../core/observe/findings.ts'
import type { KnownHead } from '../core/observe/judge-heads.ts'
import type { Finding, WatchMemory } from '../core/observe/memory.ts'
import { headOf, type NetworkPicture, type WatchContext } from '../core/observe/picture.ts'
import type { Severity } from '../core/view/alarm-event.ts'
import * as words from './endpoint-words.ts'
import { farOffFindings, noNewBlockBeside } from './far-off.ts'
import type { Words } from './words.ts'

/** What findings follow from: a look, and what is remembered with it. */
export type About = {
  memory: WatchMemory
  picture: NetworkPicture
  context: WatchContext
  /** What was remembered before this look; left out where only what stands is told. */
  before?: Pick<WatchMemory, 'heads'>
}

/** Finds what is wrong with the own node, the endpoints, the clock and the chain, by their replies and heads. */
export function endpointFindings(about: About): Finding[] {
  const { memory, picture, context } = about
  const { slotMs } = context.network
  const patienceMs = patienceOf(slotMs)
  const standMs = haltAfterMs(slotMs)
  const silentMs = ({ atMs }: KnownHead) => picture.atMs - atMs
  const stillMs = ({ sinceMs }: KnownHead) => picture.atMs - sinceMs
  const { heads } = memory
  if (heads.length === 0) return []
  const all = { alarm: 'endpoints-silent', subject: '' } as const
  const far = farOffFindings(memory, picture, context)
  const silence: Finding = { ...all, is: 'off', words: () => words.countsAgain('endpoints') }
  if (picture.heads.every(({ slot }) => slot === undefined)) {
    // Nobody is heard: nothing follows about the node or the chain.
    const isLong = heads.every((head) => silentMs(head) > patienceMs)
    const forMs = Math.min(...heads.map(silentMs))
    return isLong
      ? [
          { ...all, is: 'on', severity: 'critical', degree: [], ...words.endpointsSilent(heads, forMs) },
          ...far,
        ]
      : far
  }
  const [node] = heads.filter(({ role }) => role === 'node')
  const answers = picture.heads.find(({ role, place }) => role === 'node' && place === 0)?.slot !== undefined
  const own = { alarm: 'node-silent', subject: '' } as const
  const found: Finding[] = [silence]
  if (answers) found.push({ ...own, is: 'off', words: () => words.countsAgain('node') })
  else if (node !== undefined && silentMs(node) > patienceMs)
    found.push({
      ...own,
      is: 'on',
      severity: 'critical',
      degree: [],
      ...words.nodeSilent(node, silentMs(node), headOf(picture)),
    })
  return [
    ...found,
    ...stillFindings(about, { node: answers ? node : undefined, standMs, stillMs }),
    ...keyFindings(about),
    ...executionFindings(about, { patienceMs, standMs, stillMs, silentMs }),
    ...logsFindings(picture),
    ...behindFindings(about, { standMs, stillMs }),
    ...nodeFindings(about),
    ...signedFindings(picture),
    ...far,
  ]
}

type Times = {
  standMs: number
  patienceMs: number
  stillMs(head: KnownHead): number
  silentMs(head: KnownHead): number
}

/** What of a role and place 0 is known, where it gave an answer in this look. */
export function ownHead({ memory, picture }: Pick<About, 'memory' | 'picture'>, role: KnownHead['role']) {
  const reply = picture.heads.find((head) => head.role === role && head.place === 0)
  const known = memory.heads.find((head) => head.role === role && head.name === reply?.name)
  return reply === undefined || known === undefined ? undefined : { known, answers: reply.slot !== undefined }
}

/** The own execution client gives no answer, while somebody else does. Worse where the node stands still with it. */
function executionFindings(about: About, { patienceMs, standMs, stillMs, silentMs }: Times): Finding[] {
  const own = ownHead(about, 'execution')
  if (own === undefined) return []
  const shape = { alarm: 'execution-silent', subject: '', degree: [] } as const
  if (own.answers) return [{ ...shape, is: 'off', words: () => words.countsAgain('execution') }]
  if (silentMs(own.known) <= patienceMs) return []
  const node = ownHead(about, 'node')
  const stops = node?.answers === true && stillMs(node.known) > standMs
  // A node may show one more head than its client did before it fell silent.
  const wentOnMs = node?.answers === true ? node.known.sinceMs - own.known.atMs : 0
  const goesOn = wentOnMs > Number(NEAR_SLOTS) * about.context.network.slotMs
  const text = words.executionSilent(own.known, { forMs: silentMs(own.known), stops, goesOn })
  return [{ ...shape, is: 'on', severity: stops ? 'critical' : 'warning', ...text }]
}

/** Who doesn't give the events of new deposits. Over once the own execution client gives all of them. */
function logsFindings({ logs, others }: NetworkPicture): Finding[] {
  const shape = { alarm: 'execution-silent', subject: 'logs' } as const
  if (logs === undefined) return []
  if (logs.lacking.length > 0)
    return [{ ...shape, is: 'on', severity: 'warning', degree: [], ...words.lacksLogs(logs) }]
  return others?.includes('execution') ? [] : [{ ...shape, is: 'off', words: () => words.givesLogs() }]
}

/** Others are further than the own node, or its execution client, which follow all the same. */
function behindFindings(about: About, { standMs, stillMs }: Pick<Times, 'standMs' | 'stillMs'>): Finding[] {
  const { picture, context } = about
  const newest = headOf(picture)
  const patienceMs = SLOTS_TO_STAND * context.network.slotMs
  if (newest === undefined) return []
  return (['node', 'execution'] as const).flatMap((role): Finding[] => {
    const own = ownHead(about, role)
    const slot = own?.known.slot
    if (own === undefined || slot === undefined || !own.answers) return []
    const alarm = role === 'node' ? 'node-behind' : 'execution-behind'
    const shape = { alarm, subject: '', severity: 'warning', degree: [] } as const
    const { behindSinceMs } = own.known
    const forMs = behindSinceMs === undefined ? 0 : picture.atMs - behindSinceMs
    // One that stands still has an alarm of its own.
    if (forMs > patienceMs && (role === 'execution' || stillMs(own.known) <= standMs))
      return [{ ...shape, is: 'on', ...words.behindWords(role, { slot, newest, forMs }) }]
    if (role === 'node' && picture.node?.catchesUp === true)
      return [{ ...shape, is: 'on', ...words.catchesUp(slot) }]
    const isSaid = role === 'execution' || picture.node?.catchesUp !== undefined || !ownHead(about, 'engine')
    const isThere = behindSinceMs === undefined && newest <= slot + NEAR_SLOTS
    return isThere && isSaid ? [{ ...shape, is: 'off', words: () => words.keepsUp(role, slot) }] : []
  })
}

/** That what is shown isn't what the validator set signed is over once that set has signed it: not for want of a look. */
function signedFindings({ refuted, isSigned }: NetworkPicture): Finding[] {
  const shape = { alarm: 'chain-unsigned', subject: '' } as const
  if (refuted !== undefined)
    return [{ ...shape, is: 'on', severity: 'critical', degree: [], ...words.notSigned(refuted) }]
  return isSigned === true ? [{ ...shape, is: 'off', words: () => words.countsAgain('signed') }] : []
}

/** What the own node says of its peers, and its blocks of the clock of this computer. */
function nodeFindings({ picture, context }: About): Finding[] {
  const { peers, clockAheadMs } = picture.node ?? {}
  const found: Finding[] = []
  if (peers !== undefined) {
    const shape = { alarm: 'node-alone', subject: '', severity: 'warning', degree: [] } as const
    const { engine, node } = peers
    const isSaid = engine !== undefined || node !== undefined
    if (judgeNode('peers', peers, context.network) === false)
      found.push({ ...shape, is: 'on', ...words.nodeAlone(peers) })
    else if (isSaid) found.push({ ...shape, is: 'off', words: () => words.nodeHasPeers(peers) })
  }
  if (clockAheadMs !== undefined) {
    // From 2 s on each doubling is worse.
    const degree = [Math.floor(Math.log2(Math.max(1, Math.abs(clockAheadMs) / 1000)))]
    const shape = { alarm: 'clock-off', subject: '', severity: 'warning', degree } as const
    const is = judgeClock(clockAheadMs)
    if (is === 'behind' || is === 'ahead') found.push({ ...shape, is: 'on', ...words.clockOff(clockAheadMs) })
    else if (is === 'near') found.push({ ...shape, is: 'off', words: () => words.clockRight() })
  }
  return found
}

/** Whether the newest head stands still, and the own node's alone. */
function stillFindings(
  { memory, picture, context, before }: About,
  given: { node: KnownHead | undefined; standMs: number; stillMs(head: KnownHead): number },
): Finding[] {
  const { node, standMs, stillMs } = given
  const answering = memory.heads.filter((head) =>
    picture.heads.some(
      ({ name, role, slot }) => name === head.name && role === head.role && slot !== undefined,
    ),
  )
  const newest = headOf(picture)
  const leaders = answering.filter(({ slot }) => slot === newest)
  const halted = leaders.every((head) => stillMs(head) > standMs)
  const others = picture.heads.filter(({ place, slot }) => place > 0 && slot !== undefined)
  const chain = { alarm: 'chain-halted', subject: '' } as const
  const hangs = { alarm: 'node-hanging', subject: '' } as const
  // The one cause has an alarm of its own, which says what helps.
  const rests = ownHead({ memory, picture }, 'execution')?.answers === false
  if (halted && newest !== undefined) {
    const forMs = Math.min(...leaders.map(stillMs))
    // Beside the own node somebody else must stand there as well; alone it may be the node that hangs.
    if (others.length > 0) {
      const text = words.chainHalted(newest, forMs, others.length)
      return [
        {
          ...chain,
          is: 'on',
          degree: [],
          ...standingAtFork(picture, context.network, { forMs, who: 'chain', text }),
        },
      ]
    }
    if (rests) return []
    return [{ ...hangs, is: 'on', severity: 'critical', degree: [], ...noNewBlock(picture, newest, forMs) }]
  }
  // Nobody knows since when a head stands that was not looked at for a while: going on is seen by a newer one alone.
  const moved = (head: KnownHead) =>
    before?.heads.some(
      ({ name, role, slot }) =>
        name === head.name && role === head.role && slot !== undefined && slot < (head.slot ?? slot),
    ) === true
  const goesOn: Finding[] = leaders.some(moved)
    ? [{ ...chain, is: 'off', words: () => words.chainGoesOn(newest) }]
    : []
  if (node?.slot === undefined) return goesOn
  const heads = picture.heads
    .filter(({ place, slot, role }) => slot !== undefined && (place > 0 || role !== 'node'))
    .map(({ name, slot = 0n }) => ({ name, block: slot, other: true }))
  const beside = executionBeside(node.slot, { before: [], now: heads })
  if (stillMs(node) <= standMs)
    return moved(node) ? [...goesOn, { ...hangs, is: 'off', words: () => words.nodeGoesOn(node) }] : goesOn
  if (beside.is !== 'ahead' || rests) return goesOn
  const forMs = stillMs(node)
  const text = words.nodeHangs(node, forMs, beside)
  return [
    ...goesOn,
    {
      ...hangs,
      is: 'on',
      degree: [],
      ...standingAtFork(picture, context.network, { forMs, who: 'node', text }),
    },
  ]
}

/** Nobody who counts tells more; the least that one who is left out names further on is the likeliest. */
function noNewBlock({ heads }: NetworkPicture, newest: bigint, forMs: number): Words {
  const [further] = heads
    .flatMap(({ name, farOff }) => (farOff !== undefined && farOff > newest ? [{ name, block: farOff }] : []))
    .toSorted((a, b) => Number(a.block - b.block))
  return further === undefined ? words.noNewBlock(newest, forMs) : noNewBlockBeside(newest, forMs, further)
}

/** The own node was seen to sign with a watched key, and signs with another one now. */
function keyFindings({ memory, picture }: About): Finding[] {
  const { nodeKey } = picture
  const { nodeKey: before } = memory
  if (nodeKey === undefined || before === undefined) return []
  const shape = { alarm: 'node-other-key', subject: '' } as const
  const isWatched = picture.validators.some(({ pubkey }) => sameHex(pubkey, nodeKey))
  if (isWatched) return [{ ...shape, is: 'off', words: () => words.nodeKeyAgain(nodeKey) }]
  // Nobody watches that key any more, and the node still runs with it.
  if (sameHex(nodeKey, before)) return [{ ...shape, is: 'off', words: () => words.nodeKeySame(before) }]
  const left = picture.validators.find(({ pubkey }) => sameHex(pubkey, before))?.record
  // A key that has left for ever has nothing to sign.
  const out = left === undefined || left === 'absent' ? undefined : wayOut(left)
  return out === 'left' || out === 'paid'
    ? [{ ...shape, is: 'off', words: () => words.nodeKeyLeft(before) }]
    : [
        {
          ...shape,
          is: 'on',
          severity: 'critical',
          degree: [],
          ...words.nodeOtherKey({ before, now: nodeKey }),
        },
      ]
}

/** A planned halt that lasts longer is looked at as a failure. */
const LONGEST_PLANNED_MS = 3_600_000

/** The fork at whose moment the newest own block was made, Unix seconds; undefined where it is at none that is known. */
function forkOfHead({ headTimeMs, namedForks, atMs }: NetworkPicture, network: Network): bigint | undefined {
  if (headTimeMs === undefined) return undefined
  const headSeconds = BigInt(Math.floor(headTimeMs / 1000))
  const nowSeconds = BigInt(Math.floor(atMs / 1000))
  return forkMoments(namedForks ?? { own: undefined, others: [] }, { network, nowSeconds }).find(
    (atSeconds) => isNear(headSeconds, atSeconds),
  )
}

/**
 * Returns what is said of a standstill of `forMs`: at a moment at which the rules are known to change it is told apart from a
 * failure, and no more than a warning for an hour.
 */
function standingAtFork(
  picture: NetworkPicture,
  network: Network,
  { forMs, who, text }: { forMs: number; who: 'chain' | 'node'; text: Words },
): Words & { severity: Severity } {
  const fork = forkOfHead(picture, network)
  if (fork === undefined) return { ...text, severity: 'critical' }
  const isPlanned = who === 'chain' && forMs <= LONGEST_PLANNED_MS
  return { ...atForkWords(text, { fork, who }), severity: isPlanned ? 'warning' : 'critical' }
}

/** Words of a chain, or of the own node, that stands at the very moment at which the rules change. */
function atForkWords({ title, what }: Words, { fork, who }: { fork: bigint; who: 'chain' | 'node' }): Words {
  const at = formatMinute(Number(fork) * 1000)
  return who === 'chain'
    ? {
        title: `${title} It is a known moment of a fork.`,
        what: `${what} The rules change on ${at}: validators that were not upgraded stop there, until enough of them are.`,
        next: 'Look at the announcements of the network: is the halt planned, and are your node and your execution client of the release for it? Keep them running.',
      }
    : {
        title: `${title} It is at a fork.`,
        what: `${what} The rules changed on ${at}: a client that is not of the release for it stops there.`,
        next: 'Look whether your node and your execution client are of the release for this fork. If not, upgrade them: a restart alone does not help.',
      }
}
