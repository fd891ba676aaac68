import { getBlock } from '../../clients/execution/get-block.ts'
import { getTransactionReceipt, type Receipt } from '../../clients/execution/get-transaction-receipt.ts'
import { revertReason } from '../../clients/revert-reason.ts'
import { sameHex } from '../../format/hex.ts'
import { clockMs, oddReply, type Search, type Source, slotsSince, words } from './search-track.ts'

/** Slots between the two equal reads that make a block final here. */
const SLOTS_UNTIL_FINAL = 2

/**
 * Follows a receipt until its block is final. What a flapping endpoint says meanwhile, now this block and now that one,
 * is told but not written down: only the first sight of a block is, and the block that becomes final.
 */
export async function minedIn(search: Search, receipt: Receipt, source: Source): Promise<void> {
  const { world, getState, rules, since } = search
  const { step } = rules
  const { prepared, phase } = getState()
  if (prepared === undefined) return
  const byOthers = prepared.contract === true
  if (!byOthers && !sameHex(receipt.from, prepared.from)) throw oddReply(source, 'eth_getTransactionReceipt')
  const success = receipt.status === 'success'
  const { blockNumber, blockHash, transactionHash: hash } = receipt
  const paidWei = receipt.gasUsed * (receipt.effectiveGasPrice ?? prepared.transaction.maxFeePerGasWei)
  const feeWei = byOthers ? 0n : paidWei
  const mined = { step, type: 'mined', blockNumber, blockHash, feeWei, hash } as const
  const held = since.mined?.blockHash === blockHash ? since.mined : { blockHash, atMs: clockMs(search) }
  since.mined = held
  await words(search, source, `in block ${blockNumber}${success ? '' : ', refused by the contract'}`)
  if (success && phase !== 'mined') await world.dispatch(mined)
  if (!slotsSince(search, held.atMs, SLOTS_UNTIL_FINAL)) return
  const finalized = await getBlock(source.client, { block: 'finalized' })
  if (finalized === undefined || finalized.number < blockNumber) return
  const others = await unlike(search, receipt)
  if (others.length > 0) {
    const told = `${success ? 'in' : 'refused in'} block ${blockNumber}, says this one`
    return words(search, source, `${told}; waiting until every endpoint says so`)
  }
  if (success) {
    const written = getState().mined
    const same = written?.hash === hash && sameHex(written.blockHash, blockHash) && written.feeWei === feeWei
    if (!same) await world.dispatch(mined)
    await world.dispatch({ step, type: 'final' })
    return
  }
  const reason = await revertReason(source.client, prepared, blockNumber)
  await world.dispatch({ step, type: 'reverted', reason, feeWei })
}

/**
 * The endpoints that do not say the same of the transaction. What is final ends the search, and a refusal lets the
 * step be begun anew, so one endpoint's word is not enough: all must say it, of the same block.
 */
async function unlike({ sources }: Search, receipt: Receipt) {
  const answers = await Promise.all(
    sources.map(async (source) => ({
      source,
      receipt: await getTransactionReceipt(source.client, { hash: receipt.transactionHash }).catch(
        () => undefined,
      ),
    })),
  )
  return answers.filter(
    ({ receipt: found }) => found?.status !== receipt.status || !sameHex(found.blockHash, receipt.blockHash),
  )
}
