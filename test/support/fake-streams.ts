import { PassThrough, Writable } from 'node:stream'

/** A terminal's output as Ink needs it: a size, and every write settled once it was taken. */
export type FakeStdout = Writable & { isTTY: true; columns: number; rows: number }

/** A writable that hands every chunk to `take`, with the size of a terminal. */
export function fakeStdout(
  size: { columns: number; rows: number },
  take: (text: string) => void,
): FakeStdout {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _, settled) {
      take(String(chunk))
      settled()
    },
  })
  return Object.assign(stream, { isTTY: true as const, ...size })
}

/** A terminal's input: bytes written to it arrive as if they were typed. */
export type FakeStdin = PassThrough & {
  isTTY: true
  raw: boolean
  setRawMode(mode: boolean): FakeStdin
  ref(): FakeStdin
  unref(): FakeStdin
}

/** An input stream with the methods of a terminal. */
export function fakeStdin(): FakeStdin {
  const stream: FakeStdin = Object.assign(new PassThrough(), {
    isTTY: true as const,
    raw: false,
    setRawMode(mode: boolean) {
      stream.raw = mode
      return stream
    },
    ref: () => stream,
    unref: () => stream,
  })
  return stream
}
