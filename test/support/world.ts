import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { attachRehearsal } from '../../src/compose/attach-rehearsal.ts'
import type { Effects, HttpRequest, Signer } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import { type Devnet, type DevnetInput, startDevnet } from '../../src/devnet/devnet.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { buildSigner } from './build-signer.ts'
import { CHEAP_CURVE, verifyCheaply } from './cheap-curve.ts'
import { beginLife, type Cut, type Life, type Moment } from './life.ts'
import { patient } from './patient.ts'
import { rememberingSigner } from './remembering-signer.ts'
import { sentBytes } from './sent-bytes.ts'
import { type WorldClock, worldClock } from './world-clock.ts'

/** Bytes that a process put on the wire, and whether the journal on the disk held them by then. */
type Sent = { raw: Hex; durable: boolean }

type JournalLine = { type: string; data: { [field: string]: unknown } }

/** A machine with a rehearsal network on it; all time is its own. */
export type World = {
  clock: WorldClock
  devnet: Devnet
  directory: string
  wire: readonly Sent[]
  /** Begins a process on this machine. */
  begin(input?: LifeOptions): Life
  /** A session of that process with the network. */
  session(life: Life): Promise<Session>
  /** Where the journal lies, once there is one. */
  journalPath(): string | undefined
  journal(): JournalLine[]
  /** The lines in the journals of guards. */
  guardJournal(): JournalLine[]
  /** Their types alone. */
  guardLines(): string[]
  /** From now on no slot has a block, until `goOn`. */
  halt(): void
  goOn(): void
  end(): Promise<void>
}

export type LifeOptions = {
  /** Where the process dies. */
  dies?: (moment: Moment) => Cut | undefined
  /** Sees every request before it leaves; may throw in place of the network. */
  request?: (request: HttpRequest) => void
  /** Changes the world that the process meets. */
  mutate?: (effects: Effects) => Effects
}

export type WorldInput = Pick<
  DevnetInput,
  'scenario' | 'seed' | 'secondNode' | 'forkInSeconds' | 'forger'
> & {
  /** Starts the signer child for every question; otherwise what it answered once is remembered. */
  freshSigner?: boolean
  /** Signs and verifies blocks by the curve, at 60 ms a block; a forger's world always does. */
  realCurve?: boolean
}

const SLOT_MS = 1000
/** The execution client is a process and needs real time. */
const WALL_CLOCK = {
  nowMs: () => Date.now(),
  sleep: (delayMs: number, signal?: AbortSignal) => setTimeout(delayMs, undefined, { signal }),
}

/** Starts a rehearsal network whose slots pass by the clock of the world. `end` leaves nothing behind. */
export async function startWorld(input: WorldInput = {}): Promise<World> {
  const {
    freshSigner = false,
    scenario = 'set-full',
    seed = 'bearings',
    secondNode = false,
    ...given
  } = input
  const { realCurve = given.forger !== undefined, ...fork } = given
  const directory = await mkdtemp(join(tmpdir(), 'world-'))
  const clock = worldClock()
  const network = { ...fork, scenario, seed, secondNode, directory, slotMs: SLOT_MS }
  let halted = false
  const slotClock: WorldClock['resting'] = {
    ...clock.resting,
    async sleep(delayMs, signal) {
      await clock.resting.sleep(delayMs, signal)
      while (halted) await clock.resting.sleep(SLOT_MS, signal)
    },
  }
  const curve = realCurve ? {} : { chain: CHEAP_CURVE }
  const devnet = await startDevnet({ ...network, ...curve, clock: slotClock, clientClock: WALL_CLOCK })
  const stop = new AbortController()
  const slots = clock.during(() => devnet.run(stop.signal))
  const child = await realSigner()
  const signer = freshSigner ? child : rememberingSigner(child, `${scenario} ${seed}`)
  const plain = patient(createNodeEffects({ signer }))
  const locks = join(directory, 'locks')
  await mkdir(locks)
  const real = {
    ...plain,
    ...(realCurve ? {} : { verifyVotes: verifyCheaply }),
    store: {
      ...plain.store,
      // The user's own locks hold for the whole computer, and each world is one.
      lock: (path: string) =>
        plain.store.lock(path.startsWith(directory) ? path : join(locks, basename(path))),
    },
  }
  const journalDirectory = join(directory, 'journal')
  const wire: Sent[] = []
  const lives: Life[] = []
  return {
    clock,
    devnet,
    directory,
    wire,
    begin({
      dies = () => undefined,
      request = () => undefined,
      mutate = (effects: Effects) => effects,
    } = {}) {
      const observe = (asked: HttpRequest) => {
        request(asked)
        const raw = sentBytes(asked)
        if (raw !== undefined)
          wire.push({ raw, durable: textOf(journalDirectory).includes(`"raw":"${raw}"`) })
      }
      const life = beginLife({ clock, dies, effects: mutate(observed(real, observe)) })
      lives.push(life)
      return life
    },
    async session(life) {
      const places = { journalDirectory, outputDirectory: directory }
      const descriptorPath = join(directory, 'descriptor.json')
      return createSession(
        life.effects,
        await attachRehearsal(life.effects, { ...places, descriptorPath }),
        openAlarms,
      )
    },
    journalPath: () => journalFile(journalDirectory),
    journal: () => linesOf(textOf(journalDirectory)),
    guardJournal: () => guardJournal(journalDirectory),
    guardLines: () => guardJournal(journalDirectory).map(({ type }) => type),
    halt() {
      halted = true
    },
    goOn() {
      halted = false
    },
    async end() {
      for (const life of lives) life.kill()
      await Promise.all(lives.map((life) => life.died))
      stop.abort()
      await slots
      await devnet.stop()
      await rm(directory, { recursive: true })
    },
  }
}

let builtSigner: Promise<Signer> | undefined

/** The real signer child, built once for each test file. */
function realSigner(): Promise<Signer> {
  builtSigner ??= buildSigner().then(createNodeSigner)
  return builtSigner
}

function observed(real: Effects, observe: (request: HttpRequest) => void): Effects {
  return {
    ...real,
    http: {
      async request(request) {
        observe(request)
        return real.http.request(request)
      },
    },
  }
}

function journalFile(directory: string): string | undefined {
  if (!existsSync(directory)) return undefined
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  // Beside it a guard has one of its own.
  const name = names.find((found) => found.endsWith('journal.jsonl') && !found.startsWith('guard-'))
  return name === undefined ? undefined : join(directory, name)
}

function guardJournal(directory: string): JournalLine[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  const own = names.filter((name) => name.startsWith('guard-') && name.endsWith('journal.jsonl'))
  return own.flatMap((name) => linesOf(readFileSync(join(directory, name), 'utf8')))
}

function textOf(directory: string): string {
  const path = journalFile(directory)
  return path === undefined ? '' : readFileSync(path, 'utf8')
}

function linesOf(text: string): JournalLine[] {
  const whole = text.split('\n').slice(0, -1)
  return whole.map((line) => JSON.parse(line) as JournalLine)
}
