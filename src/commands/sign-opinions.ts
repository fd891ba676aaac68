import type { SignedDeposit } from '../core/deposit/deposit.ts'
import { verifyDeposit } from '../core/deposit/verify.ts'
import type { Setup } from '../core/facts.ts'
import { type Hex, sameHex } from '../core/format/hex.ts'
import { toolCreateValidator } from '../core/identity/node-tool.ts'
import { findNodeTool } from '../core/identity/run-tool.ts'
import type { Call } from './command.ts'
import type { ReportRow } from './report-lines.ts'
import { toolFault } from './tool-fault.ts'

export type Made = { deposit: SignedDeposit; withdrawalAddress: Hex; homePath: string | undefined }

/**
 * What judges on this computer alone say of a signature that was just made: the verification here, and the node tool
 * where it is installed and the key lies in a home of its own, which must make the same 96 bytes.
 */
export async function signOpinions(call: Call, setup: Setup, made: Made): Promise<ReportRow[]> {
  const verdict = verifyDeposit(made.deposit)
  const library: ReportRow = {
    step: 'sign',
    id: 'library',
    label: 'signature library',
    mark: verdict.verdict === 'accepted' ? 'proven' : 'refused',
    value: verdict.verdict === 'accepted' ? 'accepts' : verdict.words,
    source: 'this computer',
  }
  return [library, ...(await toolRow(call, setup, made))]
}

async function toolRow({ effects }: Call, { network }: Setup, made: Made): Promise<ReportRow[]> {
  const { deposit, withdrawalAddress, homePath: home } = made
  const { nodeTool } = network.names
  const tool = await findNodeTool(effects, nodeTool)
  if (tool === undefined || home === undefined) return []
  const row = { step: 'sign', id: 'tool', label: 'node tool signs', source: tool.path } as const
  try {
    const { genesisValidatorsRoot, amountGwei } = deposit
    const order = { home, withdrawalAddress, amountGwei, genesisValidatorsRoot }
    const theirs = await toolCreateValidator(tool, order)
    const same = sameHex(theirs.signature, deposit.signature) && sameHex(theirs.pubkey, deposit.pubkey)
    const value = same ? 'the same 96 bytes' : 'other bytes than ours'
    return [{ ...row, mark: same ? 'proven' : 'refused', value }]
  } catch (thrown) {
    const fix = `see what ${nodeTool} deposit create-validator says by itself`
    return [{ ...row, ...toolFault(thrown), fix }]
  }
}
