import { BaseError } from '../base/errors/base.ts'
import { type Decoder, FieldFault, hex, record, uintIndex } from '../base/format/decode.ts'
import { sameHex } from '../base/format/hex.ts'
import { JsonFault, jsonText, parseStrictJson } from '../base/format/strict-json.ts'
import { safeText } from '../base/format/text.ts'
import type { CommandContext } from './context.ts'
import type { UnreadFile } from './picture.ts'

/** Why a file of what was seen is of no use. */
const UNREAD_TEXT = {
  damaged: 'It isn’t complete, or was changed.',
  newer: 'A newer version wrote it.',
  tooLarge: 'It’s larger than this program writes it.',
}

const FORMAT = 1
const MOST_CHARACTERS = 65_536

/**
 * A file of what was seen. `read`: what it holds, nothing where there is none or it's of another chain; `unread` where it can't
 * be read, and then it isn't written over.
 */
export type KeptFile<T> = {
  read(): Promise<{ content: T | undefined; unread?: UnreadFile }>
  write(content: object): Promise<void>
}

/**
 * Opens the file in which observations of one validator are kept, beside the journals of its network; undefined where
 * key or chain are not proven. It serves the screen alone, so a disk that takes nothing is ignored.
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
  let isUnread = false
  const unreadAs = (why: string) => {
    isUnread = true
    return { content: undefined, unread: { path: safeText(path), why } }
  }
  return {
    async read() {
      try {
        const text = await store.readText(path)
        if (text === undefined) return { content: undefined }
        if (text.length > MOST_CHARACTERS) return unreadAs(UNREAD_TEXT.tooLarge)
        const value = parseStrictJson(text)
        const found = decodeAbout(value, '')
        if (found.format !== FORMAT) return unreadAs(UNREAD_TEXT.newer)
        const isOurs =
          sameHex(found.pubkey, pubkey) && sameHex(found.executionGenesisHash, executionGenesisHash)
        return { content: isOurs ? decode(value, '') : undefined }
      } catch (thrown) {
        if (thrown instanceof BaseError) return unreadAs(thrown.shortMessage)
        if (thrown instanceof JsonFault || thrown instanceof FieldFault) return unreadAs(UNREAD_TEXT.damaged)
        throw thrown
      }
    },
    async write(content) {
      if (isUnread) return
      const text = `${jsonText({ format: FORMAT, pubkey, executionGenesisHash, ...content })}\n`
      try {
        await store.writeText(path, text, { replace: true })
      } catch (thrown) {
        if (!(thrown instanceof BaseError)) throw thrown
      }
    },
  }
}
