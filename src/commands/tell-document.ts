import type { Effects } from '../core/base/effects/effects.ts'
import { type DocumentName, type DocumentVerdict, documentOf } from '../core/base/format/document.ts'
import type { CommandIo } from '../output/io.ts'

/** What every document needs to know of the call that it answers. */
export type Asked = {
  name: string
  io: Pick<CommandIo, 'out'>
  effects: { clock: Pick<Effects['clock'], 'nowMs'> }
}

/** Prints a document of a command, in one line: its head, and the fields of its shape. */
export function tellDocument<Fields extends object>(
  document: DocumentName,
  result: { network: string | null; verdict: DocumentVerdict; fields: Fields },
  asked: Asked,
): void {
  asked.io.out(JSON.stringify(documentFor(document, result, asked)))
}

/** The same document as plain JSON values. */
export function documentFor<Fields extends object>(
  document: DocumentName,
  { network, verdict, fields }: { network: string | null; verdict: DocumentVerdict; fields: Fields },
  { name: command, effects }: Omit<Asked, 'io'>,
): Record<string, unknown> {
  const atMs = effects.clock.nowMs()
  return documentOf({ document, command: command === '' ? null : command, network, verdict, atMs }, fields)
}
