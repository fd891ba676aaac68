import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pictureOf } from '../../../support/picture.ts'
import { vectorText } from '../../../support/vector-lines.ts'
import { SETUP, stateAfter, withJournal } from '../../../support/written-journal.ts'

const FOLDER = 'journals'
const FILES = readdirSync(join(import.meta.dirname, '../../../vectors', FOLDER))
  .filter((name) => name.endsWith('.jsonl'))
  .sort()

/** By file: what the program that recorded it read it as. */
const TABLE = JSON.parse(vectorText(`${FOLDER}/pictures.json`)) as { [file: string]: unknown }

describe('a recorded journal', () => {
  test.each(FILES)('is read to the same picture: %s', async (file) => {
    const text = vectorText(`${FOLDER}/${file}`)
    const read = await withJournal(text, ({ history }) => pictureOf(stateAfter(text, history), SETUP))
    expect(read).toEqual(TABLE[file])
  })

  test('has a row in the table, whichever it is', () => {
    expect(FILES.length).toBeGreaterThan(90)
    expect(Object.keys(TABLE)).toEqual(FILES)
  })
})
