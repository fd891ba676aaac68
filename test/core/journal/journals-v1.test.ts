import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../src/core/errors/journal.ts'
import { readEvents } from '../../../src/core/journal/entry.ts'
import { encodeEvent } from '../../../src/core/journal/events.ts'
import { readJournal } from '../../../src/core/journal/replay.ts'
import type { JournalFile } from '../../../src/core/journal-file.ts'
import { sampled } from '../../support/hard.ts'
import { journalText } from '../../support/journal-lines.ts'
import { pictureOf } from '../../support/picture.ts'
import { vectorText } from '../../support/vector-lines.ts'
import { SETUP, stateAfter, withJournal } from '../../support/written-journal.ts'

const FOLDER = 'journals-v1'
const FILES = readdirSync(join(import.meta.dirname, '../../vectors', FOLDER))
  .filter((name) => name.endsWith('.jsonl'))
  .sort()

/** By file: what the program that wrote journals of this format read it as. */
const TABLE = JSON.parse(vectorText(`${FOLDER}/pictures.json`)) as { [file: string]: unknown }

const pictureAfter = (text: string, history: JournalFile['history']) =>
  pictureOf(stateAfter(text, history), SETUP)

async function readAs(file: string): Promise<unknown> {
  const text = vectorText(`${FOLDER}/${file}`)
  try {
    return await withJournal(text, ({ history }) => pictureAfter(text, history))
  } catch (thrown) {
    if (!(thrown instanceof JournalError)) throw thrown
    return { refused: thrown.code, line: thrown.line }
  }
}

const SOUND = FILES.filter((file) => !JSON.stringify(TABLE[file]).startsWith('{"refused"'))

describe('a journal of format 1', () => {
  test.each(FILES)('is read to the same picture: %s', async (file) => {
    expect(await readAs(file)).toEqual(TABLE[file])
  })

  test.each(SOUND)('gives it after any line as well where the rest is of format 2: %s', (file) => {
    const [header, ...old] = readJournal(vectorText(`${FOLDER}/${file}`)).entries
    if (header === undefined) throw new RangeError('no header')
    const events = readEvents(old)
    for (const at of sampled([...old.keys(), old.length], 5)) {
      const rest = events.slice(at).map(encodeEvent)
      const text = journalText([header, ...old.slice(0, at), ...rest])
      const history = readEvents(readJournal(text).entries.slice(1))
      expect(pictureAfter(text, history), `from line ${at + 2}`).toEqual(TABLE[file])
    }
  })

  test('has a row in the table, whichever it is', () => {
    expect(Object.keys(TABLE)).toEqual(FILES)
  })
})
