import { deposit } from './deposit.ts'
import { ending } from './ending.ts'
import { genesis } from './genesis.ts'
import { idle } from './idle.ts'
import type { Row } from './measure.ts'
import { proofs } from './proofs.ts'
import { registry } from './registry.ts'
import { rounds } from './rounds.ts'
import { slots } from './slots.ts'
import { startup } from './startup.ts'
import { watch } from './watch.ts'

/**
 * `npm run bench -- [NAME…] [--long]`: measures and prints a table. Figures of different computers do not compare; the ratios
 * to a baseline of the same run do. Nothing here passes or fails.
 */
const BENCHES: Readonly<Record<string, () => Row[] | Promise<Row[]>>> = {
  startup,
  deposit,
  proofs,
  genesis,
  watch,
  idle,
  rounds,
  slots,
  registry,
  ending,
}

const asked = process.argv.slice(2).filter((word) => word !== '--long')
const unknown = asked.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`)
  process.exit(2)
}

const rows: Row[] = []
for (const [name, bench] of Object.entries(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.error(`measuring ${name}`)
  rows.push(...(await measured(name, bench)))
}
console.log(`Node ${process.versions.node}, ${process.platform} ${process.arch}\n`)
console.log(table(rows))
process.exit(0)

async function measured(name: string, bench: () => Row[] | Promise<Row[]>): Promise<Row[]> {
  try {
    return await bench()
  } catch (thrown) {
    return [
      { what: name, result: 'not measured', note: thrown instanceof Error ? thrown.message : String(thrown) },
    ]
  }
}

function table(all: readonly Row[]): string {
  const cells = all.map(({ what, result, ratio, baseline, note }) => [
    what,
    result,
    ratio === undefined ? '' : `× ${ratio.toLocaleString('en', { maximumSignificantDigits: 3 })}`,
    baseline === undefined ? '' : `of ${baseline}`,
    note ?? '',
  ])
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
