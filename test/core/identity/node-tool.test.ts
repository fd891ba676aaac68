import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from '../../../scripts/vectors/tool.ts'
import { ToolError } from '../../../src/core/errors/tool.ts'
import { toolCreateValidator, toolValidate } from '../../../src/core/identity/node-tool.ts'
import { readToolDeposit } from '../../../src/core/identity/tool-output.ts'

const recorded = readFileSync(new URL('../../vectors/recorded/tool.jsonl', import.meta.url), 'utf8').split(
  '\n',
)

const deposit = {
  pubkey: `0x${'a9'.repeat(48)}`,
  withdrawalCredentials: `0x01${'00'.repeat(11)}${'20'.repeat(20)}`,
  amountGwei: 10_000_000_000_000n,
  signature: `0x${'8e'.repeat(96)}`,
} as const
const lines = `✅ Deposit message created successfully!
Note: These values are NOT a receipt.

pubkey: ${deposit.pubkey}
credentials: ${deposit.withdrawalCredentials}
amount: 10000000000000
signature: ${deposit.signature}
`
const json = JSON.stringify({
  pubkey: deposit.pubkey,
  credentials: deposit.withdrawalCredentials,
  amount: '0x9184e72a000',
  signature: deposit.signature,
})

const printing = (stdout: string, exitCode = 0, stderr = '') => ({
  exec: { run: async () => ({ exitCode, stdout, stderr }) },
})
const args = {
  tool: '/usr/bin/tool',
  home: '/node',
  withdrawalAddress: `0x${'20'.repeat(20)}`,
  amountGwei: deposit.amountGwei,
  genesisValidatorsRoot: `0x${'96'.repeat(32)}`,
} as const

async function faultOf(run: Promise<unknown>): Promise<string> {
  const thrown: unknown = await run.then(
    () => undefined,
    (fault) => fault,
  )
  if (thrown instanceof ToolError) return thrown.fault
  throw new Error(`expected a ToolError, got ${String(thrown)}`)
}

describe('the node tool', () => {
  test('is read as it was recorded', async () => {
    expect(await check(recorded)).toEqual({ passed: 30, failures: [] })
  })

  test.each([
    ['labelled lines', lines],
    [
      'labelled lines with quotes and a hex amount',
      lines.replace('amount: 10000000000000', 'amount: "0x9184e72a000"'),
    ],
    ['JSON with a hex amount', json],
    ['JSON below a title', `✅ Deposit message created successfully!\n${json}\n`],
    ['JSON with a bare amount', json.replace('"0x9184e72a000"', '10000000000000')],
  ])('may print its deposit as %s', (_, stdout) => {
    expect(readToolDeposit(stdout)).toEqual(deposit)
  })

  test.each([
    ['nothing', ''],
    ['a field twice', `${lines}amount: 1\n`],
    ['a field too few', lines.replace(/signature.*/, '')],
    ['an amount with a unit', lines.replace('amount: 10000000000000', 'amount: 10000BERA')],
    ['an amount with an exponent', lines.replace('amount: 10000000000000', 'amount: 1e13')],
    ['an amount beyond 64 bits', lines.replace('amount: 10000000000000', 'amount: 18446744073709551616')],
    ['a short pubkey', lines.replace('a9a9', '')],
    ['JSON with a key twice', json.replace('{', '{"amount":"0x1",')],
    ['JSON that is cut', json.slice(0, -1)],
  ])('gives no opinion by %s', (_, stdout) => {
    expect(() => readToolDeposit(stdout)).toThrow(ToolError)
  })

  test('gives no opinion, and no crash, by any other text', () => {
    const piece = fc.constantFrom(
      'pubkey: ',
      'amount: ',
      'signature: ',
      'credentials: ',
      '0x',
      'aa',
      '1',
      '\n',
      '{',
      '}',
      '"',
      ':',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        expect(() => readToolDeposit(pieces.join(''))).toThrow(ToolError)
      }),
      { numRuns: 5000 },
    )
  })

  test('must answer about the address and the amount it was asked for', async () => {
    expect(await toolCreateValidator(printing(lines), args)).toEqual(deposit)
    const address = `0x${'21'.repeat(20)}` as const
    expect(await faultOf(toolCreateValidator(printing(lines), { ...args, withdrawalAddress: address }))).toBe(
      'other-answer',
    )
    expect(await faultOf(toolCreateValidator(printing(lines), { ...args, amountGwei: 1n }))).toBe(
      'other-answer',
    )
    expect(await faultOf(toolCreateValidator(printing('', 2, 'panic: x'), args))).toBe('failed')
  })

  test('says valid, invalid, or nothing', async () => {
    const ask = (stdout: string, exitCode: number, stderr = '') =>
      toolValidate(printing(stdout, exitCode, stderr), { ...args, ...deposit })
    expect(await ask('✅ Deposit message is valid!\n', 0)).toEqual({ valid: true })
    expect(await ask('', 1, 'Error: signer returned an invalid signature\nUsage:')).toEqual({ valid: false })
    expect(await faultOf(ask('', 0))).toBe('unreadable')
    expect(await faultOf(ask('Deposit message is not valid!', 0))).toBe('unreadable')
    expect(await faultOf(ask('', 1, 'Error: unknown command'))).toBe('failed')
    expect(await faultOf(ask('✅ Deposit message is valid!', 1))).toBe('failed')
  })
})
