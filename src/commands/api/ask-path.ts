import type { Clock } from '../../core/base/effects/effects.ts'
import { badUsage, failureWords } from '../../core/base/errors/base.ts'
import { ClientError } from '../../core/base/errors/client.ts'
import { type Hex, sameHex } from '../../core/base/format/hex.ts'
import { nearWord } from '../../core/base/format/near-word.ts'
import { safeText } from '../../core/base/format/text.ts'
import type { Network } from '../../core/chain/network/network.ts'
import type { BeaconState } from '../../core/chain/proofs/beacon-state.ts'
import { type BeaconBlockHeader, headerRoot } from '../../core/chain/proofs/merkle.ts'
import {
  type ProofVerdict,
  verifyProposer,
  verifyValidatorBalance,
  verifyValidatorCredentials,
  verifyValidatorPubkey,
} from '../../core/chain/proofs/verify.ts'
import { getBlock } from '../../core/clients/execution/blocks.ts'
import type { ExecutionClient } from '../../core/clients/execution/client.ts'
import type { StateId } from '../../core/clients/node/chain.ts'
import type { NodeClient } from '../../core/clients/node/client.ts'
import { getDebugState } from '../../core/clients/node/debug-state.ts'
import {
  getBlockProposerProof,
  getValidatorBalanceProof,
  getValidatorCredentialsProof,
  getValidatorPubkeyProof,
  type ProofMoment,
} from '../../core/clients/node/validator-proofs.ts'
import { getValidator } from '../../core/clients/node/validators.ts'
import { isAnchored } from '../../core/clients/prove-validator.ts'
import type { Clients, NodeClients } from '../../core/observe/context.ts'
import { errorFacts } from '../../core/view/observation.ts'
import type { ReportRow } from '../report-lines.ts'
import { ROWS_TEXT } from '../rows-text.ts'
import { ENGINE_RPC, EXECUTION_RPC, found, NODE_API, type PathReply } from './endpoints.ts'
import { decodedParts, indexOf, momentOf, requireQuery, stateIdOf } from './read-parts.ts'

/** Something whose proof ends in the root of a header. */
type Claim = {
  header: BeaconBlockHeader
  claimedRoot: Hex | undefined
  moment: ProofMoment
  verdict(): Promise<ProofVerdict>
}

/** A proof that a node gave: what it says, and whether that holds. */
type Proof = Claim & { reply: unknown }

const NAMES_PROOF =
  /^(.*)\/proof\/(block_proposer|validator_pubkey|validator_credentials|validator_balance)(?:\/([^/]*))?(?:\/(.*))?$/

/**
 * Refuses a path that means a proof and cannot be one: below another namespace than the network's, or without what
 * such a proof is asked by. Throws `usage.option`.
 */
function refuseOddProof(path: string, { names, label }: Network): void {
  const [, namespace = '', kind = '', moment = '', index] = NAMES_PROOF.exec(path) ?? []
  if (kind === '') return
  const own = `/${names.proofNamespace}`
  const byIndex = kind !== 'block_proposer'
  const shape = `${own}/proof/${kind}/{head, a slot, or t and Unix seconds}${byIndex ? '/{index}' : ''}`
  const found = safeText(path, 120)
  if (namespace !== own) {
    const sentence = `The proofs of ${label} are not below ${safeText(namespace, 60) || '/'}.`
    throw badUsage({ sentence, found, next: `Write ${shape}, or name another network with --network.` })
  }
  if (moment === '' || (index !== undefined) !== byIndex || index === '')
    throw badUsage({ sentence: 'This is not how a proof is asked for.', found, next: `Write ${shape}.` })
}

/** Whether a path, which `refuseOddProof` has let through, is one of a proof. */
const namesProof = (path: string): boolean => NAMES_PROOF.test(path)

/**
 * The proof that a path names, or undefined when the path names none; `absent` when the state knows no such
 * validator, for a node crashes over an index beyond its registry. Throws a `ClientError`, or `usage.option`.
 */
async function askProof(client: NodeClient, path: string): Promise<Proof | 'absent' | undefined> {
  const [, , kind, at = '', index] = NAMES_PROOF.exec(path) ?? []
  if (kind === undefined) return undefined
  const moment = momentOf(at)
  if (index === undefined) return proposerProof(client, moment)
  const validatorIndex = indexOf(index)
  const known = await getValidator(client, { state: stateOf(moment), id: validatorIndex })
  if (known === undefined) return 'absent'
  const question = { moment, validatorIndex }
  if (kind === 'validator_pubkey') return pubkeyProof(client, question)
  return kind === 'validator_credentials'
    ? credentialsProof(client, question)
    : balanceProof(client, question)
}

type ProofQuestion = { moment: ProofMoment; validatorIndex: number }

async function proposerProof(client: NodeClient, moment: ProofMoment): Promise<Proof> {
  const reply = await getBlockProposerProof(client, { moment })
  const { header, claimedRoot } = reply
  const index = header.proposerIndex
  const verdict = async (): Promise<ProofVerdict> => {
    const proposer = verifyProposer({ header, index, proof: reply.proposerIndexProof })
    return proposer.ok
      ? verifyValidatorPubkey({ header, index, value: reply.pubkey, proof: reply.pubkeyProof })
      : proposer
  }
  return { reply, header, claimedRoot, moment, verdict }
}

async function pubkeyProof(client: NodeClient, question: ProofQuestion): Promise<Proof> {
  const reply = await getValidatorPubkeyProof(client, question)
  const { header, claimedRoot, pubkey: value, proof } = reply
  const index = BigInt(question.validatorIndex)
  const verdict = async () => verifyValidatorPubkey({ header, index, value, proof })
  return { reply, header, claimedRoot, moment: question.moment, verdict }
}

async function credentialsProof(client: NodeClient, question: ProofQuestion): Promise<Proof> {
  const reply = await getValidatorCredentialsProof(client, question)
  const { header, claimedRoot, withdrawalCredentials: value, proof } = reply
  const index = BigInt(question.validatorIndex)
  const verdict = async () => verifyValidatorCredentials({ header, index, value, proof })
  return { reply, header, claimedRoot, moment: question.moment, verdict }
}

/** A balance leaf names no validator: it counts only with the key of the same index under the same header. */
async function balanceProof(client: NodeClient, question: ProofQuestion): Promise<Proof> {
  const reply = await getValidatorBalanceProof(client, question)
  const { header, claimedRoot, balanceGwei, leaf, proof } = reply
  const index = BigInt(question.validatorIndex)
  const verdict = async (): Promise<ProofVerdict> => {
    const balance = verifyValidatorBalance({ header, index, balanceGwei, leaf, proof })
    if (!balance.ok) return balance
    const key = await getValidatorPubkeyProof(client, { ...question, moment: { slot: header.slot } })
    return verifyValidatorPubkey({ header, index, value: key.pubkey, proof: key.proof })
  }
  return { reply, header, claimedRoot, moment: question.moment, verdict }
}

function stateOf(moment: ProofMoment): StateId {
  return moment !== 'head' && 'slot' in moment ? moment.slot : 'head'
}

/**
 * A whole state as something to be proven: its hash tree root, computed here, must be the state root of the header of
 * its slot. Throws a `ClientError`.
 */
async function stateClaim(client: NodeClient, state: BeaconState): Promise<Claim> {
  const moment = { slot: state.slot }
  const { header, claimedRoot } = await getBlockProposerProof(client, { moment })
  const verdict = async (): Promise<ProofVerdict> => {
    const [{ useFastHasher }, { stateRoot }] = await Promise.all([
      import('../../core/chain/deposit/fast-hasher.ts'),
      import('../../core/chain/proofs/merkle.ts'),
    ])
    await useFastHasher()
    const same = sameHex(await stateRoot(state, rest), header.stateRoot)
    return same ? { ok: true } : { ok: false, reason: 'does-not-reach-the-root' }
  }
  return { header, claimedRoot, moment, verdict }
}

/** Lets a signal through between two parts of the work. */
function rest(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** A question that was asked. `claim` is what --verify checks, where there is something to check. */
export type PathResult = {
  path: string
  service: 'node API' | 'engine RPC' | 'execution RPC'
  endpoint: string
  typed: boolean
  reply: PathReply
  claim: (() => Promise<Claim>) | undefined
}

type Question = {
  clients: NodeClients
  network: Network
  path: string
  argument: string | undefined
  body: string | undefined
}

const DEBUG_STATE = /^\/eth\/v2\/debug\/beacon\/states\/([^/]+)$/

/** Returns the service that a path or the name of a call belongs to. */
export function serviceOf(path: string, { names }: Network): PathResult['service'] {
  if (!path.startsWith('/')) return 'execution RPC'
  const starts = ['/eth/', '/cometbft/', `/${names.proofNamespace}/`]
  return starts.some((start) => path.startsWith(start)) ? 'node API' : 'engine RPC'
}

/** Asks the service that a path belongs to. Throws a `ClientError`, or `usage.option` for a path with no meaning. */
export async function askPath(question: Question): Promise<PathResult> {
  const { path, network, argument, body } = question
  const service = serviceOf(path, network)
  if (body !== undefined && service !== 'node API') throw noBody()
  if (service === 'execution RPC') return askExecution(question)
  if (argument !== undefined) {
    const next = 'Put it into the path, or into its query.'
    throw badUsage({ sentence: 'A path takes no argument.', found: safeText(argument, 80), next })
  }
  const url = readPath(path)
  refuseOddProof(url.pathname, network)
  return service === 'node API' ? askNode(question, url) : askEngine(question, url)
}

function noBody(): Error {
  return badUsage({ sentence: 'This path takes no --body.', next: 'Leave --body out.' })
}

function readPath(path: string): URL {
  const base = 'http://node.invalid'
  if (URL.canParse(path, base) && new URL(path, base).origin === base) return new URL(path, base)
  throw badUsage({
    sentence: 'This is no path.',
    found: safeText(path, 120),
    next: 'Write it as /eth/v1/beacon/genesis.',
  })
}

async function askExecution({ clients, network, path, argument }: Question): Promise<PathResult> {
  const client = clients.execution
  const endpoint = EXECUTION_RPC.find(({ name }) => name === path)
  if (endpoint === undefined) throw noSuchCall(path)
  const [takes] = endpoint.takes
  if (takes === undefined && argument !== undefined) {
    const sentence = `${path} takes no argument.`
    throw badUsage({ sentence, found: safeText(argument, 80), next: 'Leave it out.' })
  }
  const { depositContract } = network.spec
  const reply = await endpoint.ask({ client, depositContract, argument })
  const shape = { service: 'execution RPC', endpoint: client.label, typed: true } as const
  return { path, ...shape, reply, claim: undefined }
}

function noSuchCall(path: string): Error {
  const names = EXECUTION_RPC.map(({ name }) => name)
  const near = nearWord(path, names)
  return badUsage({
    sentence: 'There is no such question to the execution client here.',
    found: safeText(path, 60),
    ...(near === undefined ? {} : { near }),
    next: `Ask one of ${names.join(', ')}; a path begins with a slash.`,
  })
}

async function askEngine({ clients, path }: Question, url: URL): Promise<PathResult> {
  const client = clients.engine
  const query = url.searchParams
  const endpoint = ENGINE_RPC.find(({ name }) => name === url.pathname)
  const shape = { path, service: 'engine RPC', endpoint: client.label, claim: undefined } as const
  if (endpoint !== undefined) {
    requireQuery(query, endpoint.takes)
    return { ...shape, typed: true, reply: await endpoint.ask({ client, query }) }
  }
  const raw = client.ask({ method: url.pathname.slice(1), query: [...query], decode: (value) => value })
  return { ...shape, typed: false, reply: await found(raw) }
}

async function askNode({ clients, path, body }: Question, url: URL): Promise<PathResult> {
  const client = clients.node
  const query = url.searchParams
  const shape = { path, service: 'node API', endpoint: client.label } as const
  const [, state] = DEBUG_STATE.exec(url.pathname) ?? []
  if (state !== undefined || namesProof(url.pathname)) {
    requireQuery(query, [])
    if (body !== undefined) throw noBody()
  }
  const proof = await askProof(client, url.pathname)
  if (proof === 'absent') return { ...shape, typed: true, reply: { kind: 'absent' }, claim: undefined }
  if (proof !== undefined) {
    const claim = async () => proof
    return { ...shape, typed: true, reply: { kind: 'found', value: proof.reply }, claim }
  }
  if (state !== undefined) return askState(client, state, shape)
  const call = nodeCall(body === undefined ? 'GET' : 'POST', url.pathname)
  if (call !== undefined) {
    requireQuery(query, call.takes)
    const reply = await call.ask({ client, parts: call.parts, query, body })
    return { ...shape, typed: true, reply, claim: undefined }
  }
  if (body !== undefined) throw noBody()
  const parts = decodedParts(url.pathname.slice(1).split('/'))
  const raw = client.ask({ path: parts, query: [...query], decode: (value) => value })
  return { ...shape, typed: false, reply: await found(raw), claim: undefined }
}

/** The call of the table that a path is of, with the parts that stand for a colon. Throws `usage.option`. */
function nodeCall(method: 'GET' | 'POST', path: string) {
  for (const endpoint of NODE_API) {
    const pattern = new RegExp(`^${endpoint.name.replaceAll(':', '([^/]+)')}$`)
    const match = endpoint.method === method ? pattern.exec(path) : null
    if (match !== null) return { ...endpoint, parts: decodedParts(match.slice(1)) }
  }
  return undefined
}

async function askState(
  client: NodeClient,
  id: string,
  shape: Pick<PathResult, 'path' | 'service' | 'endpoint'>,
): Promise<PathResult> {
  const value: BeaconState = await getDebugState(client, { state: stateIdOf(id) })
  return {
    ...shape,
    typed: true,
    reply: { kind: 'found', value },
    claim: () => stateClaim(client, value),
  }
}

export type Verification = {
  /** 0 not proven, 1 up to the header's root, 2 in the execution chain, 3 there in two endpoints. */
  level: 0 | 1 | 2 | 3
  /** The header's root, recomputed here. */
  blockRoot: Hex
  rows: ReportRow[]
}

type ClaimContext = { clients: Clients; clock: Clock; slotMs: number }

const SLOTS_TO_WAIT = 10
const NO_ROOT = 'holds no root for that block'

/**
 * Checks a proof up to the recomputed root of its header, then whether the execution chain holds that root (EIP-4788)
 * by one endpoint and by a second one. What cannot be asked is unknown, never good. Throws a `ClientError` when the
 * node cannot complete its proof.
 */
export async function verifyClaim(claim: Claim, context: ClaimContext): Promise<Verification> {
  const blockRoot = headerRoot(claim.header)
  const verdict = await claim.verdict()
  const { label: node } = context.clients.node
  const rows = [proofRow(verdict, claim, node)]
  if (claim.claimedRoot !== undefined && !sameHex(claim.claimedRoot, blockRoot)) {
    const value = 'is not the root of its own header'
    rows.push(row('claimed', 'claimed root', 'refused', value, claim.claimedRoot, node))
  }
  if (rows.some(({ mark }) => mark === 'refused')) return { level: 0, blockRoot, rows }
  const { execution, second } = context.clients
  const at = await timestampOf(claim, context)
  const first = await anchorRow('anchor', execution, { at, blockRoot })
  const other =
    second === undefined
      ? row('secondAnchor', 'second anchor', 'unasked', 'needs --second-execution')
      : await anchorRow('secondAnchor', second, { at, blockRoot })
  const anchored = first.mark === 'proven'
  const level = anchored && other.mark === 'proven' ? 3 : 2
  return { level: anchored ? level : 1, blockRoot, rows: [...rows, first, other] }
}

/** What the node gave, as it was recomputed here. */
function proofRow(verdict: ProofVerdict, { header }: Claim, node: string): ReportRow {
  const value = verdict.ok
    ? `holds up to the header's root, slot ${header.slot}`
    : `does not hold: ${verdict.reason}`
  return row('proof', ROWS_TEXT.proof, verdict.ok ? 'proven' : 'refused', value, undefined, node)
}

type ProofPlace = { at: bigint | undefined; blockRoot: Hex }

async function anchorRow(
  id: string,
  client: ExecutionClient,
  { at, blockRoot }: ProofPlace,
): Promise<ReportRow> {
  const label = id === 'anchor' ? ROWS_TEXT.anchor : 'second anchor'
  if (at === undefined) return row(id, label, 'unknown', 'has no block after it yet', undefined, client.label)
  try {
    const holds = await isAnchored(client, { timestampSeconds: at, blockRoot })
    if (holds === undefined) return row(id, label, 'unknown', NO_ROOT, undefined, client.label)
    const words = holds ? 'confirms the root' : 'names another root'
    return row(id, label, holds ? 'proven' : 'refused', words, blockRoot, client.label)
  } catch (thrown) {
    return row(id, label, 'unknown', failureWords(errorFacts(thrown)), undefined, client.label)
  }
}

/** Timestamp of the block after the header's: there the root lies. It may have to be waited for. */
async function timestampOf({ header, moment }: Claim, context: ClaimContext): Promise<bigint | undefined> {
  if (moment !== 'head' && 'nextBlockTimestampSeconds' in moment) return moment.nextBlockTimestampSeconds
  const { clock, slotMs } = context
  const deadline = clock.monotonicMs() + SLOTS_TO_WAIT * slotMs
  for (;;) {
    const next = await nextBlock(context.clients.execution, header.slot + 1n)
    if (next !== 'none') return next
    if (clock.monotonicMs() >= deadline) return undefined
    await clock.sleep(slotMs / 2)
  }
}

async function nextBlock(client: ExecutionClient, number: bigint): Promise<bigint | undefined | 'none'> {
  try {
    return (await getBlock(client, { block: number }))?.timestamp ?? 'none'
  } catch (thrown) {
    if (thrown instanceof ClientError) return undefined
    throw thrown
  }
}

function row(
  id: string,
  label: string,
  mark: ReportRow['mark'],
  value: string,
  long?: string,
  source = 'this computer',
): ReportRow {
  return { step: 'confirm', id, label, mark, value, source, ...(long === undefined ? {} : { long }) }
}
