import { join } from 'node:path'
import { attachRehearsal } from '../../src/compose/attach-rehearsal.ts'
import type { Effects, HttpReply, HttpRequest, Signer } from '../../src/core/base/effects/effects.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { SetSnapshot } from '../../src/core/chain/consensus/snapshot.ts'
import type { Facts, Setup } from '../../src/core/chain/facts.ts'
import type { NetworkKind } from '../../src/core/chain/network/network.ts'
import { readReportedSnapshot } from '../../src/core/clients/prove-snapshot.ts'
import type { CommandContext } from '../../src/core/observe/context.ts'
import type { AgreedKeyState } from '../../src/core/pay/gate/consent.ts'
import { gateRows } from '../../src/core/pay/gate/view.ts'
import { initialPayment } from '../../src/core/pay/payment/candidates.ts'
import type { Draft, PaymentState } from '../../src/core/pay/payment/payment.ts'
import { runDeposit } from '../../src/core/steps/deposit/commands.ts'
import type { DepositStepEvent } from '../../src/core/steps/deposit/machine.ts'
import { runSign } from '../../src/core/steps/sign/commands.ts'
import {
  initialSign,
  type SignEvent,
  type SignState,
  signTransition,
} from '../../src/core/steps/sign/machine.ts'
import { signView } from '../../src/core/steps/sign/view.ts'
import { runTopUp } from '../../src/core/steps/topup/commands.ts'
import { initialTopUp, type TopUpEvent, topUpPlan } from '../../src/core/steps/topup/machine.ts'
import { known, type Observation, withObservation } from '../../src/core/view/observation.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { cheapEffects } from './cheap-curve.ts'
import { networkOf } from './network-of.ts'
import { snapshotWorld } from './snapshot-world.ts'
import { unsigned } from './unsigned.ts'
import { userOf } from './user-of.ts'
import { virtualClock } from './virtual-clock.ts'

/** Answers in the place of an endpoint, knowing what it would have said; undefined lets that pass. */
export type Liar = (request: HttpRequest, truth: HttpReply) => Promise<HttpReply | undefined>

export type GateInput = {
  devnet: Devnet
  /** Directory of the network. */
  directory: string
  /** Whose registration it is; else the key of the home. */
  pubkey?: Hex
  kind?: NetworkKind
  liar?: Liar
  /** Whether an engine serves what the validator set signs; without one the endpoints must agree. */
  isSigned?: boolean
  /** The same execution client once more, as a second one: asked as `localhost`. */
  withSecond?: boolean
  /** Our own clock, milliseconds since 1970, where chain time is to be the wall's. */
  wallMs?: number
  rescue?: boolean
  /** Whole tokens that were signed for; 10,000 unless told otherwise. */
  signedTokens?: bigint
  /** What was set aside before and may still be sent. */
  abandoned?: readonly Draft[]
}

/** What the gate before the first deposit says of the key: its rows by id, as `mark words`. */
export async function depositGate(input: GateInput): Promise<{ [id: string]: string }> {
  const { world: context, getState, rows } = await gateWorld(input)
  await runDeposit(
    { step: 'deposit', type: 'check', scope: 'here' },
    { ...context, guards: () => undefined, kept: async () => ({ guards: [], payments: [], windows: [] }) },
    getState,
  )
  return rows()
}

export type FundsInput = GateInput & {
  /** What is typed as the amount of the first deposit; nothing yet unless told otherwise. */
  amount?: string
  withoutKeystore?: boolean
}

/** What the step that signs says of the money for the whole way, before anything is signed. */
export async function signFunds(input: FundsInput): Promise<{ [id: string]: string }> {
  const user = await userOf(input.devnet)
  const effects = effectsOf(input, user.address)
  const { keystore, ...without } = await setupOf(input, effects)
  const setup: Setup = input.withoutKeystore === true ? without : { ...without, keystore: keystore ?? '' }
  const { signature: _, ...facts } = factsOf(input, user)
  const { address } = user
  const addresses = { withdrawal: address, withdrawalAgain: '', operator: address, operatorAgain: '' }
  const amount = input.amount === undefined ? {} : { amount: input.amount }
  let state: SignState = { ...initialSign, accepted: { ...addresses, ...amount } }
  const dispatch = async (event: SignEvent) => {
    state = signTransition(state, event, setup, facts)[0]
  }
  const world = { effects, setup, facts: () => facts, dispatch, getState: () => state, ...NOTHING_OPEN }
  await dispatch({ step: 'sign', type: 'entered' })
  await runSign({ step: 'sign', type: 'funds', scope: 'here' }, world)
  return Object.fromEntries(signView(state, setup).facts.map((row) => [row.id, `${row.mark} ${row.value}`]))
}

const NOTHING_OPEN = {
  signal: new AbortController().signal,
  openJournal: async () => undefined,
  guards: () => undefined,
  kept: async () => ({ guards: [], payments: [], windows: [] }),
  lock: async () => undefined,
  offers: new Map(),
}

export type TopUpInput = GateInput & {
  /** Whole tokens; 20,000 unless told otherwise. */
  amountTokens?: bigint
  /** The set that the amount was chosen by; what the node truly reports unless told otherwise. */
  shown?: SetSnapshot
  /** What was agreed to, for the amount that is chosen. */
  world?: AgreedKeyState
}

/** What the gate before a top-up says of a registered key, and the set that it put on the screen, if any. */
export async function topUpGate(
  input: TopUpInput,
): Promise<{ rows: { [id: string]: string }; read: SetSnapshot | undefined }> {
  const { world: context, getState, rows } = await gateWorld(input)
  const chosenGwei = tokens(input.amountTokens ?? 20_000n)
  const { clients } = snapshotWorld(input.devnet)
  const keep = context.facts().identity?.pubkey
  const {
    shown = await readReportedSnapshot(clients, {
      network: networkOf(input.devnet),
      keep,
      unproven: undefined,
    }),
  } = input
  let snapshot: Observation<SetSnapshot> = { status: 'known', value: shown, source: 'test', atMs: 0 }
  const dispatch = async (event: TopUpEvent) => {
    if (event.type === 'snapshot-read') snapshot = event.snapshot
    await context.dispatch(event)
  }
  const { world } = input
  const plan = topUpPlan(chosenGwei, context.facts(), context.setup)
  const isAgreed = world !== undefined && plan !== undefined
  const agreed = isAgreed ? { payment: { phase: 'agreed', agreement: { plan, world } } as const } : {}
  const state = () => ({ ...initialTopUp, snapshot, chosenGwei, send: { ...getState(), ...agreed } })
  await runTopUp(
    { step: 'topup', type: 'check', scope: 'here' },
    {
      ...context,
      guards: () => undefined,
      kept: async () => ({ guards: [], payments: [], windows: [] }),
      dispatch,
      getState: state,
    },
  )
  const seen = known(snapshot)
  return { rows: rows(), read: seen === shown ? undefined : seen }
}

async function gateWorld(input: GateInput) {
  const user = await userOf(input.devnet)
  const effects = effectsOf(input, user.address)
  const setup = await setupOf(input, effects)
  const facts = factsOf(input, user)
  let state: PaymentState = { ...initialPayment, abandoned: input.abandoned ?? [] }
  const getState = () => state
  const context: CommandContext<DepositStepEvent | TopUpEvent> = {
    effects,
    setup,
    facts: () => facts,
    ...NOTHING_OPEN,
    async dispatch(event) {
      if (event.type === 'observed') state = { ...state, observed: withObservation(state.observed, event) }
    },
  }
  const rows = () =>
    Object.fromEntries(gateRows(state, setup).map((row) => [row.id, `${row.mark} ${row.value}`]))
  return { world: context, getState, rows }
}

async function setupOf(
  { directory, kind, withSecond = false, wallMs }: GateInput,
  effects: Effects,
): Promise<Setup> {
  const places = { journalDirectory: directory, outputDirectory: directory }
  const descriptorPath = join(directory, 'descriptor.json')
  const setup = await attachRehearsal(effects, { ...places, descriptorPath })
  const network = { ...setup.network, kind: kind ?? setup.network.kind, clockIsWall: wallMs !== undefined }
  const secondExecution = setup.endpoints.execution.replace('127.0.0.1', 'localhost')
  const endpoints = { ...setup.endpoints, ...(withSecond ? { secondExecution } : {}) }
  return { ...setup, network, endpoints }
}

function factsOf(
  { devnet, pubkey, rescue = false, signedTokens = 10_000n }: GateInput,
  user: Awaited<ReturnType<typeof userOf>>,
) {
  const { descriptor } = devnet
  const own = pubkey ?? user.pubkey
  const amountGwei = tokens(signedTokens)
  const record = devnet.state().validators.findIndex((validator) => validator.pubkey === own)
  const facts: Facts = {
    genesis: {
      genesisValidatorsRoot: descriptor.genesisRoot,
      genesisForkVersion: descriptor.genesisForkVersion,
      executionGenesisHash: descriptor.executionGenesisHash,
      forksAhead: [],
    },
    identity: { pubkey: own, uncompressedPubkey: '0x', address: '', key: { kind: 'elsewhere' } },
    signature: {
      withdrawalAddress: user.address,
      withdrawalCredentials: user.withdrawalCredentials,
      operator: user.address,
      amountGwei,
      signature: `0x${'11'.repeat(96)}`,
      rescue,
    },
    validator: {
      withdrawalCredentials: user.withdrawalCredentials,
      operator: user.address,
      leastBalanceGwei: amountGwei,
      origin: 'registered-here',
    },
    registration: {
      validatorIndex: record,
      slot: devnet.state().slot,
      blockRoot: `0x${'00'.repeat(32)}`,
      balanceGwei: amountGwei,
      anchors: 1,
    },
  }
  return facts
}

function effectsOf(
  { wallMs, isSigned = false, liar = async () => undefined }: GateInput,
  address: Hex,
): Effects {
  const refuse = () => Promise.reject(new Error('nothing is signed at the gate'))
  const signer: Signer = {
    inspect: refuse,
    signDeposit: refuse,
    signTransaction: refuse,
    signGuard: refuse,
    keystoreAddress: async () => ({ address }),
  }
  const real = cheapEffects({ signer })
  const clock = virtualClock(wallMs)
  const effects: Effects = {
    ...real,
    clock: { ...clock, monotonicMs: clock.nowMs },
    http: {
      async request(request) {
        const { sink: _, ...whole } = request
        const truth = await real.http.request(whole)
        return (await liar(request, truth)) ?? truth
      },
    },
  }
  return isSigned ? effects : unsigned(effects)
}
