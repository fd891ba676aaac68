import { expect, test } from 'vitest'
import { NOT_MET } from './not-met.ts'
import { TITLES, tryLies } from './try-lies.ts'

test('what is not run is a trial that there is', () => {
  expect([...NOT_MET.keys()].filter((title) => !TITLES.includes(title))).toEqual([])
  expect(new Set(TITLES).size, 'titles').toBe(TITLES.length)
})

tryLies('alone')
