import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText, findOddEncoding } from '../../../../src/core/base/format/file-text.ts'

const utf16 = (text: string, isBig: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}
const json = fc.json().map((text) => `{"a":${text}}`)

test('decodes a JSON text as UTF-8 and UTF-16, with a byte-order mark and without one', () => {
  fc.assert(
    fc.property(json, (text) => {
      for (const marked of [text, `\ufeff${text}`])
        for (const bytes of [Buffer.from(marked), utf16(marked, false), utf16(marked, true)])
          expect(decodeText(bytes)).toBe(text.toWellFormed())
    }),
  )
})

test('finds nothing odd in UTF-8, however short', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 8 }), (text) => {
      fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'))
      expect(findOddEncoding(Buffer.from(text))).toBeUndefined()
    }),
  )
})
