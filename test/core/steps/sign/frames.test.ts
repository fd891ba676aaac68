import { describe, expect, it } from 'vitest'
import { frameOf, testFramesOf } from '../../../support/step-frames.tsx'
import { sameEveryRun, still } from '../../../support/still.ts'

testFramesOf('sign')

const F2 = '\u001bOQ'

describe('who can do what, from the field of the withdrawal address', () => {
  it.each([
    { columns: 80, rows: 24 },
    { columns: 40, rows: 15 },
    { ascii: true, colours: false },
  ])('is drawn at %o', async (options) => {
    const lines = await frameOf('sign, the first field', options, F2)
    expect(sameEveryRun(still(lines.join('\n')))).toMatchSnapshot()
  })

  it('is in sight at once where the form leaves room for it', async () => {
    const inSight = async (rows: number) =>
      (await frameOf('sign, the first field', { columns: 80, rows })).some((row) =>
        row.includes('when stolen'),
      )
    expect([await inSight(24), await inSight(36)]).toEqual([false, true])
  })
})
