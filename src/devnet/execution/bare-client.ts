import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import {
  anvilDied,
  anvilForeignChain,
  anvilNotReady,
  anvilUnreachable,
} from '../../core/base/errors/anvil.ts'
import type { BaseError } from '../../core/base/errors/base.ts'
import { sameHex } from '../../core/base/format/hex.ts'
import { safeText } from '../../core/base/format/text.ts'
import { type RpcBlock, readBlock } from './block.ts'
import type { EdrReply } from './edr-child.ts'
import { edrInAnvilWords } from './edr-dialect.ts'
import { findClient } from './find-client.ts'
import {
  guardedProcess,
  neverStarted,
  startedOr,
  type WatchedProcess,
  watchedProcess,
} from './guarded-process.ts'
import { KEPT_STATES } from './mine-slot.ts'
import { type RpcClient, readAnswer, rpcCall, rpcClient } from './rpc-client.ts'
import type { DevnetBlock, StartExecutionInput } from './types.ts'

/** The bare execution client of a rehearsal network: anvil, or EDR in anvil's words. */
export type BareClient = {
  exchange: RpcClient['exchange']
  genesisBlock: DevnetBlock
  died: Promise<BaseError>
  stop: () => Promise<void>
}

const READY_DEADLINE_MS = 20_000
const LISTENING = /Listening on 127\.0\.0\.1:(\d+)/
const READY = /^Ready$/m

/** A client's process, and the way to ask it once it is ready. */
type Started = { child: WatchedProcess; whenReady: () => Promise<RpcClient> }

/**
 * Starts the client that `input` or this computer has on a chain with the given first block. It makes blocks only
 * when told to, keeps nothing on disk outside `directory`, lets no web page in, and ends when this process ends.
 *
 * That it is our own process which answers follows, of anvil, from its own words, which name the port only after it
 * got hold of it, and from the hash of the first block; EDR has no port. Throws anvil.* errors of core/errors/anvil.
 */
export async function startBareClient(input: StartExecutionInput): Promise<BareClient> {
  const found = input.client ?? (await findClient())
  mkdirSync(input.directory, { recursive: true, mode: 0o700 })
  const genesisFile = join(input.directory, 'execution-genesis.json')
  writeFileSync(genesisFile, JSON.stringify(input.genesis), { mode: 0o600 })
  const start = found.kind === 'edr' ? startEdr : startAnvil
  const { child, whenReady } = start(input, { path: found.path, genesisFile })
  let client: RpcClient | undefined
  try {
    client = await whenReady()
    const genesisBlock = await readGenesis(client, { ...input, mayBeAnother: found.kind === 'anvil' })
    return running({ child, client, genesisBlock })
  } catch (error) {
    client?.close()
    await child.stop()
    throw error
  }
}

type Files = { path: string; genesisFile: string }

function startAnvil(input: StartExecutionInput, { path, genesisFile }: Files): Started {
  const chainId = String(input.genesis.config.chainId)
  const timestamp = String(Number(input.genesis.timestamp))
  // More states than are asked for cost memory, without pruning the disk too.
  const groups = [
    ['--host', '127.0.0.1', '--port', String(input.clientPort ?? 0), '--no-cors', '--color', 'never'],
    ['--init', genesisFile, '--chain-id', chainId, '--timestamp', timestamp, '--hardfork', 'prague'],
    ['--accounts', '0', '--disable-default-create2-deployer', '--disable-console-log'],
    ['--no-mining', '--slots-in-an-epoch', '0', '--prune-history', String(KEPT_STATES)],
    ['--cache-path', join(input.directory, 'cache')],
  ]
  const { directory } = input
  const child = guardedProcess({ path, args: groups.flat(), directory, env: environment(input) })
  return { child, whenReady: async () => rpcClient(Number((await whenSaid(LISTENING, child, input))[1])) }
}

function startEdr(input: StartExecutionInput, { path, genesisFile }: Files): Started {
  // The program with the library lies beside this one, built or as a source.
  const program = join(import.meta.dirname, `edr-child${extname(import.meta.filename)}`)
  const options = { cwd: input.directory, env: environment(input), windowsHide: true }
  const child = startedOr(() =>
    spawn(process.execPath, [program, path, genesisFile], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }),
  )
  if (child instanceof Error)
    return { child: neverStarted(child), whenReady: () => Promise.reject(anvilNotReady(child.message, '')) }
  return edrClient(input, child)
}

function edrClient(input: StartExecutionInput, child: ChildProcess): Started {
  const watched = watchedProcess(child, () => child.kill('SIGKILL'))
  const waiting = new Map<number, { resolve: (reply: string) => void; reject: (reason: unknown) => void }>()
  child.on('message', ({ id, reply }: EdrReply) => {
    waiting.get(id)?.resolve(reply)
    waiting.delete(id)
  })
  void watched.ended.then(({ how }) => {
    for (const { reject } of waiting.values()) reject(new Error(how))
    waiting.clear()
  })
  let lastId = 0
  const ask = async (method: string, params: readonly unknown[]) => {
    lastId += 1
    const id = lastId
    const reply = new Promise<string>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      child.send({ id, method, params }, (error) => error !== null && reject(error))
    })
    try {
      return readAnswer(await reply, id)
    } catch (error) {
      throw anvilUnreachable(method, error)
    }
  }
  const client = { exchange: edrInAnvilWords(ask), close: () => undefined }
  return { child: watched, whenReady: () => whenSaid(READY, watched, input).then(() => client) }
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

function whenSaid(
  words: RegExp,
  child: WatchedProcess,
  input: StartExecutionInput,
): Promise<RegExpExecArray> {
  const waiting = new AbortController()
  return new Promise<RegExpExecArray>((resolve, reject) => {
    const fail = (reason: string): void => reject(anvilNotReady(reason, lastWords(child)))
    const forget = child.onOutput((output) => {
      const match = words.exec(output)
      if (match !== null) resolve(match)
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
/** The first block, of our own chain: on a port another process may answer, and anvil's coinbase tells whose it is. */
async function readGenesis(
  client: RpcClient,
  input: StartExecutionInput & { mayBeAnother: boolean },
): Promise<DevnetBlock> {
  const found = await rpcCall(client.exchange)('eth_getBlockByNumber', ['0x0', false])
  const block = readBlock(found as RpcBlock)
  const { coinbase } = input.genesis
  if (input.mayBeAnother && !sameHex(block.feeRecipient, coinbase))
    throw anvilForeignChain(block.hash, `one paid to ${coinbase}`)
  const expected = input.genesisHashExpected
  if (expected !== undefined && !sameHex(block.hash, expected)) throw anvilForeignChain(block.hash, expected)
  return block
}

function running(parts: { child: WatchedProcess; client: RpcClient; genesisBlock: DevnetBlock }): BareClient {
  const { child, client, genesisBlock } = parts
  let isReported = false
  const died = new Promise<BaseError>((resolve) => {
    void child.ended.then(({ how }) => {
      if (!isReported) resolve(anvilDied(how, lastWords(child)))
    })
  })
  return {
    exchange: client.exchange,
    genesisBlock,
    died,
    async stop() {
      isReported = true
      client.close()
      await child.stop()
    },
  }
}

function lastWords(child: WatchedProcess): string {
  return safeText(child.output().trim().split('\n').slice(-3).join(' '))
}
