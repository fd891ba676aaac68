import fc from 'fast-check'
import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { adoptable, adoptionOf, adopts } from '../../../../src/core/steps/identity/adopt.ts'
import { initialIdentity } from '../../../../src/core/steps/identity/machine.ts'
import type { IdentityState } from '../../../../src/core/steps/identity/state.ts'
import type { Observation } from '../../../../src/core/view/observation.ts'

const ADDRESS: Hex = '0x265A731a1233Ca9622999db012BC47CF59ed2E62'
const OPERATOR: Hex = '0xe40956cc5036a1de1f0f12ad796119fef8396310'
const OTHER: Hex = '0x00000000219ab540356cbb839cbe05303d7705fa'
const CREDENTIALS: Hex = `0x01${'00'.repeat(11)}${ADDRESS.slice(2).toLowerCase()}`
const FOUND = { index: 7, withdrawalCredentials: CREDENTIALS, operator: OPERATOR }

const known = <T>(value: T): Observation<T> => ({ status: 'known', value, source: 'test', atMs: 0 })
const operatorIs = (operator: Hex) => known({ operator, blockNumber: 9n })
const recordIs = (over: object = {}) =>
  known({
    index: 7,
    withdrawalCredentials: CREDENTIALS,
    status: 'active_ongoing',
    exiting: false,
    provenSlot: 8n,
    ...over,
  })

const setup = (secondExecution?: string): Pick<Setup, 'endpoints'> => ({
  endpoints: {
    execution: 'http://a',
    node: 'http://n',
    ...(secondExecution === undefined ? {} : { secondExecution }),
  },
})

function state(
  observed: Partial<IdentityState['observed']>,
  over: Partial<IdentityState> = {},
): IdentityState {
  const answered = { beacon: recordIs(), operator: operatorIs(OPERATOR), ...observed }
  return { ...initialIdentity, ...over, observed: { ...initialIdentity.observed, ...answered } }
}

const failed: Observation<never> = {
  status: 'failed',
  error: { code: 'x', shortMessage: 'x', details: [], nextSteps: [], retryable: true, money: 'untouched' },
  source: 'test',
  atMs: 0,
}

describe('a registered validator may be adopted', () => {
  const adopted = { withdrawalAddress: ADDRESS, ...FOUND }
  const own = { operator: OPERATOR, withdrawalCredentials: CREDENTIALS, out: true }
  test.each<[string, IdentityState, Pick<Setup, 'endpoints'>, boolean]>([
    ['as one endpoint shows it, where no second is set', state({}), setup(), true],
    ['as both show it', state({ secondOperator: operatorIs(OPERATOR) }), setup('http://b'), true],
    ['not while the second has not answered', state({}), setup('http://b'), false],
    ['not where the second fails', state({ secondOperator: failed }), setup('http://b'), false],
    ['not where they differ', state({ secondOperator: operatorIs(OTHER) }), setup('http://b'), false],
    ['not while the operator is unknown', state({ operator: failed }), setup(), false],
    ['not while the record is unknown', state({ beacon: failed }), setup(), false],
    ['not where the chain has no record', state({ beacon: recordIs({ index: undefined }) }), setup(), false],
    [
      'not reported by the node (not proven) alone',
      state({ beacon: recordIs({ provenSlot: undefined }) }),
      setup(),
      false,
    ],
    ['not on its way out', state({ beacon: recordIs({ exiting: true }) }), setup(), false],
    [
      'not where its stake is never paid out',
      state({ beacon: recordIs({ withdrawalCredentials: `0x00${'11'.repeat(31)}` }) }),
      setup(),
      false,
    ],
    ['not where this journal registered it', state({}, { own }), setup(), false],
    ['not where it is adopted as it is', state({}, { adopted }), setup(), false],
    [
      'anew where its operator was changed',
      state({ operator: operatorIs(OTHER) }, { adopted }),
      setup(),
      true,
    ],
    ['anew where that of an own one was', state({ operator: operatorIs(OTHER) }, { own }), setup(), true],
  ])('%s', (_, seen, of, may) => {
    expect(adoptable(seen, of) !== undefined).toBe(may)
  })
})

describe('the typed withdrawal address', () => {
  test('of the record makes the adoption of exactly this validator', () => {
    const adoption = adoptionOf(ADDRESS, FOUND)
    if ('error' in adoption) throw new Error(adoption.error)
    expect(adopts(adoption, FOUND)).toBe(true)
    for (const over of [
      { index: 8 },
      { operator: OTHER },
      { withdrawalCredentials: CREDENTIALS.replace('2e62', '2e63') as Hex },
    ])
      expect(adopts(adoption, { ...FOUND, ...over })).toBe(false)
  })

  test('of anybody else makes none, and no digit of the right one is told', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const text = getAddress(`0x${Buffer.from(bytes).toString('hex')}`)
        const refused = adoptionOf(text, FOUND)
        expect(refused).toHaveProperty('error')
        expect(JSON.stringify(refused).toLowerCase()).not.toContain(ADDRESS.slice(2, 8).toLowerCase())
      }),
    )
  })

  test('must have the capitals of its checksum', () => {
    expect(adoptionOf(ADDRESS.toLowerCase(), FOUND)).toHaveProperty('error')
  })
})
