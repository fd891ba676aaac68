import { chainSentence, type NodeDoubt } from '../../network/node-doubt.ts'

/** The title of a screen whose facts are not of now. */
export function doubtTitle({ is, beside }: NodeDoubt): string {
  if (is === 'silent') return 'Your node does not answer'
  return beside.is === 'ahead' ? 'Your node stands still' : 'No new block is seen'
}

/** From when the facts are, and what of the chain is known since. */
export function doubtIntro({ is, slot, beside }: NodeDoubt, epoch: bigint): string {
  const last = is === 'silent' ? 'The last answer of your node' : 'The newest block of your node'
  const chain = chainSentence(beside)
  return `${last}: slot ${slot} · epoch ${epoch}. ${chain} Whether an epoch boundary has changed anything is not known.`
}

/** What to do, for the money band. */
export function doubtMoney({ is, beside }: NodeDoubt): string {
  if (is === 'silent') return 'your node does not answer: start it again'
  return beside.is === 'ahead'
    ? 'your node stands still: restart it'
    : 'no new block is seen: look at your node'
}
