import { readFile } from 'node:fs/promises'
import { type Hex, isHex } from '../core/format/hex.ts'
import { rememberedJournals } from './read-under-way.ts'

const MAX_CHARACTERS = 32 * 1024 * 1024

/**
 * The validators of a network that the journals below a directory are about, and the transactions that they name. The
 * journals are only read, without their locks. Does not reject.
 */
export async function adoptedHere(
  directory: string,
  genesisValidatorsRoot: Hex,
): Promise<{ validators: readonly Hex[]; transactions: ReadonlySet<string> }> {
  const journals = await rememberedJournals(directory)
  const own = journals.filter(({ root }) => root === genesisValidatorsRoot.slice(2, 14))
  const texts = await Promise.all(own.map(({ path }) => readFile(path, 'utf8').catch(() => '')))
  const hashes = texts
    .filter((text) => text.length <= MAX_CHARACTERS)
    .flatMap((text) => [...text.matchAll(/"hash":"(0x[0-9a-f]{64})"/g)].map(([, hash = '']) => hash))
  return {
    validators: own.flatMap(({ pubkey }) => (isHex(pubkey, 48) ? [pubkey] : [])),
    transactions: new Set(hashes),
  }
}
