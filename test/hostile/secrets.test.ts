import { expect, test } from 'vitest'
import { account, validatorKey } from '../../src/devnet/keys.ts'
import { secretsIn, secretsOf } from './secrets.ts'

const SEED = 'bearings'
const validatorSecret = Buffer.from(validatorKey(SEED, 'fresh').secretBase64, 'base64')
const { privateKey } = account(SEED, 'user')
const accountSecret = Buffer.from(privateKey.slice(2), 'hex')
const PASSWORD = [...secretsOf(SEED)].find(([, what]) => what === 'the password')?.[0] ?? ''

test.each([
  ['the password', PASSWORD],
  ['the password', PASSWORD.toUpperCase()],
  ['the password in hex', Buffer.from(PASSWORD).toString('hex')],
  ['the password in base64', Buffer.from(PASSWORD).toString('base64')],
  ['the key of the validator in hex', validatorSecret.toString('hex').toUpperCase()],
  ['the key of the validator in base64', validatorSecret.toString('base64')],
  ['the key of the account in hex', privateKey],
  ['the key of the account in base64', accountSecret.toString('base64')],
])('%s is found in a text that holds it', (what, secret) => {
  expect(secretsIn(`{"said":"before ${secret} after"}`, secretsOf(SEED))).toContain(what)
})

test('nothing is found where there is nothing', () => {
  const { pubkey } = validatorKey(SEED, 'fresh')
  expect(secretsIn(`the key ${pubkey} pays from ${account(SEED, 'user').address}`, secretsOf(SEED))).toEqual(
    [],
  )
})
