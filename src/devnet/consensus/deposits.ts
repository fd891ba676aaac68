import { devnetError } from '../../core/base/errors/devnet.ts'
import { bytesToHex, type Hex, hexToBytes, isHex } from '../../core/base/format/hex.ts'
import { findValidatorIndex } from '../../core/chain/consensus/process-epoch.ts'
import type { ConsensusDeposit, ConsensusState, WithdrawalRequest } from '../../core/chain/consensus/state.ts'
import { verifyByPrecompile } from '../../core/chain/deposit/precompile.ts'
import type { RpcCall } from '../execution/client.ts'
import { WITHDRAWAL_REQUESTS } from '../execution/genesis.ts'
import type { ExecutionLog } from '../execution/mine-slot.ts'

/** A deposit event as the contract wrote it. */
export type LoggedDeposit = {
  pubkey: Hex
  withdrawalCredentials: Hex
  amountGwei: bigint
  signature: Hex
  index: bigint
}

/** What the logs of one block ask of the consensus side, each in the order of the block. */
export type BlockEvents = { deposits: LoggedDeposit[]; withdrawalRequests: WithdrawalRequest[] }

const DEPOSIT_TOPIC = '0x68af751683498a9f9be59fe8b0d52a64dd155255d85cdb29fea30b1e3f891d46'

const REQUEST_BYTES = 76

/** Reads the deposits and withdrawal requests (EIP-7002) out of a block's logs. */
export function readBlockEvents(logs: readonly ExecutionLog[], depositContract: Hex): BlockEvents {
  const from = (address: string) => logs.filter((log) => log.address.toLowerCase() === address.toLowerCase())
  return {
    deposits: from(depositContract)
      .filter((log) => log.topics[0] === DEPOSIT_TOPIC)
      .map((log) => readDeposit(hexToBytes(log.data))),
    withdrawalRequests: from(WITHDRAWAL_REQUESTS).map((log) => readRequest(hexToBytes(log.data))),
  }
}

/** The five fields of the event; only our own contract writes it, so their places are sure. */
function readDeposit(data: Uint8Array): LoggedDeposit {
  return {
    pubkey: bytesAt(data, 0),
    withdrawalCredentials: bytesAt(data, 1),
    amountGwei: word(data, 2 * 32),
    signature: bytesAt(data, 3),
    index: word(data, 4 * 32),
  }
}

/** A dynamic field of ABI data: its head holds the place of its length, its content follows. */
function bytesAt(data: Uint8Array, field: number): Hex {
  const start = Number(word(data, field * 32))
  const length = Number(word(data, start))
  return bytesToHex(data.subarray(start + 32, start + 32 + length))
}

function word(data: Uint8Array, offset: number): bigint {
  return BigInt(bytesToHex(data.subarray(offset, offset + 32)))
}

/** Sender (20 bytes), public key (48) and amount in gwei (8, big-endian). */
function readRequest(data: Uint8Array): WithdrawalRequest {
  if (data.length !== REQUEST_BYTES) throw new RangeError('a withdrawal request is 76 bytes')
  return {
    sourceAddress: bytesToHex(data.subarray(0, 20)),
    pubkey: bytesToHex(data.subarray(20, 68)),
    amountGwei: BigInt(bytesToHex(data.subarray(68))),
  }
}

/** The chain that first deposits must be signed for. */
export type SigningChain = { genesisForkVersion: Hex; genesisValidatorsRoot: Hex }

/** What became of a deposit: credited to a known key, a new validator, or lost. */
type DepositOutcome = 'top-up' | 'registered' | 'burnt'

export type JudgedDeposit = ConsensusDeposit & { index: bigint; outcome: DepositOutcome }

/**
 * Decides for each deposit, in order, what consensus does with it: a known key's balance grows and nothing else is
 * read; an unknown key's signature is put to the execution client's own curve operations, so that no code of the
 * signer takes part. Throws when the client cannot answer.
 */
export async function judgeDeposits(
  deposits: readonly LoggedDeposit[],
  state: ConsensusState,
  judge: { chain: SigningChain; rpc: RpcCall },
): Promise<JudgedDeposit[]> {
  const judged: JudgedDeposit[] = []
  const registered = new Set<Hex>()
  for (const deposit of deposits) {
    const known =
      registered.has(deposit.pubkey) || findValidatorIndex(state.validators, deposit.pubkey) !== undefined
    const signatureValid = known || (await isSigned(deposit, judge))
    if (signatureValid) registered.add(deposit.pubkey)
    judged.push({
      pubkey: deposit.pubkey,
      withdrawalCredentials: deposit.withdrawalCredentials,
      amountGwei: deposit.amountGwei,
      index: deposit.index,
      signatureValid,
      outcome: outcomeOf({ known, signatureValid }),
    })
  }
  return judged
}

function outcomeOf(facts: { known: boolean; signatureValid: boolean }): DepositOutcome {
  if (facts.known) return 'top-up'
  return facts.signatureValid ? 'registered' : 'burnt'
}

async function isSigned(
  deposit: LoggedDeposit,
  judge: { chain: SigningChain; rpc: RpcCall },
): Promise<boolean> {
  const { pubkey, withdrawalCredentials, amountGwei, signature } = deposit
  const { genesisForkVersion, genesisValidatorsRoot } = judge.chain
  const verdict = await verifyByPrecompile(
    { pubkey, withdrawalCredentials, amountGwei, signature, genesisForkVersion, genesisValidatorsRoot },
    async (to, data) => asHex(await judge.rpc('eth_call', [{ to, data }, 'latest'])),
  )
  if (verdict.verdict === 'unknown')
    throw devnetError('devnet.signature-undecided', deposit.pubkey, verdict.words)
  return verdict.verdict === 'accepted'
}

function asHex(value: unknown): Hex {
  if (!isHex(value)) throw new TypeError('the client answered with something that is not bytes')
  return value
}
