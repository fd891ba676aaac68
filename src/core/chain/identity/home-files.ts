import { homeError } from '../../base/errors/home.ts'
import { decimal, decodeWhole, FieldFault, record, refuse } from '../../base/format/decode.ts'
import { JsonFault, parseStrictJson } from '../../base/format/strict-json.ts'
import { safeText } from '../../base/format/text.ts'
import { type HomeFile, readConfigToml } from './app-toml.ts'
import { requirePlainUtf8 } from './plain-utf8.ts'

/** What is needed to look at a home: reading, never writing. */
export type HomeEffects = {
  files: {
    read(path: string, options: { maxBytes: number; sink?: (piece: Uint8Array) => void }): Promise<Uint8Array>
    facts(path: string): Promise<FilePermissions>
  }
}

/** What is known of a file without opening it; undefined where there is none. */
export type FilePermissions = { kind: string; mode: number | undefined; ownedByUser: boolean } | undefined

/** Something in a node home that the user should know before money is sent. All texts are safe to draw. */
export type HomeFinding = {
  id: string
  /** `stop`: no deposit as long as it is so. `warn`: it costs or endangers something later. */
  severity: 'stop' | 'warn'
  /** What is so, in one sentence. */
  text: string
  /** What to change: the file, and the line as it should be; or a command. */
  fix: string
}

const MAX_TOML_BYTES = 1024 * 1024

/**
 * Where the genesis file of a home is: the `genesis_file` of its `config.toml`. Throws a `home.*` error that names the
 * file and the field, or a `file.*` error.
 */
export async function genesisFileOf(effects: HomeEffects, args: { homePath: string }): Promise<string> {
  const path = trimmed(args.homePath)
  const { genesisFile } = readConfigToml(await readFileOf(effects, path, 'config/config.toml'))
  return below(path, genesisFile)
}

/**
 * Where the key file of a home and the state of that key are, and the address of a remote signer that holds the key in
 * its place (else empty), by its `config.toml` alone. Throws a `home.*` error that names the file and the field, or a `file.*` error.
 */
export async function keyPlaceOf(
  effects: HomeEffects,
  args: { homePath: string },
): Promise<{ keyFile: string; stateFile: string; remoteSigner: string }> {
  const path = trimmed(args.homePath)
  const config = readConfigToml(await readFileOf(effects, path, 'config/config.toml'))
  const { keyFile, stateFile, remoteSigner } = config
  return { keyFile: below(path, keyFile), stateFile: below(path, stateFile), remoteSigner }
}

/** Returns the path of a home without slashes at its end. */
export function trimmed(homePath: string): string {
  return homePath.replace(/(?<=.)\/+$/, '')
}

/** Returns the text of a file of a home, for one of the readers of its form. Throws a `home.*` error where there is none, or a `file.*` error. */
export async function readFileOf(effects: HomeEffects, home: string, file: string): Promise<HomeFile> {
  const path = below(home, file)
  if ((await effects.files.facts(path)) === undefined) throw homeError('home.missing', home, file)
  const bytes = await effects.files.read(path, { maxBytes: MAX_TOML_BYTES })
  return { home, file, text: new TextDecoder().decode(bytes) }
}

/** Returns a path that a home names, from the home on unless it is whole. */
export function below(home: string, path: string): string {
  return isWholePath(path) ? path : `${home}/${path}`
}

/** Whether a path of a home's own files is whole, on any system. */
export function isWholePath(path: string): boolean {
  return /^(?:\/|[A-Za-z]:[\\/])/.test(path)
}

const MAX_STATE_BYTES = 64 * 1024

const fields = record({ height: decimal })

/**
 * Returns the newest block that the node of a home signed with its key, by the state of that key
 * (`data/priv_validator_state.json`); 0 where there is no such file. Throws a `home.*` error or a `file.*` error.
 */
export async function readSignedHeight(
  { files }: HomeEffects,
  { home, stateFile }: { home: string; stateFile: string },
): Promise<bigint> {
  if ((await files.facts(stateFile)) === undefined) return 0n
  const bytes = await files.read(stateFile, { maxBytes: MAX_STATE_BYTES })
  requirePlainUtf8(bytes, safeText(stateFile))
  try {
    return decodeWhole(fields, jsonOf(new TextDecoder().decode(bytes))).height
  } catch (fault) {
    if (fault instanceof FieldFault) throw homeError('home.field', home, stateFile, fault)
    throw fault
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (fault) {
    if (fault instanceof JsonFault) return refuse('', 'JSON', text)
    throw fault
  }
}
