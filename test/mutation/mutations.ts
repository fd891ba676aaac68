import type { Mutation } from '../support/mutants.ts'

/** What of the vectors is checked. */
export type CheckName = 'deposits' | 'genesis-roots' | 'epochs' | 'proofs' | 'http' | 'tool' | 'slots'

const DOMAIN = 'src/core/chain/deposit/sign.ts'
const ROOT = 'src/core/chain/deposit/genesis-root.ts'
const EFFECTIVE = 'src/core/chain/consensus/state.ts'
const EPOCH = 'src/core/chain/consensus/process-epoch.ts'
const PRESETS = 'src/core/chain/network/presets.ts'
const STATE = 'src/core/chain/proofs/beacon-state.ts'

/** Each constant that decides, and another one in its place that a check must see. */
export const MUTATIONS: readonly [what: string, check: CheckName, mutation: Mutation][] = [
  ['the domain tag of Ethereum', 'deposits', { file: DOMAIN, from: 'RO_NUL_', to: 'RO_POP_' }],
  ['another domain type', 'deposits', { file: DOMAIN, from: "'0x03000000'", to: "'0x04000000'" }],
  [
    'a fork version of the software’s own',
    'deposits',
    { file: DOMAIN, from: 'hexToBytes(chain.genesisForkVersion)', to: "hexToBytes('0x06000000')" },
  ],
  [
    'no genesis root in the domain',
    'deposits',
    { file: DOMAIN, from: 'hexToBytes(chain.genesisValidatorsRoot)', to: 'new Uint8Array(32)' },
  ],
  [
    'half the increment in the genesis root',
    'genesis-roots',
    {
      file: ROOT,
      from: 'limits.effectiveBalanceIncrementGwei)',
      to: '(limits.effectiveBalanceIncrementGwei / 2n))',
    },
  ],
  [
    'half the increment of the built-in networks',
    'genesis-roots',
    {
      file: PRESETS,
      from: 'effectiveBalanceIncrementGwei: tokens(10_000n)',
      to: 'effectiveBalanceIncrementGwei: tokens(5_000n)',
    },
  ],
  [
    'a smaller largest balance of the built-in networks',
    'genesis-roots',
    {
      file: PRESETS,
      from: 'maxEffectiveBalanceGwei: tokens(10_000_000n)',
      to: 'maxEffectiveBalanceGwei: tokens(32n)',
    },
  ],
  ['another far future', 'genesis-roots', { file: ROOT, from: '2n ** 64n - 1n', to: '2n ** 64n - 2n' }],
  [
    'a shorter list of validators',
    'genesis-roots',
    { file: ROOT, from: 'LIST_DEPTH = 40', to: 'LIST_DEPTH = 39' },
  ],
  [
    'half the increment at the epoch turn',
    'epochs',
    {
      file: EFFECTIVE,
      from: '(balanceGwei % spec.effectiveBalanceIncrementGwei)',
      to: '(balanceGwei % (spec.effectiveBalanceIncrementGwei / 2n))',
    },
  ],
  [
    'another hysteresis quotient',
    'epochs',
    { file: EFFECTIVE, from: 'IncrementGwei / quotient', to: 'IncrementGwei / (quotient + 1n)' },
  ],
  [
    'more upward hysteresis',
    'epochs',
    { file: EFFECTIVE, from: 'stepGwei * upward', to: 'stepGwei * (upward + 1n)' },
  ],
  [
    'the tie to the larger key',
    'slots',
    {
      file: 'src/core/chain/consensus/process-epoch.ts',
      from: 'left < right ? -1 : 1',
      to: 'left < right ? 1 : -1',
    },
  ],
  [
    'one place less',
    'epochs',
    {
      file: EPOCH,
      from: 'active.length - spec.validatorSetCap',
      to: 'active.length + 1 - spec.validatorSetCap',
    },
  ],
  [
    'eligible one epoch later',
    'epochs',
    {
      file: EPOCH,
      from: 'activationEligibilityEpoch: epoch + 1n',
      to: 'activationEligibilityEpoch: epoch + 2n',
    },
  ],
  [
    'active one epoch later',
    'slots',
    { file: EPOCH, from: 'activationEpoch: epoch + 1n }', to: 'activationEpoch: epoch + 2n }' },
  ],
  [
    'withdrawable one epoch later',
    'slots',
    { file: EPOCH, from: 'exitEpoch + spec.withdrawability', to: 'exitEpoch + 1n + spec.withdrawability' },
  ],
  [
    'no place for the inflation entry',
    'epochs',
    {
      file: 'src/core/chain/consensus/pay-withdrawals.ts',
      from: 'INFLATION_ENTRIES = 1',
      to: 'INFLATION_ENTRIES = 0',
    },
  ],
  [
    'deposits a slot earlier',
    'slots',
    { file: 'src/core/chain/consensus/process-epoch.ts', from: 'FULU_SLOTS = 2n', to: 'FULU_SLOTS = 1n' },
  ],
  [
    'a state of 16 fields',
    'proofs',
    {
      file: STATE,
      from: '  pendingPartialWithdrawals: new ListCompositeType(PendingPartialWithdrawalType, 2 ** 27),\n',
      to: '',
    },
  ],
  [
    'the validators one field earlier',
    'proofs',
    swapped(
      'latestExecutionPayloadHeader: ExecutionPayloadHeaderType',
      'validators: new ListCompositeType(ValidatorType, REGISTRY_LIMIT)',
    ),
  ],
  [
    'the balances one field later',
    'proofs',
    swapped(
      'balances: new ListBasicType(Uint64, REGISTRY_LIMIT)',
      'randaoMixes: new ListCompositeType(Bytes32, 65536)',
    ),
  ],
  [
    'the credentials one field on',
    'proofs',
    swapped('withdrawalCredentials: Bytes32', 'effectiveBalance: Uint64'),
  ],
  [
    'a smaller registry',
    'proofs',
    { file: STATE, from: 'REGISTRY_LIMIT = 2 ** 40', to: 'REGISTRY_LIMIT = 2 ** 39' },
  ],
  [
    'two balances a leaf',
    'proofs',
    {
      file: STATE,
      from: 'balances: new ListBasicType(Uint64',
      to: 'balances: new ListBasicType(new UintBigintType(16)',
    },
  ],
  [
    'another id in the engine’s replies',
    'http',
    { file: 'src/core/clients/engine/client.ts', from: 'GET_ID = -1', to: 'GET_ID = 1' },
  ],
  [
    'what is not offered taken for broken',
    'http',
    { file: 'src/core/clients/node/client.ts', from: 'is not yet implemented', to: 'is not there yet' },
  ],
  [
    'a gwei more than the tool printed',
    'tool',
    {
      file: 'src/core/chain/identity/run-tool.ts',
      from: 'const amount = BigInt(text)',
      to: 'const amount = BigInt(text) + 1n',
    },
  ],
]

/** Two neighbours among the fields of the state, the other way round. */
function swapped(first: string, second: string): Mutation {
  return { file: STATE, from: `  ${first},\n  ${second},\n`, to: `  ${second},\n  ${first},\n` }
}
