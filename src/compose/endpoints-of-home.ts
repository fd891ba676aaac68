import type { Effects } from '../core/base/effects/effects.ts'
import { BaseError } from '../core/base/errors/base.ts'
import type { Network } from '../core/chain/network/network.ts'

/**
 * Returns where the node of a home listens, by its own settings. Nothing for a home that cannot be read: whatever looks at the
 * home itself says why.
 */
export async function endpointsOfHome(
  effects: Pick<Effects, 'files'>,
  args: { network: Network; homePath: string },
): Promise<{ node?: string; engine?: string }> {
  const { readHome } = await import('../core/chain/identity/home.ts')
  try {
    const { node, engine } = (await readHome(effects, args)).endpoints
    return { node, engine }
  } catch (thrown) {
    if (thrown instanceof BaseError) return {}
    throw thrown
  }
}
