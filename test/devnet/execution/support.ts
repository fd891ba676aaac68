import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { onTestFinished } from 'vitest'
import type { ExecutionClock } from '../../../src/devnet/execution/client.ts'
import { type ExecutionGenesisInput, executionGenesis, word } from '../../../src/devnet/execution/genesis.ts'
import type { MinedSlot, SlotInput } from '../../../src/devnet/execution/mine-slot.ts'
import {
  type RehearsalExecution,
  type ServeOptions,
  startExecution,
} from '../../../src/devnet/execution/start.ts'

const CHAIN_ID = 80_087
export const GENESIS_SECONDS = 1_800_000_000
export const TOKEN_WEI = 10n ** 18n
/** A key that everybody knows, for play money only. */
export const PAYER = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

export const DEPOSIT_ABI = parseAbi([
  'function deposit(bytes pubkey, bytes credentials, bytes signature, address operator) payable',
  'function getOperator(bytes pubkey) view returns (address)',
  'function depositCount() view returns (uint64)',
  'function genesisDepositsRoot() view returns (bytes32)',
  'function queuedOperator(bytes pubkey) view returns (uint96 queuedTimestamp, address newOperator)',
  'function requestOperatorChange(bytes pubkey, address newOperator)',
  'function cancelOperatorChange(bytes pubkey)',
  'function acceptOperatorChange(bytes pubkey)',
])

const CLOCK: ExecutionClock = {
  nowMs: () => Date.now(),
  sleep: (delayMs, signal) => sleep(delayMs, undefined, signal === undefined ? {} : { signal }),
}

export const genesisInput: ExecutionGenesisInput = {
  chainId: CHAIN_ID,
  timestampSeconds: GENESIS_SECONDS,
  genesisDeposits: {
    root: word(0xd00d),
    validators: [{ pubkey: `0x${'aa'.repeat(48)}`, operator: `0x${'0b'.repeat(20)}` }],
  },
  accounts: [{ address: PAYER.address, balanceWei: 1_000_000n * TOKEN_WEI }],
}

/** What a client is started with besides its chain. */
export const clientInput = (directory: string) => ({ clock: CLOCK, directory })

export type Network = {
  execution: RehearsalExecution
  directory: string
  /** Mines the next second, with a root that is made from the timestamp. */
  next: (input?: Partial<SlotInput>) => Promise<MinedSlot>
}

/** A fresh directory that goes away with the test. */
export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bearings-execution-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A running execution side that ends with the test. */
export async function startNetwork(input: ExecutionGenesisInput = genesisInput): Promise<Network> {
  const directory = freshDirectory()
  const execution = await startExecution({ genesis: executionGenesis(input), ...clientInput(directory) })
  onTestFinished(() => execution.stop())
  let timestampSeconds = input.timestampSeconds
  return {
    execution,
    directory,
    next(slot = {}) {
      timestampSeconds = slot.timestampSeconds ?? timestampSeconds + 1
      return execution.mineSlot({ timestampSeconds, parentBeaconRoot: rootFor(timestampSeconds), ...slot })
    },
  }
}

export const rootFor = (timestampSeconds: number): Hex => word(BigInt(timestampSeconds) * 7n)

export type Reply = { result?: unknown; error?: { code: number; message: string; data?: unknown } }

/** A network with its public endpoint. */
export async function servedNetwork(options: ServeOptions = {}) {
  const network = await startNetwork()
  const front = await network.execution.serve(options)
  return { ...network, front, ask: asker(front.url) }
}

export function asker(url: string) {
  return async (method: string, params: readonly unknown[] = []): Promise<Reply> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return (await (await post(url, body)).json()) as Reply
  }
}

export function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
}

type Transfer = { to?: Hex; data?: Hex; value?: bigint; nonce?: number; feeGwei?: number; tipGwei?: number }

/** A signed transaction of the payer. */
export function signed({ feeGwei = 2, tipGwei = 1, ...rest }: Transfer): Promise<Hex> {
  const gwei = (amount: number): bigint => BigInt(Math.round(amount * 1e9))
  return PAYER.signTransaction({
    chainId: CHAIN_ID,
    type: 'eip1559',
    gas: 200_000n,
    nonce: 0,
    to: PAYER.address,
    maxFeePerGas: gwei(feeGwei),
    maxPriorityFeePerGas: gwei(tipGwei),
    ...rest,
  })
}
