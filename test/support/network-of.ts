import { readFileSync } from 'node:fs'
import type { Network } from '../../src/core/chain/network/network.ts'
import { readDescriptor, rehearsalNetwork } from '../../src/core/chain/network/rehearsal.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'

/** A rehearsal network as the program under test knows it, by its descriptor and its spec file. */
export function networkOf({ descriptor }: Devnet): Network {
  const specToml = readFileSync(`${descriptor.home}/config/spec.toml`, 'utf8')
  return rehearsalNetwork(readDescriptor(JSON.stringify(descriptor)), specToml)
}
