import { join } from 'node:path'
import type { Hex } from '../core/base/format/hex.ts'
import type { Pools } from '../core/chain/network/network.ts'
import type { Chain } from './consensus/chain.ts'
import { depositContractCodeHash } from './execution/genesis.ts'
import type { RehearsalExecution } from './execution/start.ts'
import { writeHome, writeKeystore, writeWhole } from './home.ts'
import { seededBytes } from './keys.ts'
import { type Plan, writeGenesisFile } from './scenarios.ts'

/** Prefix of the key types, as in the real node's files. */
export const KEY_TYPE_PREFIX = 'cometbft'

/** Returns the engine's genesis file of a plan. */
export function genesisText(plan: Plan, execution: RehearsalExecution): string {
  return writeGenesisFile({
    ...plan.genesis,
    genesisTimeSeconds: plan.genesisTimeSeconds,
    executionGenesisHash: execution.genesisHash,
    executionStateRoot: execution.genesisBlock.stateRoot,
  })
}

export type WriteFilesInput = {
  directory: string
  plan: Plan
  execution: RehearsalExecution
  chain: Chain
  slotMs: number
  scenario: string
  urls: DevnetDescriptor['urls']
  /** A second execution endpoint, where the scenario has one. */
  second?: string
  /** The other endpoints of the node that somebody else runs, where there is one. */
  foreign?: DevnetDescriptor['foreign']
  genesisJson: string
  /** Of a network that plays a scenario: the file of its story, and where it hears wishes. */
  story?: { path: string; control: string }
}

/** Writes the node home, the keystore and the descriptor of a network that answers. */
export async function writeFiles(made: WriteFilesInput): Promise<DevnetDescriptor> {
  const { plan, execution } = made
  const written = await writeHome(made.directory, {
    engineChainId: plan.genesis.engineChainId,
    urls: made.urls,
    feeRecipient: plan.user.address,
    key: plan.fresh,
    keyTypePrefix: KEY_TYPE_PREFIX,
    genesisJson: made.genesisJson,
    specToml: plan.specToml,
  })
  const keystore = await writeKeystore(made.directory, {
    account: plan.user,
    password: plan.password,
    salt: seededBytes(plan.seed, 'keystore'),
    weight: plan.asOnMainnet ? 'asGeth' : 'light',
  })
  const descriptor: DevnetDescriptor = {
    urls: made.urls,
    chainId: plan.spec.depositChainId,
    genesisRoot: made.chain.input.genesisValidatorsRoot,
    keystore: { path: keystore, password: plan.password },
    home: written.home,
    spec: written.spec,
    engineChainId: plan.genesis.engineChainId,
    genesisForkVersion: plan.genesis.forkVersion,
    executionGenesisHash: execution.genesisHash,
    depositContractCodeHash: depositContractCodeHash(),
    slotMs: made.slotMs,
    clockIsWall: false,
    operator: plan.operator.address,
    withdrawalAddress: plan.payout.address,
    scenario: made.scenario,
    seed: plan.seed,
    pid: process.pid,
    ...(plan.pools === undefined ? {} : { pools: plan.pools }),
    ...(made.second === undefined ? {} : { second: made.second }),
    ...(made.foreign === undefined ? {} : { foreign: made.foreign }),
    ...(made.story === undefined ? {} : { story: made.story.path, control: made.story.control }),
  }
  await writeDescriptor(made.directory, descriptor)
  return descriptor
}

/** What a ready rehearsal network says of itself, as one JSON line. */
export type DevnetDescriptor = {
  urls: { execution: string; node: string; engine: string }
  chainId: number
  genesisRoot: Hex
  keystore: { path: string; password: string }
  home: string
  spec: string
  engineChainId: string
  genesisForkVersion: Hex
  executionGenesisHash: Hex
  depositContractCodeHash: Hex
  slotMs: number
  clockIsWall: boolean
  operator: Hex
  withdrawalAddress: Hex
  scenario: string
  seed: string
  pid: number
  /** A second execution endpoint. */
  second?: string
  /** The node API and the engine RPC of the node behind it, where somebody else runs one. */
  foreign?: { node: string; engine: string } | undefined
  pools?: Pools
  /** Path of the story file, where a scenario is played. */
  story?: string
  /** Where it hears wishes: `POST /key`, `POST /pace`, `POST /arrived`. */
  control?: string
}

/** Writes `descriptor.json` in the directory, 0600, whole or not at all. */
export async function writeDescriptor(directory: string, descriptor: DevnetDescriptor): Promise<void> {
  await writeWhole(join(directory, 'descriptor.json'), `${JSON.stringify(descriptor)}\n`)
}
