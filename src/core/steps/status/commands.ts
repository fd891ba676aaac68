import { getEngineStatus } from '../../clients/engine/get-status.ts'
import { getEngineValidators } from '../../clients/engine/get-validators.ts'
import { watchSurvey } from '../../clients/watch-survey.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { sameHex } from '../../format/hex.ts'
import { compressedKey } from '../../identity/engine-key.ts'
import { clientsOf } from '../clients-of.ts'
import { observe, type World } from '../world.ts'
import type { StatusAnswers, StatusEvent } from './machine.ts'
import { ownStanding } from './rank.ts'

/** Watches the validator slot by slot, for as long as the step is open. */
export async function runStatus(world: World<StatusEvent>): Promise<void> {
  const { clock } = world.effects
  const { network, endpoints } = world.setup
  const { node, execution, second, engine } = clientsOf(world)
  const surveys = watchSurvey(
    { node, execution, second },
    { clock, spec: network.spec, keep: world.facts().identity?.pubkey },
  )
  let lastSlot: bigint | undefined
  for (;;) {
    const survey = await observe(
      world,
      endpointName(endpoints.node),
      () => surveys.read(),
      (seen) => world.dispatch({ step: 'status', type: 'observed', key: 'survey', seen }),
    )
    await observe(
      world,
      endpointName(endpoints.engine),
      () => engineAnswer(world, engine),
      (seen) => world.dispatch({ step: 'status', type: 'observed', key: 'engine', seen }),
    )
    if (survey !== undefined && survey.consensus.slot !== lastSlot) {
      lastSlot = survey.consensus.slot
      const place = ownStanding(survey, world.facts(), world.setup)
      if (place !== undefined) await world.dispatch({ step: 'status', type: 'ranked', rank: place.rank })
    }
    await clock.sleep(network.slotMs, world.signal)
  }
}

async function engineAnswer(
  world: World<StatusEvent>,
  engine: Parameters<typeof getEngineStatus>[0],
): Promise<StatusAnswers['engine']> {
  const [status, set] = await Promise.all([getEngineStatus(engine), getEngineValidators(engine)])
  const pubkey = world.facts().identity?.pubkey ?? ''
  const own = set.validators.find(({ publicKey }) => sameHex(compressedKey(publicKey.value), pubkey))
  return {
    powerGwei: own?.votingPowerGwei ?? 0n,
    totalGwei: set.validators.reduce((sum, { votingPowerGwei }) => sum + votingPowerGwei, 0n),
    members: set.validators.length,
    height: set.height,
    catchingUp: status.catchingUp,
    sameKey: sameHex(compressedKey(status.publicKey.value), pubkey),
  }
}
