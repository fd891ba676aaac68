import { describe, expect, test } from 'vitest'
import { whyOf } from '../../src/compose/drive-rehearsal.ts'
import { type Next, nextText } from '../../src/core/base/format/next.ts'
import { GATE_FACTS } from '../../src/core/pay/gate/facts.ts'
import { PAYMENT_TEXT } from '../../src/core/pay/payment-view/text.ts'
import { DEPOSIT_TEXT } from '../../src/core/steps/deposit/machine.ts'
import { GENESIS_STOPS } from '../../src/core/steps/genesis/view.ts'
import { IDENTITY_PROBLEMS_TEXT } from '../../src/core/steps/identity/problems-text.ts'
import type { Problem } from '../../src/core/view/view.ts'
import { EXIT } from '../../src/output/io.ts'
import { genesisView } from '../support/views.ts'

const SETUP = {
  endpoints: {
    execution: 'http://127.0.0.1:8545',
    node: 'http://127.0.0.1:3500',
    engine: 'http://127.0.0.1:26657',
  },
  passwordDescriptor: '/r/descriptor.json',
  journalDirectory: '/s/journal',
} as const

const RUN_AGAIN = 'run the same command again, it goes on from there'
const WIZARD = 'the wizard has the keys to decide it: bearings --devnet /r/descriptor.json --state /s'

/** What a rehearsal without keys says to do about these steps. */
function saidOf(next: readonly Next[]): string[] {
  const problem: Problem = {
    id: 'x',
    kind: 'stop',
    title: 't',
    money: 'untouched',
    values: [],
    lines: [],
    next,
  }
  const { end, reason } = whyOf(EXIT.unknown, { ...genesisView, problem }, SETUP, { status: 'closed' })
  expect(end).toBe('x')
  return reason
    .map((line) => nextText(line))
    .flatMap((line) => (line.startsWith('next: ') ? [line.slice(6)] : []))
}

describe('what to do next where nobody has keys', () => {
  const { taken, engine, differ, registered } = IDENTITY_PROBLEMS_TEXT
  const typed = {
    pubkey: `0x${'a'.repeat(96)}`,
    uncompressedPubkey: '0x',
    address: '',
    publishedKey: false,
  } as const
  const nonce = GATE_FACTS.nonce?.closed?.({ latest: 1, pending: 2 }, undefined as never)

  test.each<[string, readonly Next[], readonly string[]]>([
    [
      'a clause in the midst of a sentence leaves its sentence whole',
      taken({ givesKeys: true }).next,
      [
        'if you have just sent a deposit with another program: wait two slots',
        'take a new key for this node; with a real node as docs/new-key.md says',
        WIZARD,
      ],
    ],
    [
      'a key behind a word of time',
      nonce?.next === undefined ? [] : [nonce.next],
      ['wait until they are in a block', RUN_AGAIN],
    ],
    ['a sentence about keys alone', DEPOSIT_TEXT.notVerified.next, [RUN_AGAIN]],
    [
      'one of two ways is a key',
      engine(typed, true).next,
      ['give the node the signer that holds this one', WIZARD],
    ],
    ['a key that goes back', differ().next, ['replace the endpoint that is wrong', RUN_AGAIN]],
    [
      'a key that decides takes its sentence with it',
      registered({ index: 3, status: 'active_ongoing' }, { isOurs: false, isPools: false }).next,
      ['if it is not yours: make a new key (docs/new-key.md)', WIZARD],
    ],
    [
      'a key that shows a command decides nothing',
      PAYMENT_TEXT.problems.gap(1, 3, { isOut: false, key: 'g' }).next,
      ['use nonce 1 for an empty transfer to your own account', WIZARD],
    ],
    [
      'what must be done before asking again',
      GENESIS_STOPS.otherHistory.next,
      ['start the node with the network’s own files', 'use the API of another node', RUN_AGAIN],
    ],
  ])('%s', (_what, next, lines) => {
    expect(saidOf(next)).toEqual(lines)
  })
})
