import { describe, expect, it } from 'vitest'
import { bindingFor, type KeyBinding, keyHelp, keyNameOf } from '../../src/hooks/keymap.ts'

const nothing = () => undefined

describe('the name of a key press', () => {
  it.each([
    ['', { return: true }, 'return'],
    ['', { escape: true }, 'escape'],
    ['', { upArrow: true }, 'up'],
    ['', { pageDown: true }, 'pagedown'],
    [' ', {}, 'space'],
    ['q', {}, 'q'],
    ['?', {}, '?'],
  ])('of %j with %j is %s', (input, key, name) => {
    expect(keyNameOf(input, key)).toBe(name)
  })

  it.each([
    ['send', {}],
    ['q', { ctrl: true }],
    ['q', { meta: true }],
    ['', {}],
  ])('is none for %j with %j', (input, key) => {
    expect(keyNameOf(input, key)).toBeUndefined()
  })
})

describe('the table of keys', () => {
  const table: KeyBinding[] = [
    { key: 'return', label: 'continue', whileTyping: true, run: nothing },
    { key: 'left', label: 'amount', run: nothing },
    { key: 'right', label: 'amount', run: nothing },
    { key: 'pageup', run: nothing },
    { key: 'return', label: 'never shown', run: nothing },
    { key: 'q', label: 'quit', run: nothing },
  ]

  it('gives the help line: neighbours with one meaning share an entry, later doubles and keys without words are left out', () => {
    expect(keyHelp(table, { typing: false })).toEqual([
      { keys: 'Enter', label: 'continue' },
      { keys: '←→', label: 'amount' },
      { keys: 'q', label: 'quit' },
    ])
  })

  it('names the arrows in words where they cannot be drawn: < and v would be keys of their own', () => {
    expect(keyHelp(table, { typing: false, ascii: true })[1]).toEqual({ keys: 'Left/Right', label: 'amount' })
  })

  it('shows and does only what works while a text is typed', () => {
    expect(keyHelp(table, { typing: true })).toEqual([{ keys: 'Enter', label: 'continue' }])
    expect(bindingFor(table, 'q', { typing: true })).toBeUndefined()
    expect(bindingFor(table, 'return', { typing: true })).toBe(table[0])
  })

  it('triggers the first binding of a key', () => {
    expect(bindingFor(table, 'return', { typing: false })?.label).toBe('continue')
    expect(bindingFor(table, 'x', { typing: false })).toBeUndefined()
    expect(bindingFor(table, undefined, { typing: false })).toBeUndefined()
  })
})
