import { describe, expect, it } from 'vitest'
import type { AnyView } from '../../src/core/wizard/state.ts'
import { StepScreen } from '../../src/screens/StepScreen.tsx'
import { keyLines } from '../../src/screens/ui/Frame.tsx'
import { lineCells } from '../../src/screens/ui/line.ts'
import { openTerminal, type TestTerminalOptions } from '../support/terminal.tsx'
import { fact, genesisView, recorder, signFieldsView, signView, topUpView } from '../support/views.ts'

const ESC = '\u001b[27u'
const F2 = '\u001bOQ'
const DOWN = '\u001b[B'
const UP = '\u001b[A'
const LEFT = '\u001b[D'
const PAGE_DOWN = '\u001b[6~'
const PAGE_UP = '\u001b[5~'

async function open(view: AnyView, options: TestTerminalOptions = {}) {
  const taker = recorder()
  const terminal = await openTerminal(<StepScreen view={view} dispatch={taker.dispatch} />, options)
  return { ...terminal, ...taker }
}

describe('keys of a step', () => {
  it('act, and quit quits', async () => {
    const step = await open(signView)
    await step.press('s')
    await step.press('\r')
    await step.press('q')
    expect(step.acted).toEqual(['saveAsked', 'deposit'])
    expect(step.quits()).toBe(1)
    await step.close()
  })

  it('go back on Esc, except on the first step', async () => {
    const sign = await open(signView)
    await sign.press(ESC)
    expect(sign.acted).toEqual(['identity'])
    await sign.close()
    const genesis = await open(genesisView)
    await genesis.press(ESC)
    expect(genesis.acted).toEqual([])
    expect(genesis.screen()).not.toContain('Esc back')
    await genesis.close()
  })

  it('act once for each of several keys that came together', async () => {
    const step = await open(signView)
    await step.press('ss\r')
    expect(step.acted).toEqual(['saveAsked', 'saveAsked', 'deposit'])
    await step.close()
  })

  it('do nothing when they are pasted', async () => {
    const step = await open(signView)
    await step.press('\u001b[200~s\rq\u001b[201~')
    expect(step.acted).toEqual([])
    expect(step.quits()).toBe(0)
    await step.close()
  })
})

describe('explaining a value', () => {
  it('says what the chosen one is, who says it, and whether it can change', async () => {
    const step = await open(genesisView)
    await step.press(DOWN, DOWN)
    expect(step.screen()).toContain('▶ ✔  your node')
    await step.press('?')
    expect(step.screen()).toContain(' your node')
    expect(step.screen()).toMatch(/what it is {5}The root that names this chain/)
    expect(step.screen()).toMatch(/who says so {4}Computed on this computer/)
    expect(step.screen()).toMatch(/can it change {2}Never\./)
    await step.press(DOWN)
    expect(step.screen()).toContain(' deposit contract')
    await step.press(UP, UP)
    expect(step.screen()).toContain(' genesis.json')
    await step.press(ESC)
    expect(step.screen()).toContain('Who says what the root is?')
    await step.close()
  })

  it('begins with the first value, and shows long ones whole', async () => {
    const root = genesisView.facts.find((row) => row.id === 'root')
    const step = await open({ ...genesisView, facts: root === undefined ? [] : [root] })
    await step.press('?')
    expect(step.screen()).toContain('0x961b 8390 44d9 e6f1 e527 f062 2cea 4939')
    expect(step.screen()).toContain('7f9f 315c 769d d125 8a91 c9f3 1e65 1d0c')
    await step.press('?')
    expect(step.screen()).not.toContain('later')
    await step.close()
  })

  it('leaves no gap where a value would stand, of a field that is empty', async () => {
    const step = await open({ ...genesisView, facts: [], fields: signFieldsView.fields.slice(1) })
    await step.press('?')
    const at = step.lines().findIndex((row) => row.startsWith(' operator address'))
    expect(step.lines()[at + 1]).toBe('')
    expect(step.lines()[at + 2]).toMatch(/what it is/)
    await step.close()
  })
})

describe('a wide terminal', () => {
  it('has the explanation of the chosen row beside the facts, which keep to their columns', async () => {
    const step = await open(genesisView, { columns: 120, rows: 40 })
    const before = step.lines().map((row) => row.slice(3, 79))
    expect(step.screen()).toMatch(/│ {2}deposit contract/)
    await step.press(DOWN)
    expect(step.screen()).toMatch(/│ {2}genesis\.json/)
    expect(step.screen()).toContain('The root that')
    expect(step.lines().map((row) => row.slice(3, 79))).toEqual(before)
    await step.close()
  })
})

describe('a picture', () => {
  const picture = {
    key: 'w',
    label: 'who can do what',
    title: 'Who can do what',
    columns: ['withdrawal', 'operator'],
    rows: [
      {
        label: 'receives the stake',
        cells: [
          { short: '●', text: 'all of it' },
          { short: '·', text: '' },
        ],
      },
    ],
    note: 'The node pays the fees.',
  }
  const view: AnyView = { ...signFieldsView, picture }

  it('is opened by F2 in a field, whose text waits, and by its letter outside of it', async () => {
    const step = await open(view)
    expect(step.screen()).toContain('F2 who can do what')
    await step.press('0xab', F2)
    expect(step.screen()).toMatch(/receives the stake +● +·/)
    await step.press('c', ESC)
    expect(step.screen()).toContain('operator address    0xab')
    await step.press('w\r')
    expect(step.submitted).toEqual([['operator', '0xabw']])
    await step.press(ESC)
    expect(step.screen()).toContain('w who can do what')
    await step.press('w')
    expect(step.screen()).toMatch(/receives the stake +● +·/)
    await step.press('w')
    expect(step.screen()).toContain('e start over')
    await step.close()
  })

  it('is told in sentences, who by who, where columns have no room', async () => {
    const step = await open(view, { columns: 60 })
    await step.press(F2)
    expect(step.screen()).toMatch(
      /withdrawal\n +receives the stake: all of it\n\n operator\n\n The node pays the fees\./,
    )
    await step.close()
  })
})

describe('the command panel', () => {
  it('shows the equivalent commands, and closes again', async () => {
    const step = await open(signView, { columns: 100 })
    await step.press('c')
    expect(step.screen()).toContain(
      'beacond deposit create-validator 0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    )
    expect(step.screen()).toMatch(/--home\s+(\\\s+)?'\/home\/ann\/\.beacond'/)
    await step.press('c')
    expect(step.screen()).toContain('signature library')
    await step.close()
  })
})

describe('content that does not fit', () => {
  const long: AnyView = {
    ...genesisView,
    facts: Array.from({ length: 30 }, (_, index) => fact(`row${index}`, { value: `value ${index}` })),
  }

  it('says that there is more, and scrolls by pages', async () => {
    const step = await open(long)
    expect(step.screen()).toContain('↓ more below (PgDn)')
    expect(step.screen()).not.toContain('value 29')
    await step.press(PAGE_DOWN)
    expect(step.screen()).toContain('↑ more above (PgUp)   ↓ more below (PgDn)')
    await step.press(PAGE_DOWN, PAGE_DOWN)
    expect(step.screen()).toContain('value 29')
    await step.press(PAGE_UP, PAGE_UP, PAGE_UP, PAGE_UP)
    expect(step.screen()).toContain('value 0')
    await step.close()
  })

  it('follows the chosen row, and leaves the other bands where they are', async () => {
    const step = await open(long)
    const before = step.lines()
    for (let row = 0; row < 25; row += 1) await step.press(DOWN)
    expect(step.screen()).toContain('▶ ✔  row24')
    expect(step.lines().slice(0, 4)).toEqual(before.slice(0, 4))
    expect(step.lines().slice(-5)).toEqual(before.slice(-5))
    await step.close()
  })
})

describe('a text field', () => {
  it('takes letters that are keys elsewhere, and hands over its text on Enter', async () => {
    const step = await open(signFieldsView)
    await step.press('quit? c\r')
    expect(step.submitted).toEqual([['operator', 'quit? c']])
    expect(step.quits()).toBe(0)
    await step.close()
  })

  it('takes a paste as one text without line ends, behind which typing goes on', async () => {
    const step = await open(signFieldsView)
    await step.press('0x')
    await step.press('\u001b[200~ fB69\r\n16B9\u202e \u001b[201~')
    await step.press('cd\r')
    expect(step.submitted).toEqual([['operator', '0xfB6916B9cd']])
    await step.close()
  })

  it('begins with what is proposed, which a paste replaces', async () => {
    const fields = signFieldsView.fields.map((field) => ({ ...field, suggestion: '10000' }))
    const step = await open({ ...signFieldsView, fields })
    expect(step.screen()).toContain('10000')
    await step.press('\u001b[200~20000\u001b[201~')
    await step.press('\r')
    expect(step.submitted).toEqual([['operator', '20000']])
    await step.close()
  })

  it('keeps its text when it is refused, with the reason below, and begins anew for the next field', async () => {
    const step = await open(signFieldsView)
    await step.press('abc\r')
    const refused = signFieldsView.fields.map((field) =>
      field.id === 'operator' ? { ...field, error: 'An address has 40 characters; this one has 3.' } : field,
    )
    await step.rerender(<StepScreen view={{ ...signFieldsView, fields: refused }} dispatch={step.dispatch} />)
    expect(step.screen()).toContain('operator address    abc')
    expect(step.screen()).toContain('✘ An address has 40 characters; this one has 3.')
    await step.rerender(
      <StepScreen view={{ ...signFieldsView, activeField: 'amount' }} dispatch={step.dispatch} />,
    )
    expect(step.screen()).not.toContain('abc')
    await step.press('7\r')
    expect(step.submitted).toEqual([
      ['operator', 'abc'],
      ['amount', '7'],
    ])
    await step.close()
  })

  it('keeps a refused text with its reason also where the step asks for no field, or for another one', async () => {
    const refused = (view: AnyView, id: string): AnyView => ({
      ...view,
      fields: view.fields.map((field) => (field.id === id ? { ...field, error: 'Type digits.' } : field)),
    })
    const topUp = await open(topUpView)
    await topUp.press('a', '1e4\r')
    await topUp.rerender(<StepScreen view={refused(topUpView, 'amount')} dispatch={topUp.dispatch} />)
    expect(topUp.screen()).toMatch(/▶ +amount in BERA +1e4/)
    expect(topUp.screen()).toContain('✘ Type digits.')
    await topUp.press('\u007f5\r')
    expect(topUp.submitted.at(-1)).toEqual(['chosen', '1e5'])
    await topUp.close()
    const sign = await open(signFieldsView)
    await sign.press(UP, '0x12\r')
    await sign.rerender(<StepScreen view={refused(signFieldsView, 'withdrawal')} dispatch={sign.dispatch} />)
    expect(sign.screen()).toMatch(/▶ +withdrawal address +0x12/)
    expect(sign.screen()).toContain('✘ Type digits.')
    await sign.press(DOWN, 'ab\r')
    expect(sign.submitted.at(-1)).toEqual(['operator', 'ab'])
    await sign.close()
  })

  it('has the only cursor, also behind the explanation of another one', async () => {
    const step = await open(signFieldsView)
    await step.press(UP, '\u001bOP', ESC, DOWN)
    expect(step.screen().match(/▶/g)).toHaveLength(1)
    await step.close()
    const withFact = await open({ ...signFieldsView, facts: [fact('one')], sections: ['fields', 'facts'] })
    await withFact.press(ESC, DOWN, '\t')
    expect(withFact.screen().match(/▶/g)).toHaveLength(1)
    await withFact.close()
  })

  it('keeps numbers of several lines apart: two pasted amounts are never one', async () => {
    const step = await open(signFieldsView)
    await step.press('\u001b[200~10,000\r\n500.5\n\u001b[201~', '\r')
    expect(step.submitted).toEqual([['operator', '10,000 500.5']])
    await step.close()
  })

  it('is left with Esc, so that keys are keys again, and entered with Tab', async () => {
    const step = await open(signFieldsView)
    await step.press(ESC)
    await step.press('e')
    expect(step.acted).toEqual(['dropped'])
    await step.press('\t')
    await step.press('e\r')
    expect(step.submitted).toEqual([['operator', 'e']])
    await step.close()
  })

  it('is opened by the edit key where a step does not ask for it by itself', async () => {
    const step = await open(topUpView)
    await step.press(LEFT)
    expect(step.acted).toEqual(['nudged'])
    await step.press('a')
    await step.press('\u007f'.repeat(6))
    await step.press('270000\r')
    expect(step.submitted).toEqual([['chosen', '270000']])
    await step.press(LEFT)
    expect(step.acted).toEqual(['nudged', 'nudged'])
    await step.close()
  })

  it('shows the end of a text that is longer than its room', async () => {
    const step = await open(signFieldsView)
    await step.press(`${'a'.repeat(300)}THE END`)
    expect(step.screen()).toContain('END')
    expect(step.lines()[0]).toContain('Bearings')
    expect(step.screen()).toContain('Money')
    await step.close()
  })
})

const SECRETS = [
  `0x${'f00dfeed'.repeat(8)}`,
  'legal winner thank year wave sausage worth useful legal winner thank yellow',
]
describe.each(SECRETS)('a secret in a field, %s', (secret) => {
  const ways = { pasted: `\u001b[200~${secret}\u001b[201~`, typed: `${secret}\r` }
  it.each(Object.entries(ways))(
    'that is %s is wiped at once: its length is all that stays',
    async (_, keys) => {
      const step = await open(signFieldsView)
      await step.press(keys)
      const words = () => step.screen().replace(/\s+/g, ' ')
      expect(words()).toContain(`Its ${secret.length} characters were wiped.`)
      for (const key of ['\u0015', ESC, '\t', UP, DOWN, '\u001b[C', '\r', ESC]) {
        await step.press(key)
        expect(step.screen()).not.toMatch(/f00d|winner|sausage/)
      }
      expect(JSON.stringify(step.submitted)).not.toMatch(/f00d|winner|sausage/)
      await step.close()
    },
  )
})

it('an error is not beside the good text that is accepted in its field', async () => {
  const [first, ...others] = signFieldsView.fields
  if (first === undefined) throw new Error('no field')
  const fields = [{ ...first, suggestion: first.value, error: 'The checksum does not fit.' }, ...others]
  const step = await open({ ...signFieldsView, fields, activeField: 'operator' })
  await step.press(UP)
  expect(step.screen()).toContain('▶    withdrawal address')
  expect(step.screen()).not.toContain('✘')
  await step.close()
})

describe('time on the screen', () => {
  it('makes ages and counts of seconds grow', async () => {
    const step = await open(genesisView)
    expect(step.screen()).toContain('asking the execution client · 3 s')
    expect(step.screen()).toContain('just now')
    await step.pass(67_000)
    expect(step.screen()).toContain('asking the execution client · 70 s')
    expect(step.screen()).not.toContain('just now')
    expect(step.screen()).toContain('1 min')
    await step.close()
  })

  it('follows the size of the terminal', async () => {
    const step = await open(genesisView)
    await step.resize({ columns: 100, rows: 30 })
    expect(step.lines()).toHaveLength(30)
    expect(step.lines()[0]).toMatch(/^ Bearings {60,}REHEARSAL · play money$/)
    expect(step.lines()[29]).toContain('q quit')
    await step.resize({ columns: 60, rows: 20 })
    expect(step.lines()[0]).toMatch(/^ Bearings {20,}REHEARSAL · play money$/)
    expect(step.lines()[19]).toContain('q quit')
    await step.close()
  })
})

describe('the arrows that choose a row', () => {
  it('are named at 80 columns, and nothing else is pushed out for them', async () => {
    const step = await open(signView)
    expect(step.screen()).toContain('↑↓ choose')
    await step.close()
    const keys = [
      { keys: 'Enter', label: 'finish' },
      { keys: '↑↓', label: 'choose', spare: true as const },
      { keys: 'a', label: 'I know of it' },
      { keys: 'q', label: 'quit' },
    ]
    const needed = keys.filter(({ spare }) => spare !== true)
    const widest = keyLines(keys, 80)
      .flat()
      .map(({ text }) => text)
      .join('')
    expect(widest).toContain('↑↓ choose')
    for (let columns = 16; columns <= 80; columns += 1) {
      const lines = keyLines(keys, columns)
      const text = lines
        .flat()
        .map((piece) => piece.text)
        .join('')
      expect(lines.length).toBe(keyLines(needed, columns).length)
      for (const { keys: name, label } of needed) expect(text).toContain(`${name} ${label}`)
      for (const line of lines) expect(lineCells(line)).toBeLessThanOrEqual(columns)
    }
  })
})
