/**
 * Reads the body of a 200 while it arrives. Made anew for each attempt. What it finds wrong it throws: a `JsonFault`
 * or a `FieldFault`.
 */
export type Intake = {
  write(piece: Uint8Array): void
  /** The JSON value of the body, without what was read out of it on the way. */
  end(): unknown
  receivedBytes(): number
}
