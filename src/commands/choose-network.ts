import { unknownNetwork } from '../compose/network-choice.ts'
import type { Effects } from '../core/base/effects/effects.ts'
import { readText } from '../core/base/format/file-text.ts'
import type { Network } from '../core/chain/network/network.ts'
import { PRESETS } from '../core/chain/network/presets.ts'

type Files = Pick<Effects, 'files'>

/**
 * Returns a built-in network by its name, else the network that a file describes. Throws `usage.no-such-network`, a
 * `network.*` or a `file.*` error.
 */
export async function namedNetwork(effects: Files, name: string, path: string): Promise<Network> {
  const preset = PRESETS.find(({ id }) => id === name)
  if (preset !== undefined) return preset
  if ((await effects.files.facts(path)) === undefined) throw unknownNetwork(name)
  const { readNetworkFile } = await import('../core/chain/network/network-file.ts')
  return readNetworkFile(await readText(effects, path))
}

/** The built-in network that a home's `client.toml` names, or undefined when there is no home or it names another. */
export async function networkOfHome({ files }: Files, home: string): Promise<Network | undefined> {
  const file = 'config/client.toml'
  if ((await files.facts(`${home}/${file}`)) === undefined) return undefined
  const text = await readText({ files }, `${home}/${file}`)
  const { readClientToml } = await import('../core/chain/identity/app-toml.ts')
  const { engineChainId } = readClientToml({ home, file, text })
  return PRESETS.find((preset) => preset.engineChainId === engineChainId)
}
