import { execError } from '../../base/errors/exec.ts'
import { decodeWhole, FieldFault } from '../../base/format/decode.ts'
import { type NodeTool, toolStatus } from '../../chain/identity/run-tool.ts'
import { decodeEngineStatus, type EngineStatus } from './get-status.ts'

/** The engine's status as the node tool prints it, of the engine in `client.toml` of a home. Throws as `toolStatus`. */
export async function getToolStatus(tool: NodeTool, { home }: { home: string }): Promise<EngineStatus> {
  const printed = await toolStatus(tool, { home })
  try {
    return decodeWhole(decodeEngineStatus, printed)
  } catch (fault) {
    if (fault instanceof FieldFault) throw execError('tool.unreadable', 'status', fault.path, fault.found)
    throw fault
  }
}
