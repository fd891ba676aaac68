import type { PaymentOffer } from '../../src/core/pay/desk/offer.ts'
import { goOn } from '../../src/core/view/step-view.ts'
import type { FactRow, Problem, RankRow } from '../../src/core/view/view.ts'
import type { AnyView, Event } from '../../src/core/wizard/state.ts'

const EXPLAIN = {
  what: 'The root that names this chain among all chains. A deposit signed over another root is burnt by the chain.',
  who: 'Computed on this computer from the genesis file, and asked of the node.',
  later: 'Never. A chain keeps its root for life.',
}

const PUBKEY =
  '0x8145ccbfa605abcaeec3ba28493cc434ba74a26a63dd9523aaaf2bf13445211956c5a19e103fbb460ce36ea51707a80c'
const ROOT = '0x961b839044d9e6f1e527f0622cea49397f9f315c769dd1258a91c9f31e651d0c'

const RETRY: readonly Event[] = [{ step: 'genesis', type: 'retried' }]
const nudge = (byGwei: bigint): readonly Event[] => [{ step: 'topup', type: 'nudged', byGwei, fromGwei: 1n }]

/** What a word agrees to of which all is known. */
export const OFFER: PaymentOffer = {
  kind: 'first',
  plan: { to: '0x4242424242424242424242424242424242424242', valueWei: 10_000n, data: '0x' },
  level: 'send',
  signer: 'keystore',
  chainId: 1,
  from: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  nonce: 0,
  feeLimitWei: 1n,
  checks: { key: 'proven' },
  world: { about: 'unused-key' },
  deposits: [],
  isFollowed: true,
}

/** Takes what a screen hands over: the events of keys by their type or where they lead, and the texts by field. */
export function recorder() {
  const acted: string[] = []
  const submitted: [field: string, text: string][] = []
  const dispatch = (events: readonly Event[]) => {
    for (const event of events) {
      if ('text' in event) submitted.push(['field' in event ? event.field : event.type, event.text])
      else acted.push(event.type === 'went' ? event.to : event.type)
    }
  }
  return { acted, submitted, dispatch }
}

/** A row of facts with sound defaults. */
export function fact(id: string, parts: Partial<FactRow> = {}): FactRow {
  return { id, mark: 'proven', label: id, value: '', source: '', explain: EXPLAIN, ...parts }
}

/** A view with nothing in it but what every step has. */
function emptyView(parts: Partial<AnyView> = {}): AnyView {
  return {
    step: 'genesis',
    title: 'Is this the chain?',
    sections: ['intro', 'timeline', 'fields', 'facts', 'ranks', 'checks', 'notes'],
    intro: '',
    facts: [],
    checks: [],
    fields: [],
    ranks: [],
    timeline: [],
    notes: [],
    money: { line: 'left the wallet 0 BERA · this step sends nothing', worst: 'worst case here: none.' },
    actions: [],
    commands: [],
    done: false,
    ...parts,
  }
}

export const genesisView: AnyView = emptyView({
  intro: 'A deposit is signed for one chain. Three sources must name the same one.',
  factsTitle: 'Who says what the root is?',
  facts: [
    fact('file', { label: 'genesis.json', value: 'same root', source: 'this computer', learntAtMs: 99_500 }),
    fact('node', { label: 'your node', value: 'same root', source: '127.0.0.1:3500', learntAtMs: 96_000 }),
    fact('contract', {
      label: 'deposit contract',
      mark: 'unknown',
      value: 'no answer within 8 s',
      source: '127.0.0.1:8545',
      learntAtMs: 28_000,
    }),
    fact('root', { label: 'root', value: '', long: ROOT }),
  ],
  waiting: { label: 'asking the execution client', sinceMs: 97_000 },
  actions: [{ key: 'r', label: 'ask again', does: RETRY }],
  commands: [`beacond genesis validator-root '/home/ann/.beacond/config/genesis.json'`],
})

export const signFieldsView: AnyView = emptyView({
  step: 'sign',
  title: 'Sign the first deposit',
  intro:
    'The withdrawal address gets the stake back and can never be changed, so you retype a part of it. The operator manages the rewards.',
  fields: [
    {
      id: 'withdrawal',
      takes: { step: 'sign', type: 'submitted', field: 'withdrawal' },
      label: 'withdrawal address',
      value: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      hint: 'of your own',
      explain: EXPLAIN,
    },
    {
      id: 'operator',
      takes: { step: 'sign', type: 'submitted', field: 'operator' },
      label: 'operator address',
      value: '',
      hint: 'manages the validator’s rewards',
      explain: EXPLAIN,
    },
    {
      id: 'amount',
      takes: { step: 'sign', type: 'submitted', field: 'amount' },
      label: 'amount',
      value: '',
      hint: 'tokens; the least is proposed',
      explain: EXPLAIN,
    },
  ],
  activeField: 'operator',
  actions: [{ key: 'e', label: 'start over', does: [{ step: 'sign', type: 'dropped' }] }],
})

export const signView: AnyView = emptyView({
  step: 'sign',
  title: 'Sign the first deposit',
  intro: 'The least that registers is 10,000 BERA. Exactly the signed amount is sent.',
  factsTitle: 'Will the chain accept this signature?',
  facts: [
    fact('amount', { label: 'amount', value: '10,000 BERA', source: 'you' }),
    fact('withdrawal', { label: 'withdrawal', long: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }),
    fact('operator', { label: 'operator', long: '0xfB6916B98c74bD910D124C2DC76E02d31C402A11' }),
    fact('library', {
      label: 'signature library',
      value: 'accepts',
      source: 'this computer',
      learntAtMs: 99_800,
    }),
    fact('precompile', {
      label: 'execution client precompile',
      value: 'accepts',
      source: '127.0.0.1:8545',
      learntAtMs: 99_000,
    }),
    fact('tool', {
      label: 'node tool signs',
      value: 'same 96 bytes',
      source: '/usr/local/bin',
      learntAtMs: 98_000,
    }),
    fact('validate', { label: 'node tool checks', mark: 'unasked', value: 'not asked yet' }),
  ],
  money: {
    line: 'left the wallet 0 BERA · this step sends nothing',
    worst: 'worst case here: none. The signature is only a file until you send it.',
  },
  actions: [
    goOn('sign'),
    { key: 'e', label: 'edit', does: [{ step: 'sign', type: 'dropped' }] },
    { key: 's', label: 'save deposit file', does: [{ step: 'sign', type: 'saveAsked' }] },
  ],
  commands: [
    `beacond deposit create-validator 0x71C7656EC7ab88b098defB751B7401B5f6d8976F 10000000000000 -g ${ROOT} --home '/home/ann/.beacond'`,
  ],
  done: true,
})

export const depositView: AnyView = emptyView({
  step: 'deposit',
  title: 'Send the first deposit',
  intro: 'This is the whole transaction. Nothing else is sent.',
  facts: [
    fact('to', { label: 'to', long: '0x4242424242424242424242424242424242424242' }),
    fact('value', { label: 'value', value: '10,000 BERA', source: 'the signature' }),
    fact('fee', { label: 'fee at most', value: '0.0042 BERA', source: '127.0.0.1:8545', learntAtMs: 99_000 }),
    fact('nonce', { label: 'nonce', value: '0', source: '127.0.0.1:8545', learntAtMs: 99_000 }),
    fact('pubkey', { label: 'validator', long: PUBKEY }),
  ],
  money: {
    line: 'left the wallet 0 BERA · next 10,000 BERA and a fee',
    worst: 'worst case: below 250,000 BERA nothing can be withdrawn.',
  },
  actions: [
    {
      key: 'return',
      label: 'send',
      typed: 'send 10,000',
      offer: OFFER,
      token: 'BERA',
      does: [{ step: 'deposit', type: 'checkAsked' }],
    },
    { key: 'r', label: 'ask again', does: RETRY },
  ],
})

const LADDER: readonly RankRow[] = [
  { rank: 65, stakeGwei: 280_000_000_000_000n, mine: false, hasPlace: true, note: '' },
  { rank: 66, stakeGwei: 270_000_000_000_000n, mine: true, hasPlace: true, note: 'you, after +260,000' },
  { rank: 67, stakeGwei: 260_000_000_000_000n, mine: false, hasPlace: true, note: '' },
  { rank: 68, stakeGwei: 260_000_000_000_000n, mine: false, hasPlace: true, note: '' },
  { rank: 69, stakeGwei: 260_000_000_000_000n, mine: false, hasPlace: true, note: 'last place' },
  { rank: 70, stakeGwei: 250_000_000_000_000n, mine: false, hasPlace: false, note: 'out' },
]

export const topUpView: AnyView = emptyView({
  step: 'topup',
  title: 'Top up the stake',
  intro: '+260,000 BERA makes 270,000: 66th of 69 places, 3 above the last.',
  ranks: LADDER,
  fields: [
    {
      id: 'amount',
      takes: { step: 'topup', type: 'chosen' },
      label: 'amount in BERA',
      value: '260000',
      hint: 'in tokens, with or without commas',
      explain: EXPLAIN,
    },
  ],
  notes: ['proven state of slot 18,442,117 · you may drop out if others add 50,000 BERA'],
  money: {
    line: 'left the wallet 10,000 BERA (registered, proven) · next 260,000 + fee',
    worst: 'worst case: outbid; this key cannot return, stake back after 27 h.',
  },
  actions: [
    {
      key: 'return',
      label: 'review',
      typed: 'send 260,000',
      offer: OFFER,
      token: 'BERA',
      does: [{ step: 'topup', type: 'checkAsked' }],
    },
    { key: 'left', label: 'amount', does: nudge(-1n) },
    { key: 'right', label: 'amount', does: nudge(1n) },
    { key: 'a', label: 'type it', does: { edit: 'amount' } },
  ],
})

export const statusView: AnyView = emptyView({
  step: 'status',
  title: 'Waiting for your place',
  intro: 'slot 1,204, epoch 150',
  timeline: [
    { id: 'registered', state: 'done', label: 'registered', when: 'slot 1,163, epoch 145', detail: 'proven' },
    {
      id: 'threshold',
      state: 'done',
      label: 'threshold passed',
      when: 'slot 1,187, epoch 148',
      detail: 'balance 270,000',
    },
    {
      id: 'active',
      state: 'now',
      label: 'active',
      when: 'epoch 151',
      detail: 'in 4 slots, 4 s, at the next epoch turn',
    },
    { id: 'block', state: 'ahead', label: 'first block', when: '', detail: '' },
  ],
  facts: [
    fact('status', {
      label: 'status',
      value: 'pending_queued',
      source: '127.0.0.1:3500',
      learntAtMs: 99_000,
    }),
    fact('power', { label: 'power', value: '0 of 270,000', source: '127.0.0.1:26657', learntAtMs: 99_000 }),
  ],
  ranks: LADDER,
  money: { line: 'staked 270,000 BERA · nothing to do', worst: 'safe to close this window' },
  actions: [{ key: 't', label: 'top up', does: [{ step: 'session', type: 'went', to: 'topup' }] }],
})

export const stopProblem: Problem = {
  id: 'genesis.other-root',
  kind: 'stop',
  title: 'Stop: these two roots are different.',
  money: 'untouched',
  values: [
    { label: 'your genesis.json', value: ROOT },
    {
      label: 'Berachain, built in',
      value: '0xdf609e3b062842c6425ff716aec2d2092c46455d9b2e1a2c9e32c6ba63ff0bda',
    },
  ],
  lines: [
    'A deposit signed for another root is burnt by the chain. Your file is from another network, or from `beacond init`, which writes an empty one.',
  ],
  next: [
    "fetch the network's genesis.json, put it there, press r",
    'choose the network that this file belongs to: n',
  ],
}
