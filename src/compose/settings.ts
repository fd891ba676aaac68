import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import Conf from 'conf'
import { sessionError } from '../core/base/errors/journal.ts'
import { endpointFault } from '../core/base/format/endpoint-url.ts'

/**
 * What is remembered between runs for each network: paths, and addresses of endpoints as they were typed, so that a
 * key in the path of one is kept too. No user name, password or key of a validator or account.
 */
export type NetworkSettings = {
  homePath?: string
  execution?: string
  node?: string
  engine?: string
  secondExecution?: string
  keystore?: string
  /** A registered validator that was given in place of a home: its public key or index. */
  validator?: string
  /** Public key that was typed because the private one is on another machine. */
  pubkey?: string
  /** First block of the execution chain, as the first proven look at it found it. */
  executionGenesisHash?: string
  /** Set once its rehearsal was offered. */
  rehearsalOffered?: string
  /** Where the network is described: its file, or the node's own two. */
  networkFile?: string
  spec?: string
  genesis?: string
  /** Descriptor file of the rehearsal network that was attached last. */
  descriptor?: string
}

/** What is remembered of a network, or of one validator of it, by its public key. */
export type Settings = {
  of(networkId: string, pubkey?: string): NetworkSettings
  remember(networkId: string, settings: NetworkSettings, pubkey?: string): void
}

const FIELDS = [
  'homePath',
  'keystore',
  'validator',
  'pubkey',
  'executionGenesisHash',
  'rehearsalOffered',
  'networkFile',
  'spec',
  'genesis',
  'descriptor',
] as const
const ENDPOINTS = ['execution', 'node', 'engine', 'secondExecution'] as const

/**
 * Settings in a file of their own below the state directory, 0600 from its first byte in a directory that others may
 * not enter. Throws `settings.damaged` when the file is not what was written, `settings.later-version` when a newer
 * version of the program wrote it.
 */
export function openSettings(directory: string): Settings {
  const conf = open(directory)
  const networks = () => conf.get('networks')
  return {
    of: (networkId, pubkey) => readable(networks()[entryName(networkId, pubkey)]),
    remember: (networkId, settings, pubkey) =>
      conf.set('networks', { ...networks(), [entryName(networkId, pubkey)]: readable(settings) }),
  }
}

const entryName = (networkId: string, pubkey: string | undefined): string =>
  pubkey === undefined ? networkId : `${networkId}/${pubkey}`

/** Returns what is remembered, where anything is: no file is made. Throws as `openSettings`. */
export function readSettings(directory: string): Pick<Settings, 'of'> {
  const networks = readNetworks(directory)
  return { of: (networkId, pubkey) => readable(networks[entryName(networkId, pubkey)]) }
}

type Networks = Record<string, unknown>

function readNetworks(directory: string): Networks {
  return isThere(pathIn(directory)) ? open(directory).get('networks') : {}
}

/** What can't be looked at is there: it may hold what was remembered. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    throw sessionError('settings.damaged', path, cause)
  }
}

const pathIn = (directory: string): string => join(directory, 'settings.json')

/** The form of the file; one that names none is of before there was one. */
const VERSION = 1

type Stored = { version?: number; networks: Networks }

function open(directory: string): Conf<Stored> {
  const conf = read(directory)
  const version = conf.get('version')
  if (version === undefined) conf.store = fromUnversioned(conf.get('networks'))
  else if (version > VERSION) {
    throw sessionError('settings.later-version', pathIn(directory), { found: version, known: VERSION })
  }
  return conf
}

function read(directory: string): Conf<Stored> {
  try {
    return new Conf<Stored>({
      cwd: directory,
      configName: 'settings',
      configFileMode: 0o600,
      schema: { version: { type: 'integer', minimum: 1 }, networks: { type: 'object' } },
      defaults: { networks: {} },
    })
  } catch (cause) {
    throw sessionError('settings.damaged', pathIn(directory), cause)
  }
}

/** Leaves behind what is neither read nor kept any more, such as a password in an address. */
function fromUnversioned(networks: Networks): Stored {
  const kept: Networks = {}
  for (const [id, entry] of Object.entries(networks)) kept[id] = readable(entry)
  return { version: VERSION, networks: kept }
}

/** What of an entry may be used and kept: texts, and addresses without a user name or password. */
function readable(entry: unknown): NetworkSettings {
  const found: NetworkSettings = {}
  const values = new Map(Object.entries(entry ?? {}))
  for (const field of FIELDS) {
    const value: unknown = values.get(field)
    if (typeof value === 'string') found[field] = value
  }
  for (const field of ENDPOINTS) {
    const value: unknown = values.get(field)
    if (typeof value === 'string' && (value === '' || endpointFault(value) === undefined))
      found[field] = value
  }
  return found
}

/** Under what the descriptor that was attached last is remembered. */
export const ATTACHED = 'devnet'
