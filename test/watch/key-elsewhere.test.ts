import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import { LIMITS, type NetworkPicture } from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { pubkey } from '../core/chain/consensus/model.ts'
import { look, START_MS, seenValidator } from '../support/pictures.ts'

const CONTEXT = { network: MAINNET, wizardOptions: [], limits: LIMITS }
const OWN_KEY = pubkey(7)
const OTHER_KEY = pubkey(8)
const FIRST = 1000n

/** What one look sees: the own engine at a height, or silent, and whether the key voted for the block before the newest. */
type Seen = {
  own?: bigint | 'silent'
  key?: typeof OWN_KEY
  catchesUp?: boolean
  votes?: boolean
  /** The own engine is asked for commits; else that of somebody else. */
  by?: 'own' | 'other'
}

function told(looks: readonly Seen[]): string[] {
  let memory: WatchMemory = emptyMemory(MAINNET)
  return looks.flatMap((seen, at) => {
    const newest = FIRST + BigInt(at)
    const { own = newest, key = OWN_KEY, catchesUp = false, votes = true, by = 'own' } = seen
    const answer = own === 'silent' ? {} : { slot: own }
    const heads: NetworkPicture['heads'] = [
      { role: 'node', place: 0, name: '127.0.0.1:3500', ...answer },
      { role: 'engine', place: 0, name: '127.0.0.1:26657', ...answer },
      { role: 'engine', place: 1, name: 'engine.example.com', slot: newest },
    ]
    const signed = [{ height: newest - 1n, signed: votes, othersMissed: 0, others: 68 }]
    const next = watchTransition(
      memory,
      look({
        atMs: START_MS + at * MAINNET.slotMs,
        heads,
        others: by === 'other' ? ['engine'] : [],
        validators: [seenValidator({ signed })],
        node: { catchesUp },
        ...(own === 'silent' ? {} : { nodeKey: key }),
      }),
      CONTEXT,
    )
    memory = next.memory
    return next.events.flatMap(({ alarm, change, severity }) =>
      alarm === 'key-elsewhere' && change !== 'repeated' ? [`${change} ${severity}`] : [],
    )
  })
}

const times = (count: number, seen: Seen): Seen[] => Array.from({ length: count }, () => seen)
const CALM: readonly Seen[] = times(3, {})

describe('a key that votes for blocks which its own node cannot have signed', () => {
  test('is told once, and over once the own node runs with it and keeps up', () => {
    const other = times(30, { key: OTHER_KEY })
    expect(told([...CALM, ...other, ...CALM])).toEqual(['fired critical', 'cleared critical'])
    const behind = times(30, { own: FIRST, by: 'other' })
    expect(told([...CALM, ...behind, ...CALM])).toEqual(['fired critical', 'cleared critical'])
    const syncing = times(30, { own: FIRST + 2n, catchesUp: true, by: 'other' })
    expect(told([...CALM, ...syncing, ...CALM])).toEqual(['fired critical', 'cleared critical'])
  })

  test('may still be of a node that only does not answer', () => {
    const silent = times(30, { own: 'silent', by: 'other' })
    expect(told([...CALM, ...silent, ...CALM])).toEqual(['fired warning', 'cleared warning'])
  })

  test('is not told where it does not vote, nor of a node that keeps up, nor right after its key was changed', () => {
    expect(told([...CALM, ...times(30, { own: 'silent', votes: false, by: 'other' })])).toEqual([])
    expect(told(times(40, {}))).toEqual([])
    expect(told([...CALM, ...times(15, { key: OTHER_KEY })])).toEqual([])
  })

  test('is not over by the engine of somebody else, whatever that says', () => {
    const other = times(30, { key: OTHER_KEY })
    const foreign = times(20, { votes: false, by: 'other' })
    expect(told([...CALM, ...other, ...foreign])).toEqual(['fired critical'])
    const silent = times(30, { own: 'silent', votes: false, by: 'other' })
    expect(told([...CALM, ...other, ...silent])).toEqual(['fired critical'])
  })
})
