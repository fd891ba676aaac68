import { describe, expect, test } from 'vitest'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory } from '../../src/core/observe/memory.ts'
import { LIMITS, type ValidatorPicture } from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { pubkey } from '../core/chain/consensus/model.ts'
import { look, seenValidator } from '../support/pictures.ts'

const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }

describe('a watched key that no validator has', () => {
  const seenAs = (...records: readonly ValidatorPicture['record'][]) => {
    let memory = emptyMemory(MAINNET)
    return records.map((record) => {
      const { record: _, ...bare } = seenValidator()
      const watched = record === undefined ? bare : { ...bare, record }
      const next = watchTransition(memory, look({ validators: [watched] }), context)
      memory = next.memory
      return next.events.filter(({ alarm }) => alarm === 'not-validating')
    })
  }
  const { record } = seenValidator()
  if (record === undefined || record === 'absent') throw new Error('no record')
  const paid = { ...record, balanceGwei: 0n, validator: { ...record.validator, exitEpoch: 2n } }

  test('is told at once, stays while nobody answers, and ends once it is registered', () => {
    const [[fired] = [], silent, again, [cleared] = []] = seenAs('absent', undefined, 'absent', record)
    expect(fired).toMatchObject({ change: 'fired', severity: 'info', validator: { pubkey: pubkey(7) } })
    expect(fired?.what).toContain(pubkey(7))
    expect([silent, again]).toEqual([[], []])
    expect(cleared).toMatchObject({ change: 'cleared', id: fired?.id })
  })

  test('is told of one that has left and was paid back', () => {
    expect(seenAs(paid)).toMatchObject([[{ change: 'fired', severity: 'info' }]])
    expect(seenAs(record)).toEqual([[]])
  })

  test('is not believed to be registered by somebody else', () => {
    const { record: _, ...bare } = seenValidator()
    const first = watchTransition(
      emptyMemory(MAINNET),
      look({ validators: [{ ...bare, record: 'absent' }] }),
      context,
    )
    const foreign = look({ others: ['node'], validators: [{ ...bare, record }] })
    const events = watchTransition(first.memory, foreign, context).events
    expect(events.filter(({ alarm }) => alarm === 'not-validating')).toEqual([])
  })
})
