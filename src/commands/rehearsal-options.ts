import { join } from 'node:path'
import { rehearsalAnswers } from '../compose/attach-rehearsal.ts'
import { rehearsalFolders } from '../compose/start-rehearsal.ts'
import type { Effects } from '../core/effects/effects.ts'
import { noRehearsal } from '../core/errors/base.ts'
import type { NodeSetup } from '../core/facts.ts'
import { safeText } from '../core/format/text.ts'
import { readGenesis } from '../core/identity/read-genesis.ts'
import { type Descriptor, readDescriptor, rehearsalNetwork } from '../core/network/rehearsal.ts'
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

/**
 * The setup of a running rehearsal network for a command that only looks: no wallet, nothing written. `devnet` is a
 * descriptor file or the descriptor itself. Throws a `NetworkError` or a `FileError`.
 */
export async function rehearsalSetup(
  effects: Pick<Effects, 'files'>,
  devnet: string,
  stateDirectory: string,
): Promise<NodeSetup> {
  const text = devnet.trimStart().startsWith('{') ? devnet : await readTextFile(effects, devnet)
  const descriptor = readDescriptor(text)
  const [spec, genesis] = await Promise.all([
    readTextFile(effects, descriptor.spec ?? `${descriptor.home}/config/spec.toml`),
    readTextFile(effects, `${descriptor.home}/config/genesis.json`),
  ])
  const { executionGenesisHash } = descriptor
  return {
    network: rehearsalNetwork(descriptor, spec, readGenesis(genesis)),
    homePath: descriptor.home,
    endpoints: { ...descriptor.urls },
    journalDirectory: stateDirectory,
    lockDirectories: [],
    outputDirectory: stateDirectory,
    ...(executionGenesisHash === undefined ? {} : { executionGenesisHash }),
  }
}

/** Descriptor file of the newest rehearsal network below a state directory. Throws `usage.no-rehearsal`. */
export function lastRehearsal(stateDirectory: string): string {
  const last = rehearsalFolders(join(stateDirectory, 'rehearsal')).at(-1)
  if (last === undefined) throw noRehearsal()
  return join(last, 'descriptor.json')
}
