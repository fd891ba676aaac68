import type { NodeSetup } from '../core/chain/facts.ts'
import type { HomeFinding } from '../core/chain/identity/home-files.ts'
import type { EngineAndHead } from '../core/clients/engine-and-head.ts'
import { asker } from '../core/observe/context.ts'
import { createObserver, type Picture } from '../core/observe/observer.ts'
import { IDENTITY_FACTS } from '../core/steps/identity/facts.ts'
import { type KeyAnswers, keyQuestions } from '../core/steps/identity/key-commands.ts'
import { identityTransition, initialIdentity } from '../core/steps/identity/machine.ts'
import type { IdentityAnswers, IdentityEvent, IdentityState } from '../core/steps/identity/state.ts'
import type { Call } from './command.ts'
import type { ReportRow } from './report-lines.ts'
import { ROWS_TEXT } from './rows-text.ts'
import { requireHome } from './setup.ts'

/** What in a home is looked at: the findings that belong to one line, and what the line says without any. */
const SUBJECTS = {
  key: {
    label: 'key file',
    good: 'in the home, of this user',
    finds: ['remote-signer', 'key-missing', 'key-not-a-file', 'key-owner'],
  },
  permissions: { label: 'key permissions', good: 'closed to others', finds: ['key-permissions'] },
  'chain-id': { label: 'client.toml', good: 'names this chain', finds: ['chain-id'] },
  'chain-spec': { label: 'chain-spec', good: 'fits this chain', finds: ['chain-spec', 'chain-spec-missing'] },
  genesis: { label: 'genesis.json', good: 'is there', finds: ['genesis-missing'] },
  fees: { label: 'fee recipient', good: 'an address is set', finds: ['fee-recipient-zero'] },
  builder: { label: 'payload builder', good: 'on', finds: ['payload-builder-off'] },
  'node-api': { label: 'node API', good: 'on', finds: ['node-api-off', 'node-api-address'] },
  exposure: {
    label: 'exposure',
    good: 'reached from this computer only',
    finds: ['node-api-exposed', 'engine-rpc-exposed'],
  },
  window: { label: 'proofs kept', good: ROWS_TEXT.proofsKept, finds: ['availability-window-zero'] },
} as const

type Subject = keyof typeof SUBJECTS

/**
 * Returns a row for each subject of a home, with what to change in which file: those named, else all. A finding of no known
 * subject has a row of its own. Returns none without findings, which is where the home could not be read.
 */
export function findingRows(
  findings: readonly HomeFinding[] | undefined,
  subjects: readonly Subject[] = Object.keys(SUBJECTS) as Subject[],
): ReportRow[] {
  if (findings === undefined) return []
  const rows = subjects.flatMap((subject) => subjectRows(subject, findings))
  if (subjects.length < Object.keys(SUBJECTS).length) return rows
  const named: readonly string[] = Object.values(SUBJECTS).flatMap(({ finds }) => [...finds])
  const others = findings.filter(({ id }) => !named.includes(id))
  return [...rows, ...others.map((finding) => badRow(finding, finding.id))]
}

function subjectRows(subject: Subject, findings: readonly HomeFinding[]): ReportRow[] {
  const { label, good, finds } = SUBJECTS[subject]
  const names: readonly string[] = finds
  const bad = findings.filter(({ id }) => names.includes(id))
  if (bad.length > 0) return bad.map((finding) => badRow(finding, label))
  const silent = subject === 'permissions' && findings.some(({ id }) => id.startsWith('key-missing'))
  if (silent) return []
  return [{ step: 'identity', id: subject, label, mark: 'proven', value: good, source: 'node home' }]
}

function badRow({ id, text, fix }: HomeFinding, label: string): ReportRow {
  return { step: 'identity', id, label, mark: 'refused', value: text, source: 'node home', next: fix }
}

/** What a home says whose key is not in it. */
const NO_KEY_HERE = { keyFile: '', remoteSigner: 'another machine', findings: [] }

/**
 * Asks the home, the key file (through the signer child), the node tool and the running engine which key this validator has. With
 * `typedKey`, the public key of a key on another machine, only the engine is asked; without
 * `asksEngine` it is not, nor where it was heard in the same look.
 */
export async function askKeys(
  call: Call,
  setup: NodeSetup,
  {
    typedKey,
    asksEngine,
    asksVotes = false,
    picture = {},
  }: {
    typedKey?: string
    asksEngine: boolean
    /** Whether the last commits are asked for votes of the key. */
    asksVotes?: boolean
    picture?: Picture<EngineAndHead>
  },
): Promise<IdentityState> {
  const { effects, io } = call
  const context = { effects, setup, signal: io.signal }
  let state = initialIdentity
  const apply = (event: IdentityEvent) => {
    const [next] = identityTransition(state, event)
    state = next
  }
  const isTyped = typedKey !== undefined
  const sources = {
    ...IDENTITY_FACTS,
    home: { source: () => (isTyped ? 'you' : setup.homePath) },
    key: { source: () => 'this computer' },
  }
  const tell = asker<IdentityAnswers>(context, sources, async (entry) =>
    apply({ step: 'identity', type: 'observed', ...entry }),
  )
  const questions = keyQuestions({ context, tell, require: () => requireHome(call, setup, '') })
  if (isTyped) {
    await tell('home', async () => NO_KEY_HERE)
    apply({ step: 'identity', type: 'keyTyped', text: typedKey })
  }
  const ofHome = isTyped ? { due: () => false } : {}
  await createObserver<KeyAnswers, Picture<EngineAndHead>>(
    {
      ...questions,
      tool: { ...questions.tool, ...ofHome },
      home: { ...questions.home, ...ofHome },
      engine: { ...questions.engine, due: () => asksEngine },
      ...(asksVotes ? {} : { standby: { ...questions.standby, due: () => false } }),
    },
    effects,
  ).look(picture)
  return state
}
