import { describe, expect, test } from 'vitest'
import type { Gwei } from '../../../../src/core/base/format/amount.ts'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { LOCAL_ENDPOINTS, MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { initialIdentity } from '../../../../src/core/steps/identity/machine.ts'
import { IDENTITY_PROBLEMS_TEXT } from '../../../../src/core/steps/identity/problems-text.ts'
import type { IdentityAnswers, IdentityState } from '../../../../src/core/steps/identity/state.ts'
import { IDENTITY_TEXT } from '../../../../src/core/steps/identity/text.ts'
import { identityView } from '../../../../src/core/steps/identity/view.ts'
import { problemLines } from '../../../../src/screens/ui/panels.ts'
import { GOING_NODE, known } from '../../../support/identity-answers.ts'
import { pattern } from '../../../support/pattern.ts'
import { saidProblem } from '../../../support/said.ts'

const SETUP: Setup = {
  network: MAINNET,
  homePath: '/home',
  endpoints: LOCAL_ENDPOINTS,
  journalDirectory: '/state',
  lockDirectories: [],
  outputDirectory: '/out',
}
const OPERATOR: Hex = `0x${'0a'.repeat(20)}`
const CREDENTIALS: Hex = `0x01${'00'.repeat(11)}${'0b'.repeat(20)}`
const OWN_KEY: IdentityAnswers['key'] = {
  pubkey: `0x${'a1'.repeat(48)}`,
  uncompressedPubkey: '0x',
  address: 'A1',
  storedPubkeyMatches: true,
  storedAddressMatches: true,
  publishedKey: false,
  fileHash: '0x',
}
const OTHER_ENGINE: IdentityAnswers['engine'] = { pubkey: `0x${'b2'.repeat(48)}`, catchingUp: false }
const HASH: Hex = `0x${'0c'.repeat(32)}`

/** A key that the contract has our operator for and no state knows, with a deposit of this journal that may be out. */
function problemWith(accepted: boolean, own: Partial<NonNullable<IdentityState['own']>> = {}) {
  const given = { operator: OPERATOR, withdrawalCredentials: CREDENTIALS, out: true, ...own }
  return viewWith(accepted, given).problem
}

function viewWith(accepted: boolean, own: IdentityState['own'], setup = SETUP) {
  const amountGwei = (10n ** 13n) as Gwei
  const observed: IdentityState['observed'] = {
    ...initialIdentity.observed,
    operator: known({ operator: OPERATOR, blockNumber: 90n }),
    beacon: known({
      index: undefined,
      withdrawalCredentials: undefined,
      status: undefined,
      exiting: false,
      provenSlot: 90n,
    }),
    history: known({
      operator: OPERATOR,
      setBy: { blockNumber: 5n, transactionHash: HASH },
      deposits: [{ blockNumber: 5n, amountGwei, withdrawalCredentials: CREDENTIALS, accepted }],
      headBlock: 90n,
    }),
    node: known(GOING_NODE),
  }
  const state: IdentityState = {
    ...initialIdentity,
    observed,
    own,
  }
  return identityView(state, { status: 'open' }, setup)
}

test('a key whose only deposit was burnt is not called used by our own deposit', () => {
  expect(problemWith(false)?.id).toBe('identity.burnt.own')
  expect(saidProblem(problemWith(false))?.next.join()).toContain(' --state NEW_FOLDER')
})

test('one that the chain takes, or one that rescues a burnt key, stops nothing', () => {
  expect(problemWith(true)).toBeUndefined()
  expect(problemWith(false, { rescue: true })).toBeUndefined()
})

const REHEARSAL: Setup = { ...SETUP, network: { ...MAINNET, kind: 'rehearsal' } }
const STRANGER: Hex = `0x${'0d'.repeat(20)}`

describe('a key whose operator is set and that no validator has', () => {
  const ownOf = (address: Hex) => viewWith(false, undefined, { ...REHEARSAL, suggestedAddress: address })

  test('is told as burnt where the operator is one’s own, as squatted where it is a stranger', () => {
    expect(ownOf(OPERATOR).problem).toMatchObject({
      id: 'identity.burnt.own',
      lost: '10,000 BERA',
    })
    expect(ownOf(STRANGER).problem).toMatchObject({
      id: 'identity.burnt.stranger',
      money: 'untouched',
    })
    expect(ownOf(STRANGER).problem).not.toHaveProperty('lost')
  })

  test('asks to compare the operator where nobody knows whose it is', () => {
    const { problem } = viewWith(false, undefined)
    expect(problem?.id).toBe('identity.burnt.unknown')
    expect(problem?.lost).toBe('10,000 BERA')
  })

  test('says the way to a new key first, and the key that registers it after all last', () => {
    const { problem, actions, commands } = viewWith(false, undefined)
    expect(saidProblem(problem)?.next[0]).toContain('docs/new-key.md')
    expect(saidProblem(problem)?.next.at(-1)).toMatch(/\bx registers this key/)
    expect(actions.at(-1)).toMatchObject({ key: 'x', label: IDENTITY_TEXT.keys.rescue })
    expect(commands.join()).toContain('beacond init')
  })

  test('says the way to register it after all by whose the operator is', () => {
    const said = [ownOf(OPERATOR), ownOf(STRANGER), viewWith(false, undefined)].map(
      ({ problem }) => saidProblem(problem)?.next.at(-1) ?? '',
    )
    expect(new Set(said).size).toBe(3)
    expect(said.every((words) => /\bx registers/.test(words))).toBe(true)
    // Whose it is stands above already, where that is known.
    expect(said[0]).not.toContain('only if')
  })

  test('names the operator in its field where it is that of the rehearsal, and nowhere else', () => {
    const asOnMainnet: Setup = { ...REHEARSAL, network: { ...REHEARSAL.network, asOnMainnet: true } }
    const hint = (view: ReturnType<typeof viewWith>) => view.fields.find(({ id }) => id === 'rescue')?.hint
    expect(hint(ownOf(OPERATOR))?.toLowerCase()).toContain(OPERATOR)
    const typed = IDENTITY_TEXT.fields.rescue.hint
    expect(hint(ownOf(STRANGER))).toBe(typed)
    expect(hint(viewWith(false, undefined))).toBe(typed)
    expect(hint(viewWith(false, undefined, { ...asOnMainnet, suggestedAddress: OPERATOR }))).toBe(typed)
  })

  test('explains its field and its row each by its own words', () => {
    const { facts, checks, fields } = viewWith(false, undefined)
    const ids = [...facts, ...checks, ...fields].map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('names the transaction that set the operator as one', () => {
    const labels = viewWith(false, undefined).problem?.values.map(({ label }) => label)
    expect(labels).toEqual([IDENTITY_PROBLEMS_TEXT.labels.operator, IDENTITY_PROBLEMS_TEXT.labels.setBy(5n)])
  })

  test('shows what to do directly under the headline', () => {
    const { problem } = ownOf(STRANGER)
    const lines = problem === undefined ? [] : problemLines(problem, 80)
    const texts = lines.map((line) => line.map(({ text }) => text).join(''))
    expect(texts[0]).toMatch(pattern`^ ${problem?.title ?? ''} +money untouched $`)
    expect(texts[2]).toMatch(/^ {3}next {3}make/)
  })
})

describe('a key that signs on another node', () => {
  const NOW_MS = 1_800_000_000_000
  const stateOf = (vote: bigint | undefined, signedTo: bigint | undefined): IdentityState => {
    const votes = {
      by: '127.0.0.1:26657',
      isOwn: true,
      head: 1001n,
      headMs: NOW_MS,
      blocks: 5n,
      ...(vote === undefined ? {} : { vote: { height: vote, timeMs: NOW_MS - 2000 } }),
    }
    const standby = known({ votes, signedTo, runs: true, ageMs: 2000 })
    return { ...initialIdentity, observed: { ...initialIdentity.observed, standby } }
  }
  const shown = (state: IdentityState) => {
    const { facts, problem } = identityView(state, { status: 'open' }, SETUP)
    return { row: facts.find(({ id }) => id === 'standby'), problem }
  }
  const rowOf = (...votes: Parameters<typeof stateOf>) => shown(stateOf(...votes))

  test('is named with the block, and is no problem of the money', () => {
    const { row, problem } = rowOf(1000n, 900n)
    expect(row).toMatchObject({ mark: 'refused', value: expect.stringContaining('1,000') })
    expect(row?.value).toContain('900')
    expect(problem).toBeUndefined()
  })

  test('is told before its node is to be restarted with it, which waits for the answer', () => {
    const besideOther = (state: IdentityState) => {
      const observed = { ...state.observed, key: known(OWN_KEY), engine: known(OTHER_ENGINE) }
      return shown({ ...state, observed, asking: true }).problem?.id
    }
    const unasked = { status: 'unasked' } as const
    const asked = stateOf(undefined, 900n)
    expect(besideOther(stateOf(1000n, 900n))).toBe('identity.signs-elsewhere')
    expect(besideOther({ ...asked, observed: { ...asked.observed, standby: unasked } })).toBeUndefined()
    expect(besideOther(asked)).toBe('identity.engine')
  })

  test('is told apart from one that its own node signed with, and has no line where nobody votes', () => {
    expect(rowOf(1000n, 1001n).row?.mark).toBe('proven')
    expect(rowOf(1000n, undefined).row?.mark).toBe('proven')
    expect(rowOf(undefined, 900n).row).toBeUndefined()
  })
})
