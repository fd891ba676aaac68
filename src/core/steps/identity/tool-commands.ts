import { decodeEngineStatus } from '../../clients/engine/get-status.ts'
import { toolUnreadable } from '../../errors/tool.ts'
import { decodeWhole, FieldFault } from '../../format/decode.ts'
import { compressedKey } from '../../identity/engine-key.ts'
import { toolStatus, toolValidatorKeys } from '../../identity/node-tool.ts'
import type { NodeTool } from '../../identity/run-tool.ts'
import type { IdentityAnswers } from './state.ts'
import type { ToolAnswers } from './tool.ts'

type Ask = <K extends keyof IdentityAnswers>(
  key: K,
  source: string,
  question: () => Promise<IdentityAnswers[K]>,
) => Promise<unknown>

/** Asks the node tool what it sees in a home; of a key that is not there it is not asked. */
export async function askTool(
  tool: NodeTool | undefined,
  { home, keyIsHere }: { home: string; keyIsHere: boolean },
  ask: Ask,
): Promise<void> {
  if (tool === undefined) return
  await Promise.all([
    keyIsHere ? ask('toolKeys', tool.path, () => toolValidatorKeys(tool, { home })) : undefined,
    ask('toolStatus', tool.path, () => statusOf(tool, home)),
  ])
}

/** Reads the status that the node tool prints. Throws a `ToolError`, or what running it throws. */
async function statusOf(tool: NodeTool, home: string): Promise<ToolAnswers['toolStatus']> {
  const printed = await toolStatus(tool, { home })
  const { network, latestHeight, catchingUp, publicKey } = decoded(printed)
  return { network, height: latestHeight, catchingUp, pubkey: compressedKey(publicKey.value) }
}

function decoded(printed: unknown) {
  try {
    return decodeWhole(decodeEngineStatus, printed)
  } catch (fault) {
    if (fault instanceof FieldFault) throw toolUnreadable('status', fault.path, fault.found)
    throw fault
  }
}
