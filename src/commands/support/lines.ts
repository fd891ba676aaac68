import type { Leaf, ReportFacts } from './closed.ts'

type Fields = Readonly<Record<string, ReportFacts>>

const INDENT = '  '
const GAP = ', '

/** Returns a report as lines, under the names that its fields have with `--json`: the same in every language. */
export function reportLines(report: Fields): string[] {
  return Object.entries(report).flatMap(([name, facts]) => [...partLines(name, facts, ''), ''])
}

function partLines(name: string, facts: ReportFacts, indent: string): string[] {
  if (isLeaf(facts)) return [`${indent}${name}: ${String(facts)}`]
  if (isList(facts)) return listLines(name, facts, indent)
  return [`${indent}${name}`, ...fieldLines(facts, indent + INDENT)]
}

function fieldLines(fields: Fields, indent: string): string[] {
  return Object.entries(fields).flatMap(([name, facts]) => partLines(name, facts, indent))
}

/** A list of flat records of the same fields is a table under their names; else each has its number. */
function listLines(name: string, list: readonly ReportFacts[], indent: string): string[] {
  if (list.length === 0) return [`${indent}${name}: none`]
  const rows = list.map(fieldsOf)
  const heads = new Set(rows.map((row) => row.map(([field]) => field).join(GAP)))
  if (heads.size === 1 && rows.flat().every(([, facts]) => isLeaf(facts))) {
    const values = rows.map((row) => row.map(([, facts]) => facts).filter(isLeaf))
    const lines = values.map((row) => indent + INDENT + row.map(String).join(GAP))
    return [`${indent}${name} (${[...heads].join('')})`, ...lines]
  }
  return list.flatMap((record, at) => partLines(`${name} ${at + 1}`, record, indent))
}

const fieldsOf = (facts: ReportFacts): [string, ReportFacts][] =>
  isLeaf(facts) ? [] : Object.entries<ReportFacts>(facts)
const isLeaf = (facts: ReportFacts): facts is Leaf => typeof facts !== 'object'
const isList = (facts: ReportFacts): facts is readonly ReportFacts[] => Array.isArray(facts)
