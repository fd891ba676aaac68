import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { useFastHasher as installFastHasher } from '../../src/core/chain/deposit/fast-hasher.ts'
import { type ChainSwitches, chainOf } from '../../src/devnet/build-chain.ts'
import type { Chain } from '../../src/devnet/consensus/chain.ts'
import { type EngineGenesis, engineRpc } from '../../src/devnet/consensus/engine-rpc.ts'
import { nodeApi } from '../../src/devnet/consensus/node-api.ts'
import type { SlotInput } from '../../src/devnet/execution/mine-slot.ts'
import type { RehearsalExecution } from '../../src/devnet/execution/start.ts'
import { appToml, clientToml, configToml, genesisText, keyJson } from '../../src/devnet/home.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { type Plan, planDevnet } from '../../src/devnet/scenarios.ts'
import { CHEAP_CURVE } from '../support/cheap-curve.ts'
import { createEndpoint, type Endpoint } from './endpoint.ts'
import {
  blockAfter,
  CODE_HASH,
  type Genesis,
  genesisBlock,
  minedOf,
  offerTo,
  type Sight,
  type SimBlock,
  stateOf,
  type Tx,
} from './execution.ts'
import { BEGIN_MS } from './time.ts'

export const SLOT_MS = 2000
export const URLS = {
  execution: 'http://127.0.0.1:8545',
  second: 'http://127.0.0.2:8545',
  node: 'http://127.0.0.1:3500',
  engine: 'http://127.0.0.1:26657',
} as const
export type Role = keyof typeof URLS
export const HOME = '/home/node'

/** What the world of a kind is made of; the same for every seed, and worked out once. */
export type Ground = {
  plan: Plan
  genesis: Genesis
  genesisJson: string
  /** The files of the node's home, by path. */
  files: ReadonlyMap<string, string>
  descriptor: string
}

/** With whom it begins: a key that nobody knows, one that has its first deposit, or one that has the last place. */
export type Beginning = 'new-key' | 'registered' | 'active'

/** As much of an execution client as tells how its chain begins. */
const beginningWith = (first: SimBlock): RehearsalExecution =>
  ({ genesisHash: first.hash, genesisBlock: first }) as unknown as RehearsalExecution

const grounds = new Map<Beginning, Ground>()
const MINE = tokens(10_000n)
const PLAY_MONEY = tokens(1_000_000n)
const RIVAL_CREDENTIALS: Hex = `0x01${'00'.repeat(11)}${'71'.repeat(20)}`

/** The ground of a beginning. */
export async function groundOf(beginning: Beginning): Promise<Ground> {
  const known = grounds.get(beginning) ?? (await makeGround(beginning))
  grounds.set(beginning, known)
  return known
}

async function makeGround(beginning: Beginning): Promise<Ground> {
  await installFastHasher()
  const input = {
    scenario: 'set-full',
    seed: 'simulation',
    slotMs: SLOT_MS,
    nowSeconds: BEGIN_MS / 1000,
    genesisTimeSeconds: BEGIN_MS / 1000,
  } as const
  const plain = planDevnet(input)
  const plan =
    beginning === 'new-key' ? plain : planDevnet({ ...input, files: withOwnValidator(plain, beginning) })
  const { user, stranger } = plan
  const genesis: Genesis = {
    chainId: plan.spec.depositChainId,
    seconds: plan.genesisTimeSeconds,
    operators: new Map(
      plan.genesis.deposits.map(({ pubkey, withdrawalCredentials }) => [
        pubkey,
        `0x${withdrawalCredentials.slice(-40)}`,
      ]),
    ),
    depositsRoot: plan.genesisDepositsRoot,
    minimumGwei: MINE,
    balances: new Map([user, stranger].map(({ address }) => [address, gweiToWei(PLAY_MONEY)])),
  }
  const execution = beginningWith(genesisBlock(genesis))
  const genesisJson = plan.genesisJson ?? genesisText(plan, execution)
  return {
    plan,
    genesis,
    genesisJson,
    files: filesOf(plan, genesisJson),
    descriptor: descriptorOf(plan, genesis),
  }
}

/** Who waits with one deposit to take the last place. */
export const RIVAL_KEY = validatorKey('simulation', 'rival')

/** The same network whose genesis has the fresh key too: with one deposit, or with the last place and a rival behind it. */
function withOwnValidator(
  plan: Plan,
  beginning: Exclude<Beginning, 'new-key'>,
): { genesisJson: string; specToml: string } {
  const { fresh, user, genesis } = plan
  const own = {
    pubkey: fresh.pubkey,
    withdrawalCredentials: `0x01${'00'.repeat(11)}${user.address.slice(2)}` as Hex,
    amountGwei: MINE,
    signature: `0x${'00'.repeat(96)}` as const,
  }
  const last = genesis.deposits.at(-1)?.amountGwei ?? MINE
  const deposits =
    beginning === 'registered'
      ? [...genesis.deposits, own]
      : [
          ...genesis.deposits.slice(0, -1),
          { ...own, amountGwei: last },
          { ...own, pubkey: RIVAL_KEY.pubkey, withdrawalCredentials: RIVAL_CREDENTIALS },
        ]
  const more: Plan = { ...plan, genesis: { ...genesis, deposits } }
  const first = { hash: `0x${'01'.repeat(32)}`, stateRoot: `0x${'00'.repeat(32)}` } as const
  const genesisJson = genesisText(more, beginningWith({ ...genesisBlock({ seconds: 0 }), ...first }))
  return { genesisJson, specToml: plan.specToml }
}

function filesOf(plan: Plan, genesisJson: string): ReadonlyMap<string, string> {
  const input = {
    engineChainId: plan.genesis.engineChainId,
    urls: URLS,
    feeRecipient: plan.user.address,
    key: plan.fresh,
  }
  const texts = {
    'priv_validator_key.json': keyJson(input.key),
    'genesis.json': genesisJson,
    'app.toml': appToml(input),
    'config.toml': configToml(input),
    'client.toml': clientToml(input),
    'spec.toml': plan.specToml,
  }
  return new Map(Object.entries(texts).map(([name, text]) => [`${HOME}/config/${name}`, text]))
}

function descriptorOf(plan: Plan, genesis: Genesis): string {
  const { execution, node, engine } = URLS
  return JSON.stringify({
    urls: { execution, node, engine },
    chainId: genesis.chainId,
    genesisRoot: validatorsRootOf(plan, genesis),
    keystore: { path: '/home/user/keystore.json', password: 'rehearsal' },
    home: HOME,
    engineChainId: plan.genesis.engineChainId,
    genesisForkVersion: plan.genesis.forkVersion,
    executionGenesisHash: genesisBlock(genesis).hash,
    depositContractCodeHash: CODE_HASH,
    slotMs: SLOT_MS,
    clockIsWall: true,
  })
}

function validatorsRootOf(plan: Plan, genesis: Genesis): Hex {
  return chainOf(plan, beginningWith(genesisBlock(genesis))).input.genesisValidatorsRoot
}

/** A network: blocks, consensus, two execution endpoints, a node. It moves by `slot` alone. */
export type Network = {
  readonly ground: Ground
  readonly consensus: Chain
  /** The blocks that count. */
  readonly blocks: readonly SimBlock[]
  /** What block producers know. */
  readonly pool: Tx[]
  readonly endpoints: Readonly<Record<'execution' | 'second', Endpoint>>
  node: ReturnType<typeof nodeApi>
  engine: ReturnType<typeof engineRpc>
  /** Makes the next block and lets consensus follow; `empty`: of nothing. */
  slot(options: { empty: boolean }): Promise<SimBlock>
  /** Shows a block in the place of the next one, until that comes. `who` sees it. */
  fork(who: readonly Fork[]): SimBlock
  /** How many blocks an endpoint is behind. */
  lag: Record<'execution' | 'second', number>
}

export type Fork = 'execution' | 'second'

/** Begins the network of a ground; `switches`: how its chain is signed. */
export async function createNetwork(ground: Ground, switches: ChainSwitches = CHEAP_CURVE): Promise<Network> {
  const { plan, genesis } = ground
  const blocks: SimBlock[] = [genesisBlock(genesis)]
  const pool: Tx[] = []
  const beaconRoots = new Map<bigint, { number: number; root: Hex }>()
  const lag = { execution: 0, second: 0 }
  let forked: { block: SimBlock; who: readonly Fork[] } | undefined
  let forks = 0
  let offered: readonly Tx[] = []

  const sightOf = (who: Fork): Sight => {
    if (forked?.who.includes(who) === true) return [...blocks, forked.block]
    return lag[who] === 0 ? blocks : blocks.slice(0, Math.max(1, blocks.length - lag[who]))
  }
  const endpointOf = (who: Fork) => createEndpoint({ genesis, beaconRoots, sight: () => sightOf(who) })
  const endpoints = { execution: endpointOf('execution'), second: endpointOf('second') }

  const mineSlot = async (slot: SlotInput) => {
    const block = blockAfter(genesis, blocks, { slot, offered, mark: 0 })
    beaconRoots.set(BigInt(slot.timestampSeconds), { number: block.number, root: slot.parentBeaconRoot })
    blocks.push(block)
    return minedOf(block)
  }
  const rpc = async (method: string, params: readonly unknown[]) => {
    const answer = await endpoints.execution.answer(method, params)
    if ('error' in answer) throw new Error(answer.error.message)
    return answer.result
  }
  const first = { ...genesisBlock(genesis) }
  const execution = {
    genesisBlock: first,
    genesisHash: first.hash,
    mineSlot,
    rpc,
  } as unknown as RehearsalExecution
  const consensus = chainOf(plan, execution, switches)
  const engineGenesis = JSON.parse(ground.genesisJson) as EngineGenesis

  /** Pools and block producers tell one another what they have, but what is done. */
  const gossip = () => {
    const state = stateOf(genesis, blocks)
    for (const each of [pool, endpoints.execution.pool, endpoints.second.pool]) {
      for (const tx of endpoints.execution.pool.concat(endpoints.second.pool, pool))
        offerTo(each, tx, state.nonce(tx.from))
      for (let at = each.length - 1; at >= 0; at -= 1) {
        const tx = each[at]
        if (tx !== undefined && tx.nonce < state.nonce(tx.from)) each.splice(at, 1)
      }
    }
  }
  return {
    ground,
    consensus,
    blocks,
    pool,
    endpoints,
    node: nodeApi(consensus),
    engine: engineRpc(consensus, { key: plan.fresh, genesis: engineGenesis }),
    lag,
    async slot({ empty }) {
      gossip()
      forked = undefined
      offered = empty ? [] : [...pool]
      await consensus.advance(genesis.seconds + (blocks.length * SLOT_MS) / 1000)
      gossip()
      return blocks.at(-1) as SimBlock
    },
    fork(who) {
      gossip()
      forks += 1
      const slot = {
        timestampSeconds: genesis.seconds + (blocks.length * SLOT_MS) / 1000,
        parentBeaconRoot: consensus.history.head.root,
      }
      const block = blockAfter(genesis, blocks, { slot, offered: [...pool], mark: forks })
      beaconRoots.set(BigInt(slot.timestampSeconds), { number: block.number, root: slot.parentBeaconRoot })
      forked = { block, who }
      return block
    },
  }
}
