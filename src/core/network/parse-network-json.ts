import { networkUnreadable } from '../errors/network.ts'
import { JsonFault, parseStrictJson } from '../format/strict-json.ts'

/** Reads JSON text strictly; a `NetworkError` names the file (`source`) and the place when it is none. */
export function parseNetworkJson(source: string, text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (fault) {
    if (fault instanceof JsonFault) throw networkUnreadable(source, 'JSON', fault.message)
    throw fault
  }
}
