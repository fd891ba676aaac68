import { join } from 'node:path'
import type { Hex } from '../core/format/hex.ts'
import { writeWhole } from './home.ts'

/** What a ready rehearsal network says of itself, as one JSON line. */
export type DevnetDescriptor = {
  urls: { execution: string; node: string; engine: string }
  chainId: number
  genesisRoot: Hex
  keystore: { path: string; password: string }
  home: string
  spec: string
  engineChainId: string
  genesisForkVersion: Hex
  executionGenesisHash: Hex
  depositContractCodeHash: Hex
  slotMs: number
  clockIsWall: boolean
  operator: Hex
  withdrawalAddress: Hex
  scenario: string
  seed: string
  pid: number
}

/** Writes `descriptor.json` in the directory, 0600, whole or not at all. */
export async function writeDescriptor(directory: string, descriptor: DevnetDescriptor): Promise<void> {
  await writeWhole(join(directory, 'descriptor.json'), `${JSON.stringify(descriptor)}\n`)
}
