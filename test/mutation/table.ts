import { BEFORE, ELSEWHERE, EQUIVALENT } from './equivalent.ts'
import type { Mutant } from './mutants.ts'
import { FIRST_SEEN } from './sample.ts'
import { SEEN_BY } from './seen-by.ts'

/** A change that was tried. `reason`: why it is none at all, where nothing saw it. */
export type Tried = {
  file: string
  source: string
  mutant: Mutant
  isKilled: boolean
  reason: string | undefined
  /** The name of the sample to which it belongs; none where everything of its file is tried. */
  sample?: string
}

type Place = { file: string; line: string; from: string; to: string }

const isAt =
  (file: string, source: string, { from, to }: Mutant) =>
  (one: Place): boolean =>
    file.endsWith(one.file) && one.line === source && one.from === from && one.to === to

/** Why a change changes nothing; undefined where that is not known. */
export function reasonOf(file: string, source: string, mutant: Mutant): string | undefined {
  return EQUIVALENT.find(isAt(file, source, mutant))?.why
}

function seenElsewhere({ file, source, mutant }: Tried): string | undefined {
  const test = ELSEWHERE.find(isAt(file, source, mutant))?.test
  return test === undefined ? undefined : `\`${test}\` sees it, in a process of its own`
}

type Rate = { name: string; isWhole: boolean; rate: number }

/** The page of what was tried, and the rates by file and by sample. */
export function tableOf(tried: readonly Tried[]): { text: string; rates: readonly Rate[] } {
  const whole = tried.filter(({ sample }) => sample === undefined)
  const files = countsOf(whole)
  const samples = Object.keys(SAMPLES)
    .map((name) => ({ name, tried: tried.filter(({ sample }) => sample === name) }))
    .filter((one) => one.tried.length > 0)
  const text = [
    INTRODUCTION,
    '',
    ...HEAD,
    ...files.map((one) => row(`\`${one.file}\``, one, BEFORE[one.file])),
    row('all of these', countOf(whole), undefined),
    ...samples.map(({ name, tried: of }) =>
      row(SAMPLES[name] ?? name, countOf(of), name === 'rest' ? sumOf(FIRST_SEEN) : undefined),
    ),
    '',
    '## What nothing sees, and why it is no change',
    ...listOf(tried.filter(({ isKilled, reason }) => !isKilled && reason !== undefined)),
    '',
    '## What the tests of its room do not see',
    ...listOf(whole.filter(({ isKilled, reason }) => !isKilled && reason === undefined)),
    ...samples.flatMap(({ name, tried: of }) => [
      '',
      `## Not seen of ${SAMPLES[name]}`,
      ...listOf(of.filter(({ isKilled, reason }) => !isKilled && reason === undefined)),
    ]),
    '',
    ...samplesByFile(samples),
    ...TESTS_ELSEWHERE,
  ].join('\n')
  return {
    text,
    rates: [
      ...files.map(({ file, rate }) => ({ name: file, isWhole: true, rate })),
      ...samples.map(({ name, tried: of }) => ({ name, isWhole: false, rate: countOf(of).rate })),
    ],
  }
}

const HEAD = [
  '| file | changes | seen | equivalent | not seen | rate | at the first run |',
  '|---|---|---|---|---|---|---|',
]

/** What a sample is called on the page, by its name. */
const SAMPLES: Readonly<Record<string, string>> = {
  rest: 'the first sample',
  again: 'the second sample',
}

function samplesByFile(samples: readonly { name: string; tried: readonly Tried[] }[]): string[] {
  return samples.flatMap(({ name, tried }) => [
    `## ${(SAMPLES[name] ?? name).replace(/^t/, 'T')}, file by file`,
    '',
    ...HEAD,
    ...countsOf(tried).map((one) =>
      row(`\`${one.file}\``, one, name === 'rest' ? FIRST_SEEN[one.file] : undefined),
    ),
    '',
  ])
}

/** Where the tests of another room see a change. */
const TESTS_ELSEWHERE = [
  '## Tests of other rooms that count',
  '',
  '| of what lies in | count too |',
  '|---|---|',
  ...Object.entries(SEEN_BY).map(
    ([path, tests]) => `| \`${path}\` | ${tests.map((test) => `\`${test}\``).join(', ')} |`,
  ),
  '',
]

const sumOf = (counts: Readonly<Record<string, readonly [number, number]>>): readonly [number, number] =>
  Object.values(counts).reduce(([seen, all], one) => [seen + one[0], all + one[1]], [0, 0])

function countsOf(tried: readonly Tried[]): (Count & { file: string })[] {
  return [...new Set(tried.map(({ file }) => file))].map((file) => ({
    file,
    ...countOf(tried.filter((one) => one.file === file)),
  }))
}

type Count = { all: number; killed: number; equivalent: number; left: number; rate: number }

function countOf(tried: readonly Tried[]): Count {
  const killed = tried.filter(({ isKilled }) => isKilled).length
  const equivalent = tried.filter(({ reason }) => reason !== undefined).length
  const all = tried.length
  return {
    all,
    killed,
    equivalent,
    left: all - killed - equivalent,
    rate: all === equivalent ? 1 : killed / (all - equivalent),
  }
}

const percent = (rate: number): string => `${(100 * rate).toFixed(1)} %`

const row = (
  name: string,
  { all, killed, equivalent, left, rate }: Count,
  before: (typeof BEFORE)[string] | undefined,
): string =>
  `| ${[name, all, killed, equivalent, left, percent(rate), before === undefined ? '' : percent(before[0] / Math.max(1, before[1] - equivalent))].join(' | ')} |`

function listOf(tried: readonly Tried[]): string[] {
  if (tried.length === 0) return ['', 'Nothing.']
  const files = [...new Set(tried.map(({ file }) => file))]
  return files.flatMap((file) => [
    '',
    `\`${file}\``,
    '',
    ...tried
      .filter((one) => one.file === file)
      .map((one) => {
        const { from, to } = one.mutant
        const why = one.reason ?? seenElsewhere(one)
        return `- ${code(from)} → ${code(to)}${why === undefined ? '' : `: ${why}`}`
      }),
  ])
}

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

const INTRODUCTION = `# Would the tests notice?

Made by \`npm run nightly -- mutants\`; not written by hand. Every expression of the files in which money is decided is changed, one change at a time: conditions made true and false, boundaries shifted, logical operators exchanged, returns emptied, calls dropped, arithmetic swapped, literals changed, optional links made plain, array methods exchanged. A change is *seen* when a test of the room of its file fails with it. Property tests do a tenth of their usual runs there, and tests that need a chain are left out for the payment: what is seen so is seen by \`npm test\` too. A change is *equivalent* when no input can tell it from the code as it is; each of those was read by a person, and its reason stands below. The rate is of those that are not. Of all other files a sample is tried, chosen once by chance; what of it must be there from the beginning is tried in a process of its own with the tests beside its file alone, and what needs a chain or another process is not seen, but for the tests that the last table names.`
