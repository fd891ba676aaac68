import { describe, expect, it } from 'vitest'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import { CONFIRM_OBSTACLES, WORD_REFUSALS } from '../../src/core/view/desk-words.ts'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { openTerminal } from '../support/terminal.tsx'
import { depositView, fact, recorder } from '../support/views.ts'

const WORD = 'send 10,000'

async function openDeposit(size: { columns?: number; rows?: number } = {}, view = depositView) {
  const taker = recorder()
  const terminal = await openTerminal(<StepScreen view={view} dispatch={taker.dispatch} />, size)
  return { ...terminal, ...taker }
}

describe('confirming a payment', () => {
  it('asks for the word, and acts once it was typed and Enter pressed', async () => {
    const deposit = await openDeposit()
    await deposit.press('\r')
    expect(deposit.screen()).toContain(`To send, type ${WORD} and press Enter:`)
    expect(deposit.acted).toEqual([])
    await deposit.pass(1000)
    await deposit.type(WORD)
    expect(deposit.screen()).toContain(`press Enter:  ${WORD}`)
    await deposit.type('\r')
    expect(deposit.acted).toEqual(['checkAsked'])
    expect(deposit.screen()).not.toContain('press Enter:')
    await deposit.close()
  })

  it('stays deaf for a second, so that keys pressed ahead do nothing', async () => {
    const deposit = await openDeposit()
    await deposit.press(`\r${WORD}\r\r`)
    await deposit.pass(1000)
    await deposit.type('\r')
    expect(deposit.acted).toEqual([])
    await deposit.close()
  })

  it('ignores a paste, bracketed or not, with or without Enter', async () => {
    const deposit = await openDeposit()
    await deposit.press('\r')
    await deposit.pass(1000)
    await deposit.press(`\u001b[200~${WORD}\r\u001b[201~`)
    await deposit.type('\r')
    await deposit.press(`${WORD}\r`)
    expect(deposit.acted).toEqual([])
    await deposit.close()
  })

  it('says that a paste does not count, and goes on with letters that come in bursts', async () => {
    const deposit = await openDeposit()
    await deposit.press('\r')
    await deposit.pass(1000)
    await deposit.press(`\u001b[200~${WORD}\u001b[201~`)
    expect(deposit.screen()).toContain(WORD_REFUSALS.pasted)
    await deposit.press('send', ' 10,000')
    expect(deposit.screen()).not.toContain(WORD_REFUSALS.pasted)
    await deposit.pass(400)
    await deposit.press('\r')
    expect(deposit.acted).toEqual(['checkAsked'])
    await deposit.close()
  })

  it('ignores pastes cut at any place', async () => {
    const bytes = Buffer.from(`\u001b[200~${WORD}\r\u001b[201~`)
    const deposit = await openDeposit()
    await deposit.press('\r')
    await deposit.pass(1000)
    for (let cut = 1; cut < bytes.length; cut += 1) {
      await deposit.press(bytes.subarray(0, cut), bytes.subarray(cut))
      await deposit.type('\r')
    }
    expect(deposit.acted).toEqual([])
    await deposit.close()
  })

  it('says when it is not the word, and Ctrl-U empties it', async () => {
    const deposit = await openDeposit()
    await deposit.press('\r')
    await deposit.pass(1000)
    await deposit.type('send 1000\r')
    expect(deposit.screen()).toContain('Type exactly: ')
    expect(deposit.acted).toEqual([])
    await deposit.type('\u0015')
    expect(deposit.screen()).not.toContain('Type exactly: ')
    await deposit.type(`${WORD}\r`)
    expect(deposit.acted).toEqual(['checkAsked'])
    await deposit.close()
  })

  it('says whole why it cannot be confirmed, however narrow the window', async () => {
    const deposit = await openDeposit({ columns: 40, rows: 30 })
    await deposit.press('\r')
    expect(deposit.screen().replace(/\s+/g, ' ')).toContain('make it 80 columns by 24 rows.')
    await deposit.close()
  })

  it('goes back on Esc without acting', async () => {
    const deposit = await openDeposit()
    await deposit.press('\r')
    await deposit.press('\u001b[27u')
    expect(deposit.screen()).not.toContain('press Enter:')
    expect(deposit.acted).toEqual([])
    await deposit.close()
  })

  it('does not offer to confirm in a window below 80 by 24', async () => {
    const deposit = await openDeposit({ columns: 79, rows: 24 })
    await deposit.press('\r')
    expect(deposit.screen()).toContain(CONFIRM_OBSTACLES.room.slice(0, 40))
    await deposit.pass(1000)
    await deposit.type(`${WORD}\r`)
    expect(deposit.acted).toEqual([])
    await deposit.resize({ columns: 100, rows: 30 })
    await deposit.type(`${WORD}\r`)
    expect(deposit.acted).toEqual(['checkAsked'])
    await deposit.close()
  })

  it('wants everything that is sent to have been on the screen', async () => {
    const long = Array.from({ length: 20 }, (_, index) => fact(`more${index}`, { value: `${index}` }))
    const deposit = await openDeposit({}, { ...depositView, facts: [...depositView.facts, ...long] })
    await deposit.press('\r')
    expect(deposit.screen()).toContain(CONFIRM_OBSTACLES.unread(''))
    await deposit.pass(1000)
    await deposit.type(`${WORD}\r`)
    expect(deposit.acted).toEqual([])
    for (let page = 0; page < 6; page += 1) await deposit.press('\u001b[6~')
    expect(deposit.screen()).toContain('more19')
    await deposit.type(`${WORD}\r`)
    expect(deposit.acted).toEqual(['checkAsked'])
    await deposit.close()
  })

  it('names no more than the title of what stopped the last attempt, so that all fits', async () => {
    const problem = {
      id: 'keystore.wrong-password',
      kind: 'event',
      title: 'The password is wrong.',
      money: 'untouched',
      values: [{ label: 'keystore', value: '/home/ann/keystore.json' }],
      lines: ['Nothing was signed or sent.', 'The keystore did not open.'],
      next: ['Try again.', 'Check that it is the keystore of this account.'],
    } as const
    const deposit = await openDeposit({}, { ...depositView, problem })
    expect(deposit.screen()).toContain('The keystore did not open.')
    await deposit.press('\r')
    await deposit.pass(1000)
    expect(deposit.screen()).toContain('The password is wrong.')
    expect(deposit.screen()).not.toContain(CONFIRM_OBSTACLES.unread(''))
    await deposit.type(`${WORD}\r`)
    expect(deposit.acted).toEqual(['checkAsked'])
    await deposit.close()
  })

  it('forgets the word when the view no longer offers the payment', async () => {
    const deposit = await openDeposit()
    await deposit.press('\r')
    await deposit.pass(1000)
    await deposit.type('send 10,00')
    const { dispatch } = deposit
    await deposit.rerender(<StepScreen view={{ ...depositView, actions: [] }} dispatch={dispatch} />)
    await deposit.rerender(<StepScreen view={depositView} dispatch={dispatch} />)
    expect(deposit.screen()).not.toContain('press Enter:')
    await deposit.type('0\r')
    expect(deposit.acted).toEqual([])
    await deposit.close()
  })

  it('does not promise that Enter goes on where a word is asked for, or has no room', async () => {
    const verdict = {
      mark: 'proven',
      text: 'All 3 checks pass. Enter goes on.',
      bare: 'All 3 checks pass.',
    } as const
    const deposit = await openDeposit({}, { ...depositView, verdict })
    expect(deposit.screen()).toContain(PAYMENT_TEXT.verdict.good(3, false, undefined))
    await deposit.press('\r')
    expect(deposit.screen()).toContain('All 3 checks pass.')
    expect(deposit.screen()).not.toContain('goes on')
    await deposit.close()
    const narrow = await openDeposit({ columns: 60, rows: 24 }, { ...depositView, verdict })
    expect(narrow.screen()).toContain('All 3 checks pass.')
    expect(narrow.screen()).not.toContain('goes on')
    await narrow.close()
  })

  it('names no arrow for the rows that are folded while the word is typed', async () => {
    const many = Array.from({ length: 30 }, (_, at) =>
      fact(`check${at}`, { label: `check ${at}`, source: `host ${at}` }),
    )
    const view = { ...depositView, checks: many, folds: ['checks'] } as const
    const deposit = await openDeposit({}, view)
    expect(deposit.screen()).toContain('30 of 30 checks pass; ↓ shows each')
    await deposit.press('\r')
    expect(deposit.screen()).toContain('30 of 30 checks pass')
    expect(deposit.screen()).not.toContain('shows each')
    await deposit.close()
  })
})
