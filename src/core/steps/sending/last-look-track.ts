import { getTransactionCount } from '../../clients/execution/get-transaction-count.ts'
import type { Setup } from '../../facts.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { gateIsOpen } from './gate.ts'
import { timesSent } from './handed.ts'
import { fateOfReleased } from './released-commands.ts'
import type { Judgement } from './rules.ts'
import { clockMs, type Search, type Source, slotsSince, words } from './search-track.ts'

/** How long the whole gate, answered by every endpoint, excuses one that fell silent since. */
const GATE_HOLDS_MS = 120_000

/** Slots for which a look at the world counts, while the payment waits. */
const SLOTS_OF_A_LOOK = 10

/**
 * Whether a payment may leave, or be exported: what was agreed to must hold in the moment before its first byte leaves,
 * after every start, and every ten slots. While something cannot be judged the bytes stay, and it is asked again; where
 * it is judged and bad they stay for good. A payment that one endpoint has in a block is only not given to the others.
 */
export async function holdsStill(
  search: Search,
  target: Source,
  { isFirst }: { isFirst: boolean },
): Promise<boolean> {
  const { lookedAtMs, since, world, rules } = search
  if (!isFirst && lookedAtMs !== undefined && !slotsSince(search, lookedAtMs, SLOTS_OF_A_LOOK)) return true
  const { good, unknown, words: reason } = await lastLook(search)
  if (good) {
    search.lookedAtMs = clockMs(search)
    return true
  }
  await words(search, target, unknown === true ? `before it is sent: ${reason}` : `held back: ${reason}`)
  if (unknown !== true && since.lagging === undefined)
    await world.dispatch({ step: rules.step, type: 'withheld', reason })
  return false
}

/**
 * The key and what was given up once more, at every endpoint. One that has just stopped answering is left out where the
 * gate was open with it a moment ago: then those that are left must say the same still.
 */
async function lastLook(search: Search): Promise<Judgement> {
  const { rules, sources, silent, world } = search
  const [gone] = silent
  if (gone !== undefined && !gateHeld(search))
    return { good: false, unknown: true, words: `${gone.label} must answer` }
  const setup = withoutSilent(world.setup, silent)
  const others = sources.slice(1).filter((source) => !silent.includes(source))
  const looks = [
    givenUp(search),
    poolsAreFree(search),
    rules.key(setup),
    ...others.map(({ client }) => rules.second(client, setup)),
  ]
  const wrong = (await Promise.all(looks)).filter(({ good }) => !good)
  const bad = wrong.find(({ unknown }) => unknown !== true)
  const [open] = wrong
  return bad ?? open ?? { good: true, words: 'all holds as agreed' }
}

/** Whether every endpoint answered the gate of this very payment, in this session, a moment ago. */
function gateHeld(search: Search): boolean {
  const { seen } = search.getState()
  if (!gateIsOpen(seen, search.world.setup)) return false
  const times = [seen.key, seen.second].flatMap((one) => ('atMs' in one ? [one.atMs] : []))
  return clockMs(search) - Math.min(...times) <= GATE_HOLDS_MS
}

/** The setup with the endpoints that answer; the second one takes the place of a silent first. */
function withoutSilent(setup: Setup, silent: readonly Source[]): Setup {
  const { secondExecution, ...rest } = setup.endpoints
  const isSilent = (url: string) => silent.some(({ label }) => label === endpointName(url))
  if (silent.length === 0 || secondExecution === undefined) return setup
  if (isSilent(rest.execution)) return { ...setup, endpoints: { ...rest, execution: secondExecution } }
  return { ...setup, endpoints: rest }
}

/** Whether no pool holds a transaction with the nonce; once ours may be there, that tells nothing any more. */
async function poolsAreFree({ getState, sources, silent }: Search): Promise<Judgement> {
  const { prepared } = getState()
  const free = { good: true, words: 'no pool has its nonce' }
  if (prepared === undefined || prepared.contract === true || timesSent(getState()) > 0) return free
  const { from, transaction } = prepared
  const { nonce } = transaction
  const counts = await Promise.all(
    sources
      .filter((source) => !silent.includes(source))
      .map(({ client }) => getTransactionCount(client, { address: from, block: 'pending' })),
  )
  if (counts.every((count) => count <= nonce)) return free
  return { good: false, unknown: true, words: `a pool holds another transaction with nonce ${nonce}` }
}

/** Whether nothing that was given up has been sent, or may be on its way. */
async function givenUp({ world, getState }: Search): Promise<Judgement> {
  const fate = await fateOfReleased(world, getState())
  switch (fate.use) {
    case 'none':
      return { good: true, words: 'nothing given up was sent' }
    case 'waiting':
      return { good: false, unknown: true, words: 'the number of what you gave up waits in a pool' }
    case 'sent':
      return { good: false, words: `what you gave up before was sent after all: ${fate.hash}` }
  }
}
