import { scryptSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Keystore } from 'ox'
import type { Hex } from '../../src/core/base/format/hex.ts'

/** What geth takes for a keystore: about a second, a quarter of a GiB. */
const GETH = { n: 262_144, r: 8, p: 1 }
const LIGHT = { n: 1_024, r: 8, p: 1 }

/** Writes a keystore file 0600; `claimed` is the address that stands in it, as geth writes one and Foundry none. */
export function writeKeystoreFile(
  path: string,
  made: { key: Hex; password: string; weight: 'geth' | 'light'; claimed?: Hex },
): void {
  const { n, r, p } = made.weight === 'geth' ? GETH : LIGHT
  const salt = Buffer.alloc(32, 7)
  const derived = scryptSync(made.password, salt, 32, { N: n, r, p, maxmem: 2 ** 29 })
  const sealed = Keystore.encrypt(made.key, () => `0x${derived.toString('hex')}`, {
    kdf: 'scrypt',
    kdfparams: { dklen: 32, n, p, r, salt: salt.toString('hex') },
    iv: salt.subarray(0, 16),
    id: '00000000-0000-4000-8000-000000000000',
  })
  const address = made.claimed === undefined ? {} : { address: made.claimed.slice(2).toLowerCase() }
  writeFileSync(path, JSON.stringify({ ...sealed, ...address }), { mode: 0o600 })
}
