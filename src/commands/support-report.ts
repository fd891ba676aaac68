import { basename, dirname, join } from 'node:path'
import { rehearsalFolders } from '../compose/attach-rehearsal.ts'
import { type KeptPlace, keptPlaces } from '../compose/kept-places.ts'
import { rememberedJournals } from '../compose/read-under-way.ts'
import { badUsage } from '../core/base/errors/base.ts'
import { EXIT, type ExitCode } from '../output/io.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import type { SupportFields } from './documents/support.ts'
import { type ReportFacts, withoutNone } from './support/closed.ts'
import { journalsAt } from './support/journals.ts'
import { reportLines } from './support/lines.ts'
import { nodeFacts } from './support/node.ts'
import { setupFacts } from './support/setups.ts'
import { placeFacts, programFacts, terminalFacts } from './support/system.ts'
import { outboxAt, watchAt } from './support/watches.ts'
import { byNetwork } from './support/words.ts'
import { tellDocument } from './tell-document.ts'

/** The command `report`: one file for a question in a forum. */
export const report = commandOf('report', run)

async function run(call: Call): Promise<ExitCode> {
  const { io, json, flags, effects } = call
  const { out, state } = call.options
  const path = pathOf(out ?? 'bearings-report.txt', call.environment)
  const mayWrite = !json && (flags.has('yes') || call.ask !== undefined)
  if (out !== undefined && !mayWrite)
    throw badUsage({
      sentence: 'Nobody can be asked here whether the report may be written.',
      next: json ? 'Leave --out out: with --json it is only shown.' : 'Add --yes, or leave --out out.',
    })
  const facts = await gathered(call, pathOf(state ?? call.stateDirectory, call.environment))
  if (json) {
    // The type of the parts lets nothing in but words and numbers; their fields are held by the tests.
    const fields = withoutNone(facts) as SupportFields
    tellDocument('report', { network: null, verdict: 'yes', fields }, call)
  }
  const lines = reportLines(facts)
  if (!json) for (const line of lines) io.out(line)
  if (!mayWrite) return EXIT.done
  if (!flags.has('yes') && (await call.ask?.(`Write this to ${path}? Type yes: `))?.trim() !== 'yes') {
    io.err('Nothing was written.')
    return EXIT.stopped
  }
  await effects.store.writeText(path, `${lines.join('\n')}\n`, { replace: false })
  io.err(`Written to ${path}.`)
  return EXIT.done
}

/** All of a report. Its type lets nothing in but yes and no, numbers, and words of this program. */
async function gathered(call: Call, stateDirectory: string): Promise<Readonly<Record<string, ReportFacts>>> {
  const { environment } = call
  const places = await keptPlaces({ stateDirectory, environment, platform: process.platform })
  const at = (id: string) =>
    places
      .filter((place) => place.id === id)
      .map(({ path }) => ({ path, network: basename(dirname(path)) }))
      .sort(byNetwork)
  const kept = [...at('journal'), ...(await rehearsed(stateDirectory))]
  const watches = [
    ...at('watch').map((each) => ({ ...each, by: 'watch' as const })),
    ...at('alarms-seen').map((each) => ({ ...each, by: 'status-screen' as const })),
  ]
  const [journals, alarms, outboxes, node] = await Promise.all([
    journalsAt(call, kept),
    Promise.all(watches.map((each) => watchAt(call, each))),
    Promise.all(at('outbox').map((each) => outboxAt(call, each))),
    nodeFacts(call),
  ])
  return {
    program: programFacts(call),
    terminal: terminalFacts(environment),
    setups: setupFacts(stateDirectory),
    journals,
    watches: alarms,
    outboxes,
    node,
    places: placeFacts(places),
  }
}

/** The journals of the last rehearsal network. */
async function rehearsed(stateDirectory: string): Promise<(Pick<KeptPlace, 'path'> & { network: string })[]> {
  const last = rehearsalFolders(join(stateDirectory, 'rehearsal')).at(-1)
  const found = last === undefined ? [] : await rememberedJournals(join(last, 'journal'))
  return found.map(({ path }) => ({ path: dirname(path), network: 'rehearsal' }))
}
