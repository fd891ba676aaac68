import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ExecutionGenesis, FrontCall } from './types.ts'

/** The part of the native library that is used here (index.d.ts of @nomicfoundation/edr 0.20.0). */
type Addon = {
  EdrContext: new () => Context
  ContractDecoder: new () => object
  L1_CHAIN_TYPE: string
  l1ProviderFactory: () => object
}
type Context = {
  registerProviderFactory: (chainType: string, factory: object) => Promise<void>
  createProvider: (chainType: string, ...parts: object[]) => Promise<Provider>
}
type Provider = { handleRequest: (request: string) => Promise<{ data: unknown }> }

/** A call on its way to this program, and the whole reply as it goes back. */
export type EdrRequest = FrontCall & { id: number }
export type EdrReply = { id: number; reply: string }

// The program that holds the library: `node edr-child.js ADDON GENESIS-FILE`, with a channel to its parent. It writes
// nothing, opens no port, and ends with its parent.
process.on('disconnect', () => process.exit())
// What a terminal signals is for the parent, which then ends this one.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('uncaughtException', ({ message }) => {
  process.stderr.write(`${message.split('\n', 1)[0]}\n`)
  process.exit(1)
})
const [addon = '', genesisFile = ''] = process.argv.slice(2)
const provider = await openProvider(
  createRequire(import.meta.url)(addon) as Addon,
  JSON.parse(readFileSync(genesisFile, 'utf8')) as ExecutionGenesis,
)
process.on('message', (request: EdrRequest) => void pass(request))
process.stdout.write('Ready\n')

async function pass({ id, method, params }: EdrRequest): Promise<void> {
  const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  const reply = typeof data === 'string' ? data : JSON.stringify(data)
  process.send?.({ id, reply } satisfies EdrReply)
}

async function openProvider(edr: Addon, genesis: ExecutionGenesis): Promise<Provider> {
  const context = new edr.EdrContext()
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory())
  const silent = {
    enable: false,
    decodeConsoleLogInputsCallback: () => [],
    printLineCallback: () => undefined,
  }
  return context.createProvider(
    edr.L1_CHAIN_TYPE,
    configuration(genesis),
    silent,
    { subscriptionCallback: () => undefined },
    new edr.ContractDecoder(),
  )
}

function configuration(genesis: ExecutionGenesis): object {
  const chainId = BigInt(Number(genesis.config.chainId))
  const gasLimit = BigInt(genesis.gasLimit)
  return {
    chainId,
    networkId: chainId,
    hardfork: 'Prague',
    coinbase: bytes(genesis.coinbase),
    genesisState: Object.entries(genesis.alloc).map(([address, account]) => ({
      address: bytes(address),
      balance: BigInt(account.balance),
      nonce: BigInt(account.nonce ?? 0),
      ...(account.code === undefined ? {} : { code: bytes(account.code) }),
      storage: Object.entries(account.storage ?? {}).map(([index, value]) => ({
        index: BigInt(index),
        value: BigInt(value),
      })),
    })),
    network: {
      genesisBlockGasLimit: gasLimit,
      genesisBlockTime: BigInt(genesis.timestamp),
      genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
    },
    // The first block has no coinbase here; this field of it commits to everything that the coinbase does.
    initialParentBeaconBlockRoot: bytes(`0x${genesis.coinbase.slice(2).padStart(64, '0')}`),
    initialBaseFeePerGas: BigInt(genesis.baseFeePerGas),
    mining: { autoMine: false, blockGasLimit: gasLimit, memPool: { order: 'Priority' } },
    minGasPrice: 0n,
    defaultTransactionGasLimit: gasLimit,
    transactionGasCap: false,
    allowBlocksWithSameTimestamp: false,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    bailOnTransactionFailure: false,
    observability: {},
    ownedAccounts: [],
    precompileOverrides: [],
  }
}

function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
}
