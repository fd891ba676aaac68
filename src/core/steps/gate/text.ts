import type { OutcomeClass } from '../../consensus/forecast.ts'
import { forkIsKnown, forkWords } from '../../consensus/fork-outlook.ts'
import type { OwnNonce } from '../../facts.ts'
import type { Wei } from '../../format/amount.ts'
import { formatGwei, formatWei } from '../../format/amount.ts'
import type { Hex } from '../../format/hex.ts'
import { type Beside, besideWords, CATCHES_UP, RESTART_NODE } from '../../network/standstill.ts'
import { known } from '../observation.ts'
import type { FactTexts } from '../rows.ts'
import { type AboutGate, type GateAnswers, twiceTheFee, wholeWay } from './facts.ts'

const AGAIN = 'Yes. It is checked once more right before the transaction is made.'
const ENDPOINT = 'The execution endpoint.'
const UNKNOWN = 'It is not known whether the transaction you abandoned was sent'
const ANOTHER_ENDPOINT = ['ask again', 'if it stays so, set another execution endpoint']

const STEPS = { deposit: 'the first deposit', topup: 'the top-up' }
const USES = { used: 'used', open: 'may still use', abandoned: 'was abandoned and may still use' }

const tokenOf = ({ setup }: AboutGate) => setup.network.names.token

/** What the last checks before money moves say. */
const facts: FactTexts<GateAnswers, AboutGate> = {
  sender: {
    label: 'account',
    say: ({ contract, claimed }) => {
      if (contract === true) return 'a contract account: its owners carry the call out'
      return claimed === true ? 'pays; checked when it signs' : 'pays'
    },
    long: ({ address }) => address,
    explain: ({ seen }) =>
      known(seen.sender)?.contract === true
        ? {
            what: 'The contract account that pays the stake. Nobody can sign for it: its owners carry the call out, and pay the fee.',
            who: 'You, and the code at the address.',
            later: 'Yes, until the transaction is signed.',
          }
        : {
            what: 'The account that pays the stake and the fee. When you send, the keystore is opened; if its key belongs to another account, nothing is signed.',
            who: 'The keystore file, read by a separate process, or you.',
            later: 'Yes, until the transaction is signed.',
          },
  },
  chain: {
    label: 'chain',
    say: ({ chainId, fork, fresh, sameGenesis }, { setup: { network } }) => {
      if (!sameGenesis) return `${chainId}, but another genesis: the network was reset`
      const rules = forkIsKnown(fork, network.spec) ? '' : `, ${forkWords(fork, network.spec)}`
      return `${chainId}, block ${fork.slot}${fresh ? '' : ' (too old)'}${rules}`
    },
    explain: {
      what: 'The chain that the transaction goes to: whether it makes blocks, and whether it follows rules that this program knows. Your own node is checked too, and gets a row below if it does not follow the chain or does not vote.',
      who: 'The execution endpoint; the node API for the rules.',
      later: AGAIN,
    },
  },
  node: {
    label: 'your node',
    say: ({ words }) => words,
    explain: {
      what: 'Whether your node follows the chain and votes right now. An active validator signs nothing while its node hangs or catches up.',
      who: 'The consensus engine (CometBFT) and the node API, compared with the newest blocks of the execution endpoints.',
      later: AGAIN,
    },
  },
  balance: {
    label: 'balance',
    say: ({ balanceWei, neededWei }, about) => {
      const text = `${formatWei(balanceWei)} ${tokenOf(about)}, needs ${formatWei(neededWei)}`
      return balanceWei < neededWei ? `${text}; ${formatWei(neededWei - balanceWei)} short` : text
    },
    // How much is missing, with every digit; and that only the fee is, where it is so.
    closed: ({ balanceWei, neededWei, price }, about) => {
      const shortWei = neededWei - balanceWei
      const why = shortWei <= twiceTheFee(price) ? ' for the fee' : ''
      const less = about.less === undefined ? '' : `; or ${about.less}`
      return {
        reason: `the account is ${formatWei(shortWei)} ${tokenOf(about)} short${why}`,
        next: `fund the account, then r asks again${less}`,
      }
    },
    explain: {
      what: 'What the account holds, compared with the stake plus twice the highest fee.',
      who: ENDPOINT,
      later: AGAIN,
    },
  },
  way: {
    label: 'total needed',
    say: (value, about) => {
      const { topUpGwei, reported } = value
      const { allWei, shortWei } = wholeWay(value, about)
      const doubt = reported ? '; the set is reported, not proven' : ''
      if (topUpGwei === undefined) return `no amount gets a place in the active set now${doubt}`
      const all = `${formatWei(allWei)} ${tokenOf(about)} in all`
      const topUp = topUpGwei === 0n ? 'no top-up' : `a top-up of ${formatGwei(topUpGwei)}`
      if (shortWei > 0n) return `${all}; ${formatWei(shortWei)} short for ${topUp}${doubt}`
      return `${all}, with ${topUp}: the account holds it${doubt}`
    },
    explain: {
      what: 'The first deposit, the top-up that a place in the active set needs now, and the fees of both, compared with what the account holds. This row is advice and stops nothing: you can fund the rest later.',
      who: 'The consensus model on this computer, on the present validator set.',
      later: 'Yes: the set changes with every epoch, and so does the stake that a place needs.',
    },
  },
  nonce: {
    label: 'nonce',
    say: ({ latest, pending }) =>
      latest === pending
        ? `${latest}, none waiting`
        : `other transactions of this account are waiting: ${pending - latest}`,
    closed: () => ({ next: 'wait until they are in a block, then r asks again' }),
    explain: {
      what: 'The nonce (number) of the account’s next transaction. One nonce is used once, so a payment cannot happen twice.',
      who: ENDPOINT,
      later: AGAIN,
    },
  },
  key: {
    label: 'the key',
    say: ({ words }) => words,
    long: ({ sent }) => sent?.hash,
    explain: {
      what: 'What the deposit contract and the beacon state know about the key right now. Proven means: recomputed on this computer, up to a root (a hash) that the execution chain holds.',
      who: 'The deposit contract, the node API and genesis.json. What only the node says is marked as reported (not proven).',
      later: AGAIN,
    },
  },
  calldata: {
    label: 'calldata',
    say: ({ words }) => words,
    explain: {
      what: 'The calldata (the bytes that call the contract) is decoded again, and a signature in it is verified again for exactly the amount that is sent.',
      who: 'This computer.',
      later: AGAIN,
    },
  },
  second: {
    label: 'second endpoint',
    say: ({ words }) => words,
    unasked: () => 'none set',
    explain: {
      what: 'The same facts from the second execution endpoint, on another server.',
      who: 'The second execution endpoint.',
      later: AGAIN,
    },
  },
  dryRun: {
    label: 'dry run',
    say: ({ gas, refusal }) => refusal ?? `accepted, about ${gas} gas`,
    explain: {
      what: 'The same call, tried without sending it. The contract checks lengths and amounts, but never the signature.',
      who: ENDPOINT,
      later: AGAIN,
    },
  },
}

/** Every sentence of the last checks before money moves. */
export const GATE_TEXT = {
  facts,
  sources: { typed: 'typed by you', keystore: 'keystore' },
  node: {
    catchesUp: `${CATCHES_UP}. Wait until it has, or restart the node`,
    syncing: (slot: bigint) => `reports that it is syncing, slot ${slot}`,
    hangs: (slot: bigint, beside: Beside) => `is at slot ${slot}${besideWords(beside)}: ${RESTART_NODE}`,
    stands: (slot: bigint, beside: Beside) => `no new head, slot ${slot}${besideWords(beside)}`,
    follows: (slot: bigint) => `follows the chain, slot ${slot}`,
  },
  second: {
    otherNonce: (there: number, here: number | undefined) =>
      `names nonce ${there}, the first one ${here ?? '–'}`,
    othersWait: (others: number) =>
      `has ${others === 1 ? 'another transaction' : `${others} other transactions`} of this account waiting`,
    otherChain: (chainId: number) => `another chain: ${chainId}`,
  },
  noReason: 'the contract refuses it and gives no reason',
  noRevertReason: 'It gave no reason.',
  /** The nonce that an endpoint names, and the payment of this journal that is against it. */
  nonceTaken: (nonce: number, { step, hash, use, nonce: taken }: OwnNonce) => {
    const payment = `${STEPS[step]}${hash === undefined ? '' : ` ${hash}`}`
    return `the endpoint names nonce ${nonce}, but ${payment} ${USES[use]} nonce ${taken}`
  },
  /** Whether the validator is the one that was agreed about. */
  agreed: {
    asPlanned: 'as planned',
    asAgreed: 'as agreed',
    otherOperator: (operator: Hex) =>
      `the contract names another operator: ${operator}; adopt it again in step 2`,
    slashed: 'the validator was slashed',
    leaving: 'the validator is leaving the active set',
    otherPayout: 'it pays out to another address than planned',
    lessThanPaid: 'its proven balance is less than the first deposit',
    notRecorded: 'what you agreed to does not record the validator: agree again',
    arrived: (amount: string, block: bigint) =>
      `${amount} more arrived in block ${block}, not by this payment`,
    otherStake: (now: string, then: string) => `the stake is ${now}, and was ${then} when you agreed`,
    worse: {
      'below-threshold': 'this amount no longer passes the threshold: agree again',
      'lost-at-once': 'this amount now ranks too low: the key would be lost at once',
      'drops-out': 'this amount no longer keeps a place in the active set: agree again',
      tie: 'this amount now only ties for the last place: agree again',
      'keeps-place': '',
    } satisfies Record<OutcomeClass, string>,
  },
  /** What keeps bytes from leaving. */
  held: {
    olderVersion:
      'you agreed in an older version of this program, which did not record the state of the validator',
    silent: (endpoint: string) => `${endpoint} must answer`,
    inPool: (nonce: number) => `another transaction with nonce ${nonce} is in the mempool`,
    abandoned: {
      sent: 'the transaction you abandoned was sent',
      'may-be-sent': 'the transaction you abandoned may have been sent',
      unknown: 'it is not known whether the transaction you abandoned was sent',
    },
  },
  /** Why it is not settled what became of an abandoned draft. */
  abandoned: {
    sent: {
      shortMessage: 'The transaction you abandoned was sent after all.',
      details: ['It is watched from now on. Nothing else is sent.'],
    },
    silent: (endpoints: string) => ({
      shortMessage: `${UNKNOWN}: no answer from ${endpoints}.`,
      details: ['Every execution endpoint must say so before anything else is sent.'],
      nextSteps: [`look at ${endpoints}, then ask again`],
    }),
    untold: {
      shortMessage: `${UNKNOWN}: an endpoint does not tell the deposits since then.`,
      details: ['Nothing else is sent before every execution endpoint has told them, and who made them.'],
      nextSteps: ANOTHER_ENDPOINT,
    },
    maybe: {
      shortMessage: 'The transaction you abandoned may have been sent.',
      details: [
        'A transaction with its nonce is in the mempool, or not every endpoint shows it yet. Nothing else is sent until that is settled.',
      ],
      nextSteps: ['wait, then ask again'],
    },
  },
  /** Why no account is known that pays. */
  noAccount: {
    unknown: 'The paying account is not known yet.',
    unnamed: 'The keystore file does not name its account.',
    contract: 'The account is a contract, so no keystore holds a key for it.',
    next: ['type the address of the account that pays'],
  },
  inUse: (heldBy: string) => ({
    shortMessage: 'Another window of this program pays from the same account.',
    details: [heldBy],
    nextSteps: ['finish there first'],
  }),
  oddReply: ['it answered for another transaction than the one that was asked for'],
  /** Why nothing was made or sent. */
  closed: {
    noFee: { shortMessage: 'The endpoint gave no fee.' },
    noBlock: { shortMessage: 'The endpoint has no latest block.' },
    nonce: (fault: string) => ({
      shortMessage: 'An endpoint names a nonce that one of your payments uses.',
      details: [fault],
      nextSteps: ANOTHER_ENDPOINT,
    }),
    changed: (why: string) => ({
      shortMessage: 'The validator has changed since you agreed. Nothing was sent.',
      details: [why],
      nextSteps: ['look at the amount again, and agree again if it still fits'],
    }),
    checks: (details: readonly string[]) => ({
      shortMessage: 'The final checks did not pass. Nothing was created or sent.',
      details,
      nextSteps: ['read the rows above'],
    }),
    otherFacts: {
      shortMessage: 'The facts have changed since you agreed. Nothing was created or sent.',
    },
    unread: {
      shortMessage: 'The deposit that this program did not send could not be read completely.',
      nextSteps: ['ask again'],
    },
    noPayment: { shortMessage: 'There is no payment to replace.' },
    tooDear: (foundWei: Wei, expectedWei: Wei) => ({
      shortMessage: 'The account does not hold what the higher fee may cost.',
      details: [`found ${formatWei(foundWei)}`, `expected at least ${formatWei(expectedWei)}`],
      nextSteps: ['send more to the paying account, or wait'],
    }),
    overLimit: (foundWei: Wei, mostWei: Wei) => ({
      shortMessage: 'The fee would pass the limit of this program.',
      details: [`found ${foundWei} wei per gas`, `expected at most ${mostWei}`],
      nextSteps: ['wait: what was sent stays valid'],
    }),
  },
  /** The head of the file with the commands for each kind of wallet. */
  commandFile: '# One of these, on the machine of the wallet. It signs and sends nothing.',
}
