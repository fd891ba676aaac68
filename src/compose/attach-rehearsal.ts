import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Effects } from '../core/base/effects/effects.ts'
import { BaseError, programError } from '../core/base/errors/base.ts'
import { readText } from '../core/base/format/file-text.ts'
import type { Hex } from '../core/base/format/hex.ts'
import { safeText } from '../core/base/format/text.ts'
import type { NodeSetup, Setup } from '../core/chain/facts.ts'
import { readGenesis, readGenesisFile } from '../core/chain/identity/read-genesis.ts'
import type { Network } from '../core/chain/network/network.ts'
import { customNetwork } from '../core/chain/network/network-file.ts'
import { type Descriptor, readDescriptor, rehearsalNetwork } from '../core/chain/network/rehearsal.ts'
import { readSpecToml } from '../core/chain/network/spec-fields.ts'

export type AttachInput = {
  /** Path of a descriptor file. */
  descriptorPath: string
  journalDirectory: string
  outputDirectory: string
  /** How the network is chosen again; by its descriptor, where nothing is said. */
  which?: { folder: string } | { descriptor: string }
  /** What was typed in the form of a rehearsal as on mainnet: then nothing is proposed, and no password is known. */
  typed?: Pick<Setup, 'homePath' | 'endpoints' | 'keystore'>
}

/**
 * Makes the setup of a running rehearsal network from its descriptor file.
 * Throws a `network.*` error for a bad descriptor, a `file.*` error for a missing home.
 */
export async function attachRehearsal(effects: Effects, input: AttachInput): Promise<Setup> {
  const descriptor = readDescriptor(await readText(effects, input.descriptorPath))
  const specToml = await readText(effects, `${descriptor.home}/config/spec.toml`)
  const genesis = readGenesis(await readText(effects, `${descriptor.home}/config/genesis.json`))
  const network = rehearsalNetwork(descriptor, specToml, genesis)
  const { typed } = input
  if (typed !== undefined)
    return { ...placesOf(descriptor, input), network: { ...network, asOnMainnet: true }, ...typed }
  const keystore = descriptor.keystore.path
  const suggestedAddress =
    descriptor.withdrawalAddress ??
    (await effects.signer.keystoreAddress({ keystore, passwordDescriptor: input.descriptorPath })).address
  return {
    ...placesOf(descriptor, input),
    network,
    homePath: descriptor.home,
    endpoints: { ...descriptor.urls },
    keystore,
    passwordDescriptor: input.descriptorPath,
    ...(suggestedAddress === undefined ? {} : { suggestedAddress: await checksummed(suggestedAddress) }),
  }
}

/** Where a rehearsal keeps what it does and tells, whoever names its addresses. */
function placesOf(descriptor: Descriptor, input: AttachInput) {
  return {
    ...(descriptor.story === undefined ? {} : { storyPath: descriptor.story }),
    ...(descriptor.control === undefined
      ? {}
      : { wishes: { url: descriptor.control, which: input.which ?? { descriptor: input.descriptorPath } } }),
    ...(descriptor.executionGenesisHash === undefined
      ? {}
      : { executionGenesisHash: descriptor.executionGenesisHash }),
    journalDirectory: input.journalDirectory,
    // Play money: a rehearsal keeps everything in its own folder.
    lockDirectories: [input.journalDirectory],
    outputDirectory: input.outputDirectory,
  }
}

export async function checksummed(address: Hex): Promise<Hex> {
  const { getAddress } = await import('viem/utils')
  return getAddress(address)
}

/** Whether the network behind a descriptor file still answers with the genesis root it was started with. */
export async function rehearsalAnswers(effects: Effects, descriptorPath: string): Promise<boolean> {
  return (await attachedRoot(effects, descriptorPath)) !== undefined
}

/** Returns the genesis root of the network behind a descriptor file, while it answers with that root. */
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

const MAX_SPEC_BYTES = 1024 * 1024

/**
 * The network of a node's own `spec.toml` and `genesis.json`: root, fork version and chain ids come out of the files,
 * the names are Berachain's. The published files of a built-in network give that network. Throws a `network.*` error,
 * a `genesis-file.*` error or a `file.*` error.
 */
export async function networkOfFiles(
  { files }: Pick<Effects, 'files'>,
  paths: { spec: string; genesis: string },
): Promise<Network> {
  const spec = readSpecToml(await readText({ files }, paths.spec, MAX_SPEC_BYTES))
  const genesis = await readGenesisFile({ files }, { path: paths.genesis, limits: spec })
  const { engineChainId, genesisForkVersion, root } = genesis
  return customNetwork(spec, { engineChainId, genesisForkVersion, genesisValidatorsRoot: root })
}

/** Folders of the networks that were started below a directory, newest last. */
export function rehearsalFolders(directory: string): string[] {
  if (!existsSync(directory)) return []
  const numbered = readdirSync(directory).filter((name) => /^network-\d+$/.test(name))
  return numbered.sort((a, b) => networkNumber(a) - networkNumber(b)).map((name) => join(directory, name))
}

/** Returns the number of a network, by the name of its folder. */
export function networkNumber(name: string): number {
  return Number(name.slice('network-'.length))
}

/** What was asked for of a rehearsal network; what is absent may be anything. */
export type Wanted = { scenario?: string; seed?: string; slotMs?: number }

/**
 * Returns the newest rehearsal network below a directory that still answers, and in which way it is not the wanted one;
 * undefined when none answers. Throws a `network.*` error or a `file.*` error.
 */
export async function runningRehearsal(
  effects: Effects,
  directory: string,
  wanted: Wanted,
): Promise<{ folder: string; differs: string | undefined } | undefined> {
  const folder = rehearsalFolders(directory).at(-1)
  if (folder === undefined) return undefined
  const descriptorPath = join(folder, 'descriptor.json')
  if (!(await rehearsalAnswers(effects, descriptorPath))) return undefined
  const descriptor = readDescriptor(await readText(effects, descriptorPath))
  return { folder, differs: difference(descriptor, wanted) }
}

function difference(descriptor: Descriptor, wanted: Wanted): string | undefined {
  for (const key of ['scenario', 'seed', 'slotMs'] as const) {
    const found = descriptor[key]
    const asked = wanted[key]
    if (asked === undefined || asked === found) continue
    return `${NAMES[key]} ${safeText(found ?? 'unknown', 60)}, not ${safeText(asked, 60)}`
  }
  return undefined
}

const NAMES = { scenario: 'scenario', seed: 'seed', slotMs: 'slot-ms' } as const

/**
 * The setup of a running rehearsal network for a command that only looks: no wallet, nothing written. `devnet` is a
 * descriptor file or the descriptor itself. Throws a `network.*` error or a `file.*` error.
 */
export async function rehearsalSetup(
  effects: Pick<Effects, 'files'>,
  devnet: string,
  places: { journalDirectory: string; outputDirectory: string },
): Promise<NodeSetup> {
  const text = devnet.trimStart().startsWith('{') ? devnet : await readText(effects, devnet)
  const descriptor = readDescriptor(text)
  const [spec, genesis] = await Promise.all([
    readText(effects, descriptor.spec ?? `${descriptor.home}/config/spec.toml`),
    readText(effects, `${descriptor.home}/config/genesis.json`),
  ])
  const { executionGenesisHash } = descriptor
  return {
    network: rehearsalNetwork(descriptor, spec, readGenesis(genesis)),
    homePath: descriptor.home,
    endpoints: { ...descriptor.urls },
    ...places,
    lockDirectories: [],
    ...(executionGenesisHash === undefined ? {} : { executionGenesisHash }),
  }
}

/** Descriptor file of the newest rehearsal network below a state directory. Throws `usage.no-rehearsal`. */
export function lastRehearsal(stateDirectory: string): string {
  const last = rehearsalFolders(join(stateDirectory, 'rehearsal')).at(-1)
  if (last === undefined) throw programError('usage.no-rehearsal')
  return join(last, 'descriptor.json')
}
