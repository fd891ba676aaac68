import { PROGRAM_NAME } from '../../base/format/text.ts'
import type { List, OpeningWords, SheetLine } from './choice.ts'

/** What the lists of the first screen ask, and what each is about. */
const lists: Readonly<Record<List, { title: string; intro?: string }>> = {
  begin: {
    title: 'What do you want to do?',
    intro: 'Seven steps, about 5 minutes in rehearsal. Nothing is sent until you type it.',
  },
  scenario: {
    // Without an intro: all stories, and the words of the chosen one, have room at 24 rows.
    title: 'Which rehearsal? Each has a network and a key of its own, and play money.',
  },
  validator: {
    title: 'Which network is the validator on?',
    intro: 'A validator that is registered already: watch it, top it up. Its key or index comes next.',
  },
}

/** What is waited for before the steps. */
const waits: Readonly<Record<OpeningWords, string>> = {
  list: 'for what is under way',
  addresses: 'for the addresses',
  endpoints: 'for the endpoints',
  'rehearsal-start': 'for the rehearsal network to start',
  'rehearsal-answer': 'for the rehearsal network to answer',
  end: 'for the open questions to end',
  steps: 'for the steps',
}

/** What the screens before the first step say, in one language. */
export const LAUNCH_TEXT = {
  lists,
  waits,
  /** Why the list of what is under way isn't there. */
  notListed: ({ shortMessage, details: [about] }: { shortMessage: string; details: readonly string[] }) =>
    `What is under way here can’t be read, so it isn’t known: ${shortMessage}${about === undefined ? '' : ` (${about})`}`,
  underWay: { title: 'Continue', note: 'as remembered here; the chain is asked again' },
  begin: 'Begin',
  file: {
    label: 'network file',
    hint: 'the path of a JSON file',
    explain: { what: 'A file that describes the network.', who: 'You.', later: 'Yes, by starting again.' },
    empty: 'Type the path of the network file.',
  },
  money: { line: 'nothing is sent here', worst: 'worst case here: none.' },
  keys: {
    choose: 'choose',
    goOn: 'continue',
    command: 'command',
    explain: 'explain',
    close: 'close',
    back: 'back',
    open: 'open',
    accept: 'accept',
    price: 'price of a place',
    field: 'field',
    next: 'next',
    complete: 'complete',
    correct: 'correct',
    retry: 'try again',
  },
  /** The way back from the steps, where a form was before them. */
  backToForm: 'back to the addresses',
  form: {
    before: 'Before the first step',
    ready: 'Enter continues with these. e corrects one of them.',
    worst: 'worst case here: none. No key is read yet.',
  },
  /** What is to be written down before a rehearsal as on mainnet. */
  sheet: {
    title: 'Write this down: it is shown once',
    intro:
      'On mainnet nobody shows it: paths and addresses are yours, the three accounts and the password stand on your paper.',
    written: 'it is written down',
    labels: {
      homePath: 'node home',
      execution: 'execution RPC',
      node: 'node API',
      engine: 'engine RPC',
      secondExecution: 'second execution',
      keystore: 'keystore',
      password: 'its password',
      payer: 'paying account',
      withdrawal: 'withdrawal',
      operator: 'operator',
    } satisfies Readonly<Record<SheetLine['id'], string>>,
  },
  /** What the first form of the real network says before its fields, once. */
  offer: {
    title: 'Rehearse it first?',
    intro: 'Nothing of this network was done on this computer yet.',
    sentences: [
      'As on mainnet: this very form, a password, hidden groups, three accounts and a second endpoint, with play money. About 10 minutes.',
      `Later by ${PROGRAM_NAME} --scenario as-on-mainnet. This is not asked again.`,
    ],
    on: 'on to the real network',
    rehearse: 'rehearse first',
  },
  /** What the form says of the places of the active set. */
  places: {
    now: (taken: string, last: string, need: string) => `Places: ${taken}; ${last}; ${need}.`,
    by: {
      before: {
        proven: 'Proven now, by the addresses that you used before.',
        reported: 'Reported now by the node API that you used before, not proven.',
        asking: 'Places: asking the addresses that you used before.',
      },
      typed: {
        proven: 'Proven now, by the two addresses below.',
        reported: 'Reported now by the node API below, not proven.',
        asking: 'Places: asking the execution RPC and the node API below.',
      },
    },
    old: (age: string) => `the newest set is ${age} away from the clock of this computer.`,
    failed: (why: string) => `Places: not known: ${why}`,
    unnamed: 'Places: not known. Nobody is asked whom you have not named yet.',
    elsewhere: `What one costs now: ${PROGRAM_NAME} topup-plan with --execution and --node.`,
  },
  moment: 'One moment',
  failed: {
    money: {
      untouched: 'this failure touched no money',
      unknown: 'it is not known yet whether something was sent; the journal holds what was signed',
      moved: 'money has moved; the journal holds what was sent',
    },
    worst: 'worst case here: none. Nothing is sent here.',
    keys: { begin: 'new rehearsal' },
    lost: {
      title: 'The journal cannot be written, so this program stops.',
      nothingMore: 'What could not be written down did not happen: nothing more was sent.',
      next: 'quit; started again, the program looks for what was sent before it offers anything',
    },
  },
}
