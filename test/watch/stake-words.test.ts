import { describe, expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Placing } from '../../src/core/chain/consensus/placing.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { LIMITS } from '../../src/core/observe/picture.ts'
import {
  operatorAccepted,
  operatorCancelled,
  operatorChanged,
  operatorStays,
  thinMargin,
} from '../../src/watch/findings.ts'
import { pubkey } from '../core/chain/consensus/model.ts'

const context = { network: MAINNET, wizardOptions: ['--network', 'mainnet'], limits: LIMITS }
const seen = { id: 'the one', pubkey: pubkey(7), name: 'mine' } as never
const place = (parts: Partial<Placing>): Placing =>
  ({
    epoch: 41n,
    rank: 69,
    places: 69,
    stakeGwei: tokens(250_000n),
    marginGwei: 0n,
    cutoff: undefined,
    othersNeedGwei: 0n,
    ...parts,
  }) as Placing

describe('a place that is held by a tie', () => {
  test('is called one, and no amount of nothing is named', () => {
    const words = thinMargin(
      seen,
      { place: place({}), left: 'steady' as never, liftGwei: tokens(10_000n) },
      context,
    )
    expect(`${words.title} ${words.what}`).not.toContain(' 0 BERA')
    expect(words.title).toContain('by a tie')
    expect(words.what).toContain('If others add any stake')
  })

  test('a margin of some amount is named as before', () => {
    const words = thinMargin(
      seen,
      {
        place: place({ othersNeedGwei: tokens(10_000n), marginGwei: tokens(10_000n) }),
        left: 'steady' as never,
        liftGwei: tokens(10_000n),
      },
      context,
    )
    expect(words.title).toContain('10,000 BERA from others may take its place.')
  })

  test('is widened by the least amount that lifts the stake, and by none where none does', () => {
    const by = (liftGwei: bigint | undefined) =>
      thinMargin(seen, { place: place({}), left: 'steady' as never, liftGwei }, context)
    expect(by(tokens(20_000n)).next).toContain('--topup 20000')
    expect(by(tokens(20_000n)).what).toContain('20,000 BERA')
    expect(by(undefined)).not.toHaveProperty('next')
  })
})

describe('an alarm about an operator', () => {
  test('names its address with the capitals of its checksum, as it stands in a record', () => {
    const address = '0x265A731a1233Ca9622999db012BC47CF59ed2E62'
    const plain = address.toLowerCase() as `0x${string}`
    const said = [
      operatorAccepted(seen, plain),
      operatorCancelled(seen, { queued: plain, operator: plain }),
      operatorChanged(seen, { before: plain, now: plain }),
      operatorStays(seen, plain),
    ].map(({ title, what }) => `${title} ${what}`)
    for (const each of said) {
      expect(each).toContain(address)
      expect(each).not.toContain(plain)
    }
  })
})
