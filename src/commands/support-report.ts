import { badUsage } from '../core/base/errors/base.ts'
import { EXIT, type ExitCode } from '../output/io.ts'
import { type Call, commandOf, pathOf } from './command.ts'
import type { SupportFields } from './documents/support.ts'
import { type Leaf, type ReportFacts, withoutNone } from './support/closed.ts'
import { nodeFacts } from './support/node.ts'
import { programFacts, terminalFacts } from './support/system.ts'
import { tellDocument } from './tell-document.ts'

/** The command `report`: versions and the findings of doctor, in a file that can be shown to anybody. */
export const report = commandOf('report', run)

async function run(call: Call): Promise<ExitCode> {
  const { io, json, flags, effects, environment } = call
  const { out } = call.options
  const path = pathOf(out ?? 'bearings-report.txt', environment)
  const mayWrite = !json && (flags.has('yes') || call.ask !== undefined)
  if (out !== undefined && !mayWrite)
    throw badUsage({
      sentence: 'Nobody can be asked here whether the report may be written.',
      next: json ? 'Leave --out out: with --json it is only shown.' : 'Add --yes, or leave --out out.',
    })
  // Their type lets nothing in but yes and no, numbers, and words of this program.
  const facts: Readonly<Record<string, ReportFacts>> = {
    program: programFacts(call),
    terminal: terminalFacts(environment),
    node: await nodeFacts(call),
  }
  if (json) {
    // The fields of the parts are held by the tests.
    const fields = withoutNone(facts) as SupportFields
    tellDocument('report', { network: null, verdict: 'yes', fields }, call)
    return EXIT.done
  }
  const lines = Object.entries(facts).flatMap(([name, part]) => [...factLines(name, part), ''])
  for (const line of lines) io.out(line)
  if (!mayWrite) return EXIT.done
  if (!flags.has('yes') && (await call.ask?.(`Write this to ${path}? Type yes: `))?.trim() !== 'yes') {
    io.err('Nothing was written.')
    return EXIT.stopped
  }
  await effects.store.writeText(path, `${lines.join('\n')}\n`, { replace: false })
  io.err(`Written to ${path}.`)
  return EXIT.done
}

/**
 * Returns a part of a report as lines, under the names that its fields have with `--json`: the same in every language. A
 * list is a table under the names of its first record.
 */
function factLines(name: string, facts: ReportFacts, indent = ''): string[] {
  if (isLeaf(facts)) return [`${indent}${name}: ${String(facts)}`]
  const inner = `${indent}  `
  if (!isList(facts))
    return [
      `${indent}${name}`,
      ...Object.entries(facts).flatMap(([field, each]) => factLines(field, each, inner)),
    ]
  const [first] = facts
  if (first === undefined) return [`${indent}${name}: none`]
  const rows = facts.map((record) => inner + Object.values(record).join(', '))
  return [`${indent}${name} (${Object.keys(first).join(', ')})`, ...rows]
}

const isLeaf = (facts: ReportFacts): facts is Leaf => typeof facts !== 'object'
const isList = (facts: ReportFacts): facts is readonly ReportFacts[] => Array.isArray(facts)
