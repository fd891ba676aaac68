import { expect, test } from 'vitest'
import { tokens } from '../../src/core/base/format/amount.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory } from '../../src/core/observe/memory.ts'
import {
  type AheadPicture,
  LIMITS,
  type NetworkPicture,
  type ValidatorPicture,
} from '../../src/core/observe/picture.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { pubkey, validatorOf } from '../core/chain/consensus/model.ts'

const context = { network: MAINNET, wizardOptions: [], limits: LIMITS }
const { slotsPerEpoch } = MAINNET.spec
const BLOCK = 2000n

/** A look at a slot after somebody's deposit was in block 2000, which only the first one sees come. */
function look(slot: bigint, is: 'active' | 'paid back' | 'waits to be paid'): NetworkPicture {
  const epoch = slot / slotsPerEpoch
  const isOut = is !== 'active'
  const validator = {
    ...validatorOf({ pubkey: pubkey(7), activationEpoch: 0n }),
    exitEpoch: isOut ? 1n : FAR_FUTURE_EPOCH,
    withdrawableEpoch: isOut ? 2n : FAR_FUTURE_EPOCH,
    effectiveBalanceGwei: is === 'active' ? tokens(300_000n) : 0n,
  }
  const balanceGwei = is === 'paid back' ? 0n : tokens(10_000n)
  const ahead: AheadPicture = {
    slot: slot - 1n,
    epoch,
    dropsOutAtEpoch: undefined,
    activeAtEpoch: undefined,
    rescue: undefined,
    oneDepositGwei: 0n,
    liftGwei: 0n,
    place: undefined,
    isWhole: true,
    isReported: false,
  }
  const deposit = {
    index: 5n,
    blockSlot: BLOCK,
    amountGwei: tokens(10_000n),
    transactionHash: `0x${'11'.repeat(32)}` as const,
    isOwn: false,
  }
  const watched: ValidatorPicture = {
    pubkey: pubkey(7),
    record: { index: 7, validator, balanceGwei, slot, epoch },
    ...(isOut ? {} : { ahead }),
    deposits: slot === BLOCK ? [deposit] : [],
  }
  return {
    atMs: 1_800_000_000_000 + Number(slot) * MAINNET.slotMs,
    heads: [{ role: 'node', place: 0, name: 'own', slot }],
    validators: [watched],
  }
}

function changes(looks: readonly NetworkPicture[]) {
  let memory = emptyMemory(MAINNET)
  return looks.map((picture) => {
    const next = watchTransition(memory, picture, context)
    memory = next.memory
    return next.events.filter(({ alarm }) => alarm === 'deposit-unexpected').map(({ change }) => change)
  })
}

test('a deposit of somebody else stands for an epoch, though it is counted at once', () => {
  const slots = [BLOCK, BLOCK + 2n, BLOCK + slotsPerEpoch - 1n, BLOCK + slotsPerEpoch]
  expect(changes(slots.map((slot) => look(slot, 'active')))).toEqual([['fired'], [], [], ['cleared']])
})

test('one for a validator that has left is over once it was paid back', () => {
  const waits = look(BLOCK + slotsPerEpoch, 'waits to be paid')
  const paid = look(BLOCK + slotsPerEpoch + 1n, 'paid back')
  expect(changes([look(BLOCK, 'paid back'), waits, paid])).toEqual([['fired'], [], ['cleared']])
})
