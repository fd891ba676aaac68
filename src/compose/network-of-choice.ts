import { resolve } from 'node:path'
import type { Effects } from '../core/effects/effects.ts'
import { expandHome } from '../core/effects/expand-home.ts'
import { noSuchNetwork } from '../core/errors/usage.ts'
import { safeText } from '../core/format/text.ts'
import type { FormChoice } from '../core/launch/choice.ts'
import type { Network } from '../core/network/network.ts'

/** The network of a choice. Throws `usage.no-such-network`, a `NetworkError` or a `FileError`. */
export async function networkOf(effects: Pick<Effects, 'files'>, choice: FormChoice): Promise<Network> {
  const { MAINNET, BEPOLIA } = await import('../core/network/presets.ts')
  if (choice.kind === 'network') return choice.id === 'mainnet' ? MAINNET : BEPOLIA
  if (choice.kind === 'files') {
    const { networkOfFiles } = await import('./network-of-files.ts')
    return networkOfFiles(effects, { spec: absolute(choice.spec), genesis: absolute(choice.genesis) })
  }
  const { readNetworkFile } = await import('../core/network/network-file.ts')
  const path = absolute(choice.path)
  if ((await effects.files.facts(path)) === undefined) throw noSuchNetwork(safeText(choice.path, 120))
  const bytes = await effects.files.read(path, { maxBytes: 1024 * 1024 })
  return readNetworkFile(new TextDecoder().decode(bytes))
}

/** A path as it was typed, from the root. */
export function absolute(path: string): string {
  return resolve(expandHome(path))
}
