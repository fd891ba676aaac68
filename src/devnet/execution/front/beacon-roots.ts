import { isHex, sameHex } from '../../../core/format/hex.ts'
import { BEACON_ROOTS } from '../contracts.ts'
import type { Ledger } from '../ledger.ts'
import type { FrontAnswer } from '../types.ts'
import { failure, REVERTED } from './world.ts'

/**
 * Answers an `eth_call` to the beacon roots contract (EIP-4788) from the ledger: the contract underneath remembers
 * fewer timestamps than the real one, and the states of older blocks are gone. undefined when the call is another one
 * or names a block that the client has to judge.
 */
export function beaconRootsCall(params: readonly unknown[], ledger: Ledger): FrontAnswer | undefined {
  const [call, block] = params
  if (!isPlainCall(call) || params.length > 2) return undefined
  const atNumber = blockNumber(block, ledger)
  if (atNumber === undefined) return undefined
  const data = call.input ?? call.data
  const root = isHex(data, 32) ? ledger.beaconRootAt(BigInt(data), atNumber) : undefined
  return root === undefined ? failure(REVERTED, 'execution reverted', '0x') : { result: root }
}

type PlainCall = { to: string; data?: unknown; input?: unknown }

function isPlainCall(call: unknown): call is PlainCall {
  if (typeof call !== 'object' || call === null) return false
  return 'to' in call && typeof call.to === 'string' && sameHex(call.to, BEACON_ROOTS)
}

function blockNumber(block: unknown, ledger: Ledger): number | undefined {
  const head = ledger.head().number
  if (block === undefined || block === null || block === 'latest' || block === 'pending') return head
  if (block === 'earliest') return 0
  if (typeof block === 'string') return existing(block, ledger)
  if (typeof block !== 'object') return undefined
  if ('blockHash' in block) return ledger.numberOf(String(block.blockHash))
  return 'blockNumber' in block ? blockNumber(block.blockNumber, ledger) : undefined
}

function existing(text: string, ledger: Ledger): number | undefined {
  if (/^0x[0-9a-f]{64}$/i.test(text)) return ledger.numberOf(text)
  if (!/^0x[0-9a-f]{1,13}$/i.test(text)) return undefined
  const number = Number(text)
  return number <= ledger.head().number ? number : undefined
}
