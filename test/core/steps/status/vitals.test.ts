import { describe, expect } from 'vitest'
import { STATUS_FACTS_TEXT } from '../../../../src/core/steps/status/facts.ts'
import { beside, NO_PEERS, readyOnce } from '../../../support/beside-node.ts'
import { status } from '../../../support/offering-node.ts'
import { pattern } from '../../../support/pattern.ts'
import type { Replay } from '../../../support/replay.ts'
import { pastConfirm, rows, sentAs, untilSlot } from '../../../support/situation.ts'

describe('the validator is watched beside a node that says more than it need', () => {
  const watched = { slot: 199, sent: { deposit: sentAs('first deposit, the minimum') } }
  const nodeWords = async (it: Replay, slot: number) => {
    await untilSlot(it, slot)
    await it.until(({ status: { observed } }) => {
      return observed.snapshot.status === 'known' && observed.snapshot.value.consensus.slot >= BigInt(slot)
    })
    return rows(it.view('status')).node
  }

  beside(
    'nothing: it is asked for it once',
    { ...watched, node: { 'node/health': status(501) } },
    async (it, node) => {
      await pastConfirm(it, 'status')
      expect(await nodeWords(it, 210)).toMatch(/^proven this key, /)
      expect([...node.asked.values()]).toEqual([1])
    },
  )

  beside(
    'not ready, and nobody hears it',
    {
      ...watched,
      kind: 'real',
      withSecond: true,
      node: { 'node/health': readyOnce() },
      engine: { '/net_info': NO_PEERS },
    },
    async (it) => {
      await pastConfirm(it, 'status')
      expect(await nodeWords(it, 210)).toMatch(
        pattern`^refused this key, .*, ${STATUS_FACTS_TEXT.troubles(['not-ready', 'no-peers'])}$`,
      )
    },
  )
})
