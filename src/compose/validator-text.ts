const INDEX = /^\d{1,9}$/

const COMPRESSED = /^0x[0-9a-fA-F]{96}$/

const ENGINE_BASE64 = /^[A-Za-z0-9+/]{128}$/

/** A private key in either form: it is not repeated, and not looked up. */
const PRIVATE = /^(?:(?:0x)?[0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/

/** Why a text names no registered validator, by its form alone; undefined where it is one of a key or of an index. */
export function validatorTextFault(text: string): string | undefined {
  if (PRIVATE.test(text))
    return 'This has the size of a private key. If it is one, others may have read it now: make a new key.'
  if (INDEX.test(text) || COMPRESSED.test(text) || ENGINE_BASE64.test(text)) return undefined
  return 'Type the public key, 0x and 96 digits or the engine’s base64, or the index of the validator.'
}
