import type { Network } from '../core/chain/network/network.ts'
import { countWords, type ReportEnding } from './report.ts'

/** Every sentence of the command `genesis` that the step does not say. */
export const GENESIS_REPORT_TEXT = {
  /** Parts of a genesis file that have a row of their own. */
  parts: {
    fork: { label: 'fork version' },
    chain: { label: 'engine chain id' },
  },
  other: (found: string, expected: string) => `${found}, expected ${expected}`,
  validators: (count: number) => `${count} validators`,
  thisComputer: 'this computer',
  /** Of a file for which nobody named a network. */
  limitsOf: ({ label }: Network) => `Computed with the limits of ${label}: no network was named.`,
  file: (is: ReportEnding['is'], which: string, named: Network | undefined): string => {
    if (is === 'unknown') return `Not certain: see "${which}".`
    if (named === undefined) return 'The root is computed. Nothing here says of which network it is.'
    return is === 'yes'
      ? `This is the genesis file of ${named.label}.`
      : `This is not the genesis file of ${named.label}: deposit nothing for its root.`
  },
  chain: ({ is, checks, bad, which }: ReportEnding, { label }: Network): string => {
    switch (is) {
      case 'yes':
        return `All ${checks} answers name one chain: ${label}.`
      case 'no':
        return `${countWords(bad, 'answer does', 'answers do')} not fit ${label} (${which}): send nothing.`
      case 'unknown':
        return `${countWords(bad, 'answer is', 'answers are')} missing (${which}): the chain is not certain.`
    }
  },
}
