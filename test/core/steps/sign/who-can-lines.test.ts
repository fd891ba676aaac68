import { expect, test } from 'vitest'
import { MAINNET } from '../../../../src/core/chain/network/presets.ts'
import { PICTURE_TEXT } from '../../../../src/core/steps/sign/picture-text.ts'
import type { AnyView } from '../../../../src/core/wizard/state.ts'
import { PANEL_START } from '../../../../src/hooks/step-panel.ts'
import { stepTurn } from '../../../../src/plain/step-turn.ts'
import { recorder, signFieldsView } from '../../../support/views.ts'

const view: AnyView = { ...signFieldsView, picture: PICTURE_TEXT.whoCanDoWhat(MAINNET) }

async function answerTo(text: string): Promise<readonly string[]> {
  const { dispatch, submitted } = recorder()
  const turn = stepTurn({
    view,
    offerNow: () => undefined,
    now: () => view,
    badge: { kind: 'rehearsal', label: 'Rehearsal' },
    panel: PANEL_START,
    tell: () => undefined,
    dispatch: async (event) => {
      dispatch([event])
      return true
    },
    quit: () => undefined,
    wayBack: undefined,
  })
  expect(turn.page.blocks.flatMap(({ lines }) => lines)).toContain(
    '? explains, ? who can do what, < goes to the line before',
  )
  const reply = await turn.takeLine({ text, begunAtMs: 9_000, atOnce: false }, 0)
  expect(submitted).toEqual([])
  return reply.say ?? []
}

test.each(['? who can do what', '? who'])(
  '"%s" in a field tells the rights of each account by lines',
  async (text) => {
    const said = await answerTo(text)
    expect(said.filter((line) => !line.startsWith(' '))).toEqual([
      'Who can do what',
      'withdrawal',
      'operator',
      'validator key',
      'paying account',
      'The fees of its blocks go where app.toml says: whoever runs the node sets it.',
    ])
    expect(said.slice(2, 4)).toEqual([
      '    receives the stake: all of it after the exit, and before that what is above 10,000,000 BERA',
      '    asks for exit or part: for the exit, or for a part of what is above 250,000 BERA, while the validator is active. No other key can ask.',
    ])
  },
)

test('"? amount" in a field explains that field', async () => {
  expect((await answerTo('? amount'))[0]).toBe('amount')
})
