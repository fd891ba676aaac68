import { readFile } from 'node:fs/promises'
import { type Decoder, decodeWhole, FieldFault, record, text, uint } from '../format/decode.ts'
import { JsonFault, parseStrictJson } from '../format/strict-json.ts'

/** Names one process for ever: an id comes again, its start time within one boot does not. */
export type ProcessIdentity = { pid: number; startTime: string; bootId: string }

const UNKNOWN = 'unknown'

const pid: Decoder<number> = (value, path) => Number(uint(value, path))
const fields: Decoder<ProcessIdentity> = record({ pid, startTime: text, bootId: text })

/** The identity of this process. Where the system does not tell (no /proc), start and boot are `unknown`. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  return { pid: process.pid, startTime: await startTimeOf(process.pid), bootId: await bootId() }
}

/** Reads an identity back, or undefined when the text is none. */
export function parseIdentity(json: string): ProcessIdentity | undefined {
  try {
    return decodeWhole(fields, parseStrictJson(json))
  } catch (fault) {
    if (fault instanceof FieldFault || fault instanceof JsonFault) return undefined
    throw fault
  }
}

/** Whether the process with that identity still runs on this boot. Without /proc, whether its id is in use. */
export async function isSameProcess(identity: ProcessIdentity): Promise<boolean> {
  if (!isRunning(identity.pid)) return false
  const startTime = await startTimeOf(identity.pid)
  if (startTime === UNKNOWN || identity.startTime === UNKNOWN) return true
  return startTime === identity.startTime && (await bootId()) === identity.bootId
}

function isRunning(id: number): boolean {
  if (id < 1) return false
  try {
    process.kill(id, 0)
    return true
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}

/** Field 22 of /proc/<pid>/stat: clock ticks after boot. The second field may hold spaces, so count from its end. */
async function startTimeOf(id: number): Promise<string> {
  const stat = await readOr(`/proc/${id}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? UNKNOWN
}

async function bootId(): Promise<string> {
  const id = (await readOr('/proc/sys/kernel/random/boot_id')).trim()
  return id === '' ? UNKNOWN : id
}

async function readOr(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return ''
  }
}
