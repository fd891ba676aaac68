import type { Static } from 'typebox'
import type { DocumentName } from '../../core/base/format/document.ts'
import {
  Anything,
  Asked,
  Bytes,
  Count,
  Fields,
  Flag,
  Gwei,
  List,
  Maybe,
  Name,
  OneOf,
  Place,
  Time,
  WordOf,
  Words,
} from '../../core/base/format/shapes.ts'
import type { RefusalOrigin } from '../../core/chain/deposit/explain-refusal.ts'
import type { KeyVerdict } from '../../core/chain/key-state/key-state.ts'
import { CHRONICLE_EVENTS } from '../../core/chain/network/chronicle.ts'
import type { TopUpAdvice } from '../../core/steps/topup/facts.ts'
import type { StoryEnd } from '../../core/wizard/story/stories-text.ts'
import { ALARM_PART, EventShape } from '../../watch/notify/event-shape.ts'
import {
  AccountCallShape,
  DepositEventShape,
  ForecastShape,
  KeyStateShape,
  OutcomeName,
  RankRowShape,
  REPORT,
  SignedDepositShape,
  StatusName,
  SUBJECT,
  TransactionShape,
  ValidatorShape,
} from './parts.ts'
import { SUPPORT } from './support.ts'
import { AMOUNT_OUTCOMES, DEPOSIT_FATES } from './words.ts'

const KeyWord = WordOf<KeyVerdict>({
  unknown: true,
  unused: true,
  waiting: true,
  lost: true,
  registered: true,
  exiting: true,
  exited: true,
  withdrawn: true,
})

const Impossible = WordOf<NonNullable<TopUpAdvice['impossible']>>({
  'not-in-state': true,
  leaving: true,
  pool: true,
  'no-room': true,
  'place-out-of-reach': true,
})

const AmountWord = OneOf(AMOUNT_OUTCOMES)

const Fate = OneOf(DEPOSIT_FATES)

const Origin = WordOf<RefusalOrigin>({
  'ethereum-tag': true,
  'ethereum-tool': true,
  'genesis-tooling': true,
  'other-fork-version': true,
  'other-network': true,
})

const GENESIS = {
  ...REPORT,
  expectedRoot: Maybe(Bytes(32)),
  root: Asked(Bytes(32)),
  forkVersion: Asked(Bytes(4)),
  validators: Asked(Count),
  engineChainId: Asked(Name),
  genesisAt: Maybe(Time),
  node: Asked(Fields({ root: Bytes(32), forkVersion: Bytes(4) })),
  execution: Asked(Fields({ chainId: Count, genesisHash: Bytes(32) })),
  tool: Asked(Fields({ root: Bytes(32) })),
}

const KEYS = {
  ...REPORT,
  pubkey: Asked(Bytes(48)),
  uncompressedPubkey: Asked(Bytes(96)),
  uncompressedBase64: Asked(Name),
  address: Asked(Name),
  enginePubkey: Asked(Bytes(48)),
  onChain: Maybe(KeyWord),
  keyState: Asked(KeyStateShape),
}

const POWER = { powerGwei: Gwei, height: Place, sameKey: Flag }

const STATUS = {
  ...REPORT,
  ...SUBJECT,
  status: Asked(StatusName),
  rank: Asked(Count),
  places: Count,
  balanceGwei: Asked(Gwei),
  validator: Asked(ValidatorShape),
  engine: Asked(Fields({ ...POWER, totalGwei: Gwei, members: Count, catchingUp: Flag })),
  tool: Asked(Fields(POWER)),
  timeline: List(
    Fields({
      id: Name,
      state: OneOf(['done', 'now', 'ahead']),
      words: Fields({ label: Words, when: Words, detail: Words }),
    }),
  ),
  alarms: List(Fields({ ...ALARM_PART, since: Time, acknowledged: Flag })),
}

const TOPUP_PLAN = {
  ...REPORT,
  ...SUBJECT,
  balanceGwei: Maybe(Gwei),
  stakeToBeGwei: Gwei,
  proposedGwei: Maybe(Gwei),
  impossible: Maybe(Impossible),
  threshold: Maybe(Fields({ addGwei: Gwei, forecast: ForecastShape })),
  amountGwei: Maybe(Gwei),
  outcome: Maybe(AmountWord),
  forecast: Maybe(ForecastShape),
  wholeWayGwei: Maybe(Gwei),
  ranks: List(RankRowShape),
}

const TOPUP_PLAN_NEW_KEY = {
  ...REPORT,
  slot: Place,
  proof: SUBJECT.proof,
  amountGwei: Maybe(Gwei),
  wholeWayGwei: Maybe(Gwei),
  forecast: Maybe(ForecastShape),
  places: Fields({
    taken: Count,
    places: Count,
    last: Maybe(Fields({ pubkey: Bytes(48), stakeGwei: Gwei })),
  }),
  steps: List(Fields({ allGwei: Gwei, outcome: OutcomeName, rank: Maybe(Count), places: Count })),
  waiting: Fields({ count: Count, sumGwei: Gwei, wholeWayWithoutGwei: Maybe(Gwei) }),
}

const TOPUP_PLAN_DEPOSITS = {
  ...REPORT,
  deposits: Asked(
    Fields({
      block: Place,
      count: Count,
      genesisCount: Count,
      keyCount: Count,
      sumGwei: Gwei,
      keysAtThresholdCount: Count,
      endpointCount: Count,
    }),
  ),
}

const VERIFY = {
  ...REPORT,
  deposit: SignedDepositShape,
  chosenBy: OneOf(['you', 'file', 'transaction']),
  fate: Fate,
  reason: Maybe(Name),
  explanation: Maybe(Fields({ origin: Origin, words: Fields({ sentence: Words }) })),
  transaction: Maybe(TransactionShape),
  carriedOut: Maybe(AccountCallShape),
  event: Maybe(DepositEventShape),
  block: Maybe(Place),
  onChain: Maybe(KeyWord),
  keyState: Asked(KeyStateShape),
}

const SIGN = {
  ...REPORT,
  path: Maybe(Name),
  deposit: Maybe(
    Fields({
      ...SignedDepositShape.properties,
      network: Name,
      executionChainId: Count,
      operator: Bytes(20),
    }),
  ),
}

const REHEARSE = {
  ...REPORT,
  end: Name,
  story: Maybe(
    Fields({
      end: WordOf<StoryEnd>({ kept: true, out: true, open: true }),
      events: List(
        Fields({
          id: OneOf(CHRONICLE_EVENTS),
          slot: Place,
          amountGwei: Maybe(Gwei),
          index: Maybe(Place),
          blocks: Maybe(Count),
        }),
      ),
    }),
  ),
}

const API = {
  ...REPORT,
  path: Name,
  service: OneOf(['node API', 'engine RPC', 'execution RPC']),
  endpoint: Name,
  typed: Flag,
  offered: Flag,
  proofLevel: Maybe(Count),
  blockRoot: Maybe(Bytes(32)),
  answer: Anything,
}

const CONFIG = {
  places: List(
    Fields({
      id: Name,
      path: Name,
      exists: Flag,
      bytes: Count,
      files: Count,
      mayBeDeleted: Flag,
      words: Fields({ label: Words, what: Words, because: Words }),
    }),
  ),
  words: Fields({ notKept: List(Words) }),
}

const DEVNET = {
  urls: Fields({ execution: Name, node: Name, engine: Name }),
  chainId: Count,
  genesisRoot: Bytes(32),
  keystore: Fields({ path: Name, password: Name }),
  home: Name,
  spec: Name,
  engineChainId: Name,
  genesisForkVersion: Bytes(4),
  executionGenesisHash: Bytes(32),
  depositContractCodeHash: Bytes(32),
  slotMs: Count,
  clockIsWall: Flag,
  operator: Bytes(20),
  withdrawalAddress: Bytes(20),
  scenario: Name,
  seed: Name,
  pid: Count,
  second: Maybe(Name),
  pools: Maybe(Fields({ vault: Bytes(20), factories: List(Bytes(20)) })),
  story: Maybe(Name),
  control: Maybe(Name),
}

const ERROR = {
  error: Fields({ code: Name, money: OneOf(['untouched', 'unknown', 'moved']), retryable: Flag }),
  words: Fields({ sentence: Words, details: List(Words), next: List(Words), said: Maybe(Words) }),
}

/** The fields of every document beside its head. */
export const SHAPES = {
  api: Fields(API),
  config: Fields(CONFIG),
  devnet: Fields(DEVNET),
  doctor: Fields(REPORT),
  error: Fields(ERROR),
  event: EventShape,
  genesis: Fields(GENESIS),
  keys: Fields(KEYS),
  rehearse: Fields(REHEARSE),
  report: Fields(SUPPORT),
  sign: Fields(SIGN),
  status: Fields(STATUS),
  'topup-plan': Fields(TOPUP_PLAN),
  'topup-plan-deposits': Fields(TOPUP_PLAN_DEPOSITS),
  'topup-plan-new-key': Fields(TOPUP_PLAN_NEW_KEY),
  verify: Fields(VERIFY),
} satisfies Record<DocumentName, ReturnType<typeof Fields>>

/** What a command gives for a document: its fields beside the head. */
export type FieldsOf<Document extends DocumentName> = Static<(typeof SHAPES)[Document]>

type Findings = keyof typeof REPORT

/** Documents that are made of findings. */
export type ReportName = {
  [Document in DocumentName]: Findings extends keyof FieldsOf<Document> ? Document : never
}[DocumentName]

/** The same without its findings and sentences, which `tellReport` writes. */
export type DataOf<Document extends ReportName> = Omit<FieldsOf<Document>, Findings>
