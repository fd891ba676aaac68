import { BaseError } from '../base/errors/base.ts'
import { type Decoder, FieldFault, hex, record, uintIndex } from '../base/format/decode.ts'
import { sameHex } from '../base/format/hex.ts'
import { JsonFault, jsonText, parseStrictJson } from '../base/format/strict-json.ts'
import type { CommandContext } from './context.ts'

const FORMAT = 1
const MOST_CHARACTERS = 65_536

/** A file of what was seen: what it holds, and what it is to hold. */
export type KeptFile<T> = { read(): Promise<T | undefined>; write(content: object): Promise<void> }

/**
 * Opens the file in which observations of one validator are kept, beside the journals of its network; undefined where
 * key or chain are not proven. It serves the screen alone: a missing, damaged or foreign file counts as empty, and a
 * failing disk is ignored.
 */
export function keptFile<T>(
  { setup, facts, effects }: Pick<CommandContext<never>, 'setup' | 'facts' | 'effects'>,
  name: string,
  decode: Decoder<T>,
): KeptFile<T> | undefined {
  const { identity, genesis } = facts()
  if (identity === undefined || genesis === undefined) return undefined
  const { pubkey } = identity
  const { executionGenesisHash } = genesis
  const { store } = effects
  const path = `${setup.journalDirectory}/${name}-${pubkey.slice(2, 14)}.json`
  const decodeAbout = record({ format: uintIndex, pubkey: hex(48), executionGenesisHash: hex(32) })
  return {
    async read() {
      try {
        const text = await store.readText(path)
        if (text === undefined || text.length > MOST_CHARACTERS) return undefined
        const value = parseStrictJson(text)
        const found = decodeAbout(value, '')
        const isOurs =
          found.format === FORMAT &&
          sameHex(found.pubkey, pubkey) &&
          sameHex(found.executionGenesisHash, executionGenesisHash)
        return isOurs ? decode(value, '') : undefined
      } catch (thrown) {
        if (thrown instanceof BaseError || thrown instanceof JsonFault || thrown instanceof FieldFault)
          return undefined
        throw thrown
      }
    },
    async write(content) {
      const text = `${jsonText({ format: FORMAT, pubkey, executionGenesisHash, ...content })}\n`
      try {
        await store.writeText(path, text, { replace: true })
      } catch (thrown) {
        if (!(thrown instanceof BaseError)) throw thrown
      }
    },
  }
}
