import type { Static } from 'typebox'
import { Asked, Bytes, Fields, Maybe, Name } from '../../core/base/format/shapes.ts'
import { KeyStateShape, KeyWord, REPORT } from './parts.ts'

export const KeysShape = Fields({
  ...REPORT,
  pubkey: Asked(Bytes(48)),
  uncompressedPubkey: Asked(Bytes(96)),
  uncompressedBase64: Asked(Name),
  address: Asked(Name),
  enginePubkey: Asked(Bytes(48)),
  onChain: Maybe(KeyWord),
  keyState: Asked(KeyStateShape),
})

export type KeysFields = Static<typeof KeysShape>
