import { formatGwei } from '../../base/format/amount.ts'
import type { Network } from '../../chain/network/network.ts'
import type { PermissionTable } from '../../view/view.ts'

type Cell = PermissionTable['rows'][number]['cells'][number]

const NO: Cell = { short: '·', text: '' }

const may = (text: string): Cell => ({ short: '●', text })

const so = (short: string, text: string): Cell => ({ short, text })

/** The four accounts of a validator: what each of them can do, and what follows where one is lost or stolen. */
function whoCanDoWhat({ names, spec }: Pick<Network, 'names' | 'spec'>): PermissionTable {
  const threshold = `${formatGwei(spec.activationBalanceGwei)} ${names.token}`
  const most = `${formatGwei(spec.maxEffectiveBalanceGwei)} ${names.token}`
  return {
    key: 'w',
    label: 'who can do what',
    title: 'Who can do what',
    columns: ['withdrawal', 'operator', 'validator key', 'paying account'],
    rows: [
      {
        label: 'receives the stake',
        cells: [may(`all of it after the exit, and before that what is above ${most}`), NO, NO, NO],
      },
      {
        label: 'asks for exit or part',
        cells: [
          may(
            `for the exit, or for a part of what is above ${threshold}, while the validator is active. No other key can ask.`,
          ),
          NO,
          NO,
          NO,
        ],
      },
      {
        label: 'gets the rewards',
        cells: [
          NO,
          may('manages and receives them, and nothing else: the stake is never paid to it'),
          NO,
          NO,
        ],
      },
      {
        label: 'names a new operator',
        cells: [NO, may('the new one can accept after a day; until then it can be cancelled'), NO, NO],
      },
      {
        label: 'signs blocks',
        cells: [NO, NO, may('and votes, in your node. Before that it signs the first deposit.'), NO],
      },
      {
        label: 'pays deposits, fees',
        cells: [
          NO,
          NO,
          NO,
          may(
            'any account may pay a top-up. Paying gives no right to the validator, and nothing comes back to it.',
          ),
        ],
      },
      {
        label: 'can be changed',
        cells: [
          so('never', 'never: it is signed into the first deposit'),
          so('in a day', 'by itself alone, with a delay of a day'),
          so('never', 'never: another key is another validator'),
          so('any time', 'at any time: each payment may have another one'),
        ],
      },
      {
        label: 'when lost',
        cells: [
          so(
            'stake out of reach',
            'nobody can ask for the exit, and the stake would be paid to an address that nobody can use',
          ),
          so(
            'rewards not managed',
            'nobody can manage the rewards any more, or use those that come. The stake is not touched.',
          ),
          so(
            'no blocks; exit works',
            'your node signs nothing any more. The withdrawal address can still ask for the exit while the validator is active.',
          ),
          so('only what is on it', 'what is on it. The validator is not touched.'),
        ],
      },
      {
        label: 'when stolen',
        cells: [
          so(
            'thief takes the stake',
            'the thief asks for the exit and receives the stake. The address cannot be changed to save it.',
          ),
          so(
            'rewards to a thief',
            'the thief manages and receives the rewards, and after a day can do so by an account of his own. The stake is not touched.',
          ),
          so(
            'signs, moves no stake',
            'the thief can sign blocks with it, but moves no stake and no rewards. Before the first deposit he can register the key with addresses of his own.',
          ),
          so('only what is on it', 'what is on it. The validator is not touched.'),
        ],
      },
    ],
    note: 'The fees of its blocks go where app.toml says: whoever runs the node sets it.',
  }
}

/** Every sentence of the picture of who can do what. */
export const PICTURE_TEXT = { whoCanDoWhat }
