import { compressedKey, runsWithKey } from '../../chain/identity/engine-key.ts'
import { findNodeTool } from '../../chain/identity/run-tool.ts'
import { getToolStatus } from '../../clients/engine/tool-status.ts'
import type { CommandContext } from '../../observe/world.ts'
import { factAsker } from './ask-commands.ts'
import type { StatusEvent } from './machine.ts'
import { TOOL_TEXT } from './tool-text.ts'

/**
 * Asks the node tool which voting power it prints. False where there is no home or no node tool: nobody is asked then, and
 * that is told.
 */
export async function askTool(world: CommandContext<StatusEvent>): Promise<boolean> {
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
    const sameKey = runsWithKey(compressedKey(publicKey.value), world.facts().identity) === true
    return { powerGwei, height, sameKey }
  }
  await factAsker(world)('tool', answer, tool.path)
  return true
}
