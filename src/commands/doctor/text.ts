import { formatCount } from '../../core/base/format/amount.ts'
import type { Network } from '../../core/chain/network/network.ts'
import { SAME_HEADS } from '../../core/observe/node-text.ts'
import type { ReportEnding } from '../report.ts'

/** What each row of the page is called that no step has. */
const labels = {
  homeVerdict: 'key of the home',
  'execution-peers': 'execution peers',
  'execution-contract': 'contract by execution',
  precompiles: 'precompiles',
  proofs: 'proof endpoints',
  anchor: 'anchor',
  'second-anchor': 'second anchor',
  head: 'head',
  sync: 'sync',
  age: 'age of the head',
  advance: 'head advances',
  'same-block': SAME_HEADS,
  interval: 'block interval',
  clock: 'clock',
} as const

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const NO_WALL_CLOCK = 'chain time is not the wall’s on this network'
const SET_CLOCK = 'let this computer keep its time by NTP (timedatectl set-ntp true)'
const LOGS_OF_BOTH = 'look at the logs of both clients: check rpc-dial-url in config/app.toml and the peers'

/** Every sentence of the page that no step says: values, and what to change. */
export const DOCTOR_TEXT = {
  labels,
  notSaid: 'it does not say',
  noKey: 'no key is known',
  validatorAtHead: 'validator 0 at the head',
  sentence: ({ is, checks, bad, which, open }: ReportEnding): string => {
    switch (is) {
      case 'yes':
        return `All ${checks} checks hold.`
      case 'no':
        return `${bad} of ${checks} checks ${bad === 1 ? 'refuses' : 'refuse'} (${which})${open === 0 ? '' : `; ${open} have no answer`}.`
      case 'unknown':
        return `${bad} of ${checks} checks ${bad === 1 ? 'has' : 'have'} no answer: ${which}.`
    }
  },
  peers: {
    alone: '0, as in a network of one node',
    change: "give the execution client the network's bootnodes; open port 30303",
  },
  contract: {
    change: ({ label, executionChainId, spec }: Network) =>
      `start it for ${label}: chain ${executionChainId}, contract ${spec.depositContract}`,
  },
  precompiles: {
    right: 'accept a real deposit, refuse an altered one',
    wrong: 'judge a real deposit wrongly',
    change: 'use an execution client with the rules of Prague or later (EIP-2537)',
  },
  proofs: {
    hold: (slot: bigint) => `key, credentials and balance hold, slot ${formatCount(slot)}`,
    fail: (reason: string) => `do not hold: ${reason}`,
    change: 'a proof that does not hold is a lie or a fault of the node: use another node API',
  },
  anchor: {
    same: 'confirms the root',
    other: 'names another root',
    none: 'holds no root for that block',
    noRoot: 'no root to compare with: the proof does not hold',
    noSecond: 'no second execution endpoint was given',
    change: 'both clients must be of one chain: check rpc-dial-url in config/app.toml',
    give: (known: string | undefined) =>
      `give --second-execution of another operator${known === undefined ? '' : `, e.g. ${known}`}: a top-up needs it`,
  },
  clock: {
    notWall: NO_WALL_CLOCK,
    behind: (ms: number) => `${seconds(ms)} behind the chain`,
    ahead: (ms: number) => `up to ${seconds(ms)} ahead of the chain`,
    agrees: (ms: number) => `agrees with the chain's to within ${seconds(ms)}`,
    noHead: 'without a new head nothing can be compared',
    old: 'the node follows old blocks: nothing can be compared',
    change: SET_CLOCK,
  },
  sync: {
    node: 'the node',
    execution: (current: bigint, highest: bigint) =>
      `the execution client, at block ${formatCount(current)} of ${formatCount(highest)}`,
    behind: (who: readonly string[]) => `still syncing: ${who.join('; ')}`,
    engine: (catchesUp: string) => `the engine ${catchesUp}`,
    none: 'nobody says it is behind',
    change: 'wait until it has caught up; start the node from a snapshot if it takes days',
  },
  age: {
    notWall: NO_WALL_CLOCK,
    noBlock: 'there is no block yet',
    awaitBlock: 'wait until the node has its first block; look at the logs of both clients and at the peers',
    ahead: (ms: number) => `${seconds(ms)} ahead of the clock of this computer`,
    is: seconds,
    changeClock: SET_CLOCK,
    late: 'the head goes on and is old all the same: this node lags behind its chain, or the clock of this computer is ahead',
    still: 'look at the logs of both clients: the chain stands still, or this node has no peers',
  },
  interval: {
    none: 'there is no block before this one',
    change:
      'look at the logs of the engine; where they are sound, validators that hold places do not run, and the chain waits for them',
  },
  advance: {
    from: (first: bigint, last: bigint, ms: number) =>
      `slot ${formatCount(first)} to ${formatCount(last)} within ${seconds(ms)}`,
    logs: LOGS_OF_BOTH,
    second: `give --second-execution of another operator: it shows whether the chain goes on; ${LOGS_OF_BOTH}`,
  },
  heads: {
    is: (slot: bigint, block: bigint) => `slot ${formatCount(slot)}, block ${formatCount(block)}`,
    change: 'give the execution client of this very node: rpc-dial-url in config/app.toml names it',
  },
}
