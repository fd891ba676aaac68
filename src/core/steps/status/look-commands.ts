import type { EngineClient } from '../../clients/engine/client.ts'
import { getEngineStatus, getEngineValidators } from '../../clients/engine/get-status.ts'
import { readSnapshot } from '../../clients/prove-snapshot.ts'
import type { Hex } from '../../format/hex.ts'
import { engineKey } from '../../identity/engine-key.ts'
import { clientsOf, type World } from '../world.ts'
import { createAlarmLook } from './alarm-commands.ts'
import { askVitals, engineAnswer, factAsker } from './ask-commands.ts'
import type { StatusEvent, StatusState } from './machine.ts'
import { askTool } from './tool-commands.ts'

/** Looks at all that the step watches, once and at once: nothing is followed, and nothing is kept. */
export async function lookAtStatus(
  world: World<StatusEvent>,
  getState: () => StatusState,
  pubkey: Hex,
): Promise<void> {
  const { network } = world.setup
  const { node, execution, second, engine } = clientsOf(world)
  const tell = factAsker(world)
  const { clock } = world.effects
  const alarms = await createAlarmLook(world, getState, pubkey)
  const set = tell('snapshot', () =>
    readSnapshot({ node, execution, second }, { network, keep: pubkey, clock }),
  )
  const vitals = askVitals(world)
  const heard = alarms.look(set)
  const askEngine = async (of: EngineClient) => {
    const [counted, { engine: status = await getEngineStatus(of) }] = await Promise.all([
      getEngineValidators(of),
      heard,
    ])
    return engineAnswer(status, counted, engineKey(pubkey))
  }
  const told = engine && tell('engine', () => askEngine(engine))
  await Promise.all([set, vitals, askTool(world), heard, told])
}
