import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { attachRehearsal } from '../../../../src/compose/attach-rehearsal.ts'
import type { Effects } from '../../../../src/core/base/effects/effects.ts'
import type { Setup } from '../../../../src/core/chain/facts.ts'
import { readTypedKey } from '../../../../src/core/chain/identity/typed-key.ts'
import type { StepContext } from '../../../../src/core/observe/context.ts'
import { createObserver } from '../../../../src/core/observe/observer.ts'
import {
  type ChainAnswers,
  chainQuestions,
  runIdentity,
} from '../../../../src/core/steps/identity/commands.ts'
import { identityTransition, initialIdentity } from '../../../../src/core/steps/identity/machine.ts'
import { type IdentityEvent, type IdentityState, storyOf } from '../../../../src/core/steps/identity/state.ts'
import type { Devnet } from '../../../../src/devnet/devnet.ts'
import { unsigning } from '../../../support/offline.ts'
import { userOf } from '../../../support/user-of.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { pass, testDevnet } from '../../../support/with-devnet.ts'

// In which order these are asked is safety: the world changes between the two, and the other order believes a lie.

let end: (() => Promise<void>) | undefined
afterEach(async () => {
  await end?.()
  end = undefined
})

/** A key whose deposit was burnt, and a good one for it that comes as soon as its record or its logs have been read. */
async function rescuedInBetween(): Promise<{ devnet: Devnet; directory: string; effects: Effects }> {
  const started = await testDevnet({ seed: 'identity-order' })
  end = started.end
  const { devnet } = started
  const user = await userOf(devnet)
  await pass(devnet, 2)
  await user.firstDeposit(10_001n, 10_000n)
  await pass(devnet, 4)
  let isRescued = false
  const real = unsigning
  const clock = virtualClock()
  const http: Effects['http'] = {
    async request(request) {
      const reply = await real.http.request(request)
      const isRecord = request.url.includes('/states/head/validators')
      if (!isRescued && (isRecord || (request.body ?? '').includes('"eth_getLogs"'))) {
        isRescued = true
        await user.rescueDeposit(10_000n)
        await pass(devnet, 1)
      }
      return reply
    },
  }
  return { ...started, effects: { ...real, clock: { ...clock, monotonicMs: clock.nowMs }, http } }
}

type Look = { context: StepContext<IdentityEvent, IdentityState>; pubkey: `0x${string}` }

async function lookAt(
  { devnet, directory, effects }: Awaited<ReturnType<typeof rescuedInBetween>>,
  before: { home?: string; state?: Partial<IdentityState> } = {},
) {
  const { homePath: _, ...rest }: Setup = await attachRehearsal(effects, {
    journalDirectory: directory,
    outputDirectory: directory,
    descriptorPath: join(directory, 'descriptor.json'),
  })
  const setup: Setup = { ...rest, ...(before.home === undefined ? {} : { homePath: before.home }) }
  let state: IdentityState = { ...initialIdentity, ...before.state }
  const context: Look['context'] = {
    effects,
    setup,
    offers: new Map(),
    facts: () => ({}),
    getState: () => state,
    async dispatch(event) {
      const [next] = identityTransition(state, event)
      state = next
    },
    signal: new AbortController().signal,
    openJournal: async () => undefined,
    lock: async () => undefined,
  }
  return { world: context, pubkey: (await userOf(devnet)).pubkey }
}

describe('how a key came to be is read after its record', () => {
  test('so that a deposit that comes in between is seen, and the key not told as burnt', async () => {
    const { world: context, pubkey } = await lookAt(await rescuedInBetween())
    const about = { ask: async () => ({ pubkey }) }
    await createObserver<ChainAnswers, void>({ ...chainQuestions(context), about }, context.effects).look()
    expect(storyOf(context.getState())).toBe('on-its-way')
  })

  test('for the other order believes that the key is burnt, and lets it be paid for again', async () => {
    const { world: context, pubkey } = await lookAt(await rescuedInBetween())
    const questions = chainQuestions(context)
    const { due: _, ...history } = questions.history
    const swapped = {
      ...questions,
      about: { ask: async () => ({ pubkey }) },
      history: { ...history, needs: ['operator'] as const },
      reported: { ...questions.reported, after: ['history'] as const },
    }
    await createObserver<ChainAnswers, void>(swapped, context.effects).look()
    expect(storyOf(context.getState())).toBe('burnt')
  })
})

describe('of a key that was typed the engine is asked first', () => {
  test('so that nobody hears of one that the node does not run with', async () => {
    const started = await testDevnet({ seed: 'identity-typed' })
    end = started.end
    const { devnet, directory } = started
    await pass(devnet, 2)
    const home = join(directory, 'home-without-key')
    await cp(devnet.descriptor.home, home, { recursive: true })
    await rm(join(home, 'config/priv_validator_key.json'))
    const typed = devnet.state().validators[0]?.pubkey ?? ''
    const read = readTypedKey(typed)
    if ('error' in read) throw new Error(read.error)
    const asked: string[] = []
    const real = unsigning
    const clock = virtualClock()
    const http: Effects['http'] = {
      request(request) {
        asked.push(`${request.url} ${request.body ?? ''}`)
        return real.http.request(request)
      },
    }
    const effects = { ...real, clock: { ...clock, monotonicMs: clock.nowMs }, http }
    const look = { devnet, directory, effects }
    const { world: context } = await lookAt(look, { home, state: { typedKey: read.key } })
    await runIdentity({ step: 'identity', type: 'ask', scope: 'here' }, context)
    const { engine, beacon, operator, node } = context.getState().observed
    expect([engine.status, node.status]).toEqual(['known', 'known'])
    expect([beacon.status, operator.status]).toEqual(['unasked', 'unasked'])
    expect(asked.length).toBeGreaterThan(5)
    expect(asked.filter((words) => words.includes(typed.slice(2)))).toEqual([])
  })
})
