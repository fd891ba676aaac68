import { createRequire } from 'node:module'
import type { EdrChain, EdrReply, EdrRequest } from './client.ts'
import type { ExecutionGenesis } from './genesis.ts'

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

// The program that holds the library: `node edr-child.js LIBRARY`, with a channel to its parent. It writes nothing, opens
// no port, and ends with its parent.
process.on('disconnect', () => process.exit())
// What a terminal signals is for the parent, which then ends this one.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('uncaughtException', ({ message }) => {
  process.stderr.write(`${message.split('\n', 1)[0]}\n`)
  process.exit(1)
})
const [library = ''] = process.argv.slice(2)
const addon = createRequire(import.meta.url)(library) as Addon
let provider: Promise<Provider> | undefined
process.on('message', (message: EdrChain | EdrRequest) => {
  if ('genesis' in message) provider = openProvider(message.genesis)
  else void pass(message)
})

async function pass({ id, method, params }: EdrRequest): Promise<void> {
  const opened = await provider
  const answer = await opened?.handleRequest(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  const reply = typeof answer?.data === 'string' ? answer.data : JSON.stringify(answer?.data)
  process.send?.({ id, reply } satisfies EdrReply)
}

async function openProvider(genesis: ExecutionGenesis): Promise<Provider> {
  const context = new addon.EdrContext()
  await context.registerProviderFactory(addon.L1_CHAIN_TYPE, addon.l1ProviderFactory())
  const silent = {
    enable: false,
    decodeConsoleLogInputsCallback: () => [],
    printLineCallback: () => undefined,
  }
  return context.createProvider(
    addon.L1_CHAIN_TYPE,
    configuration(genesis),
    silent,
    { subscriptionCallback: () => undefined },
    new addon.ContractDecoder(),
  )
}

function configuration(genesis: ExecutionGenesis): object {
  const chainId = BigInt(genesis.chainId)
  const gasLimit = BigInt(genesis.gasLimit)
  return {
    chainId,
    networkId: chainId,
    hardfork: 'Prague',
    coinbase: new Uint8Array(20),
    genesisState: Object.entries(genesis.accounts).map(([address, account]) => ({
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
      genesisBlockTime: BigInt(genesis.timestampSeconds),
      genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
    },
    initialParentBeaconBlockRoot: bytes(genesis.contentHash),
    initialBaseFeePerGas: BigInt(genesis.baseFee),
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
