import { createHash } from 'node:crypto'
import {
  type EngineHeader,
  type EngineValidator,
  encodeVote,
  engineAddressOf,
  hashHeader,
  hashSet,
} from '../../../../src/core/chain/light/encode.ts'
import type { SignedHeader, VerifyVotes } from '../../../../src/core/chain/light/light-client.ts'
import type { Random } from '../../../simulation/random.ts'

export const CHAIN_ID = 'random-1'

/** A block as an endpoint serves it. */
export type Served = { signed: SignedHeader; set: readonly EngineValidator[] }

/** A chain of blocks, the first of height 1, and whether a key is the liar's. */
export type RandomChain = { blocks: readonly Served[]; isLiars: (key: string) => boolean }

const NO_HASH = ''
const FIRST_SECONDS = 1_700_000_000n

/** Returns the key of a member: 96 bytes that follow from its name. */
const keyNamed = (name: string): string =>
  Buffer.concat([0, 1, 2].map((part) => digest(`${name} ${part}`))).toString('base64')

/**
 * Stands in for the curve: the aggregate of some keys over a message is a hash of all of them. Unlike a real one, it
 * can be made for any keys; a test must see to it that nobody signs with a key that isn't theirs.
 */
export const verifyByHash: VerifyVotes = ({ keys, message, signature }) => signature === sign(keys, message)

function sign(keys: readonly string[], message: Uint8Array): string {
  const parts = [...keys].toSorted().join()
  const whole = [0, 1, 2].map((part) => digest(`${part} ${parts} ${Buffer.from(message).toString('hex')}`))
  return Buffer.concat(whole).toString('base64')
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const sum = (set: readonly EngineValidator[]): bigint => set.reduce((total, { power }) => total + power, 0n)
const isMore = (some: readonly EngineValidator[], all: readonly EngineValidator[]): boolean =>
  3n * sum(some) > 2n * sum(all)

/** Returns a chain whose set changes: powers move, members leave and join, until none of the first ones may be left. */
export function randomChain(random: Random, length: number): RandomChain {
  const lies = new Set<string>()
  const newcomer = (): EngineValidator => {
    const key = keyNamed(String(random.next()))
    if (random.chance(0.4)) lies.add(key)
    return { key, power: BigInt(1 + random.below(100)) }
  }
  const isLiars = (key: string) => lies.has(key)
  const restless = random.pick([0, 0.1, 0.4])
  let set = keepHonest(inOrder(Array.from({ length: 1 + random.below(6) }, newcomer)), lies)
  const blocks: Served[] = []
  for (let height = 1; height <= length; height += 1) {
    const next = random.chance(restless) ? keepHonest(changeSet(set, newcomer, random), lies) : set
    const before = blocks.at(-1)?.signed
    const header = makeHeader({ height: BigInt(height), set, next, before, mark: random.next() })
    blocks.push(signWith(header, set, signersOf(set, random), random))
    set = next
  }
  return { blocks, isLiars }
}

/** The liar's members hold at most two thirds of a set: where they'd hold more, some of them are honest. */
function keepHonest(set: EngineValidator[], lies: Set<string>): EngineValidator[] {
  const liars = () => set.filter(({ key }) => lies.has(key))
  for (const { key } of set) if (isMore(liars(), set)) lies.delete(key)
  return set
}

function changeSet(
  set: readonly EngineValidator[],
  newcomer: () => EngineValidator,
  random: Random,
): EngineValidator[] {
  const kept = set.filter((_, at) => set.length === 1 || at === 0 || !random.chance(0.3))
  const rest = random.chance(0.3) ? kept.slice(1) : kept
  const moved = rest.map((member) =>
    random.chance(0.3) ? { ...member, power: BigInt(1 + random.below(200)) } : member,
  )
  const joined = Array.from({ length: random.below(3) + (moved.length === 0 ? 1 : 0) }, newcomer)
  return inOrder([...moved, ...joined])
}

const inOrder = (set: readonly EngineValidator[]): EngineValidator[] =>
  set.toSorted((a, b) => Number(b.power - a.power) || (a.key < b.key ? -1 : 1))

/** More than two thirds of a set, at random. */
function signersOf(set: readonly EngineValidator[], random: Random): EngineValidator[] {
  let signers = set.filter(() => random.chance(0.8))
  for (const member of set) if (!isMore(signers, set)) signers = [...new Set([...signers, member])]
  return signers
}

type HeaderParts = {
  height: bigint
  set: readonly EngineValidator[]
  next: readonly EngineValidator[]
  before: SignedHeader | undefined
  /** What tells two blocks of one height apart. */
  mark: number
}

function makeHeader({ height, set, next, before, mark }: HeaderParts): EngineHeader {
  const hash = (text: string) => digest(text).toString('hex').toUpperCase()
  return {
    version: { block: 11n, app: 0n },
    chainId: CHAIN_ID,
    height,
    time: { seconds: FIRST_SECONDS + 2n * height, nanos: 0 },
    lastBlockId: before?.commit.blockId ?? { hash: NO_HASH, parts: { total: 0, hash: NO_HASH } },
    lastCommitHash: hash(`commit ${height - 1n}`),
    dataHash: hash(`data ${height} ${mark}`),
    validatorsHash: hashSet(set),
    nextValidatorsHash: hashSet(next),
    consensusHash: hash('consensus'),
    appHash: hash(`app ${height} ${mark}`),
    lastResultsHash: NO_HASH,
    evidenceHash: NO_HASH,
    proposerAddress: engineAddressOf(set[0]?.key ?? ''),
  }
}

/** Signs a header for some of its set, in one aggregate or with some single votes; the others vote for nil or not at all. */
function signWith(
  header: EngineHeader,
  set: readonly EngineValidator[],
  signers: readonly EngineValidator[],
  random: Random,
): Served {
  const { height } = header
  const round = random.below(2)
  const blockId = { hash: hashHeader(header), parts: { total: 1, hash: header.dataHash } }
  const message = encodeVote({ chainId: header.chainId, height, round, blockId })
  const singles = new Set(signers.filter(() => random.chance(0.1)))
  const aggregated = signers.filter((member) => !singles.has(member))
  const signatures = set.map((member) => {
    const address = engineAddressOf(member.key)
    if (singles.has(member)) return { flag: 2, address, signature: sign([member.key], message) }
    if (!aggregated.includes(member))
      return random.chance(0.5)
        ? { flag: 1, address: '', signature: undefined }
        : { flag: 7, address, signature: undefined }
    if (member !== aggregated[0]) return { flag: 5, address, signature: undefined }
    return {
      flag: 4,
      address,
      signature: sign(
        aggregated.map(({ key }) => key),
        message,
      ),
    }
  })
  return { signed: { header, commit: { height, round, blockId, signatures } }, set }
}

/**
 * Returns what a liar serves in place of a block. It signs with its own keys alone: those in the sets of the chain, and
 * any that it makes up.
 */
export function lieAbout(chain: RandomChain, height: number, random: Random): Served {
  const { blocks, isLiars } = chain
  const real = blocks[height - 1]
  const other = random.pick(blocks)
  if (real === undefined) throw new RangeError(`no block of height ${height}`)
  const mine = real.set.filter(({ key }) => isLiars(key))
  const made = Array.from({ length: 1 + random.below(3) }, (_, at) => ({
    key: keyNamed(`made up ${at} ${random.next()}`),
    power: random.pick([1n, 1000n, 2n ** 62n]),
  }))
  const strong = mine.length === 0 ? made : inOrder(mine.map(({ key }) => ({ key, power: 2n ** 62n })))
  const headerWith = (set: readonly EngineValidator[]) =>
    makeHeader({ height: BigInt(height), set, next: set, before: undefined, mark: random.next() })
  const forge = (set: readonly EngineValidator[], signers: readonly EngineValidator[]) =>
    signWith(headerWith(set), set, signers, random)
  return random.pick([
    // A fork of the real set, signed by the liar's part of it, or as if all of it had signed.
    () => forge(real.set, mine),
    () => claimAll(forge(real.set, mine)),
    () =>
      forge(
        other.set,
        other.set.filter(({ key }) => isLiars(key)),
      ),
    // Sets that are made up, alone, together with the liar's members, or around the whole real set.
    () => forge(made, made),
    () => forge(inOrder([...mine, ...made]), [...mine, ...made]),
    () => forge(inOrder([...real.set, ...made]), [...mine, ...made]),
    () => claimAll(forge(inOrder([...real.set, ...made]), [...mine, ...made])),
    () => forge(strong, strong),
    // Blocks and parts of blocks that are well signed, of another height.
    () => other,
    () => ({ signed: { ...real.signed, commit: other.signed.commit }, set: real.set }),
    () => ({ signed: other.signed, set: real.set }),
    () => ({ signed: real.signed, set: other.set }),
    () => ({ signed: { ...real.signed, header: headerWith(real.set) }, set: real.set }),
    () => ({ signed: real.signed, set: inOrder([...real.set, ...made]) }),
  ])()
}

/** Has each member claim to be in the aggregate, over the signature of those who signed. */
function claimAll({ signed, set }: Served): Served {
  const { header, commit } = signed
  const [holder] = commit.signatures.filter(({ signature }) => signature !== undefined)
  const signatures = set.map(({ key }, at) => ({
    flag: at === 0 ? 4 : 5,
    address: engineAddressOf(key),
    signature: at === 0 ? (holder?.signature ?? Buffer.alloc(96).toString('base64')) : undefined,
  }))
  return { signed: { header, commit: { ...commit, signatures } }, set }
}
