import { WalletError } from '../../errors/wallet.ts'
import type { Setup } from '../../facts.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { gateIsOpen } from './gate.ts'
import { fateOfReleased } from './released-commands.ts'
import type { Judgement } from './rules.ts'
import { clockMs, type Search, type Source, words } from './search-track.ts'

/** How long the whole gate, answered by every endpoint, excuses one that fell silent since. */
const GATE_HOLDS_MS = 120_000

/**
 * The key and what was given up once more, in the moment before the first byte leaves, at every endpoint. While
 * something cannot be judged the bytes stay, and it is asked again; throws a `WalletError` where it is judged and bad.
 * An endpoint that has just stopped answering is left out where the gate was open with it a moment ago: then those
 * that are left must say the same still.
 */
export async function lastLook(search: Search, target: Source): Promise<boolean> {
  const { rules, sources, silent, world } = search
  const [gone] = silent
  if (gone !== undefined && !gateHeld(search)) {
    await words(search, target, `before it is sent, ${gone.label} must answer`)
    return false
  }
  const setup = withoutSilent(world.setup, silent)
  const others = sources.slice(1).filter((source) => !silent.includes(source))
  const looks = [
    givenUp(search),
    rules.key(setup),
    ...others.map(({ client }) => rules.second(client, setup)),
  ]
  const wrong = (await Promise.all(looks)).filter(({ good }) => !good)
  const bad = wrong.find(({ unknown }) => unknown !== true)
  if (bad !== undefined) throw changed(search, bad)
  const [open] = wrong
  if (open !== undefined) await words(search, target, `before it is sent: ${open.words}`)
  return open === undefined
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

function changed({ getState }: Search, { words: reason }: Judgement): WalletError {
  const next =
    getState().prepared?.elsewhere === true
      ? 'g gives the signed transaction up, if your wallet did not send it either'
      : 'o gives the signed transaction up: it never left this computer'
  return new WalletError('gate-closed', 'The chain has changed since the signature, so nothing was sent.', {
    details: [reason],
    nextSteps: [next],
  })
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
