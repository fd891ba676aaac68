import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FIRST } from './sample.ts'
import { SEEN_BY } from './seen-by.ts'

/** Numbers of a file’s mutants, apart from those of the next one. */
export const MOST_IN_A_FILE = 10_000

/** What one run changes, and in which order its tests go. */
export type Targets = {
  files: readonly string[]
  /** Numbers of the mutants that are written in; all where none are named. */
  wanted?: readonly number[]
  /** Parts of the paths of tests that cost most, the worst last. */
  slow: readonly string[]
  /** Of a test of another room only what it sees of these files counts; the keys are paths of tests. */
  only: Readonly<Record<string, readonly string[]>>
}

/** Files whose every mutant is tried, with the tests of their room. */
export type Room = {
  name: string
  files: readonly string[]
  tests: readonly string[]
  /** Of these the ones that a change is loaded with, where it must be there from the beginning; else those beside its file. */
  alone?: readonly string[]
  slow: readonly string[]
  /** Tests of other rooms that see a file, by the path of the file or of its folder. */
  elsewhere?: Readonly<Record<string, readonly string[]>>
  /** The names of the changes that are tried, by file, or how many by chance; every one where it is not said. */
  sample?: Sample
}

/** Some of all changes. */
type Sample = Readonly<Record<string, readonly string[]>> | { seed: string; most: number }

const SLOW_IN_PAY = ['typed-word.', 'machine.', 'decide-any.']
/** The tests of the room that need no chain. */
const PAY_TESTS = [
  'payment',
  'payment-view',
  'desk',
  'gate/consent.test.ts',
  'gate/nonce.test.ts',
  'money-said.test.ts',
].map((path) => `test/core/pay/${path}`)

/** Where money is decided: everything is tried here. */
export const ROOMS: readonly Room[] = [
  {
    name: 'decide',
    files: ['src/core/pay/payment/decide.ts'],
    tests: PAY_TESTS,
    alone: ['test/core/pay/payment/decide.test.ts'],
    slow: SLOW_IN_PAY,
  },
  {
    name: 'pay',
    files: [
      'src/core/pay/payment/sign-again.ts',
      'src/core/pay/payment/abandoned.ts',
      'src/core/pay/payment/remembered.ts',
      'src/core/pay/gate/consent.ts',
      'src/core/pay/gate/nonce.ts',
      'src/core/pay/desk/desk.ts',
    ],
    tests: PAY_TESTS,
    alone: [
      'test/core/pay/payment/sign-again.test.ts',
      'test/core/pay/gate/nonce.test.ts',
      'test/core/pay/desk/desk.test.ts',
    ],
    slow: SLOW_IN_PAY,
  },
  {
    name: 'gates',
    files: ['src/core/wizard/gates.ts'],
    tests: ['test/core/wizard/gates.test.ts', 'test/core/wizard/procedure.test.ts'],
    alone: ['test/core/wizard/gates.test.ts'],
    slow: ['procedure.'],
  },
  {
    name: 'signer',
    files: ['src/signer/sign-transaction.ts'],
    tests: ['test/signer/transaction.test.ts', 'test/signer/prompt-lines.test.ts'],
    alone: ['test/signer/transaction.test.ts'],
    slow: [],
  },
  {
    name: 'guard',
    files: [
      'src/core/pay/guard/book.ts',
      'src/core/pay/guard/decide.ts',
      'src/core/pay/guard/guard-consent.ts',
      'src/core/pay/guard/guard.ts',
      'src/core/pay/guard/hold.ts',
      'src/core/pay/guard/judged.ts',
      'src/core/pay/guard/ladder.ts',
      'src/core/pay/guard/standing.ts',
      'src/core/pay/guard/terms.ts',
    ],
    tests: ['test/core/pay/guard', 'test/model/guard.test.ts', 'test/model/enumerate-guard.test.ts'],
    alone: ['test/core/pay/guard'],
    slow: ['replay.', 'model/guard.', 'enumerate-guard.'],
  },
  {
    name: 'judge',
    files: ['src/core/observe/findings.ts'],
    tests: ['test/core/observe'],
    alone: ['test/core/observe/findings.test.ts'],
    slow: ['observer.'],
  },
]

/** Where the rest of what decides about money lies. */
const REST = ['src/core/pay', 'src/core/chain', 'src/core/wizard/journal', 'src/signer']
/** What is text, data or needs another process is left out. */
const LEFT_OUT = /(text|words)\.ts$|presets\.ts$|main\.ts$/

/** Of all other files of payment, chain, journal and signer a part of the changes is tried, by chance. */
export function samplesOf(root: string): readonly Room[] {
  const whole = ROOMS.flatMap(({ files }) => files)
  const files = REST.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => path.endsWith('.ts') && !LEFT_OUT.test(path) && !whole.includes(path))
      .toSorted(),
  )
  const tests = [
    ...PAY_TESTS,
    'test/core/pay/gate/answers.test.ts',
    'test/core/pay/guard',
    'test/core/pay/leave',
    'test/core/pay/wallet',
    'test/core/chain',
    'test/core/wizard/journal',
    // What runs in this process: a change is nowhere else.
    'test/signer/prompt-lines.test.ts',
    'test/signer/requests.test.ts',
    'test/signer/transaction.test.ts',
    'test/signer/wallet.test.ts',
  ]
  const slow = [...SLOW_IN_PAY, 'wallet', 'chain', 'signer']
  const room = { files, tests, slow, elsewhere: SEEN_BY }
  return [
    { ...room, name: 'rest', sample: FIRST },
    { ...room, name: 'again', sample: { seed: 'again', most: 500 } },
  ]
}
