import { compressedKey, runsWithKey } from '../../chain/identity/engine-key.ts'
import { findNodeTool } from '../../chain/identity/run-tool.ts'
import { getToolStatus } from '../../clients/engine/tool-status.ts'
import type { CommandContext } from '../../observe/context.ts'
import { statusAsker } from './ask-commands.ts'
import type { StatusEvent } from './machine.ts'
import { TOOL_TEXT } from './tool-text.ts'

/**
 * Asks the node tool which voting power it prints. False where there is no home or no node tool: nobody is asked then, and
 * that is told.
 */
export async function askTool(context: CommandContext<StatusEvent>): Promise<boolean> {
  const { effects, setup } = context
  const { homePath: home, network } = setup
  const tool = home === undefined ? undefined : await findNodeTool(effects, network.names.nodeTool)
  if (tool === undefined || home === undefined) {
    const words = home === undefined ? TOOL_TEXT.noHome : TOOL_TEXT.noTool
    const observation = { status: 'unasked', words } as const
    await context.dispatch({ step: 'status', type: 'observed', key: 'tool', observation })
    return false
  }
  const ask = async () => {
    const {
      votingPowerGwei: powerGwei,
      latestHeight: height,
      publicKey,
    } = await getToolStatus(tool, { home })
    const sameKey = runsWithKey(compressedKey(publicKey.value), context.facts().identity) === true
    return { powerGwei, height, sameKey }
  }
  await statusAsker(context)('tool', ask, tool.path)
  return true
}
