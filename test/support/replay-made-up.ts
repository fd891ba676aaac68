import { encodeAbiParameters, keccak256 } from 'viem'
import type { KeyFacts } from '../../src/core/base/effects/effects.ts'
import { bytesToHex, type Hex } from '../../src/core/base/format/hex.ts'
import { DEPOSIT_TOPIC } from '../../src/core/chain/deposit/abi.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import {
  type GenesisValidator,
  type RecordedDeposit,
  recordedDeposits,
  recordedSlot,
} from './replay-recording.ts'

const WEI_PER_GWEI = 10n ** 9n
const FEE_PER_GAS_WEI = WEI_PER_GWEI
const FIRST_BALANCE_WEI = 10n ** 27n
const CONTRACT: Hex = '0x4242424242424242424242424242424242424242'
const DEPOSIT_EVENT = [
  { type: 'bytes' },
  { type: 'bytes' },
  { type: 'uint64' },
  { type: 'bytes' },
  { type: 'uint64' },
] as const

/**
 * Everything that stands in for what the recording lacks. Nothing else of a replay is made up.
 * - hashes of execution blocks (that of block 0 is in the genesis file) and of transactions;
 * - the code of the deposit contract, with the network's pinned hash made of it;
 * - balance, nonce and fees of the account that sent the deposits;
 * - headers of the slots of which no proof was recorded: only slot and parent are the recorded ones;
 * - the first deposit of a validator of the genesis file, where a situation looks at one as its own;
 * - what a key file holds besides its public key.
 */
export const madeUp = {
  blockHash: (number: number): Hex => keccak256(bytesOf(`block ${number}`)),
  transactionHash: (deposit: Pick<RecordedDeposit, 'block' | 'pubkey'>): Hex =>
    keccak256(bytesOf(`deposit ${deposit.block} ${deposit.pubkey}`)),
  contractCode: '0x60006000fd' as Hex,
  feeWei: (deposit: Pick<RecordedDeposit, 'gasUsed'>): bigint => BigInt(deposit.gasUsed) * FEE_PER_GAS_WEI,
  feePerGasWei: FEE_PER_GAS_WEI,
  balanceWei,
  nonce: (block: number): number => sentUntil(block, []).length,
  header,
  genesisDeposit,
  keyFacts,
}

function balanceWei(block: number, more: readonly RecordedDeposit[]): bigint {
  return sentUntil(block, more).reduce(
    (left, deposit) => left - BigInt(deposit.amountGwei) * WEI_PER_GWEI - madeUp.feeWei(deposit),
    FIRST_BALANCE_WEI,
  )
}

/** Recorded deposits and those made up, each once. */
function sentUntil(block: number, more: readonly RecordedDeposit[]): RecordedDeposit[] {
  const all = new Set([...recordedDeposits, ...more])
  return [...all].filter((deposit) => deposit.block <= block)
}

/** As `headers/{id}` writes one. */
function header(slot: number) {
  const hash = (what: string) => keccak256(bytesOf(`${what} ${slot}`))
  return {
    slot: String(slot),
    proposer_index: '0',
    parent_root: recordedSlot(slot).parentBeaconBlockRoot,
    state_root: hash('state'),
    body_root: hash('body'),
  }
}

/** A deposit in block 1 with the signature of the genesis file, sent by the account of all recorded deposits. */
function genesisDeposit(validator: GenesisValidator): RecordedDeposit {
  const [like] = recordedDeposits
  if (like === undefined) throw new RangeError('no deposit was recorded')
  const { pubkey, credentials, signature } = validator
  const amountGwei = BigInt(validator.amount)
  const values = [pubkey, credentials, amountGwei, signature, 0n] as const
  const data = encodeAbiParameters(DEPOSIT_EVENT, values)
  const logs = [{ address: CONTRACT, topics: [DEPOSIT_TOPIC], data }]
  const { from, operator, gasUsed, input } = like
  const sent = { from, operator, gasUsed, input, block: 1, note: 'made up', logs }
  return { ...sent, pubkey, credentials, signature, amountGwei: String(amountGwei) }
}

/** A sound key file of this public key. */
function keyFacts(pubkey: Hex): KeyFacts {
  return {
    pubkey,
    uncompressedPubkey: bytesToHex(Buffer.from(engineKey(pubkey), 'base64')),
    address: 'F2079CDB35CC19F07C9F6BAA20936BD19E035454',
    fileHash: keccak256(pubkey),
    storedPubkeyMatches: true,
    storedAddressMatches: true,
    publishedKey: false,
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
