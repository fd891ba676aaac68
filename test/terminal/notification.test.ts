import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { notification } from '../../src/terminal/notification.ts'

describe('a notification', () => {
  test('is a text for the desktop and the bell', () => {
    const text = 'Your validator is active'
    expect(notification(text, 'xterm-256color')).toBe(`\u001b]9;bearings: ${text}\u001b\\\u0007`)
  })

  test.each(['rxvt-unicode-256color', 'foot'])('has the other form where TERM is %s', (term) => {
    expect(notification('one; two', term)).toBe('\u001b]777;notify;bearings;one, two\u001b\\\u0007')
  })

  test('has the form that is asked for, except on a console that would draw it', () => {
    expect(notification('x', 'xterm', 'osc777')).toBe('\u001b]777;notify;bearings;x\u001b\\\u0007')
    expect(notification('x', 'foot', 'osc9')).toBe('\u001b]9;bearings: x\u001b\\\u0007')
    expect(notification('x', 'xterm', 'bell')).toBe('\u0007')
    expect(notification('x', 'linux', 'osc9')).toBe('\u0007')
  })

  test.each(['linux', 'dumb', 'vt100', 'vt220-8', '', undefined])(
    'is only the bell where TERM is %j',
    (term) => {
      expect(notification('x', term)).toBe('\u0007')
    },
  )

  test('has the letters of its language', () => {
    expect(notification('严重：验证者 home 掉出', 'xterm', 'osc9', 'zh')).toBe(
      '\u001b]9;bearings: 严重：验证者 home 掉出\u001b\\\u0007',
    )
    expect(notification('a 验证者 b', 'xterm', 'osc9', 'en')).toBe('\u001b]9;bearings: a   b\u001b\\\u0007')
  })

  test('carries nothing that could end it early or drive the terminal', () => {
    const forms = fc.constantFrom(
      ['osc9', '\u001b]9;bearings: '] as const,
      ['osc777', '\u001b]777;notify;bearings;'] as const,
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), forms, (text, [form, start]) => {
        const written = notification(text, 'xterm', form)
        const end = '\u001b\\\u0007'
        expect([written.startsWith(start), written.endsWith(end)]).toEqual([true, true])
        expect(written.slice(start.length, -end.length)).toMatch(/^[\x20-\x7e]{0,100}$/)
      }),
    )
  })
})
