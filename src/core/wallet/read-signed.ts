import type { Effects } from '../effects/effects.ts'
import type { Hex } from '../format/hex.ts'

/** A signed deposit has about 600 bytes; a file of a wallet machine may hold some words around it. */
const MAX_FILE_BYTES = 64 * 1024

/**
 * The bytes that an external signer made, typed as hex or as the path of a file; what they say is not looked at. Throws a
 * `FileError`.
 */
export async function readSigned(text: string, { files }: Pick<Effects, 'files'>): Promise<Hex> {
  const typed = text.trim()
  const found = typed.startsWith('0x')
    ? typed
    : new TextDecoder().decode(await files.read(typed, { maxBytes: MAX_FILE_BYTES }))
  return found.replaceAll(/\s/g, '').toLowerCase() as Hex
}
