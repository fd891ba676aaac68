import type { Plan } from '../../src/devnet/scenarios.ts'

/** What stands behind the address of the webhook, and opens the channel. */
export const WEBHOOK_SECRET = 'T4q9-webhook-token-Zz81'
/** The password of the keystore, which only the child that signs ever sees. */
export const PASSWORD = 'Quaffing-7-zephyrs@dusk'

/** Secrets of the user in the forms in which they might leave, each with what it is. */
export function secretsOf({ fresh, user }: Plan): ReadonlyMap<string, string> {
  const forms = (what: string, bytes: Buffer): [string, string][] => [
    [bytes.toString('hex'), `${what} in hex`],
    [bytes.toString('base64').replace(/=+$/, ''), `${what} in base64`],
  ]
  return new Map([
    [WEBHOOK_SECRET, 'the token of the webhook'],
    [PASSWORD, 'the password'],
    ...forms('the key of the validator', Buffer.from(fresh.secretBase64, 'base64')),
    ...forms('the key of the account', Buffer.from(user.privateKey.slice(2), 'hex')),
  ])
}
