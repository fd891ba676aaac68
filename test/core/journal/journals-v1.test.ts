import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { JournalError } from '../../../src/core/errors/journal.ts'
import { pictureOf } from '../../support/picture.ts'
import { vectorText } from '../../support/vector-lines.ts'
import { stateOf, withJournal } from '../../support/written-journal.ts'

const FOLDER = 'journals-v1'
const FILES = readdirSync(join(import.meta.dirname, '../../vectors', FOLDER))
  .filter((name) => name.endsWith('.jsonl'))
  .sort()

/** By file: what the program that wrote journals of this format read it as. */
const TABLE = JSON.parse(vectorText(`${FOLDER}/pictures.json`)) as { [file: string]: unknown }

async function readAs(file: string): Promise<unknown> {
  try {
    return await withJournal(vectorText(`${FOLDER}/${file}`), (opened) =>
      pictureOf(stateOf(opened), opened.setup),
    )
  } catch (thrown) {
    if (!(thrown instanceof JournalError)) throw thrown
    return { refused: thrown.code, line: thrown.line }
  }
}

describe('a journal of format 1', () => {
  test.each(FILES)('is read to the same picture: %s', async (file) => {
    expect(await readAs(file)).toEqual(TABLE[file])
  })

  test('has a row in the table, whichever it is', () => {
    expect(Object.keys(TABLE)).toEqual(FILES)
  })
})
