import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startBareClient } from '../../../src/devnet/execution/bare-client.ts'
import { word } from '../../../src/devnet/execution/contracts.ts'
import { executionGenesis } from '../../../src/devnet/execution/genesis.ts'
import { startExecution } from '../../../src/devnet/execution/start.ts'
import { CLOCK, clientInput, EDR, eachClient, freshDirectory, genesisInput, startNetwork } from './support.ts'

const genesis = executionGenesis(genesisInput)

eachClient('the client underneath', () => {
  test('leaves nothing but its genesis file behind', async () => {
    const { execution, directory, next } = await startNetwork()
    for (let slot = 0; slot < 200; slot += 1) await next()
    await execution.stop()
    await execution.stop()
    expect(readdirSync(directory)).toEqual(['execution-genesis.json'])
  })

  test('is refused when its first block is another one than expected', async () => {
    const expected = word(1)
    const start = startBareClient({
      genesis,
      ...clientInput(freshDirectory()),
      genesisHashExpected: expected,
    })
    await expect(start).rejects.toMatchObject({ code: 'anvil.foreignChain' })
  })

  test('is given up when it is not ready in time', async () => {
    const hasty = { nowMs: () => 0, sleep: () => Promise.resolve() }
    const start = startBareClient({ genesis, ...clientInput(freshDirectory()), clock: hasty })
    await expect(start).rejects.toMatchObject({
      code: 'anvil.notReady',
      details: [expect.stringContaining('20 s'), expect.anything()],
    })
  })

  test('says so when it ends by itself, and every call after that fails', async () => {
    const directory = freshDirectory()
    const execution = await startExecution({ genesis, ...clientInput(directory) })
    for (const client of clientsOf(directory)) process.kill(client, 'SIGKILL')
    expect(await execution.died).toMatchObject({ code: 'anvil.died', retryable: true })
    await expect(execution.rpc('eth_chainId', [])).rejects.toMatchObject({ code: 'anvil.unreachable' })
    await execution.stop()
  })

  test('ends when the process that started it is killed', async () => {
    const script = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url))
    const directory = freshDirectory()
    const client = JSON.stringify(clientInput(directory).client ?? null)
    const parent = spawn(process.execPath, [script, directory, client], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(parent.stdout, 'data')
    expect(clientsOf(directory)).toHaveLength(1)
    parent.kill('SIGKILL')
    await expect.poll(() => clientsOf(directory)).toEqual([])
  })
})

describe('anvil', () => {
  test('does not start on a port that something else holds, and never talks to that', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const clientPort = typeof address === 'object' && address !== null ? address.port : 0
    const start = startBareClient({ genesis, clock: CLOCK, directory: freshDirectory(), clientPort })
    await expect(start).rejects.toMatchObject({ code: 'anvil.notReady', retryable: true })
    other.close()
  })
})

describe.runIf(EDR !== undefined)('EDR', () => {
  test('says what is wrong with a library that cannot be loaded', async () => {
    const directory = freshDirectory()
    const client = { kind: 'edr', path: join(directory, 'nothing') } as const
    await expect(startBareClient({ genesis, clock: CLOCK, directory, client })).rejects.toMatchObject({
      code: 'anvil.notReady',
      details: ['It ended with exit code 1.', expect.stringContaining('nothing')],
    })
  })

  test('says that it did not start where the system refuses its start at once', async () => {
    const directory = freshDirectory()
    // Longer than the arguments of a program may be.
    const client = { kind: 'edr', path: join(directory, 'x'.repeat(4_000_000)) } as const
    await expect(startBareClient({ genesis, clock: CLOCK, directory, client })).rejects.toMatchObject({
      code: 'anvil.notReady',
      details: [expect.stringContaining('spawn'), expect.anything()],
    })
  })

  test('outlives what a terminal sends to all its programs: its owner ends it', async () => {
    const directory = freshDirectory()
    const execution = await startExecution({ genesis, clock: CLOCK, directory, ...(EDR && { client: EDR }) })
    onTestFinished(() => execution.stop())
    for (const client of clientsOf(directory)) {
      process.kill(client, 'SIGINT')
      process.kill(client, 'SIGHUP')
    }
    expect(await execution.rpc('eth_chainId', [])).toBe('0x138d7')
  })
})

/** Process ids of the clients that work in a directory, as the kernel lists them. */
function clientsOf(directory: string): number[] {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const found = processes.filter((entry) => {
    const [program = '', ...args] = commandLine(entry)
    const isClient = program.endsWith('anvil') || args[0]?.includes('edr-child') === true
    return isClient && args.some((arg) => arg.startsWith(directory))
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
