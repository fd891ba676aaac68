import { COMMAND_NAMES } from '../../src/commands/table.ts'
import type { MoneyState } from '../../src/core/base/errors/base.ts'
import { nextText } from '../../src/core/base/format/next.ts'
import type { ErrorFacts } from '../../src/core/view/observation.ts'
import { errorSamples } from './error-samples.ts'

/** What each kind of error is about: the part of a code before its point, in the order of the page. */
const KINDS: Readonly<Record<string, string>> = {
  usage: 'The command line says something that has no meaning. Nothing was asked or done.',
  install: 'A part of the program itself is missing, or this system does not run it.',
  validator: 'The validator that was named is not one that the node knows.',
  client:
    'An endpoint gave no usable answer: the execution RPC, the node API or the engine RPC. What was asked stays unknown, and unknown is never good: what depends on it stays closed.',
  http: 'The connection to an endpoint did not work. Most commands tell the same as a `client` error.',
  network: 'A file that describes a network cannot be used.',
  'genesis-file': "The engine's `genesis.json` in the node home is not the one that the network published.",
  home: 'The directory that the node runs with cannot be read for what it is. It is never written to.',
  'key-file':
    'The validator key, `priv_validator_key.json`, cannot be used. Its private part is never shown.',
  doctor: 'The doctor command cannot compare what it was asked to compare.',
  deposit: 'A deposit, its file, its data or its signature is wrong. Such a deposit is not sent.',
  sign: 'A check of a signature gave no verdict.',
  wallet: 'A payment is not made, or not sent, because something about it is wrong or not known.',
  keystore: "The wallet's keystore file cannot be used. Neither key nor password is ever shown.",
  signer: 'The process that reads one secret for one request did not sign.',
  consensus: "The chain's own rules do not allow what was asked.",
  proofs: 'Something that has to be proven was not proven.',
  verify: '`bearings verify` did not find what it was asked about.',
  guard:
    'A guard (a top-up that was agreed beforehand) cannot be armed, opened or held. Nothing of it is sent.',
  journal: 'The journal cannot be continued. It is the memory of what was signed and sent.',
  lock: 'The lock that keeps a second window from paying a second time cannot be taken.',
  session: 'The wizard ended a question, or refuses what this setup is not for.',
  settings: 'The remembered paths and addresses cannot be read.',
  file: 'A file could not be read or written.',
  exec: 'Another program could not be run to its end.',
  tool: 'The node tool (`beacond`) gave no verdict that can be used. That is never a yes.',
  watch: '`bearings watch` cannot go on, or not begin.',
  'watch-config': 'The configuration of `bearings watch` cannot be used.',
  outbox: 'The alarms that wait to be sent cannot be read.',
  rehearsal: 'The rehearsal network of a wizard did not start, ended, or is another one. It is play money.',
  devnet:
    'The rehearsal network or its execution client refuses something, or is not there. It is play money.',
  internal: 'A fault of this program.',
}

const MONEY: Readonly<Record<MoneyState, string>> = {
  untouched: 'This failure touched no money. A payment that was sent before stays what it was.',
  unknown:
    'It is not known from this alone whether something was sent. Look at the chain before you pay anything: `bearings status --network NAME`. The journal holds what was signed.',
  moved: 'Money has left the wallet. Do not pay again: the journal holds what was sent.',
}

/** The codes whose sentence is made where they are thrown; the page has an example. */
const MANY_SENTENCES: ReadonlySet<string> = new Set([
  'guard.refused',
  'usage.option',
  'wallet.gate-closed',
  'wallet.in-use',
  'wallet.no-account',
  'proofs.state-unproven',
  'sign.no-precompile',
  'tool.not-asked',
  'devnet.refused',
  'devnet.node-refusal',
  'devnet.engine-fault',
])

const INTRO = `# Error codes

<!-- Made by \`npm run docs\` from src/core/base/errors: change it there. -->

Every error has a code, such as \`client.timeout\`. A command prints it behind its sentence; with \`--json\` it is \`error.code\`. Each code has a section here, and an address: \`docs/errors.md#client.timeout\`.

The sentences are those of the program. The paths, addresses and numbers in them are examples. *Shown with it* is what else the program names, where it has more to say.

A screen of the wizard that begins with \`Stop:\` has no code: it says itself what happened, where the money is, and what to do.
`

/** The whole page of error codes as Markdown. Throws for a kind of error without words, and for words without one. */
export function errorPage(): string {
  const samples = errorSamples()
  const byKind = Map.groupBy(samples, ({ code }) => code.slice(0, code.indexOf('.')))
  const unknown = [...byKind.keys()].filter((kind) => !Object.hasOwn(KINDS, kind))
  const gone = [...MANY_SENTENCES].filter((code) => !samples.some((each) => each.code === code))
  const unused = [...Object.keys(KINDS).filter((kind) => !byKind.has(kind)), ...gone]
  if (unknown.length + unused.length > 0)
    throw new Error(`kinds without words: ${unknown.join()}; words without errors: ${unused.join()}`)
  const list = Object.keys(KINDS).map((kind) => `[${kind}](#${kind})`)
  const parts = Object.entries(KINDS).map(([kind, about]) => kindPart(kind, about, byKind.get(kind) ?? []))
  return [INTRO, `${list.join(' · ')}\n`, ...parts].join('\n')
}

function kindPart(kind: string, about: string, errors: readonly ErrorFacts[]): string {
  const byCode = [...Map.groupBy(errors, ({ code }) => code)]
  return [`## ${kind}\n\n${about}\n`, ...byCode.map(([code, said]) => codePart(code, said))].join('\n')
}

function codePart(code: string, said: readonly ErrorFacts[]): string {
  const [first] = said
  const money = new Set(said.map((each) => each.money))
  if (first === undefined || money.size !== 1) throw new Error(`${code} has no single state of the money`)
  const again = said.every(({ retryable }) => retryable)
  return [
    `<a id="${code}"></a>\n\n### ${code}\n`,
    `**Your money.** ${MONEY[first.money]}\n`,
    ...said.map((each) => whatHappened(each)),
    ...(MANY_SENTENCES.has(code) ? ['This code has other sentences too: each names its own case.\n'] : []),
    ...(again ? ['The same question may be answered later without any change.\n'] : []),
  ].join('\n')
}

function whatHappened({ code, shortMessage, details, nextSteps }: ErrorFacts): string {
  if (nextSteps.length === 0) throw new Error(`${code} does not say what to do: ${shortMessage}`)
  const shown = details.map(asCode).join(' · ')
  return [
    `**What happened.** ${inline(shortMessage)}\n`,
    ...(shown === '' ? [] : [`*Shown with it:* ${shown}\n`]),
    '**What to do.**',
    ...nextSteps.map((step) => `- ${inline(sentence(nextText(step)))}`),
    '',
  ].join('\n')
}

function sentence(text: string): string {
  const begun = text.startsWith('bearings ') ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.?!]$/.test(begun) ? begun : `${begun}.`
}

/** A command of this program in a sentence. */
const COMMAND = new RegExp(`\\bbearings (?:${COMMAND_NAMES.join('|')}|--[a-z-]+)(?: --[a-z-]+)*`, 'g')

/** A text that Markdown shows as it is; what stands between backticks is code already. */
function inline(text: string): string {
  const pieces = text.replace(/\s+/g, ' ').replace(COMMAND, '`$&`').split('`')
  return pieces.map((piece, at) => (at % 2 === 1 ? piece : piece.replace(/[<>*]/g, '\\$&'))).join('`')
}

const asCode = (text: string): string => (text.includes('`') ? inline(text) : `\`${text}\``)
