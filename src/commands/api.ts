import { badUsage } from '../core/base/errors/base.ts'
import { ClientError, SERVICE_WORDS } from '../core/base/errors/client.ts'
import { asGiven, printable } from '../core/base/format/document.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { command, parts } from '../core/base/format/next.ts'
import { plainAscii, safeText } from '../core/base/format/text.ts'
import { MAINNET } from '../core/chain/network/presets.ts'
import { clientsOf } from '../core/observe/context.ts'
import { EXIT, type ExitCode, VERDICT_OF } from '../output/io.ts'
import { askPath, type PathResult, serviceOf, verifyClaim } from './api/ask-path.ts'
import { asksForRegistry, printRegistry } from './api/endpoints.ts'
import { type Call, commandOf } from './command.ts'
import type { ApiFields } from './documents/api.ts'
import { tellReport } from './report.ts'
import type { ReportRow } from './report-lines.ts'
import { isNetworkNamed, setupOf } from './setup.ts'
import { tellDocument } from './tell-document.ts'

/** The command `api`. */
export const api = commandOf('api', run)

async function run(call: Call): Promise<ExitCode> {
  const [path, argument] = call.positionals
  if (path === undefined)
    throw badUsage({ sentence: 'The path is missing.', next: parts`See ${command('api', '--help')}.` })
  const verify = call.flags.has('verify')
  const isNamed = await isNetworkNamed(call)
  const setup = await setupOf(call, isNamed ? {} : { fallback: MAINNET })
  if (!isNamed) requireEndpoint(call, serviceOf(path, setup.network))
  if (!isNamed && verify) requireEndpoint(call, 'execution RPC')
  const clients = clientsOf({ effects: call.effects, setup })
  const { body } = call.options
  const named = isNamed ? setup.network.id : null
  if (!verify && body === undefined && argument === undefined && asksForRegistry(path)) {
    const printed = await orNotOffered(
      printRegistry({ client: clients.node, path, network: named, call }),
      path,
    )
    return printed === 'printed' ? EXIT.done : tell(printed, named, call)
  }
  const asked = await orNotOffered(askPath({ clients, network: setup.network, path, argument, body }), path)
  if (!verify || asked.reply.kind !== 'found') return tell(asked, named, call)
  if (asked.claim === undefined) {
    const next = 'Leave --verify out, or ask a proof or /eth/v2/debug/beacon/states/{id}.'
    throw badUsage({ sentence: 'This path has nothing to verify.', found: safeText(path, 120), next })
  }
  const { clock } = call.effects
  const context = { clients, clock, slotMs: setup.network.slotMs }
  const { level, blockRoot, rows } = await verifyClaim(await asked.claim(), context)
  return tell(asked, named, call, { level, blockRoot, rows })
}

const OPTION_OF = { 'node API': 'node', 'engine RPC': 'engine', 'execution RPC': 'execution' } as const

/** Refuses to ask whoever happens to listen on a default port of this computer. Throws `usage.option`. */
function requireEndpoint({ options }: Call, service: PathResult['service']): void {
  const option = OPTION_OF[service]
  if (options[option] !== undefined) return
  const next = `Give --${option} URL, or a network: --network, --devnet, --spec with --genesis, or --home.`
  throw badUsage({ sentence: `Nothing says which ${SERVICE_WORDS[service]} is to be asked.`, next })
}

type Verified = { level: number; blockRoot: Hex; rows: readonly ReportRow[] }

function tell(asked: PathResult, network: string | null, call: Call, verified?: Verified): ExitCode {
  const { io, json } = call
  const { path, service, endpoint, reply } = asked
  // Where nothing was offered nothing was read.
  const typed = asked.typed && reply.kind !== 'not-offered'
  const value = reply.kind === 'found' ? reply.value : null
  const note = noteOf(asked, typed)
  if (note !== undefined) io.err(note)
  if (!json) io.out(printable(typed ? value : asGiven(value), { indent: 2 }))
  const offered = reply.kind !== 'not-offered'
  const answer = typed ? value : asGiven(value)
  const data = { path, service, endpoint, typed, offered, proofLevel: null, blockRoot: null, answer }
  if (verified !== undefined) {
    const { rows, level: proofLevel, blockRoot } = verified
    const sentence = () => LEVELS[proofLevel] ?? ''
    const of = network === null ? {} : { network }
    return tellReport<ApiFields>(
      { document: 'api', ...of, rows, sentence, data: { ...data, proofLevel, blockRoot } },
      call,
    )
  }
  const code = ENDS[reply.kind]
  const words = { sentence: note ?? '', notes: [] }
  if (json)
    tellDocument<ApiFields>(
      'api',
      { network, verdict: VERDICT_OF[code], fields: { findings: [], words, ...data } },
      call,
    )
  return code
}

const ENDS = { found: EXIT.done, absent: EXIT.no, 'not-offered': EXIT.unknown } as const

/** What is said beside an answer that nobody here has read, or beside none. */
function noteOf({ service, endpoint, reply }: PathResult, typed: boolean): string | undefined {
  const who = SERVICE_WORDS[service]
  if (reply.kind === 'not-offered') return plainAscii(`The ${who} at ${endpoint} does not offer this.`)
  if (reply.kind === 'absent')
    return plainAscii(`The ${who} at ${endpoint} knows no such thing: there is none.`)
  return typed ? undefined : 'There is no typed reading of this path: it is shown as the node gave it.'
}

const LEVELS = [
  'Level 0 of 3: not proven.',
  'Level 1 of 3: proven up to a root that only the node itself gave.',
  'Level 2 of 3: proven, and the execution endpoint holds that root.',
  'Level 3 of 3: proven, and two execution endpoints hold that root.',
] as const

async function orNotOffered<T>(question: Promise<T>, path: string): Promise<T | PathResult> {
  try {
    return await question
  } catch (thrown) {
    if (!(thrown instanceof ClientError) || thrown.fault !== 'not-offered') throw thrown
    const { service, endpoint } = thrown
    return { path, service, endpoint, typed: true, reply: { kind: 'not-offered' }, claim: undefined }
  }
}
