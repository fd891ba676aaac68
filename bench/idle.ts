import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAddress } from 'viem/utils'
import { createNodeClock } from '../src/core/base/effects/node-clock.ts'
import type { Hex } from '../src/core/base/format/hex.ts'
import { validatorKey } from '../src/devnet/keys.ts'
import {
  REHEARSAL_ENGINE_CHAIN_ID,
  REHEARSAL_FORK_VERSION,
  rehearsalSpecToml,
  writeGenesisFile,
} from '../src/devnet/network-files.ts'
import { ENTER, goOn } from '../test/support/by-keyboard.ts'
import { type PtyProgram, startProgram } from '../test/support/pty.ts'
import { CLI, runDevnetCli } from '../test/support/run-cli.ts'
import { mebibytes, type Row, residentBytes } from './measure.ts'

/** As many validators as are watched at most here, all of them active, with room for each. */
const VALIDATORS = 100
const SLOT_MS = 2000
/** As on the public networks: nothing but an epoch boundary asks for the whole state of an idle network. */
const SLOTS_PER_EPOCH = 192
const SEED = 'bench'
const PAYOUT = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
/** Until what a program does once is done: the first frames, the first look, what is compiled on the way. */
const SETTLING_MS = 20_000
/** Without `--long`; with it, as long as the goal of 0.5 % of a core is set for. */
const SHORT_MS = 60_000
const LONG_MS = 300_000

type Idle = { what: string; program: PtyProgram; goal: { percent: number; mebibytes: number } }

/**
 * What programs cost that watch an idle network, each in a terminal of its own of 80 by 24: the table of one validator and
 * of a hundred, and the status screen of the wizard. All at the same time, on one rehearsal network with the slots of the
 * public ones.
 */
export async function idle(): Promise<Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-idle-'))
  const clock = createNodeClock()
  const { run } = await runDevnetCli(networkArguments(directory))
  const programs: PtyProgram[] = []
  const begin = (name: string, args: readonly string[]): PtyProgram => {
    const state = join(directory, name)
    mkdirSync(state)
    const program = startProgram({
      args: [CLI, ...args, '--devnet', join(directory, 'network/descriptor.json'), '--state', state],
      cwd: state,
      env: { HOME: state },
    })
    programs.push(program)
    return program
  }
  try {
    const keys = Array.from({ length: VALIDATORS }, (_, at) => keyAt(at))
    const one = begin('one', ['watch', keys[0] ?? ''])
    const hundred = begin('hundred', ['watch', ...keys])
    const status = begin('status', ['--validator', keys[0] ?? ''])
    await toStatus(status)
    await one.waitFor('Nothing needs you')
    await hundred.waitFor('Nothing needs you')
    await clock.sleep(SETTLING_MS)
    const idlers: readonly Idle[] = [
      { what: 'watch of one validator', program: one, goal: { percent: 0.5, mebibytes: 110 } },
      { what: 'status screen', program: status, goal: { percent: 0.5, mebibytes: 110 } },
      { what: `watch of ${VALIDATORS} validators`, program: hundred, goal: { percent: 2, mebibytes: 130 } },
    ]
    const before = idlers.map(({ program }) => spentOf(program))
    const startMs = clock.monotonicMs()
    await clock.sleep(process.argv.includes('--long') ? LONG_MS : SHORT_MS)
    const passedMs = clock.monotonicMs() - startMs
    return idlers.flatMap((each, at) => rowsOf(each, before[at] ?? spentOf(each.program), passedMs))
  } finally {
    for (const program of programs) program.kill('SIGKILL')
    run.kill('SIGTERM')
    await Promise.all([run.end, ...programs.map(({ exit }) => exit)])
    rmSync(directory, { recursive: true, maxRetries: 5 })
  }
}

/** The first is that of the node home: the node signs with it. */
const keyAt = (index: number): Hex => validatorKey(SEED, index === 0 ? 'fresh' : `genesis/${index}`).pubkey

/** The options of a network in which every validator is active from the first slot on. */
function networkArguments(directory: string): string[] {
  const genesisTimeSeconds = Math.floor(createNodeClock().nowMs() / 1000)
  const zeros: Hex = `0x${'00'.repeat(32)}`
  const genesis = writeGenesisFile({
    engineChainId: REHEARSAL_ENGINE_CHAIN_ID,
    forkVersion: REHEARSAL_FORK_VERSION,
    genesisTimeSeconds,
    executionGenesisHash: zeros,
    executionStateRoot: zeros,
    deposits: Array.from({ length: VALIDATORS }, (_, at) => ({
      pubkey: keyAt(at),
      withdrawalCredentials: `0x01${'00'.repeat(11)}${PAYOUT.slice(2).toLowerCase()}` as Hex,
      amountGwei: (300_000n + 10_000n * BigInt(VALIDATORS - at)) * 1_000_000_000n,
      signature: `0x${'00'.repeat(96)}`,
    })),
  })
  const spec = rehearsalSpecToml({
    genesisTimeSeconds,
    secondsPerSlot: SLOT_MS / 1000,
    validatorSetCap: VALIDATORS,
    withdrawabilityDelayEpochs: 256,
  }).replace(/^slots-per-epoch = .*$/m, `slots-per-epoch = ${SLOTS_PER_EPOCH}`)
  const files = { genesis: join(directory, 'genesis.json'), spec: join(directory, 'spec.toml') }
  writeFileSync(files.genesis, genesis)
  writeFileSync(files.spec, spec)
  const options = {
    genesis: files.genesis,
    spec: files.spec,
    directory: join(directory, 'network'),
    'slot-ms': String(SLOT_MS),
    seed: SEED,
    'genesis-time': String(genesisTimeSeconds),
  }
  return Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
}

/** From the check of the chain to the status of a validator that is registered already. */
async function toStatus(program: PtyProgram): Promise<void> {
  await goOn(program, 'Check the chain')
  await program.waitFor(/▶ +withdrawal/)
  program.press(`\u001b[200~${getAddress(PAYOUT)}\u001b[201~`)
  program.press(ENTER)
  await program.waitFor('is adopted')
  await goOn(program, 'Adopt a registered validator')
  await goOn(program, 'Prove the registration')
  await goOn(program, 'No more is needed')
  await program.waitFor('Your validator is active')
}

type Spent = { cpuMs: number; writtenBytes: number }

/** What a process and its children have used up to now. A tick of the system is 10 ms. */
function spentOf({ pid, written }: PtyProgram): Spent {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
  return { cpuMs: (user + system) * 10, writtenBytes: Buffer.byteLength(written()) }
}

function rowsOf({ what, program, goal }: Idle, before: Spent, passedMs: number): Row[] {
  const after = spentOf(program)
  const percent = ((after.cpuMs - before.cpuMs) / passedMs) * 100
  const resident = residentBytes(program.pid)
  const perMinute = ((after.writtenBytes - before.writtenBytes) / passedMs) * 60_000
  const seconds = `${(passedMs / 1000).toFixed(0)} s`
  return [
    {
      what: `${what}, idle for ${seconds}`,
      result: `${percent.toFixed(2)} % of a core`,
      note: `goal ${goal.percent} %`,
    },
    {
      what: `${what}: resident`,
      result: resident === undefined ? 'not known' : mebibytes(resident),
      note: `goal ${goal.mebibytes} MiB`,
    },
    { what: `${what}: written`, result: `${perMinute.toFixed(0)} bytes a minute` },
  ]
}
