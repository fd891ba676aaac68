/** Lower-case hexadecimal text with a leading 0x. */
export type Hex = `0x${string}`

/** The address that nobody has: in the contract it says that no operator is set. */
export const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`

const HEX = /^0x(?:[0-9a-f]{2})*$/i

/** Whether `text` is 0x-prefixed hexadecimal of whole bytes, of `byteLength` bytes when given. */
export function isHex(text: unknown, byteLength?: number): text is Hex {
  if (typeof text !== 'string' || !HEX.test(text)) return false
  return byteLength === undefined || text.length === 2 + 2 * byteLength
}

/** Bytes as lower-case 0x hex. */
export function bytesToHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}

/** Bytes of a 0x hex text; throws a RangeError when it is not whole bytes of hex. */
export function hexToBytes(hex: string): Uint8Array {
  if (!isHex(hex)) throw new RangeError('not 0x-prefixed hexadecimal of whole bytes')
  return new Uint8Array(Buffer.from(hex.slice(2), 'hex'))
}

/** Joins two hex texts into one. */
export function concatHex(first: Hex, second: Hex): Hex {
  return `${first}${second.slice(2)}` as Hex
}

/** Whether two hex texts name the same bytes, whatever their case. */
export function sameHex(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Returns a long hex value in groups of four digits after its 0x: `0x8145 ccbf …`. Nothing is left out. */
export function groupHex(hex: string): string {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex
  const groups = digits.match(/.{1,4}/g) ?? []
  return `0x${groups.join(' ')}`
}

const GROUPS = /^0x[0-9a-f]{1,4}(?:[ \t\r\n]+[0-9a-f]{1,4})+$/i

/**
 * Returns a typed text without spaces around it; of hex in the groups that `groupHex` makes, also without those between
 * them. Anything else stays as it is, also what nobody can see.
 */
export function ungroupHex(text: string): string {
  const typed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
  return GROUPS.test(typed) ? typed.replace(/[ \t\r\n]+/g, '') : typed
}

/** Bytes that wait to be read. */
export type HeldBytes = {
  add(piece: Uint8Array): void
  /** Takes bytes away from the front. */
  drop(length: number): void
  bytes(): Uint8Array
  length(): number
}

/** An empty store of bytes in one buffer that grows as needed; `bytes` is a view that the next change spoils. */
export function holdBytes(): HeldBytes {
  let buffer = new Uint8Array(4096)
  let length = 0
  return {
    add(piece) {
      if (length + piece.length > buffer.length) {
        const larger = new Uint8Array(2 * (length + piece.length))
        larger.set(buffer.subarray(0, length))
        buffer = larger
      }
      buffer.set(piece, length)
      length += piece.length
    },
    drop(count) {
      buffer.copyWithin(0, count, length)
      length -= count
    },
    bytes: () => buffer.subarray(0, length),
    length: () => length,
  }
}

/**
 * Bytes of standard base64 with padding, of exactly `byteLength`; undefined for anything else (line breaks,
 * URL alphabet, stray bits in the last digit).
 */
export function strictBase64(text: string, byteLength: number): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== byteLength || bytes.toString('base64') !== text) return undefined
  return bytes
}
