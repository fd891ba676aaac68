import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startAnvil } from '../../../src/devnet/execution/anvil.ts'
import { word } from '../../../src/devnet/execution/contracts.ts'
import { executionGenesis } from '../../../src/devnet/execution/genesis.ts'
import { startExecution } from '../../../src/devnet/execution/start.ts'
import { CLOCK, freshDirectory, genesisInput, startNetwork } from './support.ts'

const genesis = executionGenesis(genesisInput)

describe('the client underneath', () => {
  test('leaves nothing but its genesis file behind', async () => {
    const { execution, directory, next } = await startNetwork()
    for (let slot = 0; slot < 200; slot += 1) await next()
    await execution.stop()
    await execution.stop()
    expect(readdirSync(directory)).toEqual(['execution-genesis.json'])
  })

  test('is refused when its first block is another one than expected', async () => {
    const expected = word(1)
    const start = startAnvil({
      genesis,
      clock: CLOCK,
      directory: freshDirectory(),
      genesisHashExpected: expected,
    })
    await expect(start).rejects.toMatchObject({ code: 'anvil.foreignChain' })
  })

  test('does not start on a port that something else holds, and never talks to that', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const clientPort = typeof address === 'object' && address !== null ? address.port : 0
    const start = startAnvil({ genesis, clock: CLOCK, directory: freshDirectory(), clientPort })
    await expect(start).rejects.toMatchObject({ code: 'anvil.notReady', retryable: true })
    other.close()
  })

  test('is given up when it is not ready in time', async () => {
    const hasty = { nowMs: () => 0, sleep: () => Promise.resolve() }
    const start = startAnvil({ genesis, clock: hasty, directory: freshDirectory() })
    await expect(start).rejects.toMatchObject({
      code: 'anvil.notReady',
      details: [expect.stringContaining('20 s'), expect.anything()],
    })
  })

  test('says so when it ends by itself, and every call after that fails', async () => {
    const directory = freshDirectory()
    const execution = await startExecution({ genesis, clock: CLOCK, directory })
    for (const client of clientsOf(directory)) process.kill(client, 'SIGKILL')
    expect(await execution.died).toMatchObject({ code: 'anvil.died', retryable: true })
    await expect(execution.rpc('eth_chainId', [])).rejects.toMatchObject({ code: 'anvil.unreachable' })
    await execution.stop()
  })

  test('ends when the process that started it is killed', async () => {
    const script = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url))
    const directory = freshDirectory()
    const parent = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(parent.stdout, 'data')
    expect(clientsOf(directory)).toHaveLength(1)
    parent.kill('SIGKILL')
    await expect.poll(() => clientsOf(directory)).toEqual([])
  })
})

/** Process ids of the clients that work in a directory, as the kernel lists them. */
function clientsOf(directory: string): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = processes.filter((entry) => {
    const [program = '', ...args] = commandLine(entry)
    return program.endsWith('anvil') && args.some((arg) => arg.startsWith(directory))
  })
  return found.map(Number)
}

function commandLine(processId: string): string[] {
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
