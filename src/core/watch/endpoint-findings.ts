import { sameHex } from '../format/hex.ts'
import { besideOf, SLOTS_TO_STAND } from '../network/standstill.ts'
import * as words from './endpoint-words.ts'
import type { Finding, KnownHead, WatchMemory } from './memory.ts'
import { headOf, type Sighting, type WatchContext } from './sighting.ts'

/** What findings follow from: a look, and what is remembered with it. */
export type About = { memory: WatchMemory; sighting: Sighting; context: WatchContext }

/** Rules that this program does not know make every forecast doubtful. */
export function forkFindings({ sighting }: About): Finding[] {
  const { fork } = sighting
  if (fork === undefined) return []
  const shape = { alarm: 'fork-unknown', subject: '' } as const
  return fork.isKnown
    ? [{ ...shape, is: 'off', ...words.forkKnown() }]
    : [{ ...shape, is: 'on', severity: 'warning', degree: [], ...words.forkUnknown(fork.version) }]
}

/** An answer may take its time; after so long, and so many slots, none is expected any more. */
const LONGEST_ANSWER_MS = 6_000
const SLOTS_TO_ANSWER = 3
/** With places whose validators do not run a block may take so long. */
const LONGEST_BLOCK_MS = 30_000

/** What endpoints and heads tell of the own node and of the chain. */
export function endpointFindings(about: About): Finding[] {
  const { memory, sighting, context } = about
  const { slotMs } = context.network
  const patienceMs = Math.max(LONGEST_ANSWER_MS, SLOTS_TO_ANSWER * slotMs)
  const standMs = Math.max(LONGEST_BLOCK_MS * (slotMs / 2000), SLOTS_TO_STAND * slotMs)
  const silentMs = ({ atMs }: KnownHead) => sighting.atMs - atMs
  const stillMs = ({ sinceMs }: KnownHead) => sighting.atMs - sinceMs
  const { heads } = memory
  if (heads.length === 0) return []
  const all = { alarm: 'endpoints-silent', subject: '' } as const
  const silence: Finding = { ...all, is: 'off', ...words.endpointsAnswer() }
  if (sighting.heads.every(({ slot }) => slot === undefined)) {
    // Nobody is heard: nothing follows about the node or the chain.
    const isLong = heads.every((head) => silentMs(head) > patienceMs)
    const forMs = Math.min(...heads.map(silentMs))
    return isLong
      ? [{ ...all, is: 'on', severity: 'critical', degree: [], ...words.endpointsSilent(heads, forMs) }]
      : []
  }
  const [node] = heads.filter(({ role }) => role === 'node')
  const answers = sighting.heads.find(({ role, place }) => role === 'node' && place === 0)?.slot !== undefined
  const own = { alarm: 'node-silent', subject: '' } as const
  const found: Finding[] = [silence]
  if (answers) found.push({ ...own, is: 'off', ...words.nodeAnswers() })
  else if (node !== undefined && silentMs(node) > patienceMs)
    found.push({
      ...own,
      is: 'on',
      severity: 'critical',
      degree: [],
      ...words.nodeSilent(node, silentMs(node), headOf(sighting)),
    })
  return [
    ...found,
    ...stillFindings(about, { node: answers ? node : undefined, standMs, stillMs }),
    ...keyFindings(about),
  ]
}

/** Whether the newest head stands still, and the own node's alone. */
function stillFindings(
  { memory, sighting }: About,
  given: { node: KnownHead | undefined; standMs: number; stillMs(head: KnownHead): number },
): Finding[] {
  const { node, standMs, stillMs } = given
  const answering = memory.heads.filter((head) =>
    sighting.heads.some(
      ({ name, role, slot }) => name === head.name && role === head.role && slot !== undefined,
    ),
  )
  const newest = headOf(sighting)
  const leaders = answering.filter(({ slot }) => slot === newest)
  const halted = leaders.every((head) => stillMs(head) > standMs)
  const others = sighting.heads.filter(({ place, slot }) => place > 0 && slot !== undefined)
  const chain = { alarm: 'chain-halted', subject: '' } as const
  const hangs = { alarm: 'node-hanging', subject: '' } as const
  if (halted && newest !== undefined) {
    const forMs = Math.min(...leaders.map(stillMs))
    // Beside the own node somebody else must stand there as well; alone it may be the node that hangs.
    return others.length > 0
      ? [
          {
            ...chain,
            is: 'on',
            severity: 'critical',
            degree: [],
            ...words.chainHalted(newest, forMs, others.length),
          },
        ]
      : [{ ...hangs, is: 'on', severity: 'critical', degree: [], ...words.noNewBlock(newest, forMs) }]
  }
  const goesOn: Finding = { ...chain, is: 'off', ...words.chainGoesOn(newest) }
  if (node?.slot === undefined) return [goesOn]
  const heads = sighting.heads
    .filter(({ place, slot, role }) => slot !== undefined && (place > 0 || role !== 'node'))
    .map(({ name, slot = 0n }) => ({ name, block: slot, other: true }))
  const beside = besideOf(node.slot, { before: [], now: heads })
  if (stillMs(node) <= standMs) return [goesOn, { ...hangs, is: 'off', ...words.nodeGoesOn(node) }]
  if (beside.is !== 'ahead') return [goesOn]
  return [
    goesOn,
    { ...hangs, is: 'on', severity: 'critical', degree: [], ...words.nodeHangs(node, stillMs(node), beside) },
  ]
}

/** The own node was seen to sign with a watched key, and signs with another one now. */
function keyFindings({ memory, sighting }: About): Finding[] {
  const { nodeKey } = sighting
  const { nodeKey: before } = memory
  if (nodeKey === undefined || before === undefined) return []
  const shape = { alarm: 'node-other-key', subject: '' } as const
  const isWatched = sighting.validators.some(({ pubkey }) => sameHex(pubkey, nodeKey))
  return isWatched
    ? [{ ...shape, is: 'off', ...words.nodeKeyAgain(nodeKey) }]
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
