import { formatCount } from '../../base/format/amount.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../../base/format/hex.ts'
import { STEP_NAMES_TEXT } from '../../view/text.ts'
import type { Explain } from '../../view/view.ts'

/** Where the stake is paid out, as it was typed to adopt a validator. */
const WITHDRAWAL = { label: 'withdrawal', value: 'as you typed it; the stake comes back here', source: 'you' }
const NEVER = 'Never: it is part of the validator.'
const NEVER_FOR_THIS = 'Never for this validator.'

type RowText = { label: string; value: string; source: string; explain: Explain }

/** Rows that no answer alone makes: what was typed, and what is not asked. */
const rows = {
  typedKey: {
    label: 'key',
    elsewhere: 'on another machine',
    source: 'you',
    explain: {
      what: 'The public key that names your validator for ever. The private one is on another machine; the running engine must sign with it.',
      who: 'You, from your own record of the key machine.',
      later: `${NEVER_FOR_THIS} Before the first deposit you can still make another key.`,
    },
  },
  givenKey: (index: number | undefined): RowText => ({
    label: 'key',
    value: index === undefined ? 'as you gave it' : `of validator ${index}, reported by your node`,
    source: index === undefined ? 'you' : 'node API',
    explain: {
      what: 'The public key that names the validator for ever. Compare it with your own record.',
      who:
        index === undefined
          ? 'You.'
          : 'The node API, asked for the index. That key and index belong together is proven in the step "confirm".',
      later: NEVER_FOR_THIS,
    },
  }),
  noHome: (hasEngine: boolean): RowText => ({
    label: 'node home',
    value: hasEngine ? 'none given: no file is read' : 'none given: no file, no engine is asked',
    source: '',
    explain: {
      what: 'A registered validator is watched and topped up with its public key alone, from any computer.',
      who: 'You, by giving no home.',
      later: 'Yes, by starting again with the home of its node.',
    },
  }),
  withdrawal: {
    ...WITHDRAWAL,
    explain: {
      what: 'Where the stake is paid out when the validator leaves. The beacon state must name the same, or nothing is added.',
      who: 'You, from your own record, when the validator was adopted. The next step proves it.',
      later: NEVER,
    },
  },
}

/** What a step says that was done elsewhere. */
const elsewhere = {
  intro: (index: number | undefined) =>
    `Done already: validator ${index ?? ''} was registered without this journal. Nothing is signed or sent here.`,
  factsTitle: 'What does the chain say about it?',
  notes: ['Read for information. A top-up does not wait for it.'],
  worst: 'worst case here: none. This program did not make the first deposit.',
  withdrawal: {
    ...WITHDRAWAL,
    explain: {
      what: 'The address that the first deposit was signed for.',
      who: 'You, when the validator was adopted; the step "confirm" proves it.',
      later: NEVER,
    },
  },
  operator: (operator: Hex): RowText => ({
    label: 'operator',
    value: sameHex(operator, ZERO_ADDRESS)
      ? 'none named by the contract'
      : 'manages and receives the rewards',
    source: 'contract',
    explain: {
      what: 'The account that manages and receives the rewards, as the contract named it when the validator was adopted. It is checked again before each top-up.',
      who: 'The deposit contract, through every execution endpoint.',
      later: 'Only by the operator itself, with a delay.',
    },
  }),
  setBy: {
    label: 'registered',
    inBlock: (block: bigint) => `operator set in block ${formatCount(block)}`,
    noEvent: (operator: Hex) =>
      sameHex(operator, ZERO_ADDRESS)
        ? 'without a first deposit that the contract knows'
        : 'no event of it is found',
    explain: {
      what: 'The transaction that set the operator of this key for the first time: its first deposit.',
      who: 'The logs of the deposit contract, through the execution endpoint.',
      later: 'No.',
    },
  },
  deposits: {
    label: 'deposits',
    source: 'contract',
    asking: 'being read',
    total: (deposits: number, amount: string) =>
      `${deposits === 1 ? '1 deposit' : `${deposits} deposits`}, ${amount} in all`,
    explain: {
      what: 'All deposits for this key that the contract wrote down since the first one.',
      who: 'The logs of the deposit contract, through the execution endpoint.',
      later: 'More are added by each top-up.',
    },
  },
}

const fields = {
  pubkey: {
    label: 'public key',
    hint: 'from the key machine: 0x and 96 characters 0–9 a–f, or the engine’s base64',
    explain: {
      what: 'The public half of the validator key, as the key machine shows it. The private half never comes here.',
      who: 'You; the running engine must name the same.',
      later: NEVER_FOR_THIS,
    },
  },
  withdrawal: {
    label: 'withdrawal',
    hint: 'where its stake is paid out, typed from your own record',
    hintInRehearsal: (address: string) => `type it; in this rehearsal it is ${address}`,
    explain: {
      what: 'Where the stake is paid out when the validator leaves. Everything you add goes to this address in the end. So type it from your own record, not from a screen.',
      who: 'You; it must be the one in the beacon state, which the next step proves.',
      later: NEVER,
    },
  },
  rescue: {
    label: 'your operator',
    hint: 'the address set in the contract, typed from your own record',
    hintInRehearsal: (address: string) => `type it; in this rehearsal it is ${address}`,
    explain: {
      what: 'The account that manages and receives the rewards of this key. Only if it is your own, the burnt key is worth registering.',
      who: 'You; it must be the address in the contract.',
      later: 'Only by that operator itself.',
    },
  },
}

/** The sentences of the step about the key, beside those of its facts and problems. */
export const IDENTITY_TEXT = {
  rows,
  elsewhere,
  fields,
  titles: { adopt: 'Adopt a registered validator', check: STEP_NAMES_TEXT.of.identity.title },
  factsTitles: { isYours: 'Is this your validator?', mayRegister: 'May this key be registered?' },
  good: {
    adopted: (index: number) => `Validator ${index} is adopted. Enter goes on to its proof.`,
    own: 'This journal registered the key itself. Enter goes on.',
    deposited: 'Your own deposit uses this key, and your node runs with it. Enter goes on.',
    rescued: 'The operator of this burnt key is yours, and your node runs with it. Enter goes on.',
    unused: 'This key was never used, and your node runs with it. Enter goes on.',
    reported: 'Your node runs with this key and says it’s unused: not proven. Enter goes on.',
  },
  toAdopt: (index: number) => `To adopt validator ${index}, type its withdrawal address below.`,
  intro: {
    adopted: (index: number) =>
      `Validator ${index} is adopted: it was registered without this program. The next step proves that the chain holds it as you adopted it.`,
    uncounted:
      'A deposit for this key is in a block and not counted yet: the chain counts it within a few slots. This screen checks again with each slot.',
    keyOnly: (index: number | undefined) =>
      index === undefined
        ? 'A registered validator is watched and topped up with its public key alone. Does the chain know it?'
        : `Validator ${index} is registered. To adopt it, type its withdrawal address from your own record.`,
    register:
      'A key can be registered once, ever. Is this key unused and valid, and does your node run with it?',
    keyAway: (hasRemoteSigner: boolean) => {
      const why = hasRemoteSigner
        ? 'A remote signer holds the key of this node. It is never fetched:'
        : 'This home has no key file. If the key is on another machine on purpose,'
      return `${why} type its public key; the node must run with it. In the next step the key machine signs, and you import the signature here.`
    },
  },
  noOperator: 'The contract names no operator for this validator, so it refuses a top-up. It can be watched.',
  worst: {
    away: 'worst case here: none. The key is not on this computer.',
    here: 'worst case here: none. The key is only read, by a separate process.',
  },
  waiting: 'for the chain to count a deposit',
  keys: {
    adopt: 'adopt it',
    rescue: 'it is mine',
    typeKey: 'type the public key',
    askAgain: 'ask again',
  },
  errors: {
    notYours:
      'The contract has another operator for this key: a stranger would manage and receive the rewards. Use a new key instead.',
    otherPayout: 'This validator pays out to another address. Compare key and address with your own record.',
    notCompared:
      'This validator was just being asked about, and the address was not compared. Type it again.',
  },
}
