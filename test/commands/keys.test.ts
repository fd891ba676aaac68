import { describe, expect, test } from 'vitest'
import { keys } from '../../src/commands/keys.ts'
import { readTypedKey } from '../../src/core/chain/identity/typed-key.ts'
import { keyText } from '../../src/core/steps/identity/facts.ts'
import { lookingWorld } from '../support/looking-world.ts'
import { SETUP } from '../support/written-journal.ts'

const { look, strangeHome, validatorAt } = lookingWorld()

describe('keys', () => {
  test.each(['compressed', 'uncompressed'])('takes the %s key of another machine', async (form) => {
    const own = (await look(keys, '--json')).json() as { [field: string]: unknown }
    const typed = String(form === 'compressed' ? own.pubkey : own.uncompressedBase64)
    const { code, json } = await look(keys, '--validator', typed, '--home', '/nowhere', '--json')
    expect(code).toBe(0)
    const { pubkey, uncompressedBase64, address, enginePubkey } = own
    expect(json()).toMatchObject({ pubkey, uncompressedBase64, address, enginePubkey })
    const key = json().rows.find(({ id }) => id === 'key')
    const read = readTypedKey(typed)
    const value = 'key' in read ? keyText(read.key, SETUP) : read.error
    expect(key).toMatchObject({ mark: 'given', value, source: 'you' })
  })

  test('gives no verdict by the key of the running engine on a validator that is named', async () => {
    const { code, json } = await look(keys, '--validator', validatorAt(0), '--json')
    expect(code).toBe(0)
    expect(json().rows.find(({ id }) => id === 'engine')).toMatchObject({ mark: 'unasked' })
  })

  test('tells the public forms of the key, as the engine has it too', async () => {
    const { code, json } = await look(keys, '--json')
    expect(code).toBe(0)
    const { pubkey, enginePubkey, address, uncompressedBase64 } = json()
    expect(pubkey).toBe(enginePubkey)
    expect(address).toMatch(/^[0-9A-F]{40}$/)
    expect(Buffer.from(String(uncompressedBase64), 'base64')).toHaveLength(96)
  })

  test('says no when the running engine has another key', async () => {
    const home = await strangeHome()
    const { code, json } = await look(keys, '--home', home, '--json')
    expect(code).toBe(1)
    expect(json().rows.find(({ id }) => id === 'engine')).toMatchObject({ mark: 'refused' })
  })
})
