import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { PrecompileCall } from '../../src/core/chain/deposit/precompile.ts'
import { executionGenesis } from '../../src/devnet/execution/genesis.ts'
import { startExecution } from '../../src/devnet/execution/start.ts'

const ZERO_WORD: Hex = `0x${'00'.repeat(32)}`

/** Does something with the curve precompiles of the execution client. */
export async function withPrecompiles<Result>(
  work: (call: PrecompileCall) => Promise<Result>,
): Promise<Result> {
  const { call, stop } = await startPrecompiles()
  try {
    return await work(call)
  } finally {
    await stop()
  }
}

/** Starts an execution client for questions to its curve precompiles. */
export async function startPrecompiles(): Promise<{ call: PrecompileCall; stop: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'bearings-precompiles-'))
  const genesis = executionGenesis({
    chainId: 80_087,
    timestampSeconds: 1_800_000_000,
    genesisDeposits: { root: ZERO_WORD, validators: [] },
    accounts: [],
  })
  const clock = createNodeClock()
  const execution = await startExecution({ genesis, clock, directory })
  return {
    call: async (to, data) => (await execution.rpc('eth_call', [{ to, data }, 'latest'])) as Hex,
    async stop() {
      await execution.stop()
      rmSync(directory, { recursive: true })
    },
  }
}
