import { setTimeout as sleep } from 'node:timers/promises'
import { executionGenesis } from '../../../src/devnet/execution/genesis.ts'
import { startExecution } from '../../../src/devnet/execution/start.ts'

/** Started as a program of its own by a test: starts a client, says so, and never ends by itself. */
const [directory = ''] = process.argv.slice(2)
const genesis = executionGenesis({
  chainId: 80_087,
  timestampSeconds: 1_800_000_000,
  genesisDeposits: { root: `0x${'00'.repeat(32)}`, validators: [] },
  accounts: [],
})
await startExecution({
  genesis,
  clock: {
    nowMs: () => 0,
    sleep: (delayMs, signal) => sleep(delayMs, undefined, signal === undefined ? {} : { signal }),
  },
  directory,
})
process.stdout.write('ready\n')
setInterval(() => undefined, 60_000)
