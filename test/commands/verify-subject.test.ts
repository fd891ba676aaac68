import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verify } from '../../src/commands/verify.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { groupHex } from '../../src/core/base/format/hex.ts'
import { credentialsOf } from '../../src/core/chain/deposit/credentials.ts'
import { type DepositFile, writeDepositFile } from '../../src/core/chain/deposit/deposit-file.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import { BEPOLIA, MAINNET } from '../../src/core/chain/network/presets.ts'
import { noSigner } from '../support/offline.ts'
import { runCommandWith } from '../support/run-command.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'

const real = createNodeEffects({ signer: noSigner })
const effects = { ...real, http: { request: () => Promise.reject(new Error('no network here')) } }

const WITHDRAWAL = getAddress(`0x${'3c'.repeat(20)}`)
const OPERATOR = getAddress(`0x${'ab'.repeat(20)}`)
const ELSEWHERE = {
  network: 'rehearsal',
  executionChainId: 80_555,
  genesisValidatorsRoot: `0x${'5e'.repeat(32)}`,
  genesisForkVersion: '0x05000000',
} as const

type Chain = Pick<
  DepositFile,
  'network' | 'executionChainId' | 'genesisValidatorsRoot' | 'genesisForkVersion'
>

const chainOf = ({
  id,
  executionChainId,
  genesisValidatorsRoot,
  genesisForkVersion,
}: typeof BEPOLIA): Chain => ({
  network: id,
  executionChainId,
  genesisValidatorsRoot,
  genesisForkVersion,
})

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'verify-'))
})

afterAll(() => rm(directory, { recursive: true }))

/** What verify says of a file whose signature is right for the chain that it names. */
async function judge(chain: Chain, ...argv: string[]) {
  const { pubkey, secretKey } = keyedDeposit()
  const message = {
    pubkey,
    withdrawalCredentials: credentialsOf(WITHDRAWAL),
    amountGwei: 10_000_000_000_000n,
  }
  const signature = signDepositMessage(secretKey, message, chain)
  const path = join(directory, 'deposit.json')
  await writeFile(path, writeDepositFile({ ...message, ...chain, signature, operator: OPERATOR }))
  const plain = await runCommandWith(verify, [path, ...argv], effects)
  const { code, json } = await runCommandWith(verify, [path, ...argv, '--json'], effects)
  const row = (id: string) => json().rows.find((each) => each.id === id)
  return { code, out: plain.words, json, row }
}

describe('what verify says of a deposit file', () => {
  test('names the built-in network of its root, the amount and both addresses', async () => {
    const { code, out, row } = await judge(chainOf(BEPOLIA))
    expect(code).toBe(0)
    expect(row('network')).toMatchObject({ mark: 'given', value: BEPOLIA.label, source: 'the file' })
    expect(row('amount')?.value).toBe('10,000 BERA')
    expect(row('withdrawal')?.value).toBe(groupHex(WITHDRAWAL))
    expect(row('operator')?.value).toContain(`${groupHex(OPERATOR)}, `)
    expect(out).toContain(`judged for ${BEPOLIA.label} (the file) ${BEPOLIA.genesisValidatorsRoot}`)
    expect(out).toContain('Give --network')
  })

  test('says who named the network where it was you', async () => {
    const { code, out, row } = await judge(chainOf(BEPOLIA), '--network', 'bepolia')
    expect(code).toBe(0)
    expect(row('network')).toMatchObject({ value: BEPOLIA.label, source: 'you' })
    expect(row('file')).toMatchObject({ mark: 'proven', value: 'bepolia, chain 80069' })
    expect(out).not.toContain('Give --network')
  })

  test('does not pass a chain off as known that only the file names', async () => {
    const { code, out, row } = await judge(ELSEWHERE)
    expect(code).toBe(0)
    expect(row('network')).toMatchObject({ mark: 'unasked' })
    expect(out).toMatch(/ rehearsal\b/)
  })

  test('says plainly that a file is of another network than the one that is asked about', async () => {
    const { code, out, row, json } = await judge(ELSEWHERE, '--network', 'mainnet')
    expect(code).toBe(1)
    expect(row('network')).toMatchObject({ value: MAINNET.label, source: 'you' })
    expect(row('file')).toMatchObject({
      mark: 'refused',
      value: `another than ${MAINNET.label}: rehearsal, chain 80555`,
      long: ELSEWHERE.genesisValidatorsRoot,
    })
    expect(json().explanation).toMatchObject({ origin: 'other-network' })
    expect(out).toContain(': rehearsal.')
  })

  test('refuses a file whose chain id is not that of its root', async () => {
    const { code, row } = await judge({ ...chainOf(BEPOLIA), executionChainId: 80_094 })
    expect(code).toBe(1)
    expect(row('file')).toMatchObject({ mark: 'refused', value: expect.stringContaining('of chain 80069') })
  })

  test('refuses a fork version that the network does not have, though the signature is right for it', async () => {
    const { code, row } = await judge({ ...chainOf(BEPOLIA), genesisForkVersion: '0x05000000' })
    expect(code).toBe(1)
    expect(row('library')).toMatchObject({ mark: 'proven' })
    expect(row('network')).toMatchObject({ mark: 'refused' })
  })
})

test('single fields say for which chain they are judged, and that odd credentials pay out nowhere', async () => {
  const { pubkey, signature } = keyedDeposit()
  const fields = {
    pubkey,
    signature,
    credentials: `0x00${'11'.repeat(31)}`,
    amount: '0.000000001',
    network: 'mainnet',
  }
  const argv = Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value])
  const { words: out } = await runCommandWith(verify, argv, effects)
  expect(out).toContain(`judged for ${MAINNET.label}`)
  expect(out).toContain('amount 0.000000001 BERA')
  const { json } = await runCommandWith(verify, [...argv, '--json'], effects)
  const withdrawal = json().rows.find(({ id }) => id === 'withdrawal')
  expect(withdrawal).toMatchObject({ mark: 'unasked', long: fields.credentials })
})
