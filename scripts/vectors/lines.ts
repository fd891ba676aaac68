import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip, gunzipSync } from 'node:zlib'

/** The lines of a file, plain or gzipped, one after the other. A file that cannot be read rejects. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const file = createReadStream(path)
  const unpacked = path.endsWith('.gz') ? createGunzip() : undefined
  const source = unpacked === undefined ? file : file.pipe(unpacked)
  const failed = new Promise<never>((_, reject) => {
    for (const stream of [file, source]) stream.once('error', reject)
  })
  failed.catch(() => undefined)
  const lines = createInterface({ input: source, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]()
  while (true) {
    const next = await Promise.race([lines.next(), failed])
    if (next.done === true) return
    yield next.value
  }
}

/** The lines that are not empty, all at once. */
export async function allLines(path: string): Promise<string[]> {
  const lines: string[] = []
  for await (const line of linesOf(path)) if (line.trim() !== '') lines.push(line)
  return lines
}

/** The text of a file, plain or gzipped. */
export function textOf(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** A path as it is, or with `.gz` behind it; undefined where there is neither. */
export function plainOrPacked(path: string): string | undefined {
  return [path, `${path}.gz`].find((each) => existsSync(each))
}
