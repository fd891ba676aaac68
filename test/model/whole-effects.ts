import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import type { Effects, UnsignedTransaction } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { ACCOUNT, type Tx } from './chain.ts'
import { Died, type Host } from './program.ts'
import { txOf } from './txs.ts'
import { answerNode, answerRpc } from './whole-endpoint.ts'

export const FIRST_URL = 'http://first.example:8545'
export const SECOND_URL = 'http://second.example:8545'
export const NODE_URL = 'http://node.example:3500'

export const PAYER: PrivateKeyAccount = privateKeyToAccount(
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
)
const ENCODER = new TextEncoder()

type Signature = { raw: Hex; tx: Tx }
const signatures = new Map<string, Signature>()
const byRaw = new Map<Hex, Tx>()

/** Signs with the key of the paying account; the same transaction is signed once in a whole run. */
export async function signWithKey(unsigned: UnsignedTransaction): Promise<Signature> {
  const { chainId, nonce, to, data, valueWei, gasLimit } = unsigned
  const { maxFeePerGasWei, maxPriorityFeePerGasWei } = unsigned
  const key = [nonce, to, data, valueWei, gasLimit, maxFeePerGasWei, maxPriorityFeePerGasWei].join()
  const known = signatures.get(key)
  if (known !== undefined) return known
  const raw = await PAYER.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to,
    data,
    value: valueWei,
    gas: gasLimit,
    maxFeePerGas: maxFeePerGasWei,
    maxPriorityFeePerGas: maxPriorityFeePerGasWei,
  })
  const made = { raw, tx: txOf(unsigned, ACCOUNT, keccak256(raw)) }
  signatures.set(key, made)
  byRaw.set(raw, made.tx)
  return made
}

/** A clock and a world of the model for the real commands; nothing in it happens but by `pass` and `settle`. */
export type Engine = {
  effects: Effects
  /** Lets the time pass up to a moment; whoever sleeps wakes in order. */
  pass(untilMs: number): Promise<void>
  /** Resolves once nothing moves any more without time. */
  settle(): Promise<void>
  /** Something of the program moves. */
  stir(): void
  /** Whether a signature is waited for; answers it. */
  prompt(): { answer(isSigned: boolean): void } | undefined
  /** Nothing of the program goes on. */
  kill(): void
  isDead(): boolean
}

type Timer = { atMs: number; wake: () => void }
const forever = (): Promise<never> => new Promise(() => undefined)
const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createEngine(host: Host): Engine {
  let now = host.startedAtMs
  let dead = false
  let moves = 0
  let timers: Timer[] = []
  let prompt: { answer(isSigned: boolean): void } | undefined

  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason)
      moves += 1
      const giveUp = () => {
        timers = timers.filter((one) => one !== timer)
        moves += 1
        reject(signal?.reason)
      }
      const wake = () => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      const timer = { atMs: now + ms, wake }
      timers.push(timer)
      signal?.addEventListener('abort', giveUp)
    })

  const give = (at: 0 | 1, raw: Hex): { result: Hex } | { error: string } => {
    const tx = byRaw.get(raw)
    if (tx === undefined) throw new Error('bytes that nobody signed')
    const answer = host.give(at, tx.hash)
    return answer === 'taken' ? { result: tx.hash } : { error: answer }
  }

  const request: Effects['http']['request'] = async ({ url, body = '', deadlineMs, signal }) => {
    moves += 1
    if (dead) return forever()
    signal?.throwIfAborted()
    if (url.startsWith(NODE_URL)) return reply(answerNode(host.chain, new URL(url).pathname))
    const at = url.startsWith(FIRST_URL) ? 0 : 1
    const endpoint = host.endpoints[at]
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] }
    const { silent } = endpoint.stance()
    if (silent === 'refuses') throw httpError('http.unreachable', url, 'ECONNREFUSED')
    try {
      if (silent === 'hangs') {
        // It may have taken what it does not answer.
        if (method === 'eth_sendRawTransaction') give(at, params[0] as Hex)
        await sleep(deadlineMs, signal)
        throw httpError('http.timeout', url, deadlineMs)
      }
      host.asked()
      const answer = answerRpc(host.chain, endpoint, { method, params }, (raw) => give(at, raw))
      if ('result' in answer) return reply({ jsonrpc: '2.0', id, result: answer.result })
      return reply({ jsonrpc: '2.0', id, error: { code: -32000, message: answer.error, data: null } })
    } catch (thrown) {
      if (!(thrown instanceof Died)) throw thrown
      dead = true
      return forever()
    }
  }

  const refuse = () => Promise.reject(new Error('not in this world'))
  const effects: Effects = {
    clock: { nowMs: () => now, monotonicMs: () => now, sleep },
    http: { request },
    files: { read: refuse, facts: refuse, findProgram: refuse },
    store: {
      readText: refuse,
      list: async () => [],
      openAppend: refuse,
      writeText: async () => undefined,
      holderOf: async () => undefined,
      lock: refuse,
    },
    random: { bytes: (length) => new Uint8Array(length) },
    signer: {
      inspect: refuse,
      signDeposit: refuse,
      keystoreAddress: async () => ({ address: PAYER.address }),
      signGuard: refuse,
      signTransaction: ({ transaction, prompt: { speedsUp } }) =>
        new Promise((resolve, reject) => {
          moves += 1
          prompt = {
            answer(isSigned) {
              prompt = undefined
              if (!isSigned) return reject(walletError('signer.cancelled'))
              void signWithKey(transaction).then(({ raw, tx }) => {
                const paying = speedsUp ? 'speed-up' : 'payment'
                host.signed(tx, tx.call === 'nothing' ? 'cancellation' : paying)
                resolve({ rawTransaction: raw, hash: tx.hash, from: ACCOUNT })
              })
            },
          }
        }),
    },
    exec: { run: refuse, scratch: refuse },
  }

  const settle = async () => {
    for (let before = -1; before !== moves; ) {
      before = moves
      await immediate()
    }
  }

  return {
    effects,
    settle,
    stir() {
      moves += 1
    },
    prompt: () => prompt,
    isDead: () => dead,
    kill() {
      dead = true
      timers = []
      prompt = undefined
    },
    async pass(untilMs) {
      for (;;) {
        let first: Timer | undefined
        for (const one of timers)
          if (one.atMs <= untilMs && (first === undefined || one.atMs < first.atMs)) first = one
        if (first === undefined || dead) break
        const { atMs } = first
        now = Math.max(now, atMs)
        const due = timers.filter((one) => one.atMs === atMs)
        timers = timers.filter((one) => one.atMs !== atMs)
        for (const { wake } of due) wake()
        moves += 1
        await settle()
      }
      now = Math.max(now, untilMs)
    },
  }
}

function reply(value: unknown) {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: ENCODER.encode(JSON.stringify(value)),
  }
}
