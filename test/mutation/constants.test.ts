import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { copiedSources, type Mutation, type VectorCheck } from '../support/mutants.ts'
import { vectorLines, vectorText } from '../support/vector-lines.ts'

const sources = copiedSources()
afterAll(() => sources.remove())

const packed = (path: string) =>
  gunzipSync(readFileSync(join(import.meta.dirname, '../vectors', path)))
    .toString('utf8')
    .trim()
    .split('\n')

/** A few rows of each kind, enough to see every change below. */
const CHECKS = {
  deposits: { module: 'deposits', lines: vectorLines('deposits/deposits.jsonl').slice(0, 1) },
  'genesis-roots': {
    module: 'genesis-roots',
    lines: vectorLines('deposits/genesis-roots.jsonl').slice(0, 5),
  },
  epochs: { module: 'epochs', lines: packed('consensus/epochs.jsonl.gz') },
  proofs: { module: 'proofs', lines: vectorLines('proofs.jsonl').slice(0, 2) },
  http: { module: 'http', lines: vectorLines('recorded/http.jsonl') },
  tool: { module: 'tool', lines: vectorLines('recorded/tool.jsonl') },
  slots: {
    module: 'slots',
    lines: packed('consensus/slots.jsonl.gz'),
    run: slotsProgram(),
  },
} as const satisfies { [name: string]: VectorCheck }

type CheckName = keyof typeof CHECKS

/** The recorded network again, with the four deposits whose signature its node took. */
function slotsProgram(): string {
  const recording = {
    genesisText: vectorText('recorded/genesis.json'),
    contractLines: vectorLines('recorded/contract.jsonl'),
  }
  return [
    `const { readSpecToml } = await import('./src/core/network/spec-fields.ts')`,
    `const signed = new Set([196, 228, 269, 414])`,
    `return check({ ...${JSON.stringify(recording)}, slotLines: lines,`,
    `  spec: readSpecToml(${JSON.stringify(vectorText('recorded/spec.toml'))}),`,
    `  signatureValid: ({ block }) => signed.has(block) })`,
  ].join('\n')
}

const DOMAIN = 'src/core/deposit/sign.ts'
const ROOT = 'src/core/deposit/genesis-root.ts'
const EFFECTIVE = 'src/core/consensus/state.ts'
const EPOCH = 'src/core/consensus/process-epoch.ts'
const PRESETS = 'src/core/network/presets.ts'
const GINDEX = 'src/core/proofs/gindex.ts'

const MUTATIONS: readonly [what: string, check: CheckName, mutation: Mutation][] = [
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
      file: 'src/core/consensus/process-epoch.ts',
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
      file: 'src/core/consensus/pay-withdrawals.ts',
      from: 'INFLATION_ENTRIES = 1',
      to: 'INFLATION_ENTRIES = 0',
    },
  ],
  [
    'deposits a slot earlier',
    'slots',
    { file: 'src/core/consensus/process-epoch.ts', from: 'FULU_SLOTS = 2n', to: 'FULU_SLOTS = 1n' },
  ],
  ['a state of 16 fields', 'proofs', { file: GINDEX, from: 'stateFields: 17', to: 'stateFields: 16' }],
  [
    'the validators one field earlier',
    'proofs',
    { file: GINDEX, from: 'validatorsField: 9', to: 'validatorsField: 8' },
  ],
  [
    'the balances one field later',
    'proofs',
    { file: GINDEX, from: 'balancesField: 10', to: 'balancesField: 11' },
  ],
  [
    'the credentials two fields on',
    'proofs',
    { file: GINDEX, from: 'credentialsField: 1', to: 'credentialsField: 2' },
  ],
  ['a smaller registry', 'proofs', { file: GINDEX, from: '1n << 40n', to: '1n << 39n' }],
  ['two balances a leaf', 'proofs', { file: GINDEX, from: 'balancesPerLeaf: 4n', to: 'balancesPerLeaf: 2n' }],
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
      file: 'src/core/identity/tool-output.ts',
      from: 'const amount = BigInt(text)',
      to: 'const amount = BigInt(text) + 1n',
    },
  ],
]

describe('the checks of vectors see every change of a constant', () => {
  test.each(Object.keys(CHECKS) as CheckName[])('nothing changed: %s passes', async (name) => {
    const { passed, failed, first } = await sources.check(CHECKS[name])
    expect({ failed, first }).toEqual({ failed: 0, first: '' })
    expect(passed).toBeGreaterThan(0)
  })

  test.each(MUTATIONS)('%s: %s fails', async (_, name, mutation) => {
    const { failed, first, crashed } = await sources.checkMutated(mutation, CHECKS[name])
    expect({ crashed, first }).toMatchObject({ crashed: false, first: expect.stringMatching(/./) })
    expect(failed).toBeGreaterThan(0)
  })
})
