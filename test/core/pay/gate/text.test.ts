import { expect, test } from 'vitest'
import { GATE_TEXT } from '../../../../src/core/pay/gate/text.ts'

test('says what to do next wherever the gate stays closed', () => {
  const { changed, terms, checks, tooDear, overLimit, ...others } = GATE_TEXT.closed
  const made = [
    changed('it left'),
    terms('another nonce'),
    checks([], []),
    tooDear(1n, 2n),
    overLimit(2n, 1n),
    ...Object.values(others),
  ]
  expect(made.filter(({ next: [first] }) => first === undefined)).toEqual([])
  for (const each of made) expect(each).toMatchObject({ short: expect.stringMatching(/\.$/) })
})
