import { describe, expect, it } from 'vitest'
import { makeTheme, themeOf } from '../../src/screens/theme.tsx'

describe('the theme of an environment', () => {
  it.each([
    ['a UTF-8 locale', { LANG: 'en_US.UTF-8' }, 'linux', false, true],
    ['LC_ALL before LANG', { LC_ALL: 'C', LANG: 'en_US.UTF-8' }, 'linux', true, true],
    ['an empty LC_ALL is none', { LC_ALL: '', LANG: 'C.utf8' }, 'linux', false, true],
    ['no locale at all', {}, 'linux', true, true],
    ['no locale on Windows', {}, 'win32', false, true],
    ['NO_COLOR', { LANG: 'C.UTF-8', NO_COLOR: '1' }, 'linux', false, false],
    ['an empty NO_COLOR does not count', { LANG: 'C.UTF-8', NO_COLOR: '' }, 'linux', false, true],
    ['a dumb terminal', { LANG: 'C.UTF-8', TERM: 'dumb' }, 'linux', true, false],
    ['the Linux console', { LANG: 'C.UTF-8', TERM: 'linux' }, 'linux', true, true],
  ])('%s', (_, env, platform, ascii, colours) => {
    const theme = themeOf(env, platform)
    expect(theme.ascii).toBe(ascii)
    expect(theme.style('good').color).toBe(colours ? 'green' : undefined)
  })

  it('keeps REAL MONEY apart without colours', () => {
    expect(makeTheme({ ascii: true, colours: false }).style('alarm')).toEqual({ inverse: true, bold: true })
  })

  it('gives every mark another text, so that none is told by its colour', () => {
    for (const ascii of [true, false]) {
      const texts = Object.values(makeTheme({ ascii, colours: false }).marks).map((mark) => mark.text)
      expect(new Set(texts).size).toBe(texts.length)
    }
  })

  it('draws no mark of a fact as the path or a separator is drawn', () => {
    for (const ascii of [true, false]) {
      const theme = makeTheme({ ascii, colours: false })
      const path = ['●', '◉', '○'].map(theme.plain)
      const facts = Object.values(theme.marks).map((mark) => mark.text)
      expect(facts.filter((text) => path.includes(text))).toEqual([])
      expect(theme.marks.given.text).toBe('*')
    }
  })

  it('draws plain ASCII in as many cells as before', () => {
    const { plain } = makeTheme({ ascii: true, colours: false })
    const text = '● genesis ─ ◉ sign → … · – ▇▏ ✔ é'
    expect(plain(text)).toBe('+ genesis - @ sign > ~ - - #  + ?')
    expect(plain(text)).toHaveLength(text.length)
  })

  it('keeps the letters of its language in plain ASCII', () => {
    const { plain } = makeTheme({ ascii: true, colours: false, language: 'zh' })
    expect(plain('● 验证者：第 1 步…')).toBe('+ 验证者：第 1 步~')
  })
})
