import { again, decides, KEY } from '../../base/format/next.ts'
import { STEP_NAMES_TEXT } from '../../view/text.ts'
import type { Explain } from '../../view/view.ts'
import type { SignField } from './facts.ts'

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

/** Every sentence of the step that signs, beside those of its facts and of the picture of who can do what. */
export const SIGN_TEXT = {
  fields,
  restOfAmount: (rest: string, step: string) =>
    `${rest} of it buys nothing: only whole steps of ${step} count. Enter the same amount again to keep it.`,
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
    label: (name: string, first: number, last: number) => `${name} ${first}–${last}`,
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
    /** It doesn't say where they differ, or all eight could be found by trial. */
    differs: (which: string) => `These aren’t ${which}. Compare the whole address with your own record.`,
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
