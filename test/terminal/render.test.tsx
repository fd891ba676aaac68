import { EventEmitter } from 'node:events'
import { Text, useInput, usePaste } from 'ink'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '../../src/terminal/render.tsx'
import { fakeStdin, fakeStdout } from '../support/fake-streams.ts'

const LEAVE_ALTERNATE = '\u001b[?1049l'
const ENTER_ALTERNATE = '\u001b[?1049h'
const SHOW_CURSOR = '\u001b[?25h'
const PASTE_OFF = '\u001b[?2004l'

function Echo({ fail = false }: { fail?: boolean }) {
  const [text, setText] = useState('')
  const [pasted, setPasted] = useState('')
  useInput((input, key) => setText((before) => before + (key.return ? '<' : input)))
  usePaste((words) => setPasted(words))
  if (fail) throw new Error('a fault of the program')
  return <Text>{`typed ${text} pasted ${pasted}`}</Text>
}

function open(node = <Echo />, onInterrupt?: () => void, closing?: () => Promise<void>) {
  let written = ''
  const stdin = fakeStdin()
  const stdout = fakeStdout({ columns: 80, rows: 24 }, (text) => {
    written += text
  }) as unknown as NodeJS.WriteStream
  const events = new EventEmitter()
  const app = renderApp(node, {
    stdin,
    stdout,
    stderr: stdout,
    process: events,
    ...(onInterrupt === undefined ? {} : { onInterrupt }),
    ...(closing === undefined ? {} : { closing }),
  })
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return { app, stdin, events, turns, written: () => written }
}

function expectTerminalGivenBack(opened: ReturnType<typeof open>): void {
  const written = opened.written()
  expect(opened.stdin.raw).toBe(false)
  expect(written.lastIndexOf(LEAVE_ALTERNATE)).toBeGreaterThan(written.lastIndexOf(ENTER_ALTERNATE))
  expect(written).toContain(PASTE_OFF)
  expect(written.endsWith(SHOW_CURSOR)).toBe(true)
  for (const event of ['SIGTERM', 'SIGHUP', 'SIGINT', 'uncaughtException', 'unhandledRejection']) {
    expect(opened.events.listenerCount(event)).toBe(0)
  }
}

describe('running the screens in a terminal', () => {
  it('calls the user without drawing anything', async () => {
    const opened = open()
    await opened.turns(5)
    const before = opened.written().length
    opened.app.notify('it is there')
    expect(opened.written().slice(before)).toBe('\u0007')
    opened.app.close()
    await opened.app.end
  })

  it('draws on the other screen and gives the terminal back when closed', async () => {
    const opened = open()
    await opened.turns(5)
    expect(opened.written()).toContain(ENTER_ALTERNATE)
    expect(opened.stdin.raw).toBe(true)
    opened.app.close()
    opened.app.close()
    expect(await opened.app.end).toEqual({ reason: 'done' })
    expectTerminalGivenBack(opened)
  })

  it('hands over keys that came together one by one, and a paste as a paste', async () => {
    const opened = open()
    await opened.turns(5)
    opened.stdin.write('ab\r\u001b[200~x\ry\u001b[201~')
    await opened.turns(30)
    opened.app.close()
    await opened.app.end
    expect(opened.written()).toContain('ab< pasted xy')
  })

  it('ends on Ctrl-C', async () => {
    const opened = open()
    await opened.turns(5)
    opened.stdin.write('\u0003')
    expect(await opened.app.end).toEqual({ reason: 'done' })
    expectTerminalGivenBack(opened)
  })

  it('keeps raw mode on while the program closes, with the screens gone, and hears Ctrl-C alone', async () => {
    const closed = Promise.withResolvers<void>()
    const opened = open(<Echo />, undefined, () => closed.promise)
    let interrupts = 0
    await opened.turns(5)
    opened.app.close()
    await opened.turns(20)
    opened.events.on('SIGINT', () => {
      interrupts += 1
    })
    opened.stdin.write('quark\r')
    opened.stdin.write('\u0003')
    await opened.turns(20)
    expect([opened.stdin.raw, interrupts]).toEqual([true, 1])
    expect(opened.written()).not.toContain('quark')
    opened.events.removeAllListeners('SIGINT')
    closed.resolve()
    await opened.app.end
    expectTerminalGivenBack(opened)
    expect(opened.stdin.read()).toBeNull()
  })

  it('asks the program first when it wants to know of Ctrl-C', async () => {
    let asked = 0
    const opened = open(<Echo />, () => {
      asked += 1
    })
    await opened.turns(5)
    opened.stdin.write('\u0003')
    await opened.turns(10)
    expect(asked).toBe(1)
    opened.app.close()
    await opened.app.end
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'])('gives the terminal back on %s', async (signal) => {
    const opened = open()
    await opened.turns(5)
    opened.events.emit(signal)
    expect(await opened.app.end).toEqual({ reason: 'signal', signal })
    expectTerminalGivenBack(opened)
  })

  it.each(['uncaughtException', 'unhandledRejection'])(
    'gives the terminal back on %s and says why',
    async (event) => {
      const opened = open()
      await opened.turns(5)
      const error = new Error('out of nowhere')
      opened.events.emit(event, error)
      expect(await opened.app.end).toEqual({ reason: 'fault', error })
      expectTerminalGivenBack(opened)
    },
  )

  it('gives the terminal back when a screen throws', async () => {
    const opened = open(<Echo fail={true} />)
    const end = await opened.app.end
    expect(end.reason).toBe('fault')
    expectTerminalGivenBack(opened)
  })
})
