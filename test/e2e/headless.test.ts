import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { STARTS_NETWORK } from '../../src/commands/rehearse.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import { readDescriptor } from '../../src/core/chain/network/rehearsal.ts'
import { STEP_NAMES_TEXT } from '../../src/core/view/text.ts'
import { STEP_IDS } from '../../src/core/view/view.ts'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import { depositsOf } from '../support/deposits-of.ts'
import { hardTest, runsOf } from '../support/hard.ts'
import { pattern } from '../support/pattern.ts'
import { buildCli, type Run, runCli, runDevnetCli } from '../support/run-cli.ts'

const FIRST_DEPOSIT = tokens(10_000n)
const TOP_UP = tokens(270_000n)

let state: string
const runs: Run[] = []

beforeAll(buildCli)

beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'headless-'))
})

afterEach(async () => {
  for (const run of runs.splice(0)) {
    run.kill('SIGTERM')
    await run.end
  }
  await rm(state, { recursive: true, maxRetries: 5 })
})

function cli(args: readonly string[]): Run {
  const run = runCli(args)
  runs.push(run)
  return run
}

async function network(args: readonly string[]) {
  const { descriptor, run } = await runDevnetCli(args)
  runs.push(run)
  return { descriptor, run, pubkey: validatorKey(descriptor.seed, 'fresh').pubkey }
}

describe('rehearse', () => {
  test('goes all seven steps by itself, says each fact in plain letters, and ends its network', async () => {
    const { code, stdout, stderr } = await cli(['rehearse', '--state', state, '--slot-ms', '100']).end
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${STARTS_NETWORK}\n` })
    expect(stdout).toMatch(/^[\x20-\x7e\n]*$/)
    const lines = stdout.trimEnd().split('\n')
    for (const step of STEP_IDS)
      expect(lines.some((line) => line.startsWith(`${STEP_NAMES_TEXT.of[step].name.padEnd(9)} ok`))).toBe(
        true,
      )
    expect(lines.at(-1)).toMatch(/^ok /)
    const file = join(state, 'rehearsal/network-1/descriptor.json')
    const { pid } = JSON.parse(await readFile(file, 'utf8')) as DevnetDescriptor
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  test('goes on in a network that runs already, and leaves it alone', async () => {
    const folder = join(state, 'rehearsal/network-1')
    const refusing = ['--scenario', 'exited-key']
    const { descriptor } = await network(['--directory', folder, ...refusing, '--slot-ms', '100'])
    const { code, stderr } = await cli(['rehearse', '--state', state]).end
    expect(code).toBe(1)
    const said = stderr.split('\n')
    expect(said[0]).toMatch(pattern` ${folder}$`)
    expect(said).toContainEqual(expect.stringMatching(pattern` ${folder} .*; 10 minutes `))
    expect((await fetch(`${descriptor.urls.node}/eth/v1/beacon/genesis`)).status).toBe(200)
  })

  hardTest('starts another one beside a network that is not as asked for', async () => {
    const folder = join(state, 'rehearsal/network-1')
    const { descriptor } = await network(['--directory', folder, '--slot-ms', '100'])
    const asked = ['--scenario', 'exited-key', '--slot-ms', '100']
    const { code, stderr } = await cli(['rehearse', '--state', state, ...asked]).end
    expect(code).toBe(1)
    expect(stderr).toMatch(pattern`${folder} .*\(scenario set-full, not exited-key\)`)
    expect((await fetch(`${descriptor.urls.node}/eth/v1/beacon/genesis`)).status).toBe(200)
    const own = JSON.parse(await readFile(join(state, 'rehearsal/network-2/descriptor.json'), 'utf8'))
    // A rehearsal that did not come to its end leaves its network to be looked at.
    process.kill(own.pid)
    expect(own).toMatchObject({ scenario: 'exited-key', slotMs: 100 })
  })

  hardTest('leaves a journal by which a watch of the same network knows whom to watch', async () => {
    const { pubkey } = await network(['--directory', join(state, 'net'), '--slot-ms', '100'])
    const where = ['--devnet', join(state, 'net/descriptor.json'), '--state', join(state, 'own')]
    expect((await cli(['rehearse', ...where]).end).code).toBe(0)
    cli(['watch', ...where])
    const memory = join(state, 'own/journal/watch.json')
    await expect.poll(() => readFile(memory, 'utf8').catch(() => '')).toContain(pubkey)
  })

  hardTest('killed again and again, and started again each time, pays once for each step', async () => {
    const { descriptor, pubkey } = await network(['--directory', join(state, 'net'), '--slot-ms', '100'])
    const args = ['rehearse', '--devnet', join(state, 'net/descriptor.json'), '--state', state]
    const moments = fc.sample(fc.integer({ min: 400, max: 2600 }), {
      numRuns: runsOf({ suite: 2, hard: 20 }),
      seed: 11,
    })
    for (const afterMs of moments) {
      const run = cli(args)
      await Promise.race([setTimeout(afterMs), run.end])
      run.kill('SIGKILL')
      await run.end
    }
    const { code, stderr } = await cli(args).end
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([FIRST_DEPOSIT, TOP_UP])
  })

  hardTest('says no and sends nothing for a key that was a validator once', async () => {
    const { descriptor, pubkey } = await network([
      '--scenario',
      'exited-key',
      '--slot-ms',
      '100',
      '--directory',
      state,
    ])
    const run = cli(['rehearse', '--devnet', JSON.stringify(descriptor), '--state', join(state, 'own')])
    const { code, stderr } = await run.end
    expect(code).toBe(1)
    expect(stderr).toMatch(/^identity: .* \(money unknown\)$/m)
    expect(await depositsOf(descriptor.urls.execution, pubkey)).toEqual([])
  })

  test.each([
    [['rehearse', '--slot-ms', 'fast'], '--slot-ms takes a whole number from 50 to 600000.'],
    [['rehearse', '--nonsense'], '--nonsense'],
    [['nonsense'], 'There is no command of this name.'],
    [['rehearse', '--scenario', 'nix'], 'There is no scenario nix.'],
    [['rehearse', '--devnet', '/nowhere.json'], 'There is no such file.'],
    [['--nonsense'], 'There is no option --nonsense.'],
    [['--network', 'mainnet'], 'Without a terminal only the rehearsal runs'],
    [['--spec', 'a.toml', '--genesis', 'b.json'], 'Without a terminal only the rehearsal runs'],
    [['--validator', '3'], 'Without a terminal no validator is adopted or topped up'],
    [['--scenario', 'set-full', '--validator', '3'], 'status --network rehearsal --validator 3 looks at it.'],
    [['--validator', 'mine'], '--validator: Type the public key'],
    [['--spec', 'a.toml'], '--spec and --genesis go together.'],
    [
      ['--network', 'rehearsal', '--spec', 'a.toml', '--genesis', 'b.json'],
      '--network and --spec each name a network.',
    ],
  ])('%j is wrong use', async (args, words) => {
    const { code, stdout, stderr } = await cli([...args]).end
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
  })
})

describe('help', () => {
  test.each([
    [['-h'], 'bearings: from an unused key'],
    [['help'], 'bearings: from an unused key'],
    [['help', 'status'], 'bearings status'],
    [['help', 'rehearse'], 'bearings rehearse'],
    [['rehearse', '-h'], 'bearings rehearse'],
    [['doctor', '-h'], 'bearings doctor'],
  ])('%j explains', async (args, words) => {
    const { code, stdout } = await cli([...args]).end
    expect({ code, first: stdout.split('\n')[0] }).toEqual({ code: 0, first: expect.stringContaining(words) })
  })
})

describe('devnet', () => {
  test('says in one line what a descriptor needs, serves, and ends with nothing left on SIGTERM', async () => {
    const { descriptor, run } = await network([
      '--seed',
      '9',
      '--slot-ms',
      '100',
      '--directory',
      join(state, 'net'),
    ])
    expect(readDescriptor(JSON.stringify(descriptor))).toMatchObject({ chainId: descriptor.chainId })
    for (const path of [descriptor.keystore.path, join(descriptor.home, 'config/priv_validator_key.json')])
      expect(existsSync(path)).toBe(true)
    const reply = await fetch(`${descriptor.urls.node}/eth/v1/beacon/genesis`)
    expect(await reply.json()).toMatchObject({ data: { genesis_validators_root: descriptor.genesisRoot } })
    run.kill('SIGTERM')
    expect((await run.end).code).toBe(0)
    await expect(fetch(descriptor.urls.execution)).rejects.toThrow()
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
