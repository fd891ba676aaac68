import { type GenesisLimits, genesisRoots } from '../deposit/genesis-root.ts'
import type { Hex } from '../format/hex.ts'
import type { HomeWorld } from './home.ts'
import { type GenesisHead, genesisReader } from './read-genesis.ts'

/** Some eight million validators. Nothing of that size is ever held: 32 bytes a validator are. */
const MAX_GENESIS_BYTES = 4 * 1024 * 1024 * 1024

/** A genesis file, and the root that its deposits make. */
export type GenesisFile = GenesisHead & { root: Hex }

/**
 * Reads a genesis file from the disk while its genesis validators root is made, with the limits of the network that it
 * is held against. `see` gets the public key of each validator in turn. Throws a `genesis-file.*` error or a
 * `FileError`.
 */
export async function readGenesisFile(
  { files }: Pick<HomeWorld, 'files'>,
  { path, limits, see }: { path: string; limits: GenesisLimits; see?: (pubkey: Hex) => void },
): Promise<GenesisFile> {
  const roots = genesisRoots(limits)
  const reader = genesisReader((deposit) => {
    roots.add(deposit)
    see?.(deposit.pubkey)
  })
  const sink = (piece: Uint8Array) => reader.write(piece)
  sink(await files.read(path, { maxBytes: MAX_GENESIS_BYTES, sink }))
  return { ...reader.end(), root: roots.root() }
}
