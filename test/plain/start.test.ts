import { expect, test } from 'vitest'
import { BaseError } from '../../src/core/base/errors/base.ts'
import type { NetworkChoice } from '../../src/core/wizard/launch/choice.ts'
import { PLAIN_TEXT } from '../support/plain-steps.ts'
import { type Talk, talkWith } from '../support/plain-talk.ts'
import { worldClock } from '../support/world-clock.ts'

/** A person at the first questions, on a computer where no network file can be read. */
async function talkAtStart(person: (talk: Talk, chosen: readonly NetworkChoice[]) => Promise<void>) {
  const chosen: NetworkChoice[] = []
  const launcher = {
    initial: undefined,
    draft: async (choice: NetworkChoice) => {
      chosen.push(choice)
      throw new BaseError('network.file', {
        short: `no file at ${choice.kind === 'file' ? choice.path : choice.kind}`,
      })
    },
  }
  const open = () => Promise.reject(new Error('there is no session'))
  await talkWith({ clock: worldClock() }, { open, launcher }, async (talk) => {
    await person(talk, chosen)
    expect(talk.transcript()).toMatch(PLAIN_TEXT)
  })
}

test('a network file that cannot be read is told where it is asked for, and each one anew', async () => {
  await talkAtStart(async (talk, chosen) => {
    await talk.asked('What do you want to do?')
    talk.types('5')
    await talk.asked('network file (the path of a JSON file): ')
    talk.types('/no/such.json')
    await talk.asked('no file at /no/such.json')
    talk.types('/no/other.json')
    await talk.asked('no file at /no/other.json')
    talk.types('/no/other.json')
    await talk.asked('no file at /no/other.json')
    expect(chosen).toHaveLength(3)
    talk.types('<')
    await talk.asked('1  New rehearsal')
  })
})
