import { formatCount, formatGwei, ordinal } from '../../base/format/amount.ts'
import { back, decides, KEY, type KeyPart, parts } from '../../base/format/next.ts'
import type { Forecast } from '../../chain/consensus/forecast.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { known } from '../../view/observation.ts'
import type { FactTexts } from '../../view/rows.ts'
import { STEP_NAMES_TEXT } from '../../view/text.ts'
import type { AboutTopUp, TopUpAnswers } from './facts.ts'

/** What an amount comes to. */
function outcome(forecast: Forecast, token: string): string {
  if (!forecast.crossesThreshold)
    return `stays ${formatGwei(forecast.shortOfThresholdGwei)} ${token} below the threshold`
  const { rank, places, marginGwei, othersNeedGwei } = forecast
  const of = rank === undefined ? '' : `${ordinal(rank)} ${rank <= places ? 'of' : 'for'} ${places} places`
  const place = of === '' ? '' : `${of}, `
  // At equal stake the larger public key stays: without a place it is that of the other one.
  const tie = marginGwei === 0n ? 'a tie, and the larger key stays: ' : ''
  if (forecast.evictedAtOnce) return `${place}${tie}out at once and for ever`
  if (!forecast.keepsPlace) return `${place}${tie}drops out`
  if (marginGwei === undefined || othersNeedGwei === undefined) return `${place}nobody else needs one`
  if (marginGwei <= 0n) return `${place}a tie: your larger key stays`
  const more = formatGwei(othersNeedGwei)
  return rank === places ? `last place: out if a rival adds ${more}` : `${of}: out if rivals add ${more}`
}

const option = (
  of: (observed: AboutTopUp['observed']) => AboutTopUp['observed']['amount'],
): FactTexts<TopUpAnswers, AboutTopUp>['amount'] => ({
  label: ({ observed, advice }) => {
    const added = known(of(observed))?.addGwei ?? 0n
    return `+${formatGwei(added)} → ${formatGwei((advice?.stakeToBeGwei ?? 0n) + added)}`
  },
  say: ({ forecast }, { setup }) => outcome(forecast, setup.network.names.token),
  explain: {
    what: 'What this amount does by the rules of the chain, computed forward from the present validator set. Later deposits of others are not included.',
    who: 'This computer, from the validator set of the last look; the line below says whether it is proven.',
    later: 'Yes: the set changes every epoch, and every look computes this row again.',
  },
})

/** Every sentence of the step that tops the stake up, beside those of any payment. Amounts come with their token. */
export const TOPUP_TEXT = {
  facts: { threshold: option(({ threshold }) => threshold), amount: option(({ amount }) => amount) },
  outcome,
  title: STEP_NAMES_TEXT.of.topup.title,
  factsTitle: 'What does this amount do?',
  intro: {
    enough:
      'No more is needed: your stake keeps a place in the active set. More stake makes the margin wider.',
    set: (places: number, threshold: string, delay: string) =>
      `The active set: the ${places} highest stakes. At ${threshold} without a place among them ${STANDING_TEXT.outForEver}; the stake comes back after ${delay}.`,
  },
  value: { source: 'your choice', explain: 'The amount that is added to the stake, as you chose it.' },
  verdict: {
    enough: 'Your stake keeps a place in the active set. Enter goes on.',
    amount: (outcome: string) => `This amount: ${outcome}.`,
    risk: (another: KeyPart) => parts`${another}${decides('return')`; or ${KEY} takes the risk`}`,
    remembered: 'The first deposit is only remembered: the chain is asked for it first.',
    arrived: (amount: string) => `${amount} more arrived, not by this program: the amount is proposed anew.`,
    byGuard: (amount: string) => `Your guard has paid ${amount}: the amount is proposed anew.`,
    another: decides('a')`${KEY} types another amount`,
    /** A top-up that was proposed from outside, beside one that is paid. */
    proposed: (amount: string) => decides('o')`${KEY} makes the proposed top-up of ${amount} ready`,
    place: (amount: string) => decides('a')`${KEY} types another amount: ${amount} gets a place`,
  },
  /** What stands at a rank beside its stake. */
  note: (rank: number, places: number, isMine: boolean) =>
    [isMine ? 'you' : '', rank === places ? 'last place' : '', rank > places ? 'out' : '']
      .filter((part) => part !== '')
      .join(', '),
  field: {
    label: (token: string) => `amount in ${token}`,
    hint: 'in tokens, with or without commas',
    explain: {
      what: 'The amount that is added to the stake. A top-up needs no signature: the chain credits it to the validator of this key.',
      who: 'Proposed by the consensus model, chosen by you.',
      later: 'Yes: you can add more at any time.',
    },
  },
  notes: {
    remembered: (block: bigint) =>
      `The first deposit is remembered, block ${formatCount(block)}. Nothing is sent before the chain confirms it.`,
    margin: (source: string, amount: string) => `${source} · ${STANDING_TEXT.mayDropOut.you(amount)}`,
    tie: (source: string) => `${source} · a tie holds the place: any stake that others add may take it`,
    balance: (balance: string, effective: string) =>
      `after this top-up: balance ${balance}, effective ${effective}`,
    byGuard: (amount: string, block: bigint) =>
      `Your guard has paid ${amount} for this validator in block ${formatCount(block)}.`,
    arrived: (amount: string, block: bigint, from: string | undefined) =>
      `${amount} more arrived for this validator in block ${formatCount(block)},${from === undefined ? '' : ` from ${from},`} not by this program.`,
  },
  money: {
    before: (paid: string, isProven: boolean) =>
      `left the wallet ${paid}${isProven ? '' : ' (not proven again yet)'}`,
    locked: (threshold: string) => `worst case: it stays locked until the stake reaches ${threshold}.`,
    outbid: (delay: string) => `worst case: outbid; this key cannot return, stake back in ${delay}.`,
    after: 'staked; the next epoch boundaries count it.',
    arrived: (amount: string) => ` · ${amount} more arrived from others`,
  },
  keys: {
    less: 'less',
    more: 'more',
    amount: 'amount',
    addMore: 'add more',
    another: 'another top-up',
    next: (amount: string) => `top up ${amount}`,
    watch: 'status only',
    send: 'send',
    prepare: 'prepare',
  },
  problems: {
    notProven: {
      title: 'Closed: the registration is not proven.',
      lines: [
        'A top-up for a key that the chain does not know is burnt. So the proof comes first, each time.',
      ],
      next: [back`${KEY} goes back to the step that proves it`],
    },
    watch: [decides('w')`${KEY} watches the status`],
    impossible: {
      'not-in-state': {
        title: 'Closed: the beacon state does not hold this key.',
        lines: ['A top-up sent now would be burnt: the chain keeps the money.'],
      },
      leaving: {
        title: `Closed: this validator ${STANDING_TEXT.hasLeftOrLeaves}.`,
        lines: ['What you add now comes back to the withdrawal address; the key never becomes active again.'],
      },
      pool: {
        title: 'Closed: this validator is a staking pool’s.',
        lines: [
          'A direct deposit would raise its stake and give you no share: a gift to those who hold the shares.',
          'Stake goes in through the contract of the pool itself (its StakingPool, submit): docs/pools.md. Watching it works as for any other.',
        ],
      },
      'no-room': {
        title: 'Closed: the stake is nearly at its maximum.',
        lines: ['The stake has less room left than the least deposit needs.'],
      },
      'place-out-of-reach': {
        title: 'Closed: no amount gets a place in the active set.',
        lines: ['Even the highest stake that a validator can hold would rank too low.'],
      },
    },
  },
}

/** What the final checks of this step find. */
export const TOPUP_CHECKS_TEXT = {
  notProven: 'the registration is not proven',
  behind: 'the second endpoint is behind: it knows no operator of the key yet',
  beforeAgreed: (block: bigint) =>
    `an endpoint is behind: it does not show block ${formatCount(block)}, which you agreed after`,
  secondAgrees: 'same chain, same operator',
  recordNotProven: (why: string) => `not proven: ${why}`,
  absent: 'the chain does not know the key: a top-up would be burnt',
  pool: 'a staking pool’s validator: a direct deposit would be a gift',
  holds: (slot: bigint) => `proven, not leaving, slot ${formatCount(slot)}`,
  noAmount: 'no amount',
  noPlace: 'the proven set has no place for this amount',
  noSet: 'the set is not known yet',
  reported: (held: string) => `${held}; the set is reported (not proven)`,
  losesPlace: 'this amount keeps no place in the proven set',
  asTopUp: 'a top-up of your own key',
  otherCalldata: 'the calldata is not a top-up of your key',
}
