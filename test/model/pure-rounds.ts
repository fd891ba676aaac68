import { type Hex, sameHex } from '../../src/core/base/format/hex.ts'
import type { DepositEvent, MadeDeposit } from '../../src/core/chain/deposit/event.ts'
import {
  agreementOf,
  draftOf,
  endedOf,
  finalBlockOf,
  hashesOf,
  includedOf,
  liveOf,
  newestBytes,
} from '../../src/core/pay/payment/candidates.ts'
import type { Draft, PaymentState } from '../../src/core/pay/payment/payment.ts'
import type {
  PaymentReply,
  ReceiptFacts,
  ReplyOrError,
  Round,
  RoundPart,
} from '../../src/core/pay/payment/round.ts'
import type { ErrorFacts } from '../../src/core/view/observation.ts'
import { SLOT_MS } from './chain.ts'
import { DEPOSIT_CONTRACT, type Endpoint, type SaidDeposit } from './endpoint.ts'
import type { Host } from './program.ts'
import { askKey, isRecent, type Said as Looked, lookAtSecond } from './rules.ts'
import { dataOf, fieldsOf, PUBKEY, weiOf } from './txs.ts'

const GWEI = 1_000_000_000n
const DIGEST: Hex = `0x${'d1'.repeat(32)}`
const FEE_WEI = 100_000n * GWEI
const UNKNOWN: Looked = { good: false, unknown: true, words: 'silent' }

export const failure = (shortMessage: string): ErrorFacts => ({
  code: 'model',
  shortMessage,
  details: [],
  nextSteps: [],
  retryable: true,
  money: 'untouched',
})
const SILENT = failure('silent')

/** Looks at a payment, made from the model as the real looks are made from what endpoints answer. */
export type Rounds = {
  look(atMs: number, gateOpenAtMs: number | undefined): Round
  withPart(round: Round, part: RoundPart): Round
}

export function createRounds(host: Host, now: () => PaymentState, holdAccount: () => boolean): Rounds {
  const { endpoints, chain } = host
  const [first, second] = endpoints
  const drafts = (): readonly Draft[] => {
    const draft = draftOf(now())
    return draft === undefined ? now().abandoned : [draft, ...now().abandoned]
  }

  function look(atMs: number, gateOpenAtMs: number | undefined): Round {
    host.asked()
    return {
      atMs,
      slotMs: SLOT_MS,
      byEndpoint: endpoints.map((endpoint) => sayOf(endpoint)),
      gateOpenAtMs,
      keyChecks: undefined,
      toExport: undefined,
      reason: undefined,
    }
  }

  function sayOf(endpoint: Endpoint): ReplyOrError {
    const { name } = endpoint
    if (!endpoint.answers()) return { endpoint: name, error: SILENT }
    const draft = draftOf(now())
    const given = draft === undefined ? undefined : receiptAt(endpoint, draft)
    if (given === 'odd') return { endpoint: name, error: SILENT }
    const isHeld = given === undefined ? holdsNoted(endpoint) : undefined
    const final = finalBlockOf(now())
    const receipt =
      given ?? (isHeld === true && final ? ({ ...final, status: 'success' } as const) : undefined)
    const bytes = liveOf(now()) === undefined ? undefined : newestBytes(now())
    const ended = endedOf(now())
    return {
      endpoint: name,
      receipt,
      knows: receipt === undefined && bytes !== undefined && endpoint.transaction(bytes.hash) !== undefined,
      nonces: noncesAt(endpoint),
      headIsRecent: ended === undefined || isRecent(host, endpoint.head()),
      head: liveOf(now()) === undefined ? undefined : BigInt(endpoint.head()),
      finalizedNumber: receipt === undefined ? -1n : BigInt(endpoint.finalized()),
      deposits: undefined,
      notedIsGone: isHeld === false,
    }
  }

  function receiptAt(endpoint: Endpoint, { signer }: Draft): ReceiptFacts | 'odd' | undefined {
    for (const hash of hashesOf(now()).toReversed()) {
      const said = endpoint.receipt(hash)
      if (said === undefined) continue
      if (signer !== 'contract' && !sameHex(said.from, draftOf(now())?.from ?? '')) return 'odd'
      return {
        hash,
        status: said.success ? 'success' : 'reverted',
        blockNumber: BigInt(said.block),
        blockHash: chain.blockHash(said.block),
        feeWei: signer === 'contract' ? 0n : FEE_WEI,
      }
    }
    return undefined
  }

  function noncesAt(endpoint: Endpoint): PaymentReply['nonces'] {
    const found: { address: Hex; final: number; latest: number; pending: number }[] = []
    for (const { signer, from: address } of drafts()) {
      if (signer === 'contract' || found.some((one) => one.address === address)) continue
      found.push({
        address,
        final: endpoint.finalNonce(address),
        latest: endpoint.nonce(address),
        pending: endpoint.pending(address),
      })
    }
    return found
  }

  function holdsNoted(endpoint: Endpoint): boolean | undefined {
    const included = finalBlockOf(now()) ?? includedOf(now())
    const number = Number(included?.blockNumber ?? -1n)
    if (included === undefined || endpoint.head() < number) return undefined
    return (
      chain.blockHash(number) === included.blockHash && endpoint.transaction(included.hash)?.block === number
    )
  }

  function withPart(round: Round, part: RoundPart): Round {
    switch (part) {
      case 'deposits':
        return {
          ...round,
          byEndpoint: round.byEndpoint.map((said, at) => withDeposits(said, endpoints[at === 0 ? 0 : 1])),
        }
      case 'keyChecks':
        return { ...round, keyChecks: worldOf(round) }
      case 'toExport':
        return {
          ...round,
          toExport: { accountHeld: holdAccount(), digest: DIGEST },
        }
      case 'reason':
        return { ...round, reason: 'refused' }
    }
  }

  function withDeposits(said: ReplyOrError, endpoint: Endpoint): ReplyOrError {
    if ('error' in said) return said
    const all = drafts()
    const oldest = Math.min(...all.map(({ baseline }) => Number(baseline.blockNumber)))
    return {
      ...said,
      deposits: all.length === 0 ? 'unknown' : endpoint.deposits(oldest).map(madeOf),
    }
  }

  function worldOf({ byEndpoint: said }: Round): Looked[] {
    const isSilent = said.map((one) => 'error' in one)
    const looks: Looked[] = []
    if (isSilent[0] === true && isSilent[1] === true) return [UNKNOWN]
    const [a, b] =
      isSilent[0] === true ? [second, undefined] : [first, isSilent[1] === true ? undefined : second]
    looks.push(askKey(host, { first: a, second: b, block: a.head() }, agreementOf(now())))
    if (isSilent[1] !== true) looks.push(lookAtSecond(host, second, agreementOf(now())))
    return looks
  }

  return { look, withPart }
}

/** The deposit events of the model. Made once: only call and amount differ. */
const eventsMade = new Map<string, DepositEvent>()
function eventOf(call: SaidDeposit['call'], amount: number): DepositEvent {
  const key = `${call}${amount}`
  const known = eventsMade.get(key)
  if (known !== undefined) return known
  const made = { pubkey: PUBKEY, ...fieldsOf(call), amountGwei: weiOf(amount) / GWEI, index: 0n }
  eventsMade.set(key, made)
  return made
}

function madeOf({ hash, block, call, amount, to, sender }: SaidDeposit): MadeDeposit {
  return {
    hash,
    block: BigInt(block),
    valueWei: weiOf(amount),
    event: eventOf(call, amount),
    input: sender !== undefined && to === DEPOSIT_CONTRACT ? dataOf(call) : undefined,
    sender,
  }
}
