import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type DevnetDescriptor, writeDescriptor, writeKeystore } from '../../src/devnet/home.ts'
import { account, seededBytes, validatorKey } from '../../src/devnet/keys.ts'

/** A password that no sentence of the program has in it by chance. */
const PASSWORD = 'Quaffing-7-zephyrs@dusk'

/** Gives the keystore of a rehearsal network a password that can be looked for. */
export async function setPassword(descriptor: DevnetDescriptor, directory: string): Promise<void> {
  const salt = seededBytes(descriptor.seed, 'another keystore')
  await writeKeystore(directory, {
    account: account(descriptor.seed, 'user'),
    password: PASSWORD,
    salt,
    weight: 'light',
  })
  descriptor.keystore.password = PASSWORD
  await writeDescriptor(directory, descriptor)
}

/** Secrets of the user in the forms in which they might leave, each with what it is. */
export function secretsOf(seed: string): ReadonlyMap<string, string> {
  const forms = (what: string, bytes: Buffer): [string, string][] => [
    [bytes.toString('hex'), `${what} in hex`],
    [bytes.toString('base64').replace(/=+$/, ''), `${what} in base64`],
  ]
  return new Map([
    [PASSWORD, 'the password'],
    ...forms('the password', Buffer.from(PASSWORD)),
    ...forms('the key of the validator', Buffer.from(validatorKey(seed, 'fresh').secretBase64, 'base64')),
    ...forms('the key of the account', Buffer.from(account(seed, 'user').privateKey.slice(2), 'hex')),
  ])
}

/** Which secrets are in a text, by what they are. */
export function secretsIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  const lower = text.toLowerCase()
  return [...secrets].flatMap(([secret, what]) =>
    text.includes(secret) || lower.includes(secret.toLowerCase()) ? [what] : [],
  )
}

/** All text of the files below a directory. What gets its name while they are read is read under that name. */
export function textBelow(directory: string): string {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) =>
    join(directory, name),
  )
  try {
    return paths.map((path) => (statSync(path).isFile() ? readFileSync(path, 'latin1') : '')).join('\n')
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return textBelow(directory)
    throw thrown
  }
}
