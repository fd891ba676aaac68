import { tokens } from '../../src/core/base/format/amount.ts'
import { FAR_FUTURE_EPOCH } from '../../src/core/chain/consensus/state.ts'
import { MAINNET } from '../../src/core/chain/network/presets.ts'
import { emptyMemory, type WatchMemory } from '../../src/core/observe/memory.ts'
import {
  type HeadPicture,
  LIMITS,
  type NetworkPicture,
  type ValidatorPicture,
  type WatchContext,
} from '../../src/core/observe/picture.ts'
import { NOTHING_COUNTED, type Sample, samplesOf, type Tally, tallyAfter } from '../../src/watch/metrics.ts'
import { watchTransition } from '../../src/watch/transition.ts'
import { pubkey, validatorOf } from '../core/chain/consensus/model.ts'

export const CONTEXT: WatchContext = {
  network: MAINNET,
  wizardOptions: ['--network', 'mainnet'],
  limits: LIMITS,
}
/** When a made-up look is, and at which slot, where a test does not say. */
export const START_MS = 1_800_000_000_000
export const START_SLOT = 1000n

/** An active validator of which everything was seen, changed where a test says so. */
export function seenValidator(changes: Partial<ValidatorPicture> = {}): ValidatorPicture {
  const slot = START_SLOT
  const epoch = slot / MAINNET.spec.slotsPerEpoch
  const cutoff = { rank: 70, pubkey: pubkey(70), stakeGwei: tokens(290_000n), hasPlace: false }
  const place = {
    epoch: epoch + 2n,
    rank: 65,
    places: 69,
    stakeGwei: tokens(300_000n),
    lastPlace: undefined,
    cutoff,
    marginGwei: tokens(10_000n),
    othersNeedGwei: tokens(15_000n),
  }
  return {
    pubkey: pubkey(7),
    name: 'seven',
    record: {
      index: 7,
      validator: validatorOf({
        pubkey: pubkey(7),
        activationEpoch: 0n,
        exitEpoch: FAR_FUTURE_EPOCH,
        effectiveBalanceGwei: tokens(300_000n),
      }),
      balanceGwei: tokens(300_000n) + 500_000_000n,
      slot,
      epoch,
    },
    level: { by: 'proof', anchors: 2 },
    ahead: {
      slot,
      epoch,
      isWhole: true,
      isReported: false,
      oneDepositGwei: tokens(10_000n),
      liftGwei: tokens(10_000n),
      activeAtEpoch: undefined,
      dropsOutAtEpoch: epoch + 3n,
      rescue: {
        leastTopUpGwei: tokens(20_000n),
        lessGwei: undefined,
        lastGoodBlock: 1535n,
        sendByBlock: 1529n,
      },
      place,
      now: { ...place, epoch, rank: 60 },
    },
    signed: [{ height: slot, signed: true, othersMissed: 0, others: 68 }],
    ...changes,
  }
}

/** The own node, which answers, and an execution endpoint of somebody else, which does not. */
export const HEADS: readonly HeadPicture[] = [
  { role: 'node', place: 0, name: '127.0.0.1:3500', slot: START_SLOT },
  { role: 'execution', place: 1, name: 'rpc.example.com' },
]

/** What a look saw: all of it, changed where a test says so. */
export function look(changes: Partial<NetworkPicture> = {}): NetworkPicture {
  return { atMs: START_MS, heads: HEADS, validators: [seenValidator()], ...changes }
}

/** The samples after some looks, one after the other, by the rules of a watch. */
export function samplesAfter(...sightings: readonly NetworkPicture[]): readonly Sample[] {
  let memory: WatchMemory = emptyMemory(MAINNET)
  let tally: Tally = NOTHING_COUNTED
  let samples: readonly Sample[] = []
  for (const picture of sightings) {
    memory = watchTransition(memory, picture, CONTEXT).memory
    tally = tallyAfter(tally, picture)
    samples = samplesOf({ memory, picture, tally }, { network: MAINNET, version: '0.1.0' })
  }
  return samples
}

/** The samples of a look that saw everything: a validator that drops out, endpoints, alarms with a validator and without. */
export function everySample(): readonly Sample[] {
  const node = { peers: { engine: 12, node: undefined, execution: 30 }, catchesUp: false, clockAheadMs: -250 }
  const channels = [{ name: 'phone', waiting: 1, held: 0, isWorking: false }]
  return samplesAfter(look({ channels, fork: { version: '0x09000000', isKnown: false }, node }))
}
