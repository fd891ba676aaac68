import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keccak256 } from 'viem'
import type { Effects, Signer } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { useFastHasher as installFastHasher } from '../../src/core/chain/deposit/fast-hasher.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import type { Network } from '../../src/core/chain/network/network.ts'
import {
  BERACHAIN_NAMES,
  LOCAL_ENDPOINTS,
  MINIMUM_DEPOSIT_GWEI,
} from '../../src/core/chain/network/presets.ts'
import { readSpecToml } from '../../src/core/chain/network/spec-fields.ts'
import type { StepId } from '../../src/core/view/view.ts'
import { createSession, type Session } from '../../src/core/wizard/session.ts'
import type { AnyView, State } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { openAlarms } from '../../src/watch/keep-alarms.ts'
import { beginLife } from './life.ts'
import { patient } from './patient.ts'
import { EXECUTION_GENESIS_HASH } from './replay-execution.ts'
import { writeReplayHome } from './replay-home.ts'
import { type SentDeposit, writeReplayJournal } from './replay-journal.ts'
import { madeUp } from './replay-made-up.ts'
import { recordedFile, recordedSlot } from './replay-recording.ts'
import { type ReplayServers, type ReplayServersInput, serveReplay } from './replay-servers.ts'
import { replayTool, type ToolSays } from './replay-tool.ts'
import { worldClock } from './world-clock.ts'

export type ReplayInput = Omit<ReplayServersInput, 'nowMs' | 'engineKey'> & {
  /** The head when the wizard begins. */
  slot: number
  /** The key of the node home. */
  key: Hex
  /** The key of the running node, where it is another. */
  engineKey?: Hex
  /** The first deposit that this journal has sent. */
  sent?: SentDeposit
  /** Whether a second execution endpoint is set. */
  withSecond?: boolean
  kind?: Network['kind']
  genesisJson?: string
  /** Gives the wizard the addresses otherwise than they are. */
  mixUp?: (urls: ReplayServers['urls']) => ReplayServers['urls']
  /** What the node tool prints in the place of what was recorded, by the last word of the question. */
  toolSays?: ToolSays
  /** Changes the node home before the wizard sees it. */
  changeHome?: (home: string) => void
}

/** The wizard beside the recorded network. */
export type Replay = {
  session: Session
  slot(): number
  view(step: StepId): AnyView
  /** Lets time pass until the state is so; fails after two minutes of it. */
  until(holds: (state: State) => boolean): Promise<void>
  /** Lets so many seconds pass. */
  pass(seconds: number): Promise<void>
}

const PATIENCE_MS = 120_000

/** Runs `look` with a wizard that has just begun beside the recorded network. Leaves nothing behind. */
export async function replay(input: ReplayInput, look: (replay: Replay) => Promise<void>): Promise<void> {
  // What is loaded on first use would otherwise take no time of this clock, and the next alarm would ring first.
  await installFastHasher()
  const directory = await mkdtemp(join(tmpdir(), 'replay-'))
  const clock = worldClock()
  const beganMs = recordedSlot(input.slot).timestamp * 1000
  const nowMs = () => beganMs + clock.monotonicMs()
  const more = [...(input.more ?? []), ...(input.sent === undefined ? [] : [input.sent.deposit])]
  const servers = await serveReplay({ ...input, more, nowMs, engineKey: input.engineKey ?? input.key })
  const life = beginLife({
    clock,
    effects: effectsOf(input),
    dies: () => undefined,
  })
  const effects = { ...life.effects, clock: { ...life.effects.clock, nowMs } }
  const setup = setupOf(input, input.mixUp?.(servers.urls) ?? servers.urls, directory)
  if (input.sent !== undefined)
    await writeReplayJournal(createNodeEffects({ signer: noSigner }), setup, input.sent)
  const session = createSession(effects, setup, openAlarms)
  try {
    await session.start()
    await look({
      session,
      slot: () => servers.head().slot,
      view: (step) => viewOf(step, session.getState(), session),
      until: (holds) => clock.flow(() => waitFor(session, holds, clock.sleep)),
      pass: (seconds) => clock.flow(() => clock.sleep(seconds * 1000)),
    })
  } finally {
    life.kill()
    await life.died
    await servers.close()
    await rm(directory, { recursive: true })
  }
}

function waitFor(
  session: Session,
  holds: (state: State) => boolean,
  sleep: (delayMs: number, signal?: AbortSignal) => Promise<void>,
): Promise<void> {
  if (holds(session.getState())) return Promise.resolve()
  const tired = new AbortController()
  return new Promise((resolve, reject) => {
    const end = session.subscribe((state) => {
      if (!holds(state)) return
      end()
      tired.abort()
      resolve()
    })
    sleep(PATIENCE_MS, tired.signal).then(
      () => reject(new Error('it did not become so')),
      () => undefined,
    )
  })
}

/** The real world, but for the child that reads keys and for the node tool, which plays its recorded runs. */
function effectsOf({ key, engineKey = key, toolSays }: ReplayInput): Effects {
  const signer = { ...noSigner, inspect: async () => madeUp.keyFacts(key) }
  const real = patient(createNodeEffects({ signer }))
  return {
    ...real,
    // Pauses between questions are the same in every run.
    random: { bytes: (length) => new Uint8Array(length).fill(128) },
    files: {
      ...real.files,
      findProgram: async (name) => (name === 'beacond' ? '/usr/bin/beacond' : undefined),
    },
    exec: replayTool({ key, engine: engineKey, ...(toolSays === undefined ? {} : { toolSays }) }),
  }
}

const refuse = () => Promise.reject(new Error('nothing is signed in a replay'))
const noSigner: Signer = {
  inspect: refuse,
  signDeposit: refuse,
  keystoreAddress: async () => ({ address: recordedSender }),
  signTransaction: refuse,
  signGuard: refuse,
}
const recordedSender: Hex = '0x20f33ce90a13a4b5e7697e3544c3083b8f8a51d4'

function setupOf(
  { kind = 'test', withSecond = false, genesisJson, changeHome }: ReplayInput,
  urls: { execution: string; second: string; node: string; engine: string },
  directory: string,
): Setup {
  const { execution, node, engine, second } = urls
  const homePath = writeReplayHome(directory, genesisJson)
  changeHome?.(homePath)
  return {
    network: recordedNetwork(kind),
    homePath,
    endpoints: { execution, node, engine, ...(withSecond ? { secondExecution: second } : {}) },
    keystore: join(directory, 'keystore.json'),
    executionGenesisHash: EXECUTION_GENESIS_HASH,
    journalDirectory: join(directory, 'journal'),
    lockDirectories: [join(directory, 'locks')],
    outputDirectory: directory,
  }
}

/** The recorded network as a network file would describe it; only the contract's code is made up. */
function recordedNetwork(kind: Network['kind']): Network {
  const spec = readSpecToml(recordedFile('spec.toml'))
  return {
    id: 'recorded',
    label: 'Recorded',
    kind,
    executionChainId: 80_087,
    engineChainId: 'beacond-2061',
    genesisValidatorsRoot: '0x961b839044d9e6f1e527f0622cea49397f9f315c769dd1258a91c9f31e651d0c',
    genesisForkVersion: '0x05000000',
    depositContractCodeHash: keccak256(madeUp.contractCode),
    depositContractCodeHashConfirmed: true,
    minimumDepositGwei: MINIMUM_DEPOSIT_GWEI,
    clockIsWall: true,
    slotMs: 1000,
    spec,
    names: BERACHAIN_NAMES,
    defaultEndpoints: LOCAL_ENDPOINTS,
  }
}
