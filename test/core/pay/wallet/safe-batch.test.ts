import { keccak256, stringToBytes } from 'viem'
import { expect, test } from 'vitest'
import { safeBatch } from '../../../../src/core/pay/wallet/safe-batch.ts'

const SAFE = '0x1111111111111111111111111111111111111111'
const TO = '0x4242424242424242424242424242424242424242'

test('a batch for a Safe has the checksum over the form that its builder makes of it, whatever its name', () => {
  const transaction = {
    chainId: 80094,
    nonce: 0,
    to: TO,
    valueWei: 10n ** 22n,
    data: '0x01',
    gasLimit: 1n,
    maxFeePerGasWei: 1n,
    maxPriorityFeePerGasWei: 1n,
  } as const
  const form = [
    '{["chainId","createdAt","meta","transactions","version"]"80094",1700000000000,',
    '{["createdFromOwnerAddress","createdFromSafeAddress","description","name"]',
    `"","${SAFE}","Carry it out once.",null,},`,
    `[{["data","to","value"]"0x01","${TO}","10000000000000000000000",}],"1.0",}`,
  ].join('')
  for (const name of ['topup-1', 'another']) {
    const text = safeBatch(transaction, SAFE, { name, createdAtMs: 1_700_000_000_000 })
    const batch = JSON.parse(text)
    expect(text).toBe(`${JSON.stringify(batch, undefined, 2)}\n`)
    expect(batch.meta).toMatchObject({ name, checksum: keccak256(stringToBytes(form)) })
  }
})
