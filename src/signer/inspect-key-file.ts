import type { FieldReader } from '../core/format/fields.ts'
import { type KeyFileFacts, readKeyFile } from '../core/identity/key-file.ts'
import { readSecretFile } from './read-secret-file.ts'

/** Public facts of a key file. Throws `signer.unsafe-file` and `key-file.*`. */
export function inspectKeyFile(request: FieldReader): KeyFileFacts {
  request.only(['keyFile', 'keyTypePrefix'])
  const bytes = readSecretFile(request.text('keyFile'))
  try {
    const { secretKey, facts } = readKeyFile(bytes, request.text('keyTypePrefix'))
    secretKey.fill(0)
    return facts
  } finally {
    bytes.fill(0)
  }
}
