import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { anvilDied, anvilForeignChain, anvilNotReady } from '../../core/errors/anvil.ts'
import type { BaseError } from '../../core/errors/base.ts'
import { sameHex } from '../../core/format/hex.ts'
import { safeText } from '../../core/format/text.ts'
import { type RpcBlock, readBlock } from './block.ts'
import { findAnvil } from './find-anvil.ts'
import { type GuardedProcess, guardedProcess } from './guarded-process.ts'
import { type RpcClient, type RpcExchange, rpcCall, rpcClient } from './rpc-client.ts'
import type { ExecutionBlock, StartExecutionInput } from './types.ts'

/** The bare execution client of a rehearsal network. */
export type Anvil = {
  exchange: RpcExchange
  genesisBlock: ExecutionBlock
  died: Promise<BaseError>
  stop: () => Promise<void>
}

const READY_DEADLINE_MS = 20_000
/** States that can be asked for by block, as many as a full node keeps. More cost memory, none at all the disk. */
const KEPT_STATES = 128
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/

/**
 * Starts anvil on a chain with the given first block. It makes blocks only when told to, keeps nothing on disk outside
 * `directory`, lets no web page in, and ends when this process ends.
 *
 * That it is our own process which answers follows from its own words, which name the port only after it got hold of
 * it, and from the hash of the first block. Throws anvil.* errors of core/errors/anvil.
 */
export async function startAnvil(input: StartExecutionInput): Promise<Anvil> {
  const { path } = await findAnvil()
  const child = guardedProcess({
    path,
    args: prepare(input),
    directory: input.directory,
    env: environment(input),
  })
  let client: RpcClient | undefined
  try {
    client = rpcClient(await whenListening(child, input))
    return running({ child, client, genesisBlock: await readGenesis(client, input) })
  } catch (error) {
    client?.close()
    await child.stop()
    throw error
  }
}

function prepare(input: StartExecutionInput): string[] {
  mkdirSync(input.directory, { recursive: true, mode: 0o700 })
  const genesisFile = join(input.directory, 'execution-genesis.json')
  writeFileSync(genesisFile, JSON.stringify(input.genesis), { mode: 0o600 })
  const chainId = String(input.genesis.config.chainId)
  const timestamp = String(Number(input.genesis.timestamp))
  const groups = [
    ['--host', '127.0.0.1', '--port', String(input.clientPort ?? 0), '--no-cors', '--color', 'never'],
    ['--init', genesisFile, '--chain-id', chainId, '--timestamp', timestamp, '--hardfork', 'prague'],
    ['--accounts', '0', '--disable-default-create2-deployer', '--disable-console-log'],
    ['--no-mining', '--slots-in-an-epoch', '0', '--prune-history', String(KEPT_STATES)],
    ['--cache-path', join(input.directory, 'cache')],
  ]
  return groups.flat()
}

function environment({ directory }: StartExecutionInput): Record<string, string> {
  return {
    HOME: directory,
    TMPDIR: directory,
    XDG_CONFIG_HOME: directory,
    XDG_CACHE_HOME: directory,
    XDG_DATA_HOME: directory,
    XDG_STATE_HOME: directory,
  }
}

function whenListening(child: GuardedProcess, input: StartExecutionInput): Promise<number> {
  const waiting = new AbortController()
  return new Promise<number>((resolve, reject) => {
    const fail = (reason: string): void => reject(anvilNotReady(reason, lastWords(child)))
    const forget = child.onOutput((output) => {
      const port = LISTENING.exec(output)?.[1]
      if (port !== undefined) resolve(Number(port))
    })
    waiting.signal.addEventListener('abort', forget)
    void child.ended.then(({ how }) => fail(how))
    const giveUp = () => reject(input.signal?.reason)
    input.signal?.addEventListener('abort', giveUp, { signal: waiting.signal })
    input.clock.sleep(READY_DEADLINE_MS, waiting.signal).then(
      () => fail(`It was not ready within ${READY_DEADLINE_MS / 1000} s.`),
      () => undefined,
    )
  }).finally(() => waiting.abort())
}

async function readGenesis(client: RpcClient, input: StartExecutionInput): Promise<ExecutionBlock> {
  const found = await rpcCall(client.exchange)('eth_getBlockByNumber', ['0x0', false])
  const block = readBlock(found as RpcBlock)
  const { coinbase } = input.genesis
  if (!sameHex(block.feeRecipient, coinbase)) throw anvilForeignChain(block.hash, `one paid to ${coinbase}`)
  const expected = input.genesisHashExpected
  if (expected !== undefined && !sameHex(block.hash, expected)) throw anvilForeignChain(block.hash, expected)
  return block
}

function running(parts: { child: GuardedProcess; client: RpcClient; genesisBlock: ExecutionBlock }): Anvil {
  const { child, client, genesisBlock } = parts
  let told = false
  const died = new Promise<BaseError>((resolve) => {
    void child.ended.then(({ how }) => {
      if (!told) resolve(anvilDied(how, lastWords(child)))
    })
  })
  return {
    exchange: client.exchange,
    genesisBlock,
    died,
    async stop() {
      told = true
      client.close()
      await child.stop()
    },
  }
}

function lastWords(child: GuardedProcess): string {
  return safeText(child.output().trim().split('\n').slice(-3).join(' '))
}
