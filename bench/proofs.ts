import { readFileSync } from 'node:fs'
import type { Hex } from '../src/core/base/format/hex.ts'
import { verifyValidatorBalance, verifyValidatorPubkey } from '../src/core/chain/proofs/verify.ts'
import { cpuRow, type Row, timeMs } from './measure.ts'

const RUNS = 200

type Vector = {
  header: { slot: string; proposerIndex: string; parentRoot: Hex; stateRoot: Hex; bodyRoot: Hex }
  proofs: {
    index: number
    pubkey: Hex
    pubkeyProof: Hex[]
    balanceGwei: string
    balanceLeaf: Hex
    balanceProof: Hex[]
  }[]
}

/** Checking Merkle proofs of one validator against a header. */
export function proofs(): Row[] {
  const path = new URL('../test/vectors/proofs.jsonl', import.meta.url)
  const [line = ''] = readFileSync(path, 'utf8').split('\n')
  const { header: given, proofs: items } = JSON.parse(line) as Vector
  const [item] = items
  if (item === undefined) throw new Error('the vector has no proof')
  const header = { ...given, slot: BigInt(given.slot), proposerIndex: BigInt(given.proposerIndex) }
  const index = BigInt(item.index)
  const pubkey = () => verifyValidatorPubkey({ header, index, value: item.pubkey, proof: item.pubkeyProof })
  const balance = () =>
    verifyValidatorBalance({
      header,
      index,
      balanceGwei: BigInt(item.balanceGwei),
      leaf: item.balanceLeaf,
      proof: item.balanceProof,
    })
  if (!pubkey().ok || !balance().ok) throw new Error('a proof of the vectors is refused')
  return [
    cpuRow('check a proof of a public key', timeMs(pubkey, RUNS)),
    cpuRow('check a proof of a balance', timeMs(balance, RUNS)),
  ]
}
