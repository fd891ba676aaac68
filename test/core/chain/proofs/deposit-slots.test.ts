import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Hex } from '../../../../src/core/base/format/hex.ts'
import { addressIn, DEPOSIT_SLOTS } from '../../../../src/core/chain/proofs/execution-proof.ts'

/** Storage of the real deposit contract in the execution genesis of Bepolia (public), without its root in slot 1. */
const STORAGE: Readonly<Record<Hex, bigint>> = {
  '0x0000000000000000000000000000000000000000000000000000000000000000': 0xan,
  '0x03d552cd0b6a48aa44cf44494aea1dfc6c218f0e2aa352d0ca3ed7945bdb2c24':
    0xe9ba99ef852936cdddcd9075df3bde410c36e0cfn,
  '0x0faaea70c953dcfe11ad8bc316a089e2eda60e529d0bcfc62c7b7dd86b261feb':
    0xb59c939e52643cde4ef15a508cacdee8119d34cn,
  '0x145af481a0810f44c87f9901947772fe668830e73092929093a4364c57f4ca70':
    0x340d3d95c8470684ee21b8f6b64540a365b72f88n,
  '0x148fbbe12a67f02bf75ba94d9663ea96d5bcaf77abb308716dc7919adc1283b1':
    0x41707b8012929f0625b87757ce8c4ddfdd8c6837n,
  '0x3210ca2c1c490b6cae9ec1bb36ce12596c577f8b06cb57b09eb3bd63816c6c4e':
    0xf690240ad1865ab6fe8c06d7e956de7fd877cbf7n,
  '0x3f45de2d635a6b087c80603ec1416e699edba6b2cd8d1d1e05add3dc6a01f3d2':
    0xd283a8aff77f4fb7b7a9ec78b09b26e083da304n,
  '0x42745319680dbe6769545a89399626eedaa7c4d1d3d813b272158972cfd23e52':
    0xd2b18fb965968a81e2f0dcc777775aaba5f036e8n,
  '0x8ded9e69a1060de4ccc5b83484dc51ded413205d63a57a22c5a31f3b285693e2':
    0x87784c08716671b8dc3b942e682e692f92f73381n,
  '0xccf6e5a9e737c27836dfa6601e82b4296a23feb2775bfdf549aa2717b34a0849':
    0x12e2c8eb371d43416dc9f3b92b8c84a8cce6ada0n,
  '0xdb0c62b2ec141f0a4bb5dd01b05cb06824d445ece3979c01002904dd00fafb6f':
    0xeb4a898c0ba5d0cdc5886156408edaea5b0a188dn,
}

const GENESIS = join(import.meta.dirname, '../../../vectors/networks/bepolia/genesis.json')

type Genesis = { app_state: { beacon: { deposits: { pubkey: Hex }[] } } }

test('the slots are those of the real contract', () => {
  const genesis = JSON.parse(readFileSync(GENESIS, 'utf8')) as Genesis
  const { deposits } = genesis.app_state.beacon
  const slots = deposits.map(({ pubkey }) => DEPOSIT_SLOTS.operatorOf(pubkey))
  expect(STORAGE[DEPOSIT_SLOTS.count]).toBe(BigInt(deposits.length))
  expect([DEPOSIT_SLOTS.count, ...slots].toSorted()).toEqual(Object.keys(STORAGE).toSorted())
  expect(new Set(slots.map((slot) => addressIn(STORAGE[slot] ?? 0n))).size).toBe(deposits.length)
})
