import { readFileSync } from 'node:fs'
import { record } from '../../src/core/base/format/decode.ts'
import { parseDepositFile, writeDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import { keptFile } from '../../src/core/observe/kept-file.ts'
import { keptMemory, memoryOf, memoryText, readMemory } from '../../src/watch/keep.ts'
import { decodeOutbox, encodeOutbox } from '../../src/watch/notify/open-outbox.ts'
import { stateFiles, stateText } from './state-files.ts'
import { networkIn, withSeen } from './state-pictures.ts'

type Again = { [file: string]: () => string | Promise<string> }

const each = (kind: string, start: string, again: (file: string) => string | Promise<string>): Again =>
  Object.fromEntries(
    stateFiles(kind)
      .filter((file) => file.startsWith(`${kind}/${start}`))
      .map((file) => [file, () => again(file)]),
  )

const alarmsAgain = (name: string) =>
  withSeen(name, async ({ context, path }) => {
    const file = keptFile(context, 'alarms', record({ memory: memoryOf(context.setup.network) }))
    const { content } = (await file?.read()) ?? {}
    const memory = content?.memory
    if (memory === undefined) throw new Error(`${name} was not read`)
    await file?.write({ memory: keptMemory(memory) })
    return readFileSync(path, 'utf8')
  })

/** The files that are written whole, with what the program writes once it has read one. */
export const AGAIN: Again = {
  ...each('watch', '', (file) => memoryText(readMemory(stateText(file), file, networkIn(stateText(file))))),
  ...each('outbox', '', (file) => encodeOutbox(decodeOutbox(stateText(file), file))),
  ...each('validator', 'alarms', alarmsAgain),
  ...each('exports', 'deposit', (file) => writeDepositFile(parseDepositFile(stateText(file)))),
}
