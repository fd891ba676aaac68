import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Hex } from '../../../src/core/base/format/hex.ts'
import {
  addressIn,
  DEPOSIT_SLOTS,
  verifyAccount,
  verifyStorage,
} from '../../../src/core/chain/proofs/execution-proof.ts'
import { getDepositCount, getOperator } from '../../../src/core/clients/execution/call.ts'
import { getBalance } from '../../../src/core/clients/execution/chain.ts'
import { proveAccount } from '../../../src/core/clients/execution/prove-account.ts'
import { getTransactionCount } from '../../../src/core/clients/execution/transactions.ts'
import type { Devnet } from '../../../src/devnet/devnet.ts'
import { networkOf } from '../../support/network-of.ts'
import { snapshotWorld } from '../../support/snapshot-world.ts'
import { userOf } from '../../support/user-of.ts'
import { pass, testDevnet } from '../../support/with-devnet.ts'

type Reply = {
  stateRoot: Hex
  accountProof: Hex[]
  storageHash: Hex
  storageProof: { proof: Hex[] }[]
}

const NOBODY: Hex = `0x${'77'.repeat(20)}`

let devnet: Devnet
let end: () => Promise<void>
let pubkey: Hex
let operator: Hex
let block: bigint
let stateRoot: Hex
let contract: Hex
let replies: Reply[]

beforeAll(async () => {
  const started = await testDevnet({ seed: 'proofs' })
  devnet = started.devnet
  end = started.end
  await pass(devnet, 2)
  const user = await userOf(devnet)
  await user.firstDeposit(10_000n)
  await pass(devnet, 2)
  pubkey = user.pubkey
  operator = user.address
  contract = networkOf(devnet).spec.depositContract
  const head = await rpc<{ number: Hex; stateRoot: Hex }>('eth_getBlockByNumber', ['latest', false])
  block = BigInt(head.number)
  stateRoot = head.stateRoot
  const slots = [DEPOSIT_SLOTS.count, DEPOSIT_SLOTS.operatorOf(pubkey), DEPOSIT_SLOTS.queuedOf(pubkey)]
  replies = await Promise.all(
    [contract, operator, NOBODY].map(async (address) => ({
      stateRoot,
      ...(await rpc<Omit<Reply, 'stateRoot'>>('eth_getProof', [address, slots, head.number])),
    })),
  )
})
afterAll(() => end())

async function rpc<T>(method: string, params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(devnet.descriptor.urls.execution, { method: 'POST', headers, body })
  return ((await reply.json()) as { result: T }).result
}

describe('an account at a block whose state root is known', () => {
  test('has the nonce, the balance, the count and the operator that the client says', async () => {
    const { execution } = snapshotWorld(devnet).clients
    const slots = [DEPOSIT_SLOTS.count, DEPOSIT_SLOTS.operatorOf(pubkey), DEPOSIT_SLOTS.queuedOf(pubkey)]
    const asked = { depositContract: contract, block }
    const account = await proveAccount(execution, { address: operator, slots: [], block, stateRoot })
    expect(account).toMatchObject({
      nonce: BigInt(await getTransactionCount(execution, { address: operator, block })),
      balanceWei: await getBalance(execution, { address: operator, block }),
    })
    const proven = await proveAccount(execution, { address: contract, slots, block, stateRoot })
    if ('fault' in proven) throw new Error(proven.fault)
    const [count = 0n, named = 0n, queued] = proven.storage
    expect(proven.codeHash).toBe(networkOf(devnet).depositContractCodeHash)
    expect(count).toBe(await getDepositCount(execution, asked))
    expect(addressIn(named)).toBe(await getOperator(execution, { ...asked, pubkey }))
    expect(queued).toBe(0n)
  })

  test('is proven to be absent', () => {
    const [, , absent] = replies
    const account = verifyAccount({ stateRoot, address: NOBODY, proof: absent?.accountProof ?? [] })
    expect(account).toMatchObject({ nonce: 0n, balanceWei: 0n })
  })

  test('is not proven by another root, another account, or nothing', () => {
    const proof = replies[0]?.accountProof ?? []
    const other: Hex = `0x${'12'.repeat(32)}`
    expect(verifyAccount({ stateRoot: other, address: contract, proof })).toHaveProperty('fault')
    expect(verifyAccount({ stateRoot, address: operator, proof })).toHaveProperty('fault')
    expect(verifyAccount({ stateRoot, address: contract, proof: [] })).toHaveProperty('fault')
    const [own] = replies
    const [count] = own?.storageProof ?? []
    const storageRoot = own?.storageHash ?? other
    const slot = DEPOSIT_SLOTS.operatorOf(pubkey)
    expect(verifyStorage({ storageRoot, slot, proof: count?.proof ?? [] })).toHaveProperty('fault')
    expect(verifyStorage({ storageRoot, slot, proof: [] })).toHaveProperty('fault')
  })

  test('is never proven by a proof in which anything was changed', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 2),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('byte', 'left out', 'doubled', 'cut', 'swapped'),
        (which, at, offset, by, change) => {
          const address = [contract, operator, NOBODY][which] ?? contract
          const proof = replies[which]?.accountProof ?? []
          const changed = changeNode(proof, { at, offset, by, change })
          fc.pre(JSON.stringify(changed) !== JSON.stringify(proof))
          expect(verifyAccount({ stateRoot, address, proof: changed })).toHaveProperty('fault')
        },
      ),
      { numRuns: 2000 },
    ))
})

function changeNode(
  proof: readonly Hex[],
  { at, offset, by, change }: { at: number; offset: number; by: number; change: string },
): Hex[] {
  const place = at % proof.length
  const node = Buffer.from((proof[place] ?? '0x').slice(2), 'hex')
  const where = offset % node.length
  const flipped = Buffer.from(node)
  flipped.writeUInt8(node.readUInt8(where) ^ by, where)
  const as = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
  if (change === 'byte') return proof.with(place, as(flipped))
  if (change === 'left out') return proof.toSpliced(place, 1)
  if (change === 'doubled') return proof.toSpliced(place, 0, as(node))
  if (change === 'cut') return proof.with(place, as(node.subarray(0, where)))
  return proof.toReversed()
}
