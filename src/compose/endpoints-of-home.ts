import type { Effects } from '../core/base/effects/effects.ts'
import { BaseError } from '../core/base/errors/base.ts'
import type { Network } from '../core/chain/network/network.ts'

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
