import { createHash } from 'node:crypto'
import { SecretKey } from '@chainsafe/blst'
import { encodeFunctionData, parseAbi, zeroAddress } from 'viem'
import { genesisState } from '../core/consensus/process-epoch.ts'
import { type ConsensusState, epochOfSlot, isActive } from '../core/consensus/state.ts'
import { type Gwei, gweiToWei } from '../core/format/amount.ts'
import { bytesToHex, type Hex } from '../core/format/hex.ts'
import type { ChainSpec } from '../core/network/network.ts'
import type { ScenarioName } from '../core/network/scenario-names.ts'
import { readSpecToml } from '../core/network/spec-fields.ts'
import type { RehearsalExecution } from './execution/types.ts'
import { type GenesisFile, readGenesisFile } from './genesis-file.ts'
import {
  account,
  type RehearsalAccount,
  type RehearsalValidatorKey,
  seededBytes,
  validatorKey,
} from './keys.ts'
import type { LoopbackServer } from './loopback-server.ts'
import { type LostDeposit, type Rival, scenario } from './scenarios.ts'
import { REHEARSAL_ENGINE_CHAIN_ID, REHEARSAL_FORK_VERSION, rehearsalSpecToml } from './spec.ts'

const ABI = parseAbi([
  'function deposit(bytes pubkey, bytes credentials, bytes signature, address operator) payable',
])
const GAS_LIMIT = '0x7a120'

/**
 * Puts a first deposit for the fresh key into the pool. Its signature is made the way Ethereum's tools make them,
 * so the contract takes it, the operator is set for ever, and consensus ignores it.
 */
export async function sendLostDeposit(
  execution: RehearsalExecution,
  plan: Plan,
  lost: LostDeposit,
): Promise<void> {
  const { address } = lost.sender === 'user' ? plan.user : plan.stranger
  const args = [plan.fresh.pubkey, withdrawalCredentials(address), foreignSignature(plan), address] as const
  await payFrom(execution, { from: address, args, amountGwei: lost.amountGwei }, plan)
}

/** What stands where a top-up has no credentials and no signature. */
const NOTHING = { credentials: `0x${'00'.repeat(32)}`, signature: `0x${'00'.repeat(96)}` } as const

/** Puts a stranger's top-up of a validator into the pool. */
async function sendTopUp(
  execution: RehearsalExecution,
  plan: Plan,
  { pubkey, topUpGwei }: Rival,
): Promise<void> {
  const args = [pubkey, NOTHING.credentials, NOTHING.signature, zeroAddress] as const
  await payFrom(execution, { from: plan.stranger.address, args, amountGwei: topUpGwei }, plan)
}

async function payFrom(
  execution: RehearsalExecution,
  { from, args, amountGwei }: { from: Hex; args: readonly [Hex, Hex, Hex, Hex]; amountGwei: Gwei },
  { spec }: Plan,
): Promise<void> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'deposit', args })
  const value = `0x${gweiToWei(amountGwei).toString(16)}`
  await execution.rpc('anvil_impersonateAccount', [from])
  await execution.rpc('eth_sendTransaction', [
    { from, to: spec.depositContract, value, data, gas: GAS_LIMIT },
  ])
  await execution.rpc('anvil_stopImpersonatingAccount', [from])
}

function foreignSignature(plan: Plan): Hex {
  const secret = SecretKey.fromBytes(Buffer.from(plan.fresh.secretBase64, 'base64'))
  return bytesToHex(secret.sign(seededBytes(plan.fresh.address, 'lost deposit')).toBytes())
}

/** What a rehearsal network is made from: a scenario, or the files of another network. */
export type PlanInput = {
  scenario: ScenarioName
  seed: string
  slotMs: number
  /** Unix seconds; when left out the network starts so that its head is at `nowSeconds` when it is ready. */
  genesisTimeSeconds?: number
  nowSeconds: number
  warmupSlots?: number
  files?: { genesisJson: string; specToml: string }
}

/** Everything about a network before anything runs. The same input gives the same plan. */
export type Plan = {
  seed: string
  spec: ChainSpec
  specToml: string
  genesis: GenesisFile
  /** Given where the network is made from files; else it is written once the execution genesis is known. */
  genesisJson: string | undefined
  genesisTimeSeconds: number
  secondsPerSlot: number
  state: ConsensusState
  genesisDepositsRoot: Hex
  fresh: RehearsalValidatorKey
  user: RehearsalAccount
  stranger: RehearsalAccount
  lostDeposit: LostDeposit | undefined
  rival: Rival | undefined
  silentSlots: number | undefined
  warmupSlots: number
}

/** Genesis deposits were never checked against a signature; the field is filled with zeros. */
const NO_SIGNATURE: Hex = `0x${'00'.repeat(96)}`

/** Works a network out from its scenario and seed, or from files. Throws `devnet.refused` and NetworkErrors. */
export function planDevnet(input: PlanInput): Plan {
  const { seed } = input
  const fresh = validatorKey(seed, 'fresh')
  const user = account(seed, 'user')
  // What an evicted neighbour gets back must not look like the user's own money.
  const others = account(seed, 'others')
  const secondsPerSlot = Math.max(1, Math.round(input.slotMs / 1000))
  const story = scenario(input.scenario, seed, fresh)
  const lostDeposit = input.files === undefined ? story.lostDeposit : undefined
  const warmupSlots = input.warmupSlots ?? (input.files === undefined ? story.warmupSlots : 1)
  const startSeconds = input.genesisTimeSeconds ?? input.nowSeconds - warmupSlots * secondsPerSlot
  const specToml =
    input.files?.specToml ?? rehearsalSpecToml({ ...story, genesisTimeSeconds: startSeconds, secondsPerSlot })
  const spec = readSpecToml(specToml)
  const genesis =
    input.files === undefined
      ? {
          engineChainId: REHEARSAL_ENGINE_CHAIN_ID,
          forkVersion: REHEARSAL_FORK_VERSION,
          deposits: story.validators.map(({ key, amountGwei }) => ({
            pubkey: key.pubkey,
            withdrawalCredentials: withdrawalCredentials(key === fresh ? user.address : others.address),
            amountGwei,
            signature: NO_SIGNATURE,
          })),
        }
      : readGenesisFile(input.files.genesisJson)
  return {
    seed,
    spec,
    specToml,
    genesis,
    genesisJson: input.files?.genesisJson,
    genesisTimeSeconds: startSeconds,
    secondsPerSlot,
    state: genesisState(genesis.deposits, spec),
    genesisDepositsRoot: depositsRoot(genesis),
    fresh,
    user,
    stranger: account(seed, 'stranger'),
    lostDeposit,
    rival: input.files === undefined ? story.rival : undefined,
    silentSlots: input.files === undefined ? story.silentSlots : undefined,
    warmupSlots,
  }
}

/** Credentials of an execution address. */
function withdrawalCredentials(address: Hex): Hex {
  return `0x01${'00'.repeat(11)}${address.slice(2).toLowerCase()}`
}

/** A root that no two lists of genesis deposits share. */
function depositsRoot(genesis: GenesisFile): Hex {
  const hash = createHash('sha256')
  for (const { pubkey, withdrawalCredentials: credentials, amountGwei, signature } of genesis.deposits) {
    hash.update(`${pubkey}${credentials}${amountGwei}${signature};`)
  }
  return bytesToHex(hash.digest())
}

/**
 * The rival of a scenario, if it has one. It adds to its own validator once, in the first block of an epoch: from there
 * it takes three epochs until somebody loses a place by it, the most time that there can be for an answer.
 */
export function createRival(plan: Plan, execution: RehearsalExecution) {
  const { spec, fresh, rival } = plan
  let waits = rival !== undefined
  return {
    /** Acts, if its time has come, so that its deposit is in the block of `slot`. */
    async actBefore(slot: bigint, state: ConsensusState): Promise<void> {
      if (!waits || rival === undefined || slot % spec.slotsPerEpoch !== 0n) return
      const user = state.validators.find(({ pubkey }) => pubkey === fresh.pubkey)
      if (user === undefined || !isActive(user, epochOfSlot(slot, spec) - 1n)) return
      waits = false
      await sendTopUp(execution, plan, rival)
    },
  }
}

/**
 * The node of a scenario that stops answering once the user's validator has been active for an epoch, and answers again
 * some slots later. The chain goes on meanwhile, and its execution client answers all along.
 */
export function createSilence({ spec, fresh, silentSlots }: Plan, servers: readonly LoopbackServer[]) {
  let waits = silentSlots !== undefined
  let endsAt: bigint | undefined
  return {
    /** Acts, if its time has come, before the block of `slot`. */
    actBefore(slot: bigint, state: ConsensusState): void {
      if (endsAt !== undefined && slot >= endsAt) {
        endsAt = undefined
        for (const server of servers) server.resume()
      }
      if (!waits || silentSlots === undefined || slot % spec.slotsPerEpoch !== 0n) return
      const user = state.validators.find(({ pubkey }) => pubkey === fresh.pubkey)
      if (user === undefined || !isActive(user, epochOfSlot(slot, spec) - 1n)) return
      waits = false
      endsAt = slot + BigInt(silentSlots)
      for (const server of servers) server.pause()
    },
  }
}
