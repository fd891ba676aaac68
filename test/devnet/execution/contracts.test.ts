import { readFileSync } from 'node:fs'
import { toEventSelector, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  artifactText,
  artifactUrl,
  CONTRACT_NAMES,
  compileContract,
} from '../../../scripts/contracts/compile.ts'
import { check } from '../../../scripts/vectors/contract.ts'

type AbiItem = { type: string; name?: string; inputs?: { type: string; indexed?: boolean }[] }

const signature = (item: AbiItem): string =>
  `${item.name}(${(item.inputs ?? []).map(({ type }) => type).join(',')})`

describe('the contracts of the rehearsal network', () => {
  test.each(CONTRACT_NAMES)('%s is what its source compiles to', (name) => {
    expect(readFileSync(artifactUrl(name), 'utf8')).toBe(artifactText(compileContract(name)))
  })

  test('the deposit contract has the interface of the real one', () => {
    const abi = compileContract('DepositContract').abi as AbiItem[]
    const selectors = Object.fromEntries(
      abi
        .filter(({ type }) => type !== 'event')
        .map((item) => [item.name, toFunctionSelector(`function ${signature(item)}`)]),
    )
    expect(selectors).toMatchObject({
      deposit: '0xe12cf4cb',
      InsufficientDeposit: '0x0e1eddda',
      DepositNotMultipleOfGwei: '0x40567b38',
      DepositValueTooHigh: '0x2aa66734',
      InvalidPubKeyLength: '0x9f106472',
      InvalidCredentialsLength: '0xb39bca16',
      InvalidSignatureLength: '0x4be6321b',
      ZeroOperatorOnFirstDeposit: '0x51969a7a',
      OperatorAlreadySet: '0xc4142b41',
      queuedOperator: '0x560036ec',
      requestOperatorChange: '0xfea7ab77',
      cancelOperatorChange: '0x577212fe',
      acceptOperatorChange: '0xc53925d9',
      NotOperator: '0x7c214f04',
      NotNewOperator: '0x819a0d0b',
      NotEnoughTime: '0xe8966d7a',
    })
    const event = abi.find(({ type, name }) => type === 'event' && name === 'Deposit')
    expect(event?.inputs?.some(({ indexed }) => indexed)).toBe(false)
    expect(toEventSelector('Deposit(bytes,bytes,uint64,bytes,uint64)')).toBe(
      '0x68af751683498a9f9be59fe8b0d52a64dd155255d85cdb29fea30b1e3f891d46',
    )
    const queued = abi.find(({ type, name }) => type === 'event' && name === 'OperatorChangeQueued')
    expect(queued?.inputs?.map(({ indexed }) => indexed)).toEqual([true, false, false, false])
    expect(toEventSelector(`event ${signature(queued ?? { type: 'event' })}`)).toBe(
      '0x7640ec3c8c4695deadda414dd20400acf275297a7c38715f9237657e97ddba5f',
    )
  })

  const lines = () => {
    const file = new URL('../../vectors/recorded/contract.jsonl', import.meta.url)
    return readFileSync(file, 'utf8').split('\n')
  }

  test('every recorded call, deposit and operator of a real network comes out the same', async () => {
    expect(await check(lines())).toEqual({ passed: 22, failures: [] })
  })

  test('a replay notices a row that is not as it was', async () => {
    const [first = ''] = lines()
    const { passed, failures } = await check([first.replace('0x0e1eddda', '0x0e1edddb')])
    expect(passed).toBe(0)
    expect(failures).toEqual([
      expect.stringMatching(
        /^row 1 \(below the minimum\): no name for .*0x0e1edddb; error data: found 0x0e1eddda, expected 0x0e1edddb$/,
      ),
    ])
  })
})
