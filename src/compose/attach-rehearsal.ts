import type { Effects } from '../core/effects/effects.ts'
import { BaseError } from '../core/errors/base.ts'
import type { Setup } from '../core/facts.ts'
import type { Hex } from '../core/format/hex.ts'
import { readGenesis } from '../core/identity/read-genesis.ts'
import { readDescriptor, rehearsalNetwork } from '../core/network/rehearsal.ts'

const MAX_BYTES = 64 * 1024 * 1024

export type AttachInput = {
  /** Path of a descriptor file. */
  descriptorPath: string
  journalDirectory: string
  outputDirectory: string
}

/**
 * Makes the setup of a running rehearsal network from its descriptor file.
 * Throws a `NetworkError` for a bad descriptor, a `FileError` for a missing home.
 */
export async function attachRehearsal(effects: Effects, input: AttachInput): Promise<Setup> {
  const descriptor = readDescriptor(await readText(effects, input.descriptorPath))
  const specToml = await readText(effects, `${descriptor.home}/config/spec.toml`)
  const genesis = readGenesis(await readText(effects, `${descriptor.home}/config/genesis.json`))
  const network = rehearsalNetwork(descriptor, specToml, genesis)
  const keystore = descriptor.keystore.path
  const suggestedAddress =
    descriptor.withdrawalAddress ??
    (await effects.signer.keystoreAddress({ keystore, passwordDescriptor: input.descriptorPath })).address
  return {
    network,
    homePath: descriptor.home,
    endpoints: { ...descriptor.urls },
    keystore,
    passwordDescriptor: input.descriptorPath,
    ...(suggestedAddress === undefined ? {} : { suggestedAddress: await checksummed(suggestedAddress) }),
    ...(descriptor.executionGenesisHash === undefined
      ? {}
      : { executionGenesisHash: descriptor.executionGenesisHash }),
    journalDirectory: input.journalDirectory,
    // Play money: a rehearsal keeps everything in its own folder.
    lockDirectories: [input.journalDirectory],
    outputDirectory: input.outputDirectory,
  }
}

async function readText(effects: Effects, path: string): Promise<string> {
  return new TextDecoder().decode(await effects.files.read(path, { maxBytes: MAX_BYTES }))
}

async function checksummed(address: Hex): Promise<Hex> {
  const { getAddress } = await import('viem/utils')
  return getAddress(address)
}

/** Whether the network behind a descriptor file still answers with the genesis root it was started with. */
export async function rehearsalAnswers(effects: Effects, descriptorPath: string): Promise<boolean> {
  return (await attachedRoot(effects, descriptorPath)) !== undefined
}

/** The genesis root of the network behind a descriptor file, while it answers with that root. */
export async function attachedRoot(effects: Effects, descriptorPath: string): Promise<Hex | undefined> {
  try {
    const { urls, genesisRoot } = readDescriptor(await readText(effects, descriptorPath))
    const reply = await effects.http.request({
      method: 'GET',
      url: `${urls.node}/eth/v1/beacon/genesis`,
      deadlineMs: 2_000,
      maxBytes: 65_536,
    })
    return new TextDecoder().decode(reply.body).includes(genesisRoot) ? genesisRoot : undefined
  } catch (thrown) {
    if (thrown instanceof BaseError) return undefined
    throw thrown
  }
}
