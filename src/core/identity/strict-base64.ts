/**
 * Bytes of standard base64 with padding, of exactly `byteLength`; undefined for anything else (line breaks,
 * URL alphabet, stray bits in the last digit).
 */
export function strictBase64(text: string, byteLength: number): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== byteLength || bytes.toString('base64') !== text) return undefined
  return bytes
}
