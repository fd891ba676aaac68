import { getToolStatus } from '../../clients/engine/tool-status.ts'
import { engineKey } from '../../identity/engine-key.ts'
import { findNodeTool } from '../../identity/run-tool.ts'
import type { World } from '../world.ts'
import { factAsker } from './ask-commands.ts'
import type { StatusEvent } from './machine.ts'
import { TOOL_TEXT } from './tool-text.ts'

/** A program of its own runs for each answer: often enough for what changes with an epoch. */
const SLOTS_BETWEEN_LOOKS = 15

/** Asks the node tool, again and again, which voting power it prints, where there is one to be asked. */
export async function watchTool(world: World<StatusEvent>): Promise<void> {
  const { clock } = world.effects
  while (await askTool(world)) await clock.sleep(SLOTS_BETWEEN_LOOKS * world.setup.network.slotMs)
}

/** Asks it once. False where there is no home or no node tool: nobody is asked then, and that is told. */
export async function askTool(world: World<StatusEvent>): Promise<boolean> {
  const { effects, setup } = world
  const { homePath: home, network } = setup
  const tool = home === undefined ? undefined : await findNodeTool(effects, network.names.nodeTool)
  if (tool === undefined || home === undefined) {
    const words = home === undefined ? TOOL_TEXT.noHome : TOOL_TEXT.noTool
    const seen = { status: 'unasked', words } as const
    await world.dispatch({ step: 'status', type: 'observed', key: 'tool', seen })
    return false
  }
  const answer = async () => {
    const {
      votingPowerGwei: powerGwei,
      latestHeight: height,
      publicKey,
    } = await getToolStatus(tool, { home })
    const ownKey = engineKey(world.facts().identity?.pubkey ?? '0x')
    return { powerGwei, height, sameKey: publicKey.value === ownKey }
  }
  await factAsker(world)('tool', answer, tool.path)
  return true
}
