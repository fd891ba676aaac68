import { mkdir, open, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Keystore } from 'ox'
import { appToml, clientToml, configToml, type HomeInput, keyJson, keyStateJson } from './home-files.ts'
import type { RehearsalAccount } from './keys.ts'

/** Paths of what was written. */
export type WrittenHome = { home: string; spec: string }

/**
 * Writes a fresh node home below `directory` in the form of the node tool: key, genesis file, configuration with
 * the network's ports, and the network's `spec.toml`. Directories are 0700, the key file 0600.
 */
export async function writeHome(
  directory: string,
  input: HomeInput & { genesisJson: string; specToml: string },
): Promise<WrittenHome> {
  const home = join(directory, 'home')
  const config = join(home, 'config')
  await mkdir(config, { recursive: true, mode: 0o700 })
  await mkdir(join(home, 'data'), { recursive: true, mode: 0o700 })
  const spec = join(config, 'spec.toml')
  await writeWhole(join(config, KEY_FILE), keyJson(input))
  await writeWhole(join(config, 'genesis.json'), input.genesisJson)
  await writeWhole(join(config, 'app.toml'), appToml(input))
  await writeWhole(join(config, 'config.toml'), configToml(input))
  await writeWhole(join(config, 'client.toml'), clientToml(input))
  await writeWhole(spec, input.specToml)
  await writeKeyState(directory, 0n)
  return { home, spec }
}

/** Puts another validator key in its place in a home that was written; the one before stays beside it, under a name of its own. */
export async function replaceKey(
  directory: string,
  input: Pick<HomeInput, 'key' | 'keyTypePrefix'>,
  oldName: string,
): Promise<void> {
  const config = join(directory, 'home', 'config')
  await rename(join(config, KEY_FILE), join(config, oldName))
  await writeWhole(join(config, KEY_FILE), keyJson(input))
}

/** Writes down up to which block the node of a home has signed: whole or not at all, for it is read while it changes. */
export async function writeKeyState(directory: string, height: bigint): Promise<void> {
  const path = join(directory, 'home', 'data', 'priv_validator_state.json')
  await writeFile(`${path}.part`, keyStateJson(height), { mode: 0o600 })
  await rename(`${path}.part`, path)
}

const KEY_FILE = 'priv_validator_key.json'

/** scrypt work of a play-money keystore: light, for it protects nothing, or what geth writes. */
const SCRYPT_N = { light: 1024, asGeth: 262_144 }

/** Writes a version 3 keystore of the account, 0600, and gives its path; `weight`: how much work its password takes. */
export async function writeKeystore(
  directory: string,
  input: { account: RehearsalAccount; password: string; salt: Uint8Array; weight: keyof typeof SCRYPT_N },
): Promise<string> {
  const [key, options] = Keystore.scrypt({
    password: input.password,
    n: SCRYPT_N[input.weight],
    r: 8,
    p: 1,
    salt: input.salt,
    iv: input.salt.subarray(0, 16),
  })
  const sealed = Keystore.encrypt(input.account.privateKey, key, { ...options, id: uuid(input.salt) })
  const path = join(directory, 'keystore.json')
  const content = { address: input.account.address.slice(2), ...sealed }
  await writeWhole(path, JSON.stringify(content, null, 2))
  return path
}

/** Writes a file 0600 so that a reader sees all of it or nothing. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(part, path)
}

function uuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
