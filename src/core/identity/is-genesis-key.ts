import { genesisOfAnotherRoot } from '../errors/genesis-file.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import type { Network } from '../network/network.ts'
import { genesisFileOf, type HomeWorld } from './home.ts'
import { readGenesisFile } from './read-genesis-file.ts'

/**
 * Whether a key is a validator since the first slot: its operator in the contract is zero and yet the chain knows it,
 * so a first deposit for it would be somebody's top-up. The home's genesis file is read anew and counts
 * only when its deposits make the network's genesis validators root; then its list is the whole one.
 *
 * Throws `genesis-file.other-root` and the other faults of that file, a `HomeError`, or a `FileError`.
 */
export async function isGenesisKey(
  world: HomeWorld,
  { homePath, network, pubkey }: { homePath: string; network: Network; pubkey: Hex },
): Promise<boolean> {
  const path = await genesisFileOf(world, { homePath })
  let known = false
  const see = (one: Hex) => {
    known ||= sameHex(one, pubkey)
  }
  const { root: found } = await readGenesisFile(world, { path, limits: network.spec, see })
  const expected = network.genesisValidatorsRoot
  if (!sameHex(found, expected)) throw genesisOfAnotherRoot({ found, expected })
  return known
}
