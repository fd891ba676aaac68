import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { notification } from '../../src/terminal/notification.ts'

describe('a notification', () => {
  test('is a text for the desktop and the bell', () => {
    expect(notification('Your validator is active', 'xterm-256color')).toBe(
      '\u001b]9;bearings: Your validator is active\u001b\\\u0007',
    )
  })

  test.each(['linux', 'dumb', 'vt100', 'vt220-8', '', undefined])(
    'is only the bell where TERM is %j',
    (term) => {
      expect(notification('x', term)).toBe('\u0007')
    },
  )

  test('carries nothing that could end it early or drive the terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const written = notification(text, 'xterm')
        const [start, end] = ['\u001b]9;bearings: ', '\u001b\\\u0007']
        expect([written.startsWith(start), written.endsWith(end)]).toEqual([true, true])
        expect(written.slice(start.length, -end.length)).toMatch(/^[\x20-\x7e]{0,100}$/)
      }),
    )
  })
})
