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
