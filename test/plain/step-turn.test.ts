import { describe, expect, test } from 'vitest'
import type { Offer } from '../../src/core/pay/desk/offer.ts'
import { moneyUntouched } from '../../src/core/view/rows.ts'
import { STEP_TEXT } from '../../src/core/view/text.ts'
import type { AnyView, Event } from '../../src/core/wizard/state.ts'
import { PANEL_START, type PanelEvent } from '../../src/hooks/step-panel.ts'
import { createPrinter } from '../../src/plain/printer.ts'
import { stepPage } from '../../src/plain/rows.ts'
import { stepTurn } from '../../src/plain/step-turn.ts'
import { OFFER, signFieldsView, topUpView } from '../support/views.ts'

const BADGE = { kind: 'rehearsal', label: 'Rehearsal' } as const

type Stake = { block: bigint; balanceGwei: bigint }

/** The top-up, to be agreed to for a validator as it was known at a block. */
function offering({ block, balanceGwei }: Stake): AnyView {
  const plan = { to: `0x${'42'.repeat(20)}`, valueWei: 1n, data: '0x' } as const
  const stakeToBeGwei = balanceGwei
  const world = { about: 'validator', block, balanceGwei, stakeToBeGwei, outcome: 'keeps-place' } as const
  const agreed = { step: 'topup', type: 'agreed', plan, world } as Event
  const offer: Offer = { ...OFFER, kind: 'top-up', plan, world }
  return { ...topUpView, actions: [{ key: 'return', label: 'send', typed: 'send 1', offer, does: [agreed] }] }
}

/** What Enter does below a page that was printed of the first stake, now that the second one is known. */
async function entered(printed: Stake, known: Stake) {
  const told: PanelEvent[] = []
  const turn = stepTurn({
    view: offering(printed),
    now: () => offering(known),
    offerNow: () => offering(known).actions[0]?.offer,
    badge: { kind: 'rehearsal', label: 'Rehearsal' },
    panel: PANEL_START,
    tell: (event) => void told.push(event),
    dispatch: async () => true,
    quit: () => undefined,
    wayBack: undefined,
  })
  const { say = [] } = await turn.takeLine({ text: '', begunAtMs: 9_000, atOnce: false }, 0)
  return { told, say }
}

describe('what was printed is agreed to', () => {
  const printed = { block: 10n, balanceGwei: 5n }
  const changed = { told: [], say: ['This has changed since it was printed: nothing was done.'] }

  test('while every later look says the same', async () => {
    const { told, say } = await entered(printed, { ...printed, block: 12n })
    expect({ told, say }).toEqual({ told: [{ type: 'confirm', key: 'return', atMs: 0 }], say: [] })
  })

  test('and not where a look knows less than was printed, or says another stake', async () => {
    expect(await entered(printed, { ...printed, block: 9n })).toEqual(changed)
    expect(await entered(printed, { block: 12n, balanceGwei: 6n })).toEqual(changed)
  })
})

describe('a part of an address that is typed again', () => {
  test('is asked for below the address, also after the address was gone back to', () => {
    const [withdrawal, ...others] = signFieldsView.fields
    if (withdrawal === undefined) throw new Error('no field')
    const address = { ...withdrawal, value: '0x8D29 925B 77db[···· ····]e7c3' }
    const again = { ...withdrawal, id: 'again', label: 'groups 4 and 5', value: '' }
    const view = { ...signFieldsView, fields: [address, again, ...others], activeField: 'again' }
    const said: string[] = []
    const printer = createPrinter({
      line: (text) => void said.push(text),
      prompt: (text) => void said.push(text),
    })
    const turnWith = (editing: string | undefined) =>
      stepTurn({
        view,
        now: () => view,
        offerNow: () => undefined,
        badge: { kind: 'rehearsal', label: 'Rehearsal' },
        panel: { ...PANEL_START, editing },
        tell: () => undefined,
        dispatch: async () => true,
        quit: () => undefined,
        wayBack: undefined,
      })
    const masked = `*   ${address.label}: ${address.value}`
    printer.present(turnWith(undefined), 0)
    expect(said).toContain(masked)
    said.length = 0
    printer.askAgain(turnWith(address.id), 1000, { whole: false })
    expect(said).not.toContain(masked)
    printer.askAgain(turnWith(undefined), 2000, { whole: false })
    expect(said.slice(-2)).toEqual([masked, expect.stringMatching(/^groups 4 and 5 /)])
  })
})

describe('what the money line says a second time', () => {
  const said = (money: AnyView['money'][]) => {
    const lines: string[] = []
    const printer = createPrinter({ line: (text) => lines.push(text), prompt: () => undefined })
    for (const [at, band] of money.entries()) {
      const page = stepPage({ ...signFieldsView, money: band }, BADGE, { kind: 'keys', help: '' })
      printer.present({ page, takeLine: () => ({}) }, at * 60_000)
    }
    return lines.filter((line) => line.startsWith('Money: '))
  }
  const unread = { line: STEP_TEXT.left.unread, worst: '', isUnread: true as const }

  test('that nothing has left is no news after "this step sends nothing"', () => {
    expect(said([unread, moneyUntouched('', 'BERA')])).toEqual([`Money: ${STEP_TEXT.left.unread}`])
  })

  test('what has left is', () => {
    const paid = { line: STEP_TEXT.sendsNothing(STEP_TEXT.left.paid('10,000 BERA')), worst: '' }
    expect(said([unread, paid])).toEqual([
      `Money: ${STEP_TEXT.left.unread}`,
      'Money: left the wallet 10,000 BERA · this step sends nothing',
    ])
  })
})

describe('lines at a terminal', () => {
  const words = 'x: it is mine (asks for my operator), b goes back, q quits; nothing that were typed is sent'
  const saidAt = (columns: number | undefined, text: string, how: 'say' | 'sayWhole') => {
    const said: string[] = []
    const line = (one: string) => void said.push(one)
    createPrinter({ line, prompt: line, columns: () => columns })[how](text)
    return said
  }

  test('end between words, behind their indent, and hold the same words', () => {
    for (const indent of ['', '    ']) {
      const rows = saidAt(40, `${indent}${words}`, 'say')
      expect(rows.length).toBeGreaterThan(1)
      for (const row of rows) expect([row.length <= 40, row.startsWith(indent)]).toEqual([true, true])
      expect(rows.map((row) => row.trim()).join(' ')).toBe(words)
    }
  })

  test('are whole where nobody knows a width, as in a pipe, and where they are a command', () => {
    expect(saidAt(undefined, words, 'say')).toEqual([words])
    expect(saidAt(40, words, 'sayWhole')).toEqual([words])
    expect(saidAt(40, '', 'say')).toEqual([''])
  })
})
