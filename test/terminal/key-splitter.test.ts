import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TerminalTimers } from '../../src/terminal/drop-typed.ts'
import { type KeyHearing, splitKeys } from '../../src/terminal/key-splitter.ts'
import { ESCAPE_KEY } from '../../src/terminal/keys.ts'
import { type FakeStdin, fakeStdin } from '../support/fake-streams.ts'

const ESC = '\u001b'
const UP = `${ESC}[A`
const F5 = `${ESC}[15~`
const HOME = `${ESC}OH`
const paste = (text: string): string => `${ESC}[200~${text}${ESC}[201~`

/** Timers that only move when they are told to. */
function heldTimers() {
  const soon: (() => void)[] = []
  const later: { delayMs: number; run: () => void }[] = []
  const timers: TerminalTimers = {
    soon: (run) => void soon.push(run),
    after(delayMs, run) {
      const entry = { delayMs, run }
      later.push(entry)
      return () => {
        const at = later.indexOf(entry)
        if (at !== -1) later.splice(at, 1)
      }
    },
  }
  return {
    timers,
    pending: later,
    turn: () => soon.shift()?.(),
    settle() {
      for (let run = soon.shift(); run !== undefined; run = soon.shift()) run()
    },
    expire(): number[] {
      const due = later.splice(0)
      for (const { run } of due) run()
      return due.map(({ delayMs }) => delayMs)
    },
  }
}

function openSplitter(hearing: KeyHearing = {}) {
  const stdin: FakeStdin = fakeStdin()
  const held = heldTimers()
  const stream = splitKeys(stdin, held.timers, hearing)
  stream.setRawMode(true)
  const read = (): string[] => {
    const keys: string[] = []
    for (let key = stream.read() as string | null; key !== null; key = stream.read() as string | null) {
      keys.push(key)
    }
    return keys
  }
  const send = (chunk: string | Uint8Array): void => {
    stdin.emit('data', typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk))
  }
  return { stdin, stream, send, read, ...held }
}

/** The keys that come out when the chunks go in one after the other, faster than any timer. */
function keysOf(chunks: readonly (string | Uint8Array)[]): string[] {
  const splitter = openSplitter()
  for (const chunk of chunks) splitter.send(chunk)
  splitter.settle()
  splitter.expire()
  splitter.settle()
  return splitter.read()
}

describe('splitting what a terminal sends into keys', () => {
  it('hands over one key a turn, so that each sees what the one before it did', () => {
    const splitter = openSplitter()
    splitter.send('ab\r')
    expect(splitter.read()).toEqual([])
    splitter.turn()
    expect(splitter.read()).toEqual(['a'])
    splitter.turn()
    expect(splitter.read()).toEqual(['b'])
    splitter.turn()
    expect(splitter.read()).toEqual(['\r'])
  })

  it.each([
    ['letters and Enter that came together', 'alice\r', ['a', 'l', 'i', 'c', 'e', '\r']],
    ['Enter pressed twice', '\r\r', ['\r', '\r']],
    ['letters of several bytes, and not what cannot be drawn', 'é✓😀\u00ad漢\r', ['é', '✓', '漢', '\r']],
    ['a letter by its number', `${ESC}[97u${ESC}[8203u${ESC}[97;1;65u`, [`${ESC}[97u`, `${ESC}[97;1;65u`]],
    ['arrow keys among letters', `j${UP}${UP}k`, ['j', UP, UP, 'k']],
    ['longer sequences', `${F5}${HOME}`, [F5, HOME]],
    ['a paste, whole, with its line ends', `x${paste('one\rtwo\n')}y`, ['x', paste('one\rtwo\n'), 'y']],
    ['an empty paste', paste(''), [paste('')]],
    ['a line feed as Enter', 'yes\n', ['y', 'e', 's', '\r']],
    ['a carriage return with a line feed as one Enter', 'yes\r\n', ['y', 'e', 's', '\r']],
    ['Esc before a letter as two keys', `${ESC}q`, [ESCAPE_KEY, 'q']],
    ['control letters that mean nothing here', '\u0001a\u0017b\u0003', ['a', 'b', '\u0003']],
    ["a terminal's reply, swallowed", `a${ESC}]11;rgb:00/00/00${ESC}\\b${ESC}]0;t\u0007c`, ['a', 'b', 'c']],
  ])('understands %s', (_, text, keys) => {
    expect(keysOf([text])).toEqual(keys)
  })

  it('gives the same keys however a script of keys is cut into chunks', () => {
    const key = fc.constantFrom(
      'a',
      'Z',
      ' ',
      '\r',
      'é',
      '✓',
      '😀',
      UP,
      F5,
      HOME,
      ESC,
      '\u007f',
      '\t',
      paste('p\rq é'),
      `${ESC}]0;t\u0007`,
    )
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 25 }),
        fc.array(fc.nat(200), { maxLength: 40 }),
        (script, cuts) => {
          const bytes = Buffer.from(script.join(''))
          const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
          const edges = [0, ...places, bytes.length]
          const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
          expect(keysOf(chunks)).toEqual(keysOf([bytes]))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('gives the same keys byte by byte for a paste cut at every place', () => {
    const bytes = Buffer.from(`a${paste('send 10,000\r')}b`)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(keysOf([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([
        'a',
        paste('send 10,000\r'),
        'b',
      ])
    }
  })
})

describe('waiting for the rest of a key', () => {
  it('takes a lone ESC for the Esc key after 20 ms', () => {
    const splitter = openSplitter()
    splitter.send(ESC)
    splitter.settle()
    expect(splitter.read()).toEqual([])
    expect(splitter.expire()).toEqual([20])
    splitter.settle()
    expect(splitter.read()).toEqual([ESCAPE_KEY])
  })

  it('drops a sequence that never becomes whole', () => {
    const splitter = openSplitter()
    splitter.send(`${ESC}[1;`)
    expect(splitter.expire()).toEqual([1000])
    splitter.send('q')
    splitter.settle()
    expect(splitter.read()).toEqual(['q'])
  })

  it('holds an unfinished paste as long as more of it comes', () => {
    const splitter = openSplitter()
    splitter.send(`${ESC}[200~never\r`)
    expect(splitter.pending.map(({ delayMs }) => delayMs)).toEqual([5000])
    splitter.send('quite ')
    expect(splitter.pending).toHaveLength(1)
    splitter.send(`ending${ESC}[201~`)
    expect(splitter.pending).toHaveLength(0)
    splitter.settle()
    expect(splitter.read()).toEqual([paste('never\rquite ending')])
  })

  it('drops a paste that has not gone on for 5 s, so that keys count again', () => {
    const splitter = openSplitter()
    splitter.send(`${ESC}[200~lost\r`)
    expect(splitter.expire()).toEqual([5000])
    splitter.send(`q${paste('whole')}\u0003`)
    splitter.settle()
    expect(splitter.read()).toEqual(['q', paste('whole'), '\u0003'])
  })

  it('makes no keys of the end of a paste that was dropped', () => {
    const splitter = openSplitter()
    splitter.send(`${ESC}[200~lost\r`)
    splitter.expire()
    splitter.send(`send\r${ESC}[201~q`)
    splitter.send(`a${ESC}[201~b`)
    splitter.settle()
    expect(splitter.read()).toEqual(['q', 'a', `${ESC}[201~`, 'b'])
  })
})

describe('sharing the terminal', () => {
  it('leaves raw mode on until it is released, whatever the screens ask for', async () => {
    const { stdin, stream, turns } = lending()
    expect(stream.isTTY).toBe(true)
    expect(stdin.raw).toBe(true)
    stream.setRawMode(false)
    expect(stdin.raw).toBe(true)
    await turns(stream.release())
    expect(stdin.raw).toBe(false)
  })

  it('stops reading while the screens want none, and forgets what was typed before', () => {
    const splitter = openSplitter()
    splitter.send('abc')
    splitter.stream.setRawMode(false)
    expect(splitter.stdin.listenerCount('data')).toBe(0)
    expect(splitter.stdin.isPaused()).toBe(true)
    splitter.settle()
    splitter.stream.setRawMode(true)
    splitter.send('d')
    splitter.settle()
    expect(splitter.read()).toEqual(['d'])
  })
})

describe('a keyboard that is lent', () => {
  it('is not read meanwhile, and what was left in it never becomes a key', async () => {
    const { stdin, stream, turns, read, settle } = lending()
    const resume = stream.suspend()
    stream.setRawMode(false)
    expect(stdin.listenerCount('data')).toBe(0)
    stdin.write('left over')
    await turns(resume())
    stream.setRawMode(true)
    stdin.write('q')
    await turns(Promise.resolve())
    settle()
    expect(read()).toEqual(['q'])
  })
})

describe('keys that nobody may hear', () => {
  it('are dropped one by one, and the next ones are heard as soon as they may be', () => {
    let mayHear = true
    const splitter = openSplitter({ mayHear: (key) => mayHear || key === '\u0003' })
    splitter.send('a\rq\u0003')
    splitter.turn()
    splitter.turn()
    mayHear = false
    splitter.settle()
    expect(splitter.read()).toEqual(['a', '\r', '\u0003'])
    mayHear = true
    splitter.send('b')
    splitter.settle()
    expect(splitter.read()).toEqual(['b'])
  })

  it('keep raw mode on until a second passed without one', async () => {
    const { stdin, stream, send, settle, expire, turns } = lending({ mayHear: () => false })
    send('x')
    settle()
    let isOver = false
    const released = stream.release().then(() => {
      isOver = true
    })
    await turns(Promise.resolve(), 10)
    stdin.write('y')
    await turns(Promise.resolve(), 10)
    expect([isOver, stdin.raw]).toEqual([false, true])
    expect(expire()).toEqual([1000])
    // A timer that is late comes before what was typed meanwhile is read.
    stdin.write('z')
    await turns(Promise.resolve(), 10)
    expect([isOver, stdin.raw]).toEqual([false, true])
    expire()
    await turns(released)
    expect(stdin.raw).toBe(false)
    expect(stdin.read()).toBeNull()
  })

  it('are read and dropped while the terminal is held, but for Ctrl-C', async () => {
    let interrupts = 0
    const { stdin, stream, read, settle, expire, turns } = lending({
      interrupt: () => {
        interrupts += 1
      },
    })
    stream.setRawMode(false)
    stream.drop()
    stdin.write('quark')
    stdin.write('\u0003')
    await turns(Promise.resolve(), 10)
    expect(interrupts).toBe(1)
    const released = stream.release()
    await turns(Promise.resolve(), 10)
    expire()
    await turns(released)
    settle()
    expect(read()).toEqual([])
    expect(stdin.raw).toBe(false)
  })
})

/** A splitter whose turns are those of the event loop. */
function lending(hearing: KeyHearing = {}) {
  const splitter = openSplitter(hearing)
  const turns = async (until: Promise<void>, least = 1): Promise<void> => {
    let over = false
    void until.then(() => {
      over = true
    })
    for (let turn = 0; turn < least || !over; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      splitter.turn()
    }
  }
  return { ...splitter, turns }
}
