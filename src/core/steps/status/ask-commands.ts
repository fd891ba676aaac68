import type { Gwei } from '../../base/format/amount.ts'
import type { Hex } from '../../base/format/hex.ts'
import { engineKey, keyOfEngine, runsWithKey } from '../../chain/identity/engine-key.ts'
import type { EngineClient } from '../../clients/engine/client.ts'
import {
  type EngineStatus,
  type EngineValidatorSet,
  getEngineStatus,
  getEngineValidators,
} from '../../clients/engine/get-status.ts'
import { asker, type CommandContext } from '../../observe/context.ts'
import type { StatusEvent } from './machine.ts'
import { STATUS_SOURCES, type StatusAnswers } from './values.ts'

/** Tells the answers of the status step. */
export const statusAsker = (context: CommandContext<StatusEvent>) =>
  asker<StatusAnswers>(context, STATUS_SOURCES, (entry) =>
    context.dispatch({ step: 'status', type: 'observed', ...entry }),
  )

/** While nothing of its own has changed the whole set of the engine is asked for so often. */
const SLOTS_BETWEEN_SETS = 30n

/**
 * Asks the engine for what the node runs with and for the set that it counts: for all of that anew while the validator is
 * not in it, when its own power has changed, and once in some slots.
 */
export function createEngineAsker(engine: EngineClient, pubkey: Hex | undefined) {
  const own = { pubkey: pubkey ?? '0x' } as const
  let ownKey: string | undefined
  let runs: { reported: string; pubkey: Hex } | undefined
  let last: { set: EngineValidatorSet; ownPowerGwei: Gwei } | undefined
  return async (engineStatus: EngineStatus | undefined): Promise<StatusAnswers['engine']> => {
    // The curve work of a key need not be done twice.
    ownKey ??= engineKey(own.pubkey)
    const status = engineStatus ?? (await getEngineStatus(engine))
    const { latestHeight, votingPowerGwei: ownPowerGwei, publicKey } = status
    if (runs?.reported !== publicKey.value)
      runs = { reported: publicKey.value, pubkey: keyOfEngine(publicKey.value, engine) }
    const isOld = last === undefined || latestHeight >= last.set.height + SLOTS_BETWEEN_SETS
    const counted = (set: EngineValidatorSet | undefined) =>
      set?.validators.find(({ publicKey }) => publicKey.value === ownKey)
    if (last === undefined || isOld || last.ownPowerGwei !== ownPowerGwei || counted(last.set) === undefined)
      last = { set: await getEngineValidators(engine), ownPowerGwei }
    const { catchingUp } = status
    return { ...powersIn(last.set, ownKey), catchingUp, sameKey: runsWithKey(runs.pubkey, own) === true }
  }
}

/** What the engine counts of a validator, by its set. */
function powersIn({ validators, height }: EngineValidatorSet, ownKey: string) {
  const own = validators.find(({ publicKey: { value } }) => value === ownKey)
  return {
    powerGwei: own?.votingPowerGwei ?? 0n,
    totalGwei: validators.reduce((sum, { votingPowerGwei }) => sum + votingPowerGwei, 0n),
    members: validators.length,
    height,
  }
}
