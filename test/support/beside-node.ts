import { offering, type Saying, saying, status } from './offering-node.ts'
import type { Replay, ReplayInput } from './replay.ts'
import { recordedBody } from './replay-recording.ts'
import { KEYS, situation } from './situation.ts'

export const NO_PEERS: Saying = {
  status: 200,
  contentType: 'application/json',
  body: recordedBody('/net_info'),
}
export const withPeers = (count: number): Saying => ({
  ...NO_PEERS,
  body: recordedBody('/net_info').replace('"n_peers":"0"', `"n_peers":"${count}"`),
})
export const counted = (connected: string) =>
  saying({ connected, connecting: '0', disconnected: '0', disconnecting: '0' })

export type Sayings = { [path: string]: Saying }
export type Node = ReturnType<typeof offering>

/** A wizard beside a node that says these things of itself, and an engine that says those. */
export function beside(
  title: string,
  said: { node?: Sayings; engine?: Sayings } & Partial<Omit<ReplayInput, 'node' | 'engine'>>,
  look: (it: Replay, node: Node) => Promise<void>,
): void {
  const { node: nodeSays = {}, engine: engineSays = {}, ...more } = said
  const node = offering(nodeSays)
  const made = [...Object.keys(nodeSays), ...Object.keys(engineSays)].join(', ')
  const input = { slot: 187, key: KEYS.registered, ...more, node, engine: offering(engineSays) }
  situation(title, { ...input, recorded: 'all but these replies', madeUp: made }, (it) => look(it, node))
}

/** Ready when it is asked first, and never again. */
export function readyOnce(): Saying {
  let times = 0
  return () => {
    times += 1
    return status(times > 1 ? 503 : 200)
  }
}
