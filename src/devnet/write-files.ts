import type { Chain } from './consensus/chain.ts'
import { type DevnetDescriptor, writeDescriptor } from './descriptor.ts'
import { depositContractCodeHash } from './execution/contracts.ts'
import type { RehearsalExecution } from './execution/types.ts'
import { writeGenesisFile } from './genesis-file.ts'
import { writeHome, writeKeystore } from './home.ts'
import { seededBytes } from './keys.ts'
import type { Plan } from './plan.ts'

const PASSWORD = 'rehearsal'
/** Prefix of the key types, as in the real node's files. */
export const KEY_TYPE_PREFIX = 'cometbft'

/** The engine's genesis file of a plan. */
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
  genesisJson: string
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
    password: PASSWORD,
    salt: seededBytes(plan.seed, 'keystore'),
  })
  const descriptor: DevnetDescriptor = {
    urls: made.urls,
    chainId: plan.spec.depositChainId,
    genesisRoot: made.chain.input.genesisValidatorsRoot,
    keystore: { path: keystore, password: PASSWORD },
    home: written.home,
    spec: written.spec,
    engineChainId: plan.genesis.engineChainId,
    genesisForkVersion: plan.genesis.forkVersion,
    executionGenesisHash: execution.genesisHash,
    depositContractCodeHash: depositContractCodeHash(),
    slotMs: made.slotMs,
    clockIsWall: false,
    operator: plan.user.address,
    withdrawalAddress: plan.user.address,
    scenario: made.scenario,
    seed: plan.seed,
    pid: process.pid,
  }
  await writeDescriptor(made.directory, descriptor)
  return descriptor
}
