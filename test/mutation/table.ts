import { BEFORE, ELSEWHERE, EQUIVALENT } from './equivalent.ts'
import type { Mutant } from './mutants.ts'

/** A change that was tried. `reason`: why it is none at all, where nothing saw it. */
export type Tried = {
  file: string
  source: string
  mutant: Mutant
  isKilled: boolean
  reason: string | undefined
  isSample: boolean
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

type Rate = { file: string; isWhole: boolean; rate: number }

/** The page of what was tried, and the rates by file. */
export function tableOf(tried: readonly Tried[]): { text: string; rates: readonly Rate[] } {
  const whole = tried.filter(({ isSample }) => !isSample)
  const files = [...new Set(whole.map(({ file }) => file))]
  const counts = files.map((file) => ({ file, ...countOf(whole.filter((one) => one.file === file)) }))
  const sample = countOf(tried.filter(({ isSample }) => isSample))
  const sum = countOf(whole)
  const rates = counts.map(({ file, rate }) => ({ file, isWhole: true, rate }))
  const left = tried.filter(({ isKilled, isSample }) => !isKilled && !isSample)
  const unseen = tried.filter(
    ({ isKilled, isSample, reason }) => !isKilled && isSample && reason === undefined,
  )
  const text = [
    INTRODUCTION,
    '',
    '| file | changes | seen | equivalent | not seen | rate | at the first run |',
    '|---|---|---|---|---|---|---|',
    ...counts.map((one) => row(`\`${one.file}\``, one, BEFORE[one.file])),
    row('all of these', sum, undefined),
    ...(sample.all === 0
      ? []
      : [row(`the rest of the payment, chain, journal and signer: a sample`, sample, undefined)]),
    '',
    '## What nothing sees, and why it is no change',
    ...listOf(left.filter(({ reason }) => reason !== undefined)),
    '',
    '## What the tests of its room do not see',
    ...listOf(left.filter(({ reason }) => reason === undefined)),
    '',
    ...(sample.all === 0 ? [] : ['## What they do not see of the sample', ...listOf(unseen), '']),
  ].join('\n')
  return {
    text,
    rates: sample.all === 0 ? rates : [...rates, { file: 'sample', isWhole: false, rate: sample.rate }],
  }
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
  `| ${[name, all, killed, equivalent, left, percent(rate), before === undefined ? '' : percent(before[0] / (before[1] - equivalent))].join(' | ')} |`

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

Made by \`npm run nightly -- mutants\`; not written by hand. Every expression of the files in which money is decided is changed, one change at a time: conditions made true and false, boundaries shifted, logical operators exchanged, returns emptied, calls dropped, arithmetic swapped, literals changed, optional links made plain, array methods exchanged. A change is *seen* when a test of the room of its file fails with it. Property tests do a tenth of their usual runs there, and tests that need a chain are left out for the payment: what is seen so is seen by \`npm test\` too. A change is *equivalent* when no input can tell it from the code as it is; each of those was read by a person, and its reason stands below. The rate is of those that are not. Of all other files a sample is tried; what of it must be there from the beginning, and waits for its turn still, is left out, and what needs a chain or another process is not seen there.`
