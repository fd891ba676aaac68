import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

/** What can become of a file that a program keeps. */
export const DAMAGES = ['missing', 'empty', 'cut', 'changed', 'unreadable', 'directory'] as const

export type Damage = (typeof DAMAGES)[number]

/** What takes the place of a file. `unreadable` is a link to itself, which no user may read, root included. */
const IN_ITS_PLACE: Readonly<Record<Damage, (path: string, bytes: Buffer) => unknown>> = {
  missing: () => undefined,
  empty: (path) => writeFileSync(path, '', { mode: 0o600 }),
  cut: (path, bytes) => writeFileSync(path, bytes.subarray(0, -20), { mode: 0o600 }),
  changed: (path, bytes) => writeFileSync(path, changed(bytes), { mode: 0o600 }),
  unreadable: (path) => symlinkSync(basename(path), path),
  directory: (path) => mkdirSync(path),
}

/** Damages a file. */
export function damage(path: string, how: Damage): void {
  const bytes = readFileSync(path)
  rmSync(path)
  IN_ITS_PLACE[how](path, bytes)
}

/** One digit in the middle of a text is another one. */
function changed(bytes: Buffer): Buffer {
  const middle = Math.floor(bytes.length / 2)
  const at = bytes.findIndex((byte, place) => place >= middle && byte >= 0x30 && byte <= 0x38)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([(bytes[at] ?? 0) + 1]), bytes.subarray(at + 1)])
}
