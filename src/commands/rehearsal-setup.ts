import { join } from 'node:path'
import { rehearsalFolders } from '../compose/start-rehearsal.ts'
import type { Effects } from '../core/effects/effects.ts'
import { noRehearsal } from '../core/errors/usage.ts'
import type { NodeSetup } from '../core/facts.ts'
import { readGenesis } from '../core/identity/read-genesis.ts'
import { readDescriptor } from '../core/network/descriptor.ts'
import { rehearsalNetwork } from '../core/network/rehearsal.ts'
import { readTextFile } from './choose-network.ts'

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
