/** How a text is stored where it isn't plain UTF-8: Windows tools write both forms. */
export type OddEncoding = 'utf-16le' | 'utf-16be' | 'utf-8-bom'

/** Returns how the bytes of a text are encoded; undefined for plain UTF-8. UTF-16 without a mark is told by its zero bytes. */
export function findOddEncoding(bytes: Uint8Array): OddEncoding | undefined {
  const [first = 1, second = 1, third, fourth = 1] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8-bom'
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le'
  return first === 0 && second !== 0 ? 'utf-16be' : undefined
}

/** Returns the text of bytes in UTF-8 or UTF-16, without its byte-order mark. What can't be decoded becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = findOddEncoding(bytes)
  return new TextDecoder(encoding?.startsWith('utf-16') ? encoding : 'utf-8').decode(bytes)
}

type HasFiles = { files: { read(path: string, options: { maxBytes: number }): Promise<Uint8Array> } }

const MAX_BYTES = 64 * 1024 * 1024

/** Reads a text file of at most `maxBytes`, as `decodeText` does. Throws a `file.*` error. */
export async function readText({ files }: HasFiles, path: string, maxBytes = MAX_BYTES): Promise<string> {
  return decodeText(await files.read(path, { maxBytes }))
}
