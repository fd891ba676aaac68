import { formatCount, formatDuration, formatMinute } from '../../core/base/format/amount.ts'
import type { LackedFork } from '../../core/chain/consensus/lacked-fork.ts'
import type { KeptTrust } from '../../core/chain/light/trust.ts'
import type { Network } from '../../core/chain/network/network.ts'
import { SAME_HEADS } from '../../core/observe/node-text.ts'
import type { ReportEnding } from '../report.ts'

/** What each row of the page is called that no step has. */
const labels = {
  homeVerdict: 'key of the home',
  'standby-key': 'key',
  standby: 'key elsewhere',
  signed: 'set’s signature',
  'key-state': 'state of the key',
  'execution-peers': 'execution peers',
  'few-peers': 'few peers',
  'tool-version': 'node tool version',
  'execution-contract': 'contract by execution',
  'execution-forks': 'forks by execution',
  'execution-client': 'execution client',
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
  standby: {
    sentence: ({ is }: ReportEnding): string => {
      switch (is) {
        case 'yes':
          return 'Nothing shows that this key signs anywhere but here.'
        case 'no':
          return 'Do not start a node with this key: it signs elsewhere.'
        case 'unknown':
          return 'Whether this key signs elsewhere is not known: start no node with it yet.'
      }
    },
    noKey: 'the home has no key that can be read: name one with --validator PUBKEY',
    keyOfHome: 'of this home',
    keyNamed: 'named; not that of this home',
    giveSecond:
      'start the own node with another key, or give --second-engine: the engine RPC of another node on this chain',
    noState: 'not looked at: the home has another key, or none',
    state: ({ signedTo, head, vote }: { signedTo: bigint; head: bigint; vote: bigint | undefined }) => {
      const here = signedTo === 0n ? 'signed nothing yet' : `signed up to block ${formatCount(signedTo)}`
      const behind =
        head > signedTo
          ? `, ${formatCount(head - signedTo)} before the newest, ${formatCount(head)}`
          : ', as far as the chain is'
      if (vote !== undefined && vote > signedTo)
        return `stale: ${here}, and the key voted for block ${formatCount(vote)} since`
      return signedTo === 0n ? here : `${here}${behind}`
    },
    copyState:
      'stop the node that signs, then copy its data/priv_validator_state.json as it is afterwards: an old copy does not keep a node from voting twice',
  },
  peers: {
    alone: '0, as in a network of one node',
    few: (count: number, least: number) =>
      `engine ${count}; should be at least ${least}: one that goes away leaves the node alone`,
    more: 'look at seeds, pex and external_address in config/config.toml, and at port 26656',
    change: "give the execution client the network's bootnodes; open port 30303",
  },
  contract: {
    change: ({ label, executionChainId, spec }: Network) =>
      `start it for ${label}: chain ${executionChainId}, contract ${spec.depositContract}`,
  },
  client: {
    noVersion: 'it prints none: look at the name of the release that you installed',
    retired: (version: string) =>
      `${version}: operators of this network run bera-reth now; a client of this kind stopped following at its last fork, without a word`,
    change: 'install bera-reth, and let it sync',
  },
  forks: {
    none: (nextSeconds: bigint | undefined) =>
      nextSeconds === undefined
        ? 'no fork is named that it lacks'
        : `no fork is named that it lacks; its next one is on ${formatMinute(Number(nextSeconds) * 1000)}`,
    lacks: ({ atSeconds, by, isAgreed }: LackedFork, nowMs: number) => {
      const atMs = Number(atSeconds) * 1000
      const when = atMs > nowMs ? `in ${formatDuration(atMs - nowMs)}` : `${formatDuration(nowMs - atMs)} ago`
      const fork = `the fork of ${formatMinute(atMs)}, ${when}`
      return isAgreed
        ? `lacks ${fork}, named by ${by.join(' and ')}`
        : `${by.join(' and ')} alone names ${fork}; this client does not`
    },
    upgrade: (isBegun: boolean) =>
      isBegun
        ? 'install the release of the execution client that knows it, and that of the node software if there is one, and restart them now'
        : 'install the release of the execution client that knows it, and that of the node software if there is one, and restart them before it begins',
    look: 'look at the announcements of the network; a second endpoint of another host would settle it',
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
  signed: {
    silent: 'no engine answered',
    none: (why: string) => `no signed blocks to check: ${why}`,
    since: ({ from }: KeptTrust) =>
      from === 'genesis' ? 'followed from the genesis set' : `followed from a state that ${from} proved`,
    damaged: '; the file of the trusted header was damaged, so trust began anew',
    change: 'the engine shows blocks that the validator set didn’t sign: give another --engine',
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
