import { type CommitRow, readClaims } from '../../../../scripts/vectors/commits.ts'
import { FieldFault } from '../../../../src/core/base/format/decode.ts'
import { hashHeader, hashSet, hashTransactions } from '../../../../src/core/chain/light/encode.ts'
import type { Random } from '../../../simulation/random.ts'

/** A row of which one thing was altered; `what` names the thing, `chainId` the chain that is asked for. */
export type Altered = { what: string; row: CommitRow; chainId: string }

type Pool = {
  rows: readonly CommitRow[]
  chainId: string
  random: Random
  /** How often what was altered is hashed again, so that only the set and its signature stand against it. */
  rehashed: number
}
/** Alters a copy of a row in place, or returns false where this row can't be altered so. */
type Alter = (row: CommitRow, pool: Pool) => boolean

/** Returns a row of the pool with one alteration; never one that claims the same. */
export async function alterRow(pool: Pool): Promise<Altered> {
  const { random, rows, chainId } = pool
  for (;;) {
    const what = random.pick(WHAT)
    const source = random.pick(rows)
    if (what === 'chain id asked for')
      return { what, row: source, chainId: random.pick([`${chainId}0`, 'beacond-80094', '']) }
    const row = structuredClone(source)
    if (ALTERATIONS[what]?.(row, pool) !== true || JSON.stringify(row) === JSON.stringify(source)) continue
    if (isVain(source, row)) continue
    if (NOT_HASHED.test(what) || !random.chance(pool.rehashed)) return { what, row, chainId }
    return { what: `${what}, hashed again`, row: await hashAgain(row, what), chainId }
  }
}

/** What no hash of a header holds. */
const NOT_HASHED = /^(?:signature|commit|state root|rows)/

/** Hashes what was altered again, as an attacker would: the set or the transactions, and then the header. */
async function hashAgain(row: CommitRow, what: string): Promise<CommitRow> {
  const { header, commit } = row.commit
  try {
    const { signed, set, transactions } = await readClaims(row)
    const made = { ...signed.header }
    if (what.startsWith('set')) made.validatorsHash = hashSet(set)
    if (what.startsWith('transaction')) made.dataHash = hashTransactions(transactions)
    header.validators_hash = made.validatorsHash
    header.data_hash = made.dataHash
    commit.block_id.hash = hashHeader(made)
  } catch (thrown) {
    // What the decoders refuse stays as it is.
    if (!(thrown instanceof FieldFault || thrown instanceof RangeError)) throw thrown
  }
  return row
}

const HASHES = [
  'last_commit_hash',
  'data_hash',
  'validators_hash',
  'next_validators_hash',
  'consensus_hash',
  'app_hash',
  'last_results_hash',
  'evidence_hash',
  'proposer_address',
] as const

const ALTERATIONS: Readonly<Record<string, Alter>> = {
  'header version.block': ({ commit: { header } }, { random }) => {
    header.version.block = alterNumber(header.version.block, random)
    return true
  },
  'header version.app': ({ commit: { header } }, { random }) => {
    header.version.app = random.pick(['1', '2', '11', '18446744073709551615', '18446744073709551616'])
    return true
  },
  'header chain_id': ({ commit: { header } }, { random }) => {
    header.chain_id = random.pick([
      '',
      'beacond',
      'beacond-2062',
      'beacond-20610',
      'Beacond-2061',
      ' beacond-2061',
    ])
    return true
  },
  'header height': (row, { random }) => {
    row.commit.header.height = alterNumber(row.commit.header.height, random)
    return true
  },
  'header height, everywhere': (row, { random }) => {
    const height = alterNumber(row.commit.header.height, random)
    row.height = Number(height)
    row.commit.header.height = height
    row.commit.commit.height = height
    return Number.isSafeInteger(row.height)
  },
  'header time': ({ commit: { header } }, { random, rows }) => {
    header.time = random.pick([
      alterDigit(header.time, random),
      random.pick(rows).commit.header.time,
      header.time.replace(/\.\d+/, ''),
      header.time.replace('Z', '+01:00'),
    ])
    return true
  },
  'header last_block_id.hash': ({ commit: { header } }, { random }) => {
    header.last_block_id.hash = alterHex(header.last_block_id.hash, random)
    return true
  },
  'header last_block_id.parts.total': ({ commit: { header } }, { random }) => {
    header.last_block_id.parts.total += 1 + random.below(3)
    return true
  },
  'header last_block_id.parts.hash': ({ commit: { header } }, { random }) => {
    header.last_block_id.parts.hash = alterHex(header.last_block_id.parts.hash, random)
    return true
  },
  ...Object.fromEntries(
    HASHES.map((name): [string, Alter] => [
      `header ${name}`,
      ({ commit: { header } }, { random, rows }) => {
        const others = [random.pick(rows).commit.header[name], header[random.pick(HASHES)]]
        header[name] = random.chance(0.3) ? random.pick(others) : alterHex(header[name], random)
        return true
      },
    ]),
  ),
  'header of another row': (row, { random, rows }) => {
    row.commit.header = structuredClone(random.pick(rows).commit.header)
    return true
  },
  'commit height': ({ commit: { commit } }, { random }) => {
    commit.height = alterNumber(commit.height, random)
    return true
  },
  'commit round': ({ commit: { commit } }, { random }) => {
    commit.round = random.pick([0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER, -1, 1.5])
    return true
  },
  'commit block_id.hash': ({ commit: { commit } }, { random }) => {
    commit.block_id.hash = alterHex(commit.block_id.hash, random)
    return true
  },
  'commit block_id.parts.total': ({ commit: { commit } }, { random }) => {
    commit.block_id.parts.total = random.pick([0, 2, 2 ** 32 + 1, -1])
    return true
  },
  'commit block_id.parts.hash': ({ commit: { commit } }, { random, rows }) => {
    const { hash } = commit.block_id.parts
    const isTurned = random.chance(0.1)
    commit.block_id.parts.hash = isTurned
      ? alterHex(hash, random)
      : random.pick(['', `${hash}00`, rows[0]?.commit.commit.block_id.parts.hash ?? ''])
    return true
  },
  'commit of another row': (row, { random, rows }) => {
    row.commit.commit = structuredClone(random.pick(rows).commit.commit)
    return true
  },
  'commit of another row, under this height and block': (row, { random, rows }) => {
    const { height, block_id } = row.commit.commit
    row.commit.commit = { ...structuredClone(random.pick(rows).commit.commit), height, block_id }
    return true
  },
  'signature flag': ({ commit: { commit } }, { random }) => {
    random.pick(commit.signatures).block_id_flag = random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 255, -1])
    return true
  },
  'signature flag, with what fits it': (row, { random }) => {
    const at = random.below(row.commit.commit.signatures.length)
    const entry = row.commit.commit.signatures[at]
    const holder = row.commit.commit.signatures.find(({ block_id_flag: flag }) => flag === 4)
    if (entry === undefined || holder === undefined) return false
    const flag = random.pick([1, 2, 3, 4, 5, 6, 7])
    entry.block_id_flag = flag
    entry.validator_address = flag === 1 ? '' : (row.validators[at]?.address ?? '')
    entry.signature = [2, 3, 4, 6].includes(flag) ? holder.signature : null
    return true
  },
  'signature address': (row, { random }) => {
    const entry = random.pick(row.commit.commit.signatures)
    const others = row.validators.map(({ address }) => address)
    entry.validator_address =
      entry.validator_address === '' || random.chance(0.3)
        ? random.pick(others)
        : random.pick([alterHex(entry.validator_address, random), ''])
    return true
  },
  'signature bytes': ({ commit: { commit } }, { random }) => {
    const holder = commit.signatures.find(({ block_id_flag: flag }) => flag === 4)
    if (holder?.signature == null) return false
    holder.signature = alterBase64(holder.signature, random)
    return true
  },
  'signature where none was': ({ commit: { commit } }, { random, rows }) => {
    const entry = random.pick(commit.signatures)
    if (entry.signature !== null) return false
    entry.signature = random.pick(rows).commit.commit.signatures[0]?.signature ?? null
    return true
  },
  'signature of another row': ({ commit: { commit } }, { random, rows }) => {
    const holder = commit.signatures.find(({ block_id_flag: flag }) => flag === 4)
    const others = random.pick(rows).commit.commit.signatures
    const other = others.find(({ block_id_flag: flag }) => flag === 4)
    if (holder === undefined || other === undefined) return false
    holder.signature = other.signature
    return true
  },
  'signatures in another order': ({ commit: { commit } }, { random }) => swapTwo(commit.signatures, random),
  'signature left out': ({ commit: { commit } }, { random }) => dropOne(commit.signatures, random),
  'signature added': ({ commit: { commit } }, { random }) => {
    commit.signatures.push({ ...random.pick(commit.signatures) })
    return true
  },
  'set key': (row, { random, rows }) => {
    const { pub_key: key } = random.pick(row.validators)
    key.value = random.chance(0.3)
      ? random.pick(random.pick(rows).validators).pub_key.value
      : alterBase64(key.value, random)
    return true
  },
  'set key and address of another row': (row, { random, rows }) => {
    const at = random.below(row.validators.length)
    const other = random.pick(random.pick(rows).validators)
    const { voting_power } = row.validators[at] ?? other
    const entry = row.commit.commit.signatures[at]
    row.validators[at] = { ...structuredClone(other), voting_power }
    if (entry !== undefined && entry.validator_address !== '') entry.validator_address = other.address
    return true
  },
  'set power': (row, { random }) => {
    const member = random.pick(row.validators)
    member.voting_power = alterNumber(member.voting_power, random)
    return true
  },
  'set order': (row, { random }) => swapTwo(row.validators, random),
  'set order, with its signatures': (row, { random }) => {
    const { signatures } = row.commit.commit
    const pairs = row.validators.map((member, at) => ({ member, entry: signatures[at] }))
    const isSwapped = swapTwo(pairs, random)
    row.validators = pairs.map(({ member }) => member)
    row.commit.commit.signatures = pairs.flatMap(({ entry }) => (entry === undefined ? [] : [entry]))
    return isSwapped
  },
  'set member left out': (row, { random }) => dropOne(row.validators, random),
  'set member left out, with its signature': (row, { random }) => {
    const at = random.below(row.validators.length)
    row.validators.splice(at, 1)
    row.commit.commit.signatures.splice(at, 1)
    return true
  },
  'set member added': (row, { random, rows }) => {
    row.validators.push(structuredClone(random.pick(random.pick(rows).validators)))
    return true
  },
  'set member added, who votes': (row, { random, rows }) => {
    const member = structuredClone(random.pick(random.pick(rows).validators))
    const { signatures } = row.commit.commit
    row.validators.push(member)
    signatures.push({ block_id_flag: 5, validator_address: member.address, signature: null })
    return true
  },
  'set address': (row, { random }) => {
    const member = random.pick(row.validators)
    member.address = random.chance(0.3)
      ? random.pick(row.validators).address
      : alterHex(member.address, random)
    return true
  },
  'set of another row': (row, { random, rows }) => {
    row.validators = structuredClone(random.pick(rows).validators)
    return true
  },
  'transaction bytes': (row, { random }) => {
    const at = random.below(row.txs.length)
    row.txs[at] = alterBase64(row.txs[at] ?? '', random)
    return true
  },
  'transactions in another order': (row, { random }) => swapTwo(row.txs, random),
  'transaction left out': (row, { random }) => dropOne(row.txs, random),
  'transaction added': (row, { random, rows }) => {
    const added = random.pick([random.pick(random.pick(rows).txs), '', 'AAAA'])
    row.txs.splice(random.below(row.txs.length + 1), 0, added)
    return true
  },
  'transactions of another row': (row, { random, rows }) => {
    row.txs = [...random.pick(rows).txs]
    return true
  },
  'state root': (row, { random, rows }) => {
    row.stateRoot = random.chance(0.3) ? random.pick(rows).stateRoot : alterDigit(row.stateRoot, random)
    return true
  },
  'rows of two heights': (row, { random, rows }) => {
    const other = structuredClone(random.pick(rows))
    const parts = [
      () => Object.assign(row.commit, { header: other.commit.header }),
      () => Object.assign(row.commit, { commit: other.commit.commit }),
      () => Object.assign(row, { validators: other.validators }),
      () => Object.assign(row, { txs: other.txs }),
      () => Object.assign(row, { stateRoot: other.stateRoot }),
    ]
    const taken = parts.filter(() => random.chance(0.5))
    for (const take of taken) take()
    return taken.length > 0
  },
  'rows of two heights, as the other height': (row, { random, rows }) => {
    row.height = random.pick(rows).height
    return true
  },
}

/** Every thing that is altered. */
export const WHAT: readonly string[] = [...Object.keys(ALTERATIONS), 'chain id asked for']

/**
 * Whether an alteration claims nothing else: what a member who didn't vote for the block did, an aggregate of one as a
 * single vote, and a set or a part of another row that is the same there.
 */
function isVain(source: CommitRow, row: CommitRow): boolean {
  return essence(source) === essence(row)
}

function essence(row: CommitRow): string {
  const { signatures } = row.commit.commit
  const isAlone = signatures.filter(({ block_id_flag: flag }) => isVote(flag)).length === 1
  const entries = signatures.map((entry, at) => {
    const { block_id_flag: flag, validator_address: address, signature } = entry
    if (isAlone && flag === 2) return { ...entry, block_id_flag: 4 }
    const isWhole = [3, 6].includes(flag) ? signature !== null : signature === null
    const isOwn = flag === 1 ? address === '' : address === row.validators[at]?.address
    return [1, 3, 6, 7].includes(flag) && isWhole && isOwn ? 'no vote' : entry
  })
  const commit = { ...row.commit.commit, signatures: entries }
  return JSON.stringify({ ...row, commit: { ...row.commit, commit } })
}

const isVote = (flag: number): boolean => [2, 4, 5].includes(flag)

function alterHex(hex: string, random: Random): string {
  const ways = [
    alterDigit(hex, random),
    alterDigit(hex, random),
    hex.slice(2),
    `${hex}00`,
    hex.toLowerCase(),
    '',
  ]
  return random.pick(ways)
}

/** Turns one digit of a hex or decimal text into another one. */
function alterDigit(text: string, random: Random): string {
  const places = [...text.matchAll(/[\dA-Fa-f]/g)].map(({ index }) => index).filter((at) => at > 1)
  if (places.length === 0) return `${text}00`
  const at = random.pick(places)
  return `${text.slice(0, at)}${random.pick([...'0123456789'].filter((digit) => digit !== text[at]))}${text.slice(at + 1)}`
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function alterBase64(text: string, random: Random): string {
  const at = random.below(Math.max(text.length, 1))
  const turned = `${text.slice(0, at)}${random.pick([...BASE64])}${text.slice(at + 1)}`
  return random.pick([
    turned,
    turned,
    turned,
    turned,
    text.slice(4),
    `${text}AAAA`,
    `${text}\n`,
    text.replaceAll('/', '_'),
  ])
}

function alterNumber(decimal: string, random: Random): string {
  const value = BigInt(decimal)
  const wrapped = [value + 2n ** 64n, value + 2n ** 32n, value + 2n ** 63n]
  return String(random.pick([value + 1n, value - 1n, value * 10n, 0n, 1n, 2n ** 63n, ...wrapped, -value]))
}

function swapTwo<T>(list: T[], random: Random): boolean {
  const [one, other] = [random.below(list.length), random.below(list.length)]
  const [first, second] = [list[one], list[other]]
  if (first === undefined || second === undefined || one === other) return false
  list[one] = second
  list[other] = first
  return true
}

function dropOne<T>(list: T[], random: Random): boolean {
  list.splice(random.below(list.length), 1)
  return true
}
