import { describe, expect } from 'vitest'
import { ownNode } from '../../../support/own-node.ts'
import { KEYS, rows, sentAs, situation, toConfirm } from '../../../support/situation.ts'

const sent = { deposit: sentAs('first deposit, the minimum') }
const key = KEYS.registered
const RECORDED = 'registry and engine set of slots 199 to 262'

describe('the own node fails while the registration is proven', () => {
  const node = ownNode(RECORDED)
  situation(
    'it stops: since when, and that the chain goes on',
    { slot: 196, key, sent, withSecond: true, ...node.input, madeUp: 'that it stops at slot 197' },
    async (it) => {
      await toConfirm(it)
      await it.until(({ confirm }) => confirm.observed.beacon.status === 'known')
      node.stop()
      await it.pass(13)
      const view = it.view('confirm')
      expect(it.session.getState().confirm.doubt).toMatchObject({ is: 'silent', beside: { is: 'ahead' } })
      expect(view.waiting).toBeDefined()
      expect(view.notes[0]).toMatch(/ 127\.0\.0\.1:\d+ is at block 20\d\. /)
      expect(rows(view).beacon).toMatch(/^unknown /)
    },
  )

  situation(
    'it hangs: what it does not know yet is no news',
    {
      slot: 196,
      key,
      sent,
      withSecond: true,
      hangsAt: 197,
      recorded: RECORDED,
      madeUp: 'that the own node stays at slot 197',
    },
    async (it) => {
      await toConfirm(it)
      await it.pass(25)
      const view = it.view('confirm')
      expect(it.session.getState().confirm.doubt).toMatchObject({
        is: 'still',
        slot: 197n,
        beside: { is: 'ahead' },
      })
      expect(view.notes[0]).toMatch(/ slot 197\. .* 127\.0\.0\.1:\d+ is at block 2\d\d\. /)
      expect(rows(view).beacon).toMatch(/^unknown .* slot 197$/)
      expect(view.done).toBe(false)
    },
  )
})
