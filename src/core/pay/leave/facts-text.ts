import { formatCount, formatWei } from '../../base/format/amount.ts'
import { snapshotSource } from '../../chain/consensus/snapshot.ts'
import { withChecksum } from '../../chain/deposit/credentials.ts'
import { EVIDENCE_TEXT } from '../../view/evidence-text.ts'
import type { FactTexts } from '../../view/rows.ts'
import { GATE_TEXT } from '../gate/text.ts'
import { type AboutLeave, type LeaveAnswers, neededOf } from './facts.ts'

const AGAIN = 'Yes. It is asked again for every request.'
const ENDPOINTS = 'Every execution endpoint that is set.'
/** From here on a fee is said in tokens as well. */
const SHOWN_WEI = 10n ** 12n

/** The rows of what a request rests on. */
export const LEAVE_FACTS_TEXT: FactTexts<LeaveAnswers, AboutLeave> = {
  chain: {
    label: 'chain',
    say: (chain, { setup }) => GATE_TEXT.chain(chain, setup),
    explain: {
      what: 'The chain that the request goes to: whether it makes blocks, and whether it follows rules that this program knows.',
      who: 'The execution endpoint; the node API for the rules.',
      later: AGAIN,
    },
  },
  set: {
    label: 'validator set',
    say: ({ snapshot, behindSlots }, { setup }) => {
      const { proof, unproven } = snapshot
      const level =
        proof === undefined
          ? ''
          : `, ${EVIDENCE_TEXT.root(proof, (anchors) => `its root held by ${anchors} of ${setup.endpoints.secondExecution === undefined ? 1 : 2}`)}`
      const behind = behindSlots > 2n ? `, ${formatCount(behindSlots)} slots behind the newest block` : ''
      const waits = 'unknown' in snapshot.uncounted ? `; ${snapshot.uncounted.unknown}` : ''
      return `${snapshotSource(snapshot)}${level}${unproven === undefined ? '' : `: ${unproven}`}${behind}${waits}`
    },
    explain: {
      what: 'Every validator with its balance, and the partial withdrawals that wait: what a request does follows from them. The whole state is hashed on this computer, and its root must be in the execution chain.',
      who: 'The node API; the execution endpoints hold the root.',
      later: AGAIN,
    },
  },
  requests: {
    label: 'other requests',
    say: ({ waiting, made, toBlock, apart }) => {
      if (apart !== undefined) return `${apart} has other requests in the same blocks, or is behind`
      const count = (value: number) => formatCount(BigInt(value))
      return `${count(made.length)} for this key, ${count(waiting.length)} of anybody not in the state yet; up to block ${formatCount(toBlock)}`
    },
    explain: {
      what: 'The withdrawal requests in the blocks of the last epochs, by the logs of the contract that takes them (EIP-7002). Those that the state does not hold yet come first.',
      who: ENDPOINTS,
      later: AGAIN,
    },
  },
  wallet: {
    label: 'withdrawal address',
    say: ({ contract, balanceWei, nonce, pending, apart }, about) => {
      const { token } = about.setup.network.names
      if (!contract && apart !== undefined) return `${apart} says another nonce`
      if (!contract && nonce !== pending)
        return `a transaction of it waits, perhaps this very request: ${pending - nonce}`
      const neededWei = neededOf(about)
      const short = neededWei !== undefined && balanceWei < neededWei ? `, needs ${formatWei(neededWei)}` : ''
      const kind = contract ? 'a contract account: its owners carry the call out; ' : ''
      return `${kind}holds ${formatWei(balanceWei)} ${token}${short}`
    },
    long: ({ address }) => withChecksum(address),
    explain: {
      what: 'The address in the withdrawal credentials. Only a request of this address counts, and it pays the fee.',
      who: `${ENDPOINTS} The address is in the validator set.`,
      later: 'The address never changes.',
    },
  },
  fee: {
    label: 'fee',
    say: ({ feeWei, valueWei }, { setup }) => {
      const token = valueWei < SHOWN_WEI ? '' : ` (${formatWei(valueWei)} ${setup.network.names.token})`
      return `${formatCount(feeWei)} wei now, ${formatCount(valueWei)} wei with room for others${token}`
    },
    explain: {
      what: 'What the contract asks for one request. It rises with every request above two a block, so more is sent than it asks for now. What is too much is not paid back; with too little the call reverts.',
      who: ENDPOINTS,
      later: 'With every block.',
    },
  },
  dryRun: {
    label: 'dry run',
    say: ({ gasLimit, refusal }) => refusal ?? `accepted, gas limit ${formatCount(gasLimit)}`,
    explain: {
      what: 'The call as the withdrawal address would make it now, without sending it.',
      who: ENDPOINTS,
      later: AGAIN,
    },
  },
}
