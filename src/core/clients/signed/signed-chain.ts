import type { Effects } from '../../base/effects/effects.ts'
import { BaseError, failureWords } from '../../base/errors/base.ts'
import { ClientError, type ClientFault } from '../../base/errors/client.ts'
import { formatCount } from '../../base/format/amount.ts'
import { type Decoder, list, record, refuse } from '../../base/format/decode.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { jsonText } from '../../base/format/strict-json.ts'
import { FAR_FUTURE_EPOCH } from '../../chain/consensus/state.ts'
import { genesisValidatorsRoot } from '../../chain/deposit/genesis-root.ts'
import { readGenesis } from '../../chain/identity/read-genesis.ts'
import type { BeaconBlock } from '../../chain/light/beacon-block.ts'
import { type EngineValidator, hashSet } from '../../chain/light/encode.ts'
import {
  LIGHT_FAULT_WORDS,
  type LightFault,
  readSignedBlock,
  type SignedHeader,
  type SignedShare,
  stepTo,
  type TrustedHeader,
  trustGenesis,
} from '../../chain/light/light-client.ts'
import {
  decodeTrust,
  encodeTrust,
  engineSetOf,
  isTrustOver,
  type KeptTrust,
} from '../../chain/light/trust.ts'
import { verifyVotes as verifyByCurve } from '../../chain/light/verify-votes.ts'
import type { Network } from '../../chain/network/network.ts'
import { getCommit } from '../engine/blocks.ts'
import { createEngineClient, type EngineClient } from '../engine/client.ts'
import { getEngineValidators } from '../engine/get-status.ts'
import type { ClientEffects } from '../http-client.ts'
import type { AskLimits } from '../json-rpc.ts'

/** The set that a genesis file begins with, and the genesis validators root that its deposits make. */
type GenesisSet = { root: Hex; set: readonly EngineValidator[] }

/**
 * Returns the set of the engine's genesis file (`/genesis`), with the root by which the caller tells whether the file is
 * the network's. Throws a `ClientError`.
 */
function readGenesisSet(
  client: EngineClient,
  { network, limits }: { network: Network; limits: AskLimits },
): Promise<GenesisSet> {
  const decode: Decoder<GenesisSet> = (value, path) => {
    const genesis = typeof value === 'object' && value !== null && 'genesis' in value && value.genesis
    if (typeof genesis !== 'object' || genesis === null) return refuse(path, 'a genesis file', value)
    try {
      return setOf(readGenesis(jsonText(genesis)), network)
    } catch (thrown) {
      if (thrown instanceof BaseError) return refuse(path, 'a genesis file', thrown.shortMessage)
      throw thrown
    }
  }
  return client.ask({ method: 'genesis', decode, limits })
}

function setOf({ deposits }: ReturnType<typeof readGenesis>, { spec }: Network): GenesisSet {
  const { activationBalanceGwei, maxEffectiveBalanceGwei, effectiveBalanceIncrementGwei } = spec
  const validators = deposits.map(({ pubkey, amountGwei }) => {
    const whole = amountGwei - (amountGwei % effectiveBalanceIncrementGwei)
    const effectiveBalanceGwei = whole < maxEffectiveBalanceGwei ? whole : maxEffectiveBalanceGwei
    const isActive = effectiveBalanceGwei >= activationBalanceGwei
    return {
      pubkey,
      effectiveBalanceGwei,
      activationEpoch: isActive ? 0n : FAR_FUTURE_EPOCH,
      exitEpoch: FAR_FUTURE_EPOCH,
    }
  })
  return { root: genesisValidatorsRoot(deposits, spec), set: engineSetOf(validators, 0n) }
}

/** The bytes of a transaction, of any length. */
const transactionBytes: Decoder<Uint8Array> = (value, path) => {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined
  return bytes !== undefined && bytes.toString('base64') === value ? bytes : refuse(path, 'base64', value)
}

const transactionFields = record({
  block: record({ data: record({ txs: list(transactionBytes) }) }),
})

/** Returns the transactions of a block (`/block`): the first is the signed beacon block in SSZ. Throws a `ClientError`. */
export function readTransactions(
  client: EngineClient,
  args: { height: bigint; limits: AskLimits },
): Promise<Uint8Array[]> {
  const decodeTransactions: Decoder<Uint8Array[]> = (value, path) =>
    transactionFields(value, path).block.data.txs
  return client.ask({
    method: 'block',
    query: [['height', String(args.height)]],
    decode: decodeTransactions,
    limits: args.limits,
  })
}

/** A beacon block that more than two thirds of the validator set signed. */
export type SignedBlock = BeaconBlock & {
  height: bigint
  share: SignedShare
  /** The endpoint that served it. Who serves it doesn't matter for whether it's true. */
  by: string
}

/**
 * The signed block of a height. `unavailable`: nobody serves it, or no header is trusted yet. `contradicted`: the set is
 * known, and what is served isn't signed by it. Both with the reason, safe to draw.
 */
type SignedAnswer =
  | { is: 'signed'; block: SignedBlock }
  | { is: 'unavailable'; why: string }
  | { is: 'contradicted'; why: string }

/** What is known of the set's signature: where trust began and how far it goes, or why there is none. */
type SignedStanding = {
  trust: KeptTrust | undefined
  /** The newest block that was verified. */
  newest: SignedBlock | undefined
  /** Why the last question gave no signed block, and the fault of the engine that was to answer it. */
  why: string | undefined
  fault: ClientFault | undefined
  /** Whether the file that keeps the trusted header was there and damaged. */
  isFileDamaged: boolean
}

/** The chain as its validator set signs it, followed from a trusted header on. */
export type SignedChain = {
  /** Returns the signed block of a height. Verifies each height once. */
  blockAt(height: bigint): Promise<SignedAnswer>
  /** Returns the newest height that an engine claims, not verified; undefined where none answers. */
  claimedHeight(): Promise<bigint | undefined>
  /**
   * Begins trust with a set that was proven from a beacon state, where no header is trusted: the signed block of `slot`
   * must hold that state. `from` names who proved it.
   */
  beginWith(proven: ProvenSet): Promise<void>
  standing(): SignedStanding
}

type ProvenSet = { slot: bigint; stateRoot: string; set: readonly EngineValidator[]; from: string }

/** Everything that is remembered of a chain between two questions. */
type SignedMemory = {
  trust: KeptTrust | undefined
  blocks: Map<bigint, SignedBlock>
  sets: Map<string, readonly EngineValidator[]>
  why: string | undefined
  fault: ClientFault | undefined
  isFileRead: boolean
  isFileDamaged: boolean
  keptHeight: bigint
  /** Engines that didn't answer, by name: until when they aren't asked, by our own clock. */
  silentUntilMs: Map<string, number>
  /** What became of the first block, where it can't change any more. */
  genesis: 'not-asked' | 'too-old' | 'unsigned' | 'false'
}

type SignedInput = {
  effects: Pick<Effects, 'clock' | 'store' | 'files' | 'verifyVotes'>
  network: Network
  engines: readonly EngineClient[]
  /** Where the trusted header is kept, beside the journals if there are any; not at all without it. */
  directory: string
  memory: SignedMemory
}

/** The file of the trusted header, one for each network. */
const TRUST_FILE = 'trusted-header.json'
const MOST_BLOCKS_KEPT = 32
const MOST_SETS_KEPT = 8
/** The file is written again after so many blocks. */
const BLOCKS_BETWEEN_SAVES = 1000n
/** An engine that didn't answer is left alone for so many times as long as that took. */
const SHARE_OF_SILENCE = 10
const SILENCE: ReadonlySet<ClientFault> = new Set(['unreachable', 'timeout', 'says-nothing', 'rate-limited'])
const LIMITS = { deadlineMs: 3000, maxBytes: 8 * 1024 * 1024, retries: 0 } as const

/** Returns the memory of a chain of which nothing was asked yet. */
function emptySignedMemory(): SignedMemory {
  return {
    trust: undefined,
    blocks: new Map(),
    sets: new Map(),
    why: undefined,
    fault: undefined,
    isFileRead: false,
    isFileDamaged: false,
    keptHeight: -1n,
    silentUntilMs: new Map(),
    genesis: 'not-asked',
  }
}

const memories = new WeakMap<object, Map<string, SignedMemory>>()

/**
 * Returns the signed chain of a network as this process follows it: what was verified once isn't verified again, whoever
 * asks. The trusted header is kept in `directory`, if one is given.
 */
export function signedChainOf(
  effects: ClientEffects & Pick<Effects, 'store' | 'files' | 'verifyVotes'>,
  { network, engines: urls, directory }: { network: Network; engines: readonly string[]; directory: string },
): SignedChain {
  const ofProcess = memories.get(effects.store) ?? new Map<string, SignedMemory>()
  memories.set(effects.store, ofProcess)
  const name = JSON.stringify([network.engineChainId, network.genesisValidatorsRoot, directory, urls])
  const memory = ofProcess.get(name) ?? emptySignedMemory()
  ofProcess.set(name, memory)
  const engines = urls.map((url) => createEngineClient(effects, url))
  // A rehearsal that starts again has the genesis of the one before, and another history.
  const kept = network.kind === 'rehearsal' ? '' : directory
  return createSignedChain({ effects, network, engines, directory: kept, memory })
}

/**
 * Follows the chain by the signatures of its validator set (CometBFT light client). Trust begins with the kept header,
 * else with the set of the genesis file while that is young, else with a set proven from a state (`beginWith`).
 * Endpoints only serve: what they say counts once it's verified here.
 */
function createSignedChain(input: SignedInput): SignedChain {
  const { effects, network, engines, memory } = input
  const { clock } = effects
  const path = input.directory === '' ? '' : `${input.directory}/${TRUST_FILE}`
  const rules = { chainId: network.engineChainId, verifyVotes: effects.verifyVotes ?? verifyByCurve }

  /** Asks an engine that isn't known to be silent; undefined where it doesn't answer. */
  async function ask<T>(engine: EngineClient, question: () => Promise<T>): Promise<T | undefined> {
    const name = endpointName(engine.label)
    const startedMs = clock.monotonicMs()
    if (startedMs < (memory.silentUntilMs.get(name) ?? 0)) return undefined
    try {
      return await question()
    } catch (thrown) {
      if (!(thrown instanceof ClientError)) throw thrown
      memory.why = failureWords(thrown)
      memory.fault = thrown.fault
      const nowMs = clock.monotonicMs()
      if (SILENCE.has(thrown.fault))
        memory.silentUntilMs.set(name, nowMs + SHARE_OF_SILENCE * (nowMs - startedMs))
      return undefined
    }
  }

  async function setOf(
    engine: EngineClient,
    { header }: SignedHeader,
  ): Promise<readonly EngineValidator[] | undefined> {
    const known = memory.sets.get(header.validatorsHash)
    if (known !== undefined) return known
    const found = await ask(engine, () => getEngineValidators(engine, { height: header.height }))
    return found?.validators.map(({ publicKey, votingPowerGwei }) => ({
      key: publicKey.value,
      power: votingPowerGwei,
    }))
  }

  async function claimAt(engine: EngineClient, height: bigint) {
    const signed = await ask(engine, () => getCommit(engine, { height, limits: LIMITS }))
    const set = signed && (await setOf(engine, signed))
    return signed === undefined || set === undefined ? undefined : { signed, set }
  }

  function remember(trusted: TrustedHeader, from: string): void {
    rememberIn(memory.sets, hashSet(trusted.set), trusted.set, MOST_SETS_KEPT)
    if (memory.trust !== undefined && memory.trust.trusted.height >= trusted.height) return
    memory.trust = { trusted, from }
  }

  /** Steps to a height, halving the distance where one step is too far; undefined where the engine doesn't answer. */
  async function followTo(
    engine: EngineClient,
    { trusted, from }: KeptTrust,
    height: bigint,
  ): Promise<{ signed: SignedHeader; share: SignedShare } | { fault: LightFault | 'too-far' } | undefined> {
    let at = trusted
    let next = height
    for (;;) {
      const claim = await claimAt(engine, next)
      if (claim === undefined) return undefined
      if (claim.signed.header.height !== next) return { fault: 'other-height' }
      const step = stepTo(at, claim, rules)
      if (step.is === 'fault') return { fault: step.fault }
      if (step.is === 'trusted') {
        remember(step.trusted, from)
        if (next === height) return { signed: claim.signed, share: step.share }
        at = step.trusted
        next = height
      } else if (next <= at.height + 1n) {
        return { fault: 'too-far' }
      } else {
        next = at.height + (next - at.height) / 2n
      }
    }
  }

  async function askBlock(engine: EngineClient, trust: KeptTrust, height: bigint) {
    const [found, followed] = await Promise.all([
      ask(engine, () => readTransactions(engine, { height, limits: LIMITS })),
      followTo(engine, trust, height),
    ])
    if (followed === undefined || 'fault' in followed) return followed
    if (found === undefined) return undefined
    const read = readSignedBlock(followed.signed.header, found)
    if ('fault' in read) return read
    const by = endpointName(engine.label)
    const block: SignedBlock = { ...read.block, height, share: followed.share, by }
    rememberIn(memory.blocks, height, block, MOST_BLOCKS_KEPT)
    return block
  }

  /** The header that is trusted now: as remembered, as kept, or the genesis set's first one. */
  async function trustNow(): Promise<KeptTrust | undefined> {
    if (!memory.isFileRead) await readKept()
    if (memory.trust !== undefined && isTrustOver(memory.trust.trusted, network, clock.nowMs()))
      memory.trust = undefined
    return memory.trust ?? (await beginAtGenesis())
  }

  async function readKept(): Promise<void> {
    memory.isFileRead = true
    const text = path === '' ? undefined : await readText(effects.store, path)
    if (text === undefined) return
    const kept = text === 'unreadable' ? undefined : decodeTrust(text, network)
    memory.isFileDamaged = kept === undefined
    if (kept === undefined) return
    memory.trust = kept
    memory.keptHeight = kept.trusted.height
    remember(kept.trusted, kept.from)
  }

  async function save(): Promise<void> {
    const { trust } = memory
    if (trust === undefined) return
    if (memory.keptHeight >= 0n && trust.trusted.height < memory.keptHeight + BLOCKS_BETWEEN_SAVES) return
    memory.keptHeight = trust.trusted.height
    try {
      // Who only looks makes no directory.
      if (path === '' || (await effects.files.facts(input.directory))?.kind !== 'directory') return
      await effects.store.writeText(path, encodeTrust(trust, network), { replace: true })
    } catch (thrown) {
      // Without the file trust begins anew at the next start.
      if (!(thrown instanceof BaseError)) throw thrown
    }
  }

  async function beginAtGenesis(): Promise<KeptTrust | undefined> {
    if (memory.genesis !== 'not-asked') return undefined
    for (const engine of engines) {
      const [signed, genesis] = await Promise.all([
        ask(engine, () => getCommit(engine, { height: 1n, limits: LIMITS })),
        ask(engine, () => readGenesisSet(engine, { network, limits: LIMITS })),
      ])
      if (signed === undefined || genesis === undefined) continue
      if (isTrustOver(signed.header, network, clock.nowMs())) {
        memory.genesis = 'too-old'
        memory.why = 'the first block is too old to begin with, and no newer state was proven yet'
        return undefined
      }
      const isOurs = sameHex(genesis.root, network.genesisValidatorsRoot)
      const step = isOurs ? trustGenesis(genesis.set, { signed, set: genesis.set }, rules) : undefined
      if (step?.is === 'trusted') {
        remember(step.trusted, 'genesis')
        return memory.trust
      }
      const fault = step?.is === 'fault' ? step.fault : 'not-next-set'
      // A rehearsal of given files holds none of their secrets, so its blocks aren't signed.
      memory.genesis = fault === 'too-little-power' ? 'unsigned' : 'false'
      memory.why = `${endpointName(engine.label)}, block 1: ${LIGHT_FAULT_WORDS[fault]}`
    }
    return undefined
  }

  const failed = (is: 'unavailable' | 'contradicted', why: string): SignedAnswer => {
    memory.why = why
    return { is, why }
  }

  return {
    async blockAt(height) {
      const known = memory.blocks.get(height)
      if (known !== undefined) return { is: 'signed', block: known }
      if (engines.length === 0) return failed('unavailable', 'no engine RPC address was given')
      const trust = await trustNow()
      if (trust === undefined) {
        // A rehearsal's blocks are made by this program: there is no other engine version to allow for.
        const isFalse = memory.genesis === 'false' && network.kind === 'rehearsal'
        return failed(isFalse ? 'contradicted' : 'unavailable', memory.why ?? 'no header is trusted yet')
      }
      const faults: string[] = []
      for (const engine of engines) {
        const found = await askBlock(engine, trust, height)
        if (found === undefined) continue
        if (!('fault' in found)) {
          memory.why = undefined
          memory.fault = undefined
          await save()
          return { is: 'signed', block: found }
        }
        // An engine of another chain is no witness of this one.
        if (found.fault === 'too-far' || found.fault === 'other-chain') continue
        faults.push(
          `${endpointName(engine.label)}, block ${formatCount(height)}: ${LIGHT_FAULT_WORDS[found.fault]}`,
        )
      }
      const [fault] = faults
      if (fault !== undefined) return failed('contradicted', fault)
      return failed('unavailable', memory.why ?? `no engine gave block ${formatCount(height)}`)
    },
    async claimedHeight() {
      // Where trust begins is looked for at once: whoever asks for the height asks for its block next.
      const [heads] = await Promise.all([
        Promise.all(engines.map((engine) => ask(engine, () => getCommit(engine, { limits: LIMITS })))),
        trustNow(),
      ])
      const heights = heads.flatMap((head) => (head === undefined ? [] : [head.header.height]))
      return heights.toSorted((a, b) => Number(b - a))[0]
    },
    async beginWith({ slot, stateRoot, set, from }) {
      if (engines.length === 0 || (await trustNow()) !== undefined) return
      const before: TrustedHeader = {
        height: slot,
        hash: '',
        time: { seconds: 0n, nanos: 0 },
        set,
        nextSetHash: hashSet(set),
      }
      for (const engine of engines) {
        const found = await askBlock(engine, { trusted: before, from }, slot)
        if (found === undefined || 'fault' in found) continue
        if (sameHex(found.stateRoot, stateRoot)) return save()
        memory.trust = undefined
      }
    },
    standing: () => ({
      trust: memory.trust,
      newest: [...memory.blocks.values()].toSorted((a, b) => Number(b.height - a.height))[0],
      why: memory.why,
      fault: memory.fault,
      isFileDamaged: memory.isFileDamaged,
    }),
  }
}

async function readText(store: Effects['store'], path: string): Promise<string | undefined> {
  try {
    return await store.readText(path)
  } catch (thrown) {
    if (thrown instanceof BaseError) return 'unreadable'
    throw thrown
  }
}

function rememberIn<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
