import fc from 'fast-check'
import { encodeFunctionData, type Hex, parseAbi, toHex, zeroAddress } from 'viem'
import { privateKeyToAccount, signAuthorization } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { verify } from '../../src/commands/verify.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { DEPOSIT_SELECTOR } from '../../src/core/chain/deposit/abi.ts'
import { encodeFirstDeposit } from '../../src/core/chain/deposit/calldata.ts'
import { credentialsOf } from '../../src/core/chain/deposit/credentials.ts'
import { signDepositMessage } from '../../src/core/chain/deposit/sign.ts'
import { BEPOLIA } from '../../src/core/chain/network/presets.ts'
import { cheapEffects } from '../support/cheap-curve.ts'
import { runsOf } from '../support/hard.ts'
import { noSigner } from '../support/offline.ts'
import { runCommandWith } from '../support/run-command.ts'
import { multiSend, SAFE_ABI } from '../support/safe-contracts.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'
import { userOf } from '../support/user-of.ts'
import { pass, testDevnet } from '../support/with-devnet.ts'

const real = cheapEffects({ signer: noSigner })
const offline = { ...real, http: { request: () => Promise.reject(new Error('no network here')) } }

const judge = async (argv: readonly string[], effects: typeof real = offline) => {
  const ended = await runCommandWith(verify, [...argv, '--json'], effects)
  return { ...ended, row: (id: string) => ended.json().rows.find((each) => each.id === id) }
}

const { pubkey, secretKey } = keyedDeposit()
const OTHER: Hex = `0x${'3c'.repeat(20)}`
const SAFE: Hex = `0x${'5a'.repeat(20)}`
const message = {
  pubkey,
  withdrawalCredentials: credentialsOf(OTHER),
  amountGwei: 10_000_000_000_000n,
}
const signature = signDepositMessage(secretKey, message, BEPOLIA)
const input = encodeFirstDeposit({ ...message, signature, operator: OTHER })
const sender = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const CONTRACT = BEPOLIA.spec.depositContract
const VALUE = message.amountGwei * 10n ** 9n

const PLAIN = {
  chainId: 80_069,
  nonce: 3,
  to: CONTRACT,
  value: VALUE,
  data: input,
  gas: 500_000n,
}
const FEES = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
type Changes = Partial<typeof PLAIN & typeof FEES>

const signed = (changes: Changes = {}): Promise<Hex> =>
  sender.signTransaction({ type: 'eip1559', ...PLAIN, ...FEES, ...changes })

async function withAuthorization(): Promise<Hex> {
  const authorization = await signAuthorization({
    privateKey: `0x${'22'.repeat(32)}`,
    contractAddress: OTHER,
    chainId: 80_069,
    nonce: 0,
  })
  return sender.signTransaction({
    type: 'eip7702',
    ...PLAIN,
    ...FEES,
    authorizationList: [authorization],
  })
}

const withBlob = (): Promise<Hex> =>
  sender.signTransaction({
    type: 'eip4844',
    ...PLAIN,
    ...FEES,
    maxFeePerBlobGas: 1n,
    blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
    sidecars: false,
  })

const withAccessList = (): Promise<Hex> =>
  sender.signTransaction({
    type: 'eip1559',
    ...PLAIN,
    ...FEES,
    accessList: [{ address: OTHER, storageKeys: [] }],
  })

type InnerCall = { to: Hex; value: bigint; data: Hex }
type Refund = { safeTxGas?: bigint; baseGas?: bigint; gasPrice?: bigint; gasToken?: Hex; receiver?: Hex }

/** As the Safe's own contract has it, not as the program reads it. */
function executionOf(call: InnerCall, operation: 0 | 1, refund: Refund = {}): Hex {
  const {
    safeTxGas = 0n,
    baseGas = 0n,
    gasPrice = 0n,
    gasToken = zeroAddress,
    receiver = zeroAddress,
  } = refund
  return encodeFunctionData({
    abi: SAFE_ABI,
    functionName: 'execTransaction',
    args: [call.to, call.value, call.data, operation, safeTxGas, baseGas, gasPrice, gasToken, receiver, '0x'],
  })
}

const DEPOSIT: InnerCall = { to: CONTRACT, value: VALUE, data: input }
const batchOf = (calls: readonly InnerCall[], refund: Refund = {}): Hex =>
  executionOf({ ...multiSend([...calls]), value: 0n }, 1, refund)
const carried = (data: Hex, value = 0n): Promise<Hex> => signed({ to: SAFE, value, data })

const TRANSFER = encodeFunctionData({
  abi: parseAbi(['function transfer(address,uint256)']),
  args: [OTHER, 10n ** 24n],
})

describe('a transaction that does more than the deposit is no yes:', () => {
  test.each<[string, () => Promise<Hex>, string, 1 | 3]>([
    ['it gives an account the code of a contract', withAuthorization, 'authorizations', 1],
    ['it carries a blob', withBlob, 'blobs', 1],
    ['it has an access list', withAccessList, 'accessList', 3],
    ['its fee is 300 BERA', () => signed({ maxFeePerGas: 6n * 10n ** 14n }), 'fee', 1],
    ['its gas is that of a plain transfer', () => signed({ gas: 21_000n }), 'gas', 1],
    ['its gas may be too little', () => signed({ gas: 60_000n }), 'gas', 3],
    [
      'the account pays for the gas',
      () => carried(executionOf(DEPOSIT, 0, { baseGas: 10n ** 9n, gasPrice: 10n ** 12n, receiver: OTHER })),
      'refund',
      1,
    ],
    ['it brings the account tokens', () => carried(executionOf(DEPOSIT, 0), 1n), 'sent', 1],
    [
      'a batch sends tokens to somebody',
      () => carried(batchOf([DEPOSIT, { to: OTHER, value: 10n ** 18n, data: '0x' }])),
      'call-1',
      1,
    ],
    [
      'a batch calls another contract first',
      () => carried(batchOf([{ to: OTHER, value: 0n, data: TRANSFER }, DEPOSIT])),
      'call-1',
      1,
    ],
    [
      'a batch has another account do something',
      () => carried(batchOf([DEPOSIT, { to: OTHER, value: 0n, data: executionOf(DEPOSIT, 0) }])),
      'call-1',
      1,
    ],
    [
      'its fields are written in no usual way',
      async () => carried(executionOf(DEPOSIT, 0).replace(/0{24}(?=4242)/, `${'0'.repeat(23)}1`) as Hex),
      'encoding',
      3,
    ],
  ])('%s', async (_, raw, id, code) => {
    const ended = await judge([await raw()])
    expect([ended.code, ended.row(id)?.mark]).toEqual([code, code === 1 ? 'refused' : 'unknown'])
    expect(ended.json().verdict).toBe(code === 1 ? 'no' : 'unknown')
  })

  test('a call within a call is told in words, with whom it pays', async () => {
    const inner = batchOf([{ to: OTHER, value: 2n * 10n ** 18n, data: '0x' }])
    const { row } = await judge([await carried(batchOf([DEPOSIT, { to: SAFE, value: 0n, data: inner }]))])
    expect(row('call-1')?.value).toContain('2 BERA')
    expect(row('call-1')?.value).toMatch(/3c3c/i)
  })

  test('what a legacy transaction pays for its gas is in a row, too', async () => {
    const raw = await sender.signTransaction({ type: 'legacy', ...PLAIN, gasPrice: 10n ** 9n })
    const ended = await judge([raw])
    expect([ended.code, ended.row('fee')?.value]).toEqual([0, 'at most 0.0005 BERA in all'])
  })
})

describe('on the chain', () => {
  test('the nonce and the gas are compared with what the account and the call need', async () => {
    const network = await testDevnet({ clock: createNodeClock(), seed: 'sender' })
    try {
      const { devnet } = network
      const user = await userOf(devnet)
      const on = async (changes: Changes) => {
        const raw = await user.account.signTransaction({
          type: 'eip1559',
          ...PLAIN,
          ...FEES,
          chainId: devnet.descriptor.chainId,
          to: devnet.chain.input.spec.depositContract,
          data: user.firstDepositCalldata(10_000n),
          nonce: 0,
          ...changes,
        })
        return judge([raw, '--devnet', JSON.stringify(devnet.descriptor)], real)
      }
      expect((await on({})).row('nonce')?.mark).toBe('proven')
      expect((await on({})).row('gas')?.mark).toBe('proven')
      expect((await on({})).code).toBe(0)
      for (const [changes, id] of [
        [{ nonce: 7 }, 'nonce'],
        [{ gas: 45_000n }, 'gas'],
      ] as const) {
        const ended = await on(changes)
        expect([ended.code, ended.row(id)?.mark]).toEqual([1, 'refused'])
      }
      await user.send(user.address, '0x', 0n)
      await pass(devnet, 1)
      const used = await on({ nonce: 0 })
      expect([used.code, used.row('nonce')?.mark]).toEqual([1, 'refused'])
    } finally {
      await network.end()
    }
  })
})

/** What another call of a batch may be. */
const others: fc.Arbitrary<InnerCall> = fc.oneof(
  fc.constant({ to: OTHER, value: 0n, data: '0x' as const }),
  fc.bigInt({ min: 1n, max: 10n ** 24n }).map((value) => ({ to: OTHER, value, data: '0x' as const })),
  fc
    .uint8Array({ minLength: 1, maxLength: 80 })
    .map((bytes): InnerCall => ({ to: OTHER, value: 0n, data: toHex(bytes) }))
    .filter(({ data }) => !data.startsWith(DEPOSIT_SELECTOR)),
  fc.constant({ to: SAFE, value: 0n, data: executionOf(DEPOSIT, 0) }),
)

const shape = fc.record({
  by: fc.constantFrom('account', 'safe', 'batch'),
  kind: fc.constantFrom('eip1559', 'legacy', 'eip2930', 'authorization', 'blob', 'listed'),
  gas: fc.constantFrom(21_000n, 60_000n, 150_000n, 500_000n),
  fee: fc.constantFrom(1n, 10n ** 9n, 10n ** 12n, 10n ** 12n + 10n ** 9n, 10n ** 15n),
  before: fc.array(others, { maxLength: 2 }),
  after: fc.array(others, { maxLength: 2 }),
  gasPrice: fc.constantFrom(0n, 0n, 1n, 10n ** 12n),
  baseGas: fc.constantFrom(0n, 5n),
  sent: fc.constantFrom(0n, 0n, 1n, VALUE),
  byteAt: fc.option(fc.nat(), { nil: undefined }),
})

const authorization = signAuthorization({
  privateKey: `0x${'22'.repeat(32)}`,
  contractAddress: OTHER,
  chainId: 80_069,
  nonce: 0,
})

type Given = typeof shape extends fc.Arbitrary<infer Shape> ? Shape : never

/** A transaction of that shape, and whether it is the one deposit and nothing else, well offered. */
async function transactionOf({ by, kind, gas, fee, before, after, gasPrice, baseGas, sent, byteAt }: Given) {
  const calls = [...before, DEPOSIT, ...after]
  const refund = { gasPrice, baseGas }
  const whole = { account: input, safe: executionOf(DEPOSIT, 0, refund), batch: batchOf(calls, refund) }[by]
  const data = byteAt === undefined ? whole : changedAt(whole, byteAt)
  const isOwn = by === 'account'
  const shared = { ...PLAIN, gas, data, to: isOwn ? CONTRACT : SAFE, value: isOwn ? VALUE : sent }
  const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: 0n }
  const raw = await {
    eip1559: () => sender.signTransaction({ type: 'eip1559', ...shared, ...fees }),
    legacy: () => sender.signTransaction({ type: 'legacy', ...shared, gasPrice: fee }),
    eip2930: () => sender.signTransaction({ type: 'eip2930', ...shared, gasPrice: fee }),
    authorization: async () =>
      sender.signTransaction({
        type: 'eip7702',
        ...shared,
        ...fees,
        authorizationList: [await authorization],
      }),
    blob: () =>
      sender.signTransaction({
        type: 'eip4844',
        ...shared,
        ...fees,
        maxFeePerBlobGas: 1n,
        blobVersionedHashes: [`0x01${'ab'.repeat(31)}`],
        sidecars: false,
      }),
    listed: () =>
      sender.signTransaction({
        type: 'eip1559',
        ...shared,
        ...fees,
        accessList: [{ address: OTHER, storageKeys: [] }],
      }),
  }[kind]()
  const isPlain = kind === 'eip1559' || kind === 'legacy' || kind === 'eip2930'
  const isOffered = gas >= 150_000n && fee <= 10n ** 12n
  // Whose code makes the calls of a batch is to be compared by a person.
  const isAlone = isOwn || (by === 'safe' && gasPrice === 0n && sent === 0n)
  return { raw, isOne: isPlain && isOffered && isAlone }
}

/** The bytes with one of them changed. */
function changedAt(data: Hex, at: number): Hex {
  const bytes = Buffer.from(data.slice(2), 'hex')
  const place = at % bytes.length
  bytes.writeUInt8((bytes.readUInt8(place) + 1) % 256, place)
  return toHex(bytes)
}

describe('of any transaction and batch', () => {
  test('only the one deposit and nothing else is a yes', async () => {
    let yes = 0
    await fc.assert(
      fc.asyncProperty(shape, async (given) => {
        const { raw, isOne } = await transactionOf(given)
        const isYes = (await judge([raw])).code === 0
        if (isYes) yes += 1
        // A changed byte may be of the operator, which is no part of what is signed, or of what a Safe's owners sign.
        if (given.byteAt === undefined) expect([given, isYes]).toEqual([given, isOne])
        else if (isYes) expect([given, isOne]).toEqual([given, true])
      }),
      { numRuns: runsOf({ suite: 60, hard: 10_000 }), seed: 54 },
    )
    expect(yes).toBeGreaterThan(0)
  })
})
