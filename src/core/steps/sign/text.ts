import { formatGwei } from '../../format/amount.ts'
import type { AccountKind } from '../../identity/check-address.ts'
import type { Network } from '../../network/network.ts'
import type { Explain, Picture } from '../view.ts'
import type { SignField } from './typing.ts'

/** Every sentence of the step that signs, beside those of its fields and of the picture of who can do what. */
export const SIGN_TEXT = {
  title: 'Sign the first deposit',
  intro: {
    elsewhere: 'Run the first command below on the key machine, then import the signature here.',
    written: (path: string) => `The deposit file was written: ${path}`,
    planned: (least: string) => `The least that registers is ${least}. Exactly the signed amount is sent.`,
    typed:
      'The withdrawal address gets the stake back and can never be changed, so you retype a part of it. The operator manages the rewards.',
  },
  factsTitle: { there: 'What the key machine signs', here: 'Will the chain accept this signature?' },
  good: (verifiers: number) => `${verifiers} verifiers accept this signature, none refuses. Enter goes on.`,
  judgeThere: 'If bearings is installed on the key machine too, check the signature there with:',
  worst: 'worst case here: none. The signature is only a file until you send it.',
  verifiers: {
    library: {
      label: 'signature library',
      who: () =>
        'This computer, with the signature library (BLS12-381) and the domain tag of this chain (NUL). First every byte is parsed strictly.',
    },
    precompile: {
      label: 'execution client',
      who: () =>
        'Your execution client, with its built-in signature functions (precompiles). Other code than for the signature library computes the signed message.',
    },
    tool: {
      label: 'node tool signs',
      who: (tool: string) =>
        `The node tool (${tool}) signs the same message itself: its 96 bytes must be equal to these.`,
    },
    toolValidate: {
      label: 'node tool checks',
      who: (tool: string) => `The node tool (${tool}) checks this signature.`,
    },
  },
  verifier: {
    what: 'One signature check: does this verifier accept the signature? Two verifiers that share no code must accept it, and none may refuse.',
    later:
      'No. A deposit with a signature that the chain refuses is lost, so this is checked before anything is sent.',
  },
  unasked: {
    notYet: 'not asked yet',
    elsewhere: 'not here: the key is elsewhere',
    noTool: 'not installed',
  },
  keys: {
    edit: 'edit',
    save: 'save deposit file',
    again: 'ask again',
    elsewhere: 'sign elsewhere',
    plan: 'use this plan',
    sign: 'sign',
    correct: 'correct',
  },
  refused: {
    title: 'Stop: one verifier refuses this signature.',
    label: 'signature',
    why: 'The chain keeps the money of a deposit whose signature it refuses. So this program does not send it.',
    next: ['r asks all verifiers again', 'e starts over with other values'],
  },
  tryAgain: 'r tries again',
  brought: {
    label: 'signature',
    hint: '0x and 192 digits, or a deposit file (its path or its text)',
    explain: {
      what: 'The imported signature: what the command on this page printed on the key machine. It is verified here like a signature made here, and must fit exactly this plan.',
      who: 'The key machine; you copy it here. A signature is no secret.',
      later:
        'No. It belongs to this plan alone: for another address or amount the key machine must sign again.',
    },
  },
  again: {
    label: (first: number, second: number) => `groups ${first} and ${second}`,
    proposed: 'retype the 8 characters between [ and ]; in your own address they will be hidden',
    own: 'retype the 8 hidden characters between [ and ] from your own record',
  },
  sameAddress: 'Both are the same address: whoever holds its key gets the stake and manages the rewards.',
  twoAddresses: 'Two addresses: the stake goes to the first, the second manages the rewards.',
} as const

/** Names, hints and explanations of what is typed. */
export const FIELD_TEXT: Readonly<Record<SignField, { label: string; hint: string; explain: Explain }>> = {
  withdrawal: {
    label: 'withdrawal',
    hint: '0x and 40 digits, with the capitals of its checksum',
    explain: {
      what: 'Where the stake is paid out when the validator leaves. It must be an account that you control yourself: not an exchange.',
      who: 'You.',
      later: 'Never. The address is part of the signature, and of the validator for ever.',
    },
  },
  withdrawalAgain: {
    label: 'two groups of it',
    hint: '',
    explain: {
      what: 'A forged address can look the same at both ends. So you retype two groups from the middle, from your own record.',
      who: 'You.',
      later: 'This is only a check.',
    },
  },
  operator: {
    label: 'operator',
    hint: 'manages the validator’s rewards; 0x and 40 digits',
    explain: {
      what: 'The operator: the account that manages the validator’s rewards. It does not receive the stake. The first deposit sets it.',
      who: 'You.',
      later: 'Yes, by this account itself, with a delay of a day.',
    },
  },
  operatorAgain: {
    label: 'two groups of it',
    hint: '',
    explain: {
      what: 'The same check for the operator address.',
      who: 'You.',
      later: 'This is only a check.',
    },
  },
  amount: {
    label: 'amount',
    hint: 'in tokens, with or without commas; the least is proposed',
    explain: {
      what: 'What the first deposit sends. It registers the key; the rest follows as a top-up once the chain knows the validator.',
      who: 'You.',
      later: 'You can add more later. Nothing can be taken out before the activation threshold is reached.',
    },
  },
}

/** Short enough for one line beside where it comes from; what to check, and why, is under `?`. */
export const ACCOUNT_WORDS: Readonly<Record<AccountKind, string>> = {
  sender: 'an account in use',
  receiver: 'has received, never sent',
  delegated: 'delegated: check its code',
  contract: 'a contract: check it',
  unused: 'never used: check it',
}

/** Why it matters what stands at each of the two addresses. */
export const ACCOUNT_EXPLAIN: Readonly<Record<'withdrawal' | 'operator', Explain>> = {
  withdrawal: {
    what: 'What kind of account the withdrawal address is now. The stake arrives there without a call, so a contract must be able to pass it on. Whoever may change the code of a delegated account can take the stake. An address that was never used may be a mistake. The address can never be changed.',
    who: 'Each execution endpoint: the code at the address, the transactions sent from it, its balance.',
    later: 'The account: yes, with every transaction. The address: never.',
  },
  operator: {
    what: 'What kind of account the operator address is now. Only this account can change how the rewards are managed, so a contract must be one that you can act through. An address that was never used may be a mistake.',
    who: 'Each execution endpoint: the code at the address, the transactions sent from it, its balance.',
    later: 'Yes, with every transaction.',
  },
}

type Cell = Picture['rows'][number]['cells'][number]

const NO: Cell = { short: '·', text: '' }
const may = (text: string): Cell => ({ short: '●', text })
const so = (short: string, text: string): Cell => ({ short, text })

/** The four accounts of a validator: what each of them can do, and what follows where one is lost or stolen. */
export function whoCanDoWhat({ names, spec }: Pick<Network, 'names' | 'spec'>): Picture {
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
        label: 'manages the rewards',
        cells: [NO, may('and nothing else: the stake is never paid to it'), NO, NO],
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
          so('rewards not managed', 'nobody can manage the rewards any more. The stake is not touched.'),
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
            'thief manages the rewards',
            'the thief manages the rewards, and after a day can do so by an account of his own. The stake is not touched.',
          ),
          so(
            'can sign, not move stake',
            'the thief can sign blocks with it, but moves no stake and no rewards. Before the first deposit he can register the key with addresses of his own.',
          ),
          so('only what is on it', 'what is on it. The validator is not touched.'),
        ],
      },
    ],
    note: 'The fees of its blocks go where app.toml says: whoever runs the node sets it.',
  }
}
