import { describe, expect, test } from 'vitest'
import { stateFiles, stateText } from '../support/state-files.ts'
import { PICTURES, placesPicture, statePictureOf } from '../support/state-pictures.ts'

/** By file: what the program that recorded it read in it, and what it did by that. */
const TABLE = JSON.parse(stateText('pictures.json')) as { [file: string]: unknown }
/** The row of the state directory as a whole. */
const PLACES = 'places'

/** What is written for a wallet, and never read: its bytes are compared where it is exported again. */
const FOR_WALLETS = /^exports\/(?:leave|safe|sign)/
const READ = Object.keys(PICTURES)
  .flatMap((kind) => stateFiles(kind))
  .filter((file) => !FOR_WALLETS.test(file))

describe('a recorded file of the state', () => {
  test.each(READ)('is read to the same picture: %s', async (file) => {
    expect(await statePictureOf(file)).toEqual(TABLE[file])
  })

  test('lies in a place whose kind is known, and may be deleted or not as before', async () => {
    expect(await placesPicture()).toEqual(TABLE[PLACES])
  })

  test('has a row in the table, whichever it is', () => {
    expect(Object.keys(TABLE).toSorted()).toEqual([...READ, PLACES].toSorted())
  })
})
