import type { Effects } from '../core/base/effects/effects.ts'
import { BaseError } from '../core/base/errors/base.ts'
import type { Network } from '../core/chain/network/network.ts'

/**
 * Returns the home of the node where nobody names one: what the environment says by the variable of the network's own
 * scripts (BEACOND_HOME), else the folder that the node tool makes.
 */
export function defaultHome(
  { names: { nodeTool } }: Pick<Network, 'names'>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return environment[`${nodeTool.toUpperCase()}_HOME`] || `~/.${nodeTool}`
}

/**
 * Returns where the node of a home listens, by its own settings. Nothing for a home that cannot be read: whatever looks at the
 * home itself says why.
 */
export async function endpointsOfHome(
  effects: Pick<Effects, 'files'>,
  { network, homePath }: { network: Network; homePath: string },
): Promise<{ node?: string; engine?: string }> {
  const [{ listenersIn, readAppToml, readConfigToml }, { readFileOf }] = await Promise.all([
    import('../core/chain/identity/app-toml.ts'),
    import('../core/chain/identity/home-files.ts'),
  ])
  try {
    const config = readConfigToml(await readFileOf(effects, homePath, 'config/config.toml'))
    const app = readAppToml(await readFileOf(effects, homePath, 'config/app.toml'), network.names)
    return listenersIn({ config, app })
  } catch (thrown) {
    if (thrown instanceof BaseError) return {}
    throw thrown
  }
}
