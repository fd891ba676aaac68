import { formatGwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { safeText } from '../../base/format/text.ts'
import { payoutOf } from '../../chain/deposit/credentials.ts'
import type { Setup } from '../../chain/facts.ts'
import { runsWithKey } from '../../chain/identity/engine-key.ts'
import { homeStops } from '../../chain/identity/home-findings.ts'
import { isPoolValidator } from '../../chain/network/pools.ts'
import { besideWords } from '../../observe/findings.ts'
import { standbyWords, stateAheadWords } from '../../observe/standby.ts'
import { type ErrorFacts, known } from '../../view/observation.ts'
import { problemOf } from '../../view/rows.ts'
import type { Problem } from '../../view/view.ts'
import { adoptable, operatorsDiffer, payoutAddress } from './adopt.ts'
import {
  beaconFits,
  IDENTITY_FACTS,
  isToolKey,
  keyAllowed,
  keyIsAway,
  keyText,
  operatorFits,
  signsNowhereElse,
} from './facts.ts'
import { IDENTITY_PROBLEMS_TEXT } from './problems-text.ts'
import {
  type IdentityAnswers,
  type IdentityState,
  identityKey,
  isBurntOwn,
  isUncounted,
  operatorOwner,
  storyOf,
} from './state.ts'
import { IDENTITY_TEXT } from './text.ts'

const { labels } = IDENTITY_PROBLEMS_TEXT

const stop = (what: string) => ({ id: `identity.${what}`, kind: 'stop' }) as const

/** Returns why the journal keeps the step closed; undefined where it does not. */
export function journalProblem(journal: { status: string; error?: ErrorFacts }): Problem | undefined {
  if (journal.error === undefined) return undefined
  return problemOf(
    { id: journal.error.code, kind: 'stop' },
    IDENTITY_PROBLEMS_TEXT.journal(journal.error),
    [],
    'unknown',
  )
}

/** Returns the first problem of the key that stops a registration; undefined where there is none. */
export function identityProblem(state: IdentityState, setup: Setup): Problem | undefined {
  const { observed, keyOnly } = state
  const home = known(observed.home)
  const key = identityKey(state)
  const engine = known(observed.engine)
  const operator = known(observed.operator)
  const beacon = known(observed.beacon)
  const stops = home === undefined ? [] : homeStops(home)
  if (stops.length > 0) return problemOf(stop('home'), IDENTITY_PROBLEMS_TEXT.home(stops))
  if (key && !keyAllowed(key, setup))
    return problemOf(stop('key'), IDENTITY_PROBLEMS_TEXT.key(key, keyText(key, setup)), [
      { label: labels.key(key), value: key.pubkey },
    ])
  if (key && engine && !keyOnly && runsWithKey(engine.pubkey, key) !== true) {
    const isFree = signsNowhereElse({ state, setup })
    const standby = known(observed.standby)
    // Whoever reads that this key is not the node's gives it to the node: not before it is asked whether it signs elsewhere.
    if (standby === undefined && isBeingAsked(state, 'standby') && !keyIsAway(state)) return undefined
    const ahead = standby && stateAheadWords(standby, setup.network)
    if (ahead !== undefined) return problemOf(stop('state-ahead'), IDENTITY_PROBLEMS_TEXT.stateAhead(ahead))
    if (standby !== undefined && isFree === false)
      return problemOf(
        stop('signs-elsewhere'),
        IDENTITY_PROBLEMS_TEXT.signsElsewhere(standbyWords(standby, setup.network)),
      )
    return problemOf(stop('engine'), IDENTITY_PROBLEMS_TEXT.engine(key, isFree === true), [
      { label: labels.ownKey(key), value: key.pubkey },
      { label: labels.engine, value: engine.pubkey },
    ])
  }
  if (beacon?.index !== undefined) {
    const used = usedKeyProblem(state, beacon, setup)
    if (used !== undefined) return used
  }
  if (operator && beacon?.index === undefined && !operatorFits(operator, state)) {
    return pastIsAsked(state) || isUncounted(state)
      ? undefined
      : operatorProblem(state, operator.operator, setup)
  }
  if (operator && isBurntOwn(state)) return operatorProblem(state, operator.operator, setup)
  // Before both have answered nothing is known of it.
  if (keyOnly && operator && beacon && beacon.index === undefined)
    return problemOf(stop('unused'), IDENTITY_PROBLEMS_TEXT.unused())
  return toolProblem(state, setup) ?? hungProblem(known(observed.node))
}

/** What the node tool says that is of another key, or of another node. */
function toolProblem(state: IdentityState, setup: Setup): Problem | undefined {
  const { label, engineChainId, names } = setup.network
  const key = identityKey(state)
  const keys = known(state.observed.toolKeys)
  const status = known(state.observed.toolStatus)
  if (key === undefined) return undefined
  if (keys !== undefined && !isToolKey(keys, key)) {
    return problemOf(stop('tool-keys'), IDENTITY_PROBLEMS_TEXT.toolKeys(names.nodeTool), [
      { label: labels.keyHere, value: key.pubkey },
      { label: labels.engineAddress, value: key.address },
      { label: labels.keyByTool, value: keys.pubkey },
      { label: labels.engineAddress, value: keys.address },
    ])
  }
  if (status === undefined || IDENTITY_FACTS.toolStatus.judge(status, { state, setup })) return undefined
  return problemOf(stop('tool-status'), IDENTITY_PROBLEMS_TEXT.toolStatus(), [
    { label: labels.networkExpected, value: `${engineChainId} (${label})` },
    { label: labels.networkByTool, value: safeText(status.network, 60) },
    { label: labels.keyExpected, value: key.pubkey },
    { label: labels.keyByTool, value: status.pubkey },
  ])
}

/**
 * Nothing that a node says of itself shows that it hangs: only its head beside another one does. At slot 0 it waits for
 * its first block.
 */
function hungProblem(node: IdentityAnswers['node'] | undefined): Problem | undefined {
  if (node === undefined || node.advanced || node.headSlot === 0n) return undefined
  const { headSlot, beside } = node
  return beside.is === 'ahead'
    ? problemOf(stop('node-hangs'), IDENTITY_PROBLEMS_TEXT.hung(headSlot, besideWords(beside)))
    : undefined
}

/** The story is not told by halves: while the key's past is still being read, the rows say that it is asked. */
function pastIsAsked(state: IdentityState): boolean {
  return isBeingAsked(state, 'history') || isBeingAsked(state, 'node')
}

function isBeingAsked({ observed, asking }: IdentityState, id: 'history' | 'node' | 'standby'): boolean {
  const { status } = observed[id]
  return status === 'asking' || (status === 'unasked' && asking)
}

/** The contract has an operator and the chain no validator: what happened, by the logs. */
function operatorProblem(state: IdentityState, operator: Hex, setup: Setup): Problem {
  const { setBy } = known(state.observed.history) ?? {}
  const givesKeys = setup.wishes !== undefined
  const owner = operatorOwner(state, setup)
  const values = [
    { label: labels.operator, value: operator },
    ...(setBy === undefined
      ? []
      : [{ label: labels.setBy(setBy.blockNumber), value: setBy.transactionHash }]),
  ]
  if (storyOf(state) !== 'burnt')
    return problemOf(stop('taken'), IDENTITY_PROBLEMS_TEXT.taken({ givesKeys }), values)
  const text = IDENTITY_PROBLEMS_TEXT.burnt(owner, spentText(state, setup), {
    givesKeys,
    isOut: state.own?.out === true,
  })
  const burnt = burntText(state, setup)
  const isLoss = burnt !== undefined && burnt.by !== 'stranger'
  return { ...problemOf(stop(`burnt.${owner}`), text, values), ...(isLoss ? { lost: burnt.amount } : {}) }
}

/** What deposits of the past paid for this key, with the token. */
function spentText({ observed }: IdentityState, { network }: Setup): string {
  const { deposits = [] } = known(observed.history) ?? {}
  const total = deposits.reduce((sum, { amountGwei }) => sum + amountGwei, 0n)
  return `${formatGwei(total)} ${network.names.token}`
}

/** What earlier deposits for this key have lost, and whose operator they set; undefined where nothing was burnt. */
export function burntText(state: IdentityState, setup: Setup) {
  if (storyOf(state) !== 'burnt') return undefined
  return { amount: spentText(state, setup), by: operatorOwner(state, setup) }
}

/** A registered key is no problem once it is this journal's own, or adopted; without a home it is what was asked for. */
function usedKeyProblem(
  state: IdentityState,
  beacon: IdentityAnswers['beacon'],
  setup: Setup,
): Problem | undefined {
  const { adopted, own, keyOnly, observed } = state
  const { withdrawalCredentials } = beacon
  const payout = withdrawalCredentials === undefined ? [] : [payoutOf(withdrawalCredentials)]
  const isPools = withdrawalCredentials !== undefined && isPoolValidator(withdrawalCredentials, setup.network)
  const registered = () =>
    problemOf(
      stop('registered'),
      IDENTITY_PROBLEMS_TEXT.registered(beacon, { isOurs: (adopted ?? own) !== undefined, isPools }),
    )
  if (beacon.exiting)
    return problemOf(
      stop('left'),
      IDENTITY_PROBLEMS_TEXT.left(beacon, { givesKeys: setup.wishes !== undefined }),
      payout,
    )
  if (operatorsDiffer(state)) {
    return problemOf(stop('endpoints-differ'), IDENTITY_PROBLEMS_TEXT.differ(), [
      { label: labels.firstOperator, value: known(observed.operator)?.operator ?? '' },
      { label: labels.secondOperator, value: known(observed.secondOperator)?.operator ?? '' },
    ])
  }
  if (adoptable(state, setup) !== undefined) return keyOnly ? undefined : registered()
  if (beaconFits(beacon, adopted ?? own) || beacon.isNewer === true) return undefined
  if (beacon.provenSlot === undefined && !state.asking)
    return problemOf(stop('unproven'), IDENTITY_PROBLEMS_TEXT.unproven(beacon, keyOnly))
  if (withdrawalCredentials !== undefined && payoutAddress({ withdrawalCredentials }) === undefined)
    return problemOf(stop('unpaid'), IDENTITY_PROBLEMS_TEXT.unpaid(), payout)
  return keyOnly ? undefined : registered()
}

/** Returns what the key is, where no problem stops the registration. */
export function goodText({ adopted, keyOnly, own, rescue, observed }: IdentityState): string {
  const { good } = IDENTITY_TEXT
  if (adopted !== undefined) return good.adopted(adopted.index)
  if (keyOnly) return good.own
  if (own?.out === true) return good.deposited
  if (rescue !== undefined) return good.rescued
  return known(observed.beacon)?.provenSlot === undefined ? good.reported : good.unused
}
