import { join } from 'node:path'
import { rehearsalAnswers } from '../compose/attach-rehearsal.ts'
import { rehearsalFolders } from '../compose/start-rehearsal.ts'
import type { Effects } from '../core/effects/effects.ts'
import { safeText } from '../core/format/text.ts'
import { type Descriptor, readDescriptor } from '../core/network/descriptor.ts'
import { readTextFile } from './choose-network.ts'

/** What was asked for of a rehearsal network; what is absent may be anything. */
export type Wanted = { scenario?: string; seed?: string; slotMs?: number }

/**
 * The newest rehearsal network below a directory that still answers, and in which way it is not the wanted one;
 * undefined when none answers. Throws a `NetworkError` or a `FileError`.
 */
export async function runningRehearsal(
  effects: Effects,
  directory: string,
  wanted: Wanted,
): Promise<{ folder: string; differs: string | undefined } | undefined> {
  const folder = rehearsalFolders(directory).at(-1)
  if (folder === undefined) return undefined
  const descriptorPath = join(folder, 'descriptor.json')
  if (!(await rehearsalAnswers(effects, descriptorPath))) return undefined
  const descriptor = readDescriptor(await readTextFile(effects, descriptorPath))
  return { folder, differs: difference(descriptor, wanted) }
}

function difference(descriptor: Descriptor, wanted: Wanted): string | undefined {
  for (const key of ['scenario', 'seed', 'slotMs'] as const) {
    const found = descriptor[key]
    const asked = wanted[key]
    if (asked === undefined || asked === found) continue
    return `${NAMES[key]} ${safeText(found ?? 'unknown', 60)}, not ${safeText(asked, 60)}`
  }
  return undefined
}

const NAMES = { scenario: 'scenario', seed: 'seed', slotMs: 'slot-ms' } as const
