import { type Hex, keccak256, parseTransaction } from 'viem'
import { tokens } from '../../src/core/base/format/amount.ts'
import { depositsOf } from '../support/deposits-of.ts'
import type { userOf } from '../support/user-of.ts'
import type { World } from '../support/world.ts'
import type { Heard } from './reported.ts'

/** What is agreed to in every one of these registrations, in gwei. */
export const AGREED = [tokens(10_000n), tokens(270_000n)] as const

const WEI_PER_GWEI = 10n ** 9n
const PLAY_MONEY_WEI = 10n ** 24n
/** More than both payments cost at the highest tip that is ever offered. */
const MOST_FEES_WEI = 10n ** 17n

/** Whoever holds the account and the key of a registration. */
export type User = Awaited<ReturnType<typeof userOf>>

/** Bytes as they left, and whether the chain itself had the validator in that moment. */
export type Departure = { raw: Hex; registered: boolean }

/** Whether the beacon state of the head has the validator, with the credentials that were agreed to. */
export function isRegistered({ devnet }: World, { pubkey, withdrawalCredentials }: User): boolean {
  return devnet.state().validators.some((validator) => {
    return validator.pubkey === pubkey && validator.withdrawalCredentials === withdrawalCredentials
  })
}

export type Happened = { user: User; departures: readonly Departure[]; heard: readonly Heard[] }

/** What is wrong with the money that left the account, by the chain itself; nothing when it is as agreed, or less. */
export async function wrongMoney(world: World, user: User): Promise<string[]> {
  const paid = await depositsOf(world.devnet.descriptor.urls.execution, user.pubkey)
  const spentWei = PLAY_MONEY_WEI - (await user.balanceWei())
  const feesWei = spentWei - paid.reduce((sum, amount) => sum + amount, 0n) * WEI_PER_GWEI
  return [
    ...(paid.some((amount, at) => amount !== AGREED[at]) ? [`paid ${paid.join(' and ')} gwei`] : []),
    ...(feesWei < 0n || feesWei > MOST_FEES_WEI
      ? [`the account lost ${feesWei} wei beside the deposits`]
      : []),
  ]
}

/** Top-ups that left before the validator was there, or for which it is not there now: the chain keeps the money. */
export function burnt(world: World, { user, departures }: Happened): string[] {
  const topUps = departures.filter(({ raw }) => valueGweiOf(raw) !== AGREED[0])
  return [
    ...(topUps.some(({ registered }) => !registered)
      ? ['a top-up left before the validator was registered']
      : []),
    ...(topUps.length > 0 && !isRegistered(world, user)
      ? ['the beacon chain does not have the validator']
      : []),
  ]
}

/** Ends of payments that were told and were not so on the chain itself when they were told. */
export async function falseEnds({ user, heard }: Happened): Promise<string[]> {
  const wrong: string[] = []
  for (const { payment, outcome, hash, atSlot } of heard.flatMap(({ ends }) => ends)) {
    const receipt = (await user.rpc('eth_getTransactionReceipt', [hash])) as Receipt | null
    const status = receipt === null || BigInt(receipt.blockNumber) > atSlot ? 'none' : receipt.status
    if (status !== STATUS[outcome])
      wrong.push(`payment ${payment} told as ${outcome}, its receipt says ${status}`)
  }
  return wrong
}

/** Of the transactions that left here, each once, how many the chain took for a payment of this amount. */
export async function takenOf({ user, departures }: Happened, amountGwei: bigint): Promise<number> {
  const raws = new Set(departures.map(({ raw }) => raw).filter((raw) => valueGweiOf(raw) === amountGwei))
  const receipts = await Promise.all(
    [...raws].map((raw) => user.rpc('eth_getTransactionReceipt', [keccak256(raw)])),
  )
  return receipts.filter((receipt) => (receipt as Receipt | null)?.status === '0x1').length
}

type Receipt = { status: Hex; blockNumber: Hex }

const valueGweiOf = (raw: Hex) => (parseTransaction(raw as `0x02${string}`).value ?? 0n) / WEI_PER_GWEI

/** The status that the chain must have for the hash. */
const STATUS = { paid: '0x1', cancelled: '0x1', reverted: '0x0', 'nonce taken': 'none' } as const
