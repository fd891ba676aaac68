import { again, decides, KEY } from '../../base/format/next.ts'
import type { AccountKind } from '../../chain/identity/check-address.ts'
import { STEP_NAMES_TEXT } from '../../view/names-text.ts'
import type { FactTexts } from '../../view/rows.ts'
import type { Explain } from '../../view/view.ts'
import {
  type AboutSign,
  type AccountAnswers,
  oneKind,
  type SignAnswers,
  type SignatureCheck,
  type SignField,
  type Typed,
} from './facts.ts'

const VERIFIER = {
  what: 'One signature check: does this verifier accept the signature? Two verifiers that share no code must accept it, and none may refuse.',
  later:
    'No. A deposit with a signature that the chain refuses is lost, so this is checked before anything is sent.',
}
const say = ({ words }: SignatureCheck) => words
const NO_TOOL = 'not installed'

const facts: FactTexts<SignAnswers, AboutSign> = {
  library: {
    label: 'signature library',
    say,
    explain: {
      ...VERIFIER,
      who: 'This computer, with the signature library (BLS12-381) and the domain tag of this chain (NUL). First every byte is parsed strictly.',
    },
  },
  precompile: {
    label: 'execution client',
    say,
    explain: {
      ...VERIFIER,
      who: 'Your execution client, with its built-in signature functions (precompiles). Other code than for the signature library computes the signed message.',
    },
  },
  tool: {
    label: 'node tool signs',
    say,
    unasked: ({ isElsewhere }) => (isElsewhere ? 'not here: the key is on another machine' : NO_TOOL),
    explain: ({ setup }) => ({
      ...VERIFIER,
      who: `The node tool (${setup.network.names.nodeTool}) signs the same message itself: its 96 bytes must be equal to these.`,
    }),
  },
  toolValidate: {
    label: 'node tool checks',
    say,
    unasked: () => NO_TOOL,
    explain: ({ setup }) => ({
      ...VERIFIER,
      who: `The node tool (${setup.network.names.nodeTool}) checks this signature.`,
    }),
  },
}

/** Names, hints and explanations of what is typed. */
const fields: Readonly<Record<SignField, { label: string; hint: string; explain: Explain }>> = {
  withdrawal: {
    label: 'withdrawal',
    hint: '0x and 40 characters 0–9 a–f, with the capitals of its checksum',
    explain: {
      what: 'Where the stake is paid out when the validator leaves. It must be an account that you control yourself: not an exchange.',
      who: 'You.',
      later: 'Never. The address is part of the signature, and of the validator for ever.',
    },
  },
  withdrawalAgain: {
    label: '8 characters of it',
    hint: '',
    explain: {
      what: 'A forged address can look the same at both ends. So you retype 8 characters from the middle, from your own record.',
      who: 'You.',
      later: 'This is only a check.',
    },
  },
  operator: {
    label: 'operator',
    hint: 'manages and receives the rewards; 0x and 40 characters 0–9 a–f',
    explain: {
      what: 'The operator: the account that manages and receives the validator’s rewards. The network pays them for blocks, in a wrapped token; hours may pass until the first come. This program does not look for them: see the token balance of the account in a block explorer. It never receives the stake. The first deposit sets it.',
      who: 'You.',
      later: 'Yes, by this account itself, with a delay of a day.',
    },
  },
  operatorAgain: {
    label: '8 characters of it',
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
const KINDS: Readonly<Record<AccountKind, { is: string; todo?: string }>> = {
  sender: { is: 'an account in use' },
  receiver: { is: 'used, has never paid out' },
  delegated: { is: 'delegated', todo: 'check its code' },
  contract: { is: 'a contract', todo: 'check it' },
  unused: { is: 'never used', todo: 'check it' },
}

function kindText(kinds: readonly AccountKind[]): string {
  const kind = oneKind(kinds)
  if (kind === undefined) return `the endpoints disagree: ${kinds.map((each) => KINDS[each].is).join(' · ')}`
  const { is, todo } = KINDS[kind]
  return todo === undefined ? is : `${is}: ${todo}`
}

/** What stands at each of the two addresses, and why it matters. */
const accounts: FactTexts<AccountAnswers, Typed> = {
  withdrawal: {
    label: 'at withdrawal',
    say: kindText,
    explain: {
      what: 'What kind of account the withdrawal address is now. The stake arrives there without a call, so a contract must be able to pass it on. Whoever may change the code of a delegated account can take the stake. An address that was never used may be a mistake. The address can never be changed.',
      who: 'Each execution endpoint: the code at the address, the transactions sent from it, its balance.',
      later: 'The account: yes, with every transaction. The address: never.',
    },
  },
  operator: {
    label: 'at operator',
    say: kindText,
    explain: {
      what: 'What kind of account the operator address is now. Only this account can change how the rewards are managed, so a contract must be one that you can act through. An address that was never used may be a mistake.',
      who: 'Each execution endpoint: the code at the address, the transactions sent from it, its balance.',
      later: 'Yes, with every transaction.',
    },
  },
}

/** Every sentence of the step that signs, beside those of the picture of who can do what. */
export const SIGN_TEXT = {
  facts,
  accounts,
  fields,
  title: STEP_NAMES_TEXT.of.sign.title,
  intro: {
    elsewhere: 'Run the first command below on the key machine, then import the signature here.',
    written: (path: string) => `The deposit file was written: ${path}`,
    inUse: 'The payment of step 4 is made of this signature: while it counts, nothing is changed here.',
    planned: (least: string) => `The least that registers is ${least}. Exactly the signed amount is sent.`,
    typed:
      'The withdrawal address gets the stake back and can never be changed, so you retype a part of it. The operator manages and receives the rewards.',
  },
  factsTitle: { there: 'What the key machine signs', here: 'Will the chain accept this signature?' },
  good: (verifiers: number) => `${verifiers} verifiers accept this signature, none refuses. Enter goes on.`,
  judgeThere: 'If bearings is installed on the key machine too, check the signature there with:',
  worst: 'worst case here: none. The signature is only a file until you send it.',
  keys: {
    edit: 'edit',
    unplan: 'back to the plan',
    save: 'save deposit file',
    again: 'ask again',
    elsewhere: 'sign on the key machine',
    plan: 'use this plan',
    sign: 'sign',
    correct: 'correct',
  },
  refused: {
    title: 'Stop: one verifier refuses this signature.',
    label: 'signature',
    why: 'The chain keeps the money of a deposit whose signature it refuses. So this program does not send it.',
    next: [again`${KEY} asks all verifiers again`, decides('e')`${KEY} starts over with other values`],
  },
  tryAgain: again`${KEY} tries again`,
  imported: {
    label: 'signature',
    hint: '0x and 192 characters 0–9 a–f, or a deposit file (its path or its text)',
    explain: {
      what: 'The imported signature: what the command on this page printed on the key machine. It is verified here like a signature made here, and must fit exactly this plan.',
      who: 'The key machine; you copy it here. A signature is no secret.',
      later:
        'No. It belongs to this plan alone: for another address or amount the key machine must sign again.',
    },
  },
  again: {
    /** Stands right below the address that it is about. */
    label: (first: number, last: number) => `characters ${first}–${last}`,
    which: (first: number, last: number, of: string) => `characters ${first} to ${last} of ${of}`,
    of: { withdrawal: 'the withdrawal address', operator: 'the operator address' },
    proposed: (of: string) =>
      `retype the 8 characters between [ and ] of ${of}; with real money they are hidden`,
    own: (of: string) => `retype the 8 hidden characters between [ and ] of ${of} from your own record`,
  },
  sameAddress:
    'Both are the same address: whoever holds its key gets the stake, and manages and receives the rewards.',
  twoAddresses: 'Two addresses: the stake goes to the first, the second manages and receives the rewards.',
  /** What the verifiers say. */
  checks: {
    accepts: 'accepts',
    refuses: (why: string) => `refuses: ${why}`,
    same: 'the same 96 bytes',
    other: 'other bytes than this signature',
    bothEndpoints: 'both endpoints',
    reasons: {
      'pubkey-encoding': 'pubkey encoding',
      'signature-encoding': 'signature encoding',
      'not-in-subgroup': 'not in subgroup',
      pairing: 'pairing',
    },
  },
  /** Why the characters typed again are not those of the address. */
  retype: {
    length: (which: string, expected: number, typed: number) =>
      `Type ${which}: ${expected} are needed, ${typed} were typed.`,
    differs: (which: string, at: number, of: number) =>
      `Not ${which}: character ${at} of ${of} is different. Look it up in your own record.`,
  },
  /** What stands in a command for what is not known yet. */
  blanks: {
    home: '<home of the key>',
    withdrawal: '<withdrawal address>',
    gwei: '<gwei>',
    tokens: '<tokens>',
    descriptor: '<descriptor>',
    networkFile: '<network file>',
    credentials: '<credentials>',
    pubkey: '<public key>',
    signature: '<signature>',
  },
}
