import { keccak256, parseTransaction } from 'viem'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { sentBytes } from './sent-bytes.ts'

/** An endpoint that says it took some bytes, and keeps them for itself. */
export type KeepingPool = {
  mutate: (effects: Effects) => Effects
  /** What was kept, oldest first, each once. */
  kept: readonly Hex[]
}

/** Keeps the bytes that `keeps` says; `place` counts different bytes from 0. */
export function keepingPool(keeps: (place: number, raw: Hex) => boolean): KeepingPool {
  const seen: Hex[] = []
  const kept: Hex[] = []
  return {
    kept,
    mutate: (effects) => ({
      ...effects,
      http: {
        async request(request) {
          const raw = sentBytes(request)
          if (raw === undefined) return effects.http.request(request)
          if (!seen.includes(raw)) seen.push(raw)
          if (!keeps(seen.indexOf(raw), raw)) return effects.http.request(request)
          if (!kept.includes(raw)) kept.push(raw)
          const { id } = JSON.parse(request.body ?? '{}') as { id: number }
          const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: keccak256(raw) }))
          return {
            status: 200,
            headers: { 'content-type': 'application/json' },
            body: new Uint8Array(body),
          }
        },
      },
    }),
  }
}

/** The fields of signed bytes that replacing must keep or raise. */
export function fieldsOf(raw: Hex) {
  const {
    nonce,
    to,
    value,
    data,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
  } = parseTransaction(raw as `0x02${string}`)
  return { nonce: nonce ?? 0, to, value: value ?? 0n, data, maxFeePerGas, maxPriorityFeePerGas }
}
