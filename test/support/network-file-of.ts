import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'

/** A rehearsal network as the file of some other network: there the wizard takes no password from a descriptor. */
export function networkFileOf(descriptor: DevnetDescriptor): string {
  const { chainId, engineChainId, genesisRoot, genesisForkVersion, urls, slotMs } = descriptor
  const { depositContractCodeHash } = descriptor
  const file = {
    id: 'dress',
    label: 'Dress rehearsal',
    kind: 'test',
    executionChainId: chainId,
    engineChainId,
    genesisValidatorsRoot: genesisRoot,
    genesisForkVersion,
    depositContractCodeHash,
    slotMs,
    clockIsWall: false,
    spec: parse(readFileSync(descriptor.spec, 'utf8'), { integersAsBigInt: true }),
    endpoints: urls,
  }
  return JSON.stringify(file, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
}
