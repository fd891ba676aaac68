import type { Effects } from '../../src/core/base/effects/effects.ts'
import { encodeFirstDeposit, encodeRescueDeposit } from '../../src/core/chain/deposit/calldata.ts'
import { addressOf } from '../../src/core/chain/deposit/credentials.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import { openJournalFile } from '../../src/core/wizard/journal/journal-file.ts'
import type { DurableEvent } from '../../src/core/wizard/state.ts'
import { EXECUTION_GENESIS_HASH } from './replay-execution.ts'
import { madeUp } from './replay-made-up.ts'
import type { RecordedDeposit } from './replay-recording.ts'

/** A first deposit of our own that is final; `signedGwei` where another amount was signed than was sent. */
export type SentDeposit = { deposit: RecordedDeposit; signedGwei?: bigint }

/** Writes the journal of a wizard that has signed and sent this deposit before. */
export async function writeReplayJournal(effects: Effects, setup: Setup, sent: SentDeposit): Promise<void> {
  const { network } = setup
  const journal = await openJournalFile(effects, setup, {
    networkId: network.id,
    genesisValidatorsRoot: network.genesisValidatorsRoot,
    executionGenesisHash: EXECUTION_GENESIS_HASH,
    pubkey: sent.deposit.pubkey,
  })
  for (const event of eventsOf(setup, sent)) await journal.append(event)
  await journal.close()
}

function eventsOf({ network }: Setup, { deposit, signedGwei }: SentDeposit): DurableEvent[] {
  const { pubkey, credentials: withdrawalCredentials, signature, block } = deposit
  const sentGwei = BigInt(deposit.amountGwei)
  const amountGwei = signedGwei ?? sentGwei
  const rescue = /^0x0+$/.test(deposit.operator)
  const operator = rescue ? deposit.from : deposit.operator
  const withdrawalAddress = addressOf(withdrawalCredentials)
  const fields = { pubkey, withdrawalCredentials, signature }
  const data = rescue ? encodeRescueDeposit(fields) : encodeFirstDeposit({ ...fields, operator })
  const valueWei = sentGwei * 10n ** 9n
  const plan = { to: network.spec.depositContract, valueWei, data }
  const fees = { gasLimit: 150_000n, maxFeePerGasWei: madeUp.feePerGasWei, maxPriorityFeePerGasWei: 1n }
  const transaction = { chainId: network.executionChainId, nonce: madeUp.nonce(block - 1), ...plan, ...fees }
  const before = {
    blockNumber: BigInt(block - 1),
    blockHash: madeUp.blockHash(block - 1),
    balanceWei: madeUp.balanceWei(block - 1, [deposit]),
  }
  const hash = madeUp.transactionHash(deposit)
  const included = {
    hash,
    blockNumber: BigInt(block),
    blockHash: madeUp.blockHash(block),
    feeWei: madeUp.feeWei(deposit),
  }
  const step = 'deposit' as const
  return [
    { step: 'sign', type: 'planned', plan: { withdrawalAddress, operator, amountGwei, rescue } },
    {
      step: 'sign',
      type: 'signed',
      signature: { withdrawalAddress, withdrawalCredentials, operator, amountGwei, signature, rescue },
    },
    { step, type: 'agreed', plan, world: { about: rescue ? 'burnt-key' : 'unused-key' } },
    {
      step,
      type: 'prepared',
      draft: { signer: 'keystore', transaction, from: deposit.from, baseline: before },
    },
    { step, type: 'signed', raw: '0x02', hash },
    { step, type: 'handed-over', attempt: 1, endpoint: 'replay' },
    { step, type: 'included', ...included },
    { step, type: 'ended', outcome: { is: 'paid' } },
  ]
}
