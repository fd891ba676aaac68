import { homeError } from '../../base/errors/home.ts'
import { findOddEncoding } from '../../base/format/file-text.ts'

/**
 * Checks the first bytes of a file that the node reads too: the node takes plain UTF-8 alone. `file` is how the error
 * names it. Throws `home.encoding`.
 */
export function requirePlainUtf8(bytes: Uint8Array, file: string): void {
  const encoding = findOddEncoding(bytes)
  if (encoding !== undefined) throw homeError('home.encoding', file, encoding)
}
