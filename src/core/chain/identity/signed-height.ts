import { homeError } from '../../base/errors/home.ts'
import { decimal, decodeWhole, FieldFault, record, refuse } from '../../base/format/decode.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'
import { safeText } from '../../base/format/text.ts'
import type { HomeEffects } from './home-files.ts'
import { requirePlainUtf8 } from './plain-utf8.ts'

const MAX_STATE_BYTES = 64 * 1024

const fields = record({ height: decimal })

/**
 * Returns the newest block that the node of a home signed with its key, by the state of that key
 * (`data/priv_validator_state.json`); 0 where there is no such file. Throws a `home.*` error or a `file.*` error.
 */
export async function readSignedHeight(
  { files }: HomeEffects,
  { home, stateFile }: { home: string; stateFile: string },
): Promise<bigint> {
  if ((await files.facts(stateFile)) === undefined) return 0n
  const bytes = await files.read(stateFile, { maxBytes: MAX_STATE_BYTES })
  requirePlainUtf8(bytes, safeText(stateFile))
  try {
    return decodeWhole(fields, jsonOf(new TextDecoder().decode(bytes))).height
  } catch (fault) {
    if (fault instanceof FieldFault) throw homeError('home.field', home, stateFile, fault)
    throw fault
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (fault) {
    if (fault instanceof JsonFault) return refuse('', 'JSON', text)
    throw fault
  }
}
