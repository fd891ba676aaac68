import { dirname, join } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { isError } from '../core/base/errors/base.ts'
import type { Setup } from '../core/chain/facts.ts'
import type { ReceiptView } from '../core/view/desk-words.ts'
import type { EndCard } from '../core/wizard/story/end-card.ts'

/** Returns an end card as the lines that stay in the history of the terminal. */
export function cardReceipt({ title, verdict, rows }: EndCard): ReceiptView {
  return { title, rows: rows.map(({ label, text }) => ({ label, value: text })), next: [verdict] }
}

function cardMarkdown({ title, verdict, rows }: EndCard): string {
  return [`# ${title}`, verdict, ...rows.map(({ label, text }) => `- **${label}**: ${text}`), ''].join('\n\n')
}

/**
 * Writes an end card beside the receipt of its network, in place of an earlier one. Resolves to its path, or to undefined
 * where it cannot be written: the lines in the terminal say the same.
 */
export async function writeCard(
  { store }: Pick<Effects, 'store'>,
  card: EndCard,
  { journalDirectory }: Pick<Setup, 'journalDirectory'>,
): Promise<string | undefined> {
  const path = join(dirname(journalDirectory), 'story.md')
  try {
    await store.writeText(path, cardMarkdown(card), { replace: true })
    return path
  } catch (thrown) {
    if (isError(thrown, 'file')) return undefined
    throw thrown
  }
}
