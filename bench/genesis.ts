import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cpuRow, mebibytes, type Row } from './measure.ts'

const CHILD = join(import.meta.dirname, 'genesis-root.ts')
const SETS = ['mainnet', '1000', '1000000'] as const

/** The genesis validators root of mainnet and of made-up sets, each in a process of its own for its memory. */
export function genesis(): Row[] {
  return SETS.map((set) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CHILD, set], { encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    const found = JSON.parse(stdout) as {
      validators: number
      ms: number
      peakBytes: number
      listBytes: number
    }
    const note = `peak ${mebibytes(found.peakBytes)}, ${mebibytes(found.listBytes)} of it before the root was asked`
    const name = set === 'mainnet' ? ' (mainnet)' : ''
    return cpuRow(`genesis root, ${found.validators.toLocaleString('en')} validators${name}`, found.ms, note)
  })
}
