import { describe, expect, it } from 'vitest'
import { credentialsOf, payoutOf } from '../../../../src/core/chain/deposit/credentials.ts'

const ADDRESS = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

describe('where credentials pay out to', () => {
  it('is an address with its checksum', () => {
    expect(payoutOf(credentialsOf(ADDRESS))).toEqual({ label: 'pays out to', value: ADDRESS })
  })

  it('is nobody where they name no address', () => {
    const credentials = `0x00${'ab'.repeat(31)}`
    expect(payoutOf(credentials)).toEqual({ label: 'pays nobody, credentials', value: credentials })
  })
})
