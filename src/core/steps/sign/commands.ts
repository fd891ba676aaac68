import { call } from '../../clients/execution/call.ts'
import { readAccountKind } from '../../clients/execution/chain.ts'
import { credentialsOf, type SignedDeposit } from '../../deposit/credentials.ts'
import { writeDepositFile } from '../../deposit/deposit-file.ts'
import {
  isSignatureText,
  readSignatureText,
  requireTakes,
  signatureOfFile,
} from '../../deposit/explain-refusal.ts'
import { verifyByPrecompile } from '../../deposit/precompile.ts'
import { depositSelfTest } from '../../deposit/self-test.ts'
import { verifyDeposit } from '../../deposit/verify.ts'
import { noPrecompileVerdict } from '../../errors/deposit.ts'
import type { SignatureFact } from '../../facts.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import { type Hex, sameHex } from '../../format/hex.ts'
import { findNodeTool, type NodeTool, toolCreateValidator } from '../../identity/run-tool.ts'
import { toolValidate } from '../../identity/tool-verdict.ts'
import { PRESETS } from '../../network/presets.ts'
import type { Observation } from '../observation.ts'
import { clientsOf, observe, type World } from '../world.ts'
import { type AccountAnswers, addressesOf } from './accounts.ts'
import type { Opinion, OpinionId, SignCommand, SignEvent, SignPlan, SignState } from './machine.ts'

const MAX_FILE_BYTES = 64 * 1024
const GROUP = 4
/** Two whole groups of four are asked for, never from the first or last two: a forged address copies the ends. */
const PLACES = 5
const FIRST_PLACE = 2

/** Carries out one command of the signing step. */
export async function runSign(
  command: SignCommand,
  world: World<SignEvent>,
  getState: () => SignState,
): Promise<void> {
  switch (command.type) {
    case 'challenge':
      return challenge(world)
    case 'sign':
      return sign(world, getState)
    case 'take':
      return takeBrought(world, getState)
    case 'ask':
      return askOpinions(world, getState)
    case 'save':
      return save(world, getState)
    case 'accounts':
      return lookAtAccounts(world, getState)
  }
}

/** Asks every execution endpoint what stands at the addresses. */
async function lookAtAccounts(world: World<SignEvent>, getState: () => SignState): Promise<void> {
  const { execution, second } = clientsOf(world)
  const clients = second === undefined ? [execution] : [execution, second]
  const source = clients.length === 1 ? endpointName(world.setup.endpoints.execution) : 'both endpoints'
  const addresses = Object.entries(addressesOf(getState())) as [keyof AccountAnswers, Hex][]
  await Promise.all(
    addresses.map(([key, address]) =>
      observe(
        world,
        source,
        () => Promise.all(clients.map((client) => readAccountKind(client, { address }))),
        (seen) => world.dispatch({ step: 'sign', type: 'accountSeen', address, key, seen }),
      ),
    ),
  )
}

/** Chooses which two groups of the middle are typed again. */
async function challenge(world: World<SignEvent>): Promise<void> {
  const [random = 0] = world.effects.random.bytes(1)
  await world.dispatch({
    step: 'sign',
    type: 'challenged',
    offset: GROUP * (FIRST_PLACE + (random % PLACES)),
  })
}

async function sign(world: World<SignEvent>, getState: () => SignState): Promise<void> {
  const { effects, setup } = world
  const { identity, genesis } = world.facts()
  const { plan } = getState()
  if (identity === undefined || genesis === undefined || plan === undefined) return
  if (identity.key.kind === 'elsewhere') return
  depositSelfTest()
  const withdrawalCredentials = credentialsOf(plan.withdrawalAddress)
  const { signature } = await effects.signer.signDeposit({
    keyFile: identity.key.path,
    fileHash: identity.key.hash,
    pubkey: identity.pubkey,
    withdrawalCredentials,
    amountGwei: plan.amountGwei,
    genesisValidatorsRoot: genesis.genesisValidatorsRoot,
    genesisForkVersion: genesis.genesisForkVersion,
    keyTypePrefix: setup.network.names.keyTypePrefix,
  })
  await tellSigned(world, plan, signature)
}

async function tellSigned(world: World<SignEvent>, plan: SignPlan, signature: Hex): Promise<void> {
  const { withdrawalAddress, operator, amountGwei, rescue } = plan
  const withdrawalCredentials = credentialsOf(withdrawalAddress)
  const fact: SignatureFact = {
    withdrawalAddress,
    withdrawalCredentials,
    operator,
    amountGwei,
    signature,
    rescue,
  }
  await world.dispatch({ step: 'sign', type: 'signed', signature: fact })
}

/** Takes what the key machine made: a deposit file of exactly this plan, or a signature over it. */
async function takeBrought(world: World<SignEvent>, getState: () => SignState): Promise<void> {
  const { identity, genesis } = world.facts()
  const { plan, brought } = getState()
  if (identity === undefined || genesis === undefined || plan === undefined || brought === undefined) return
  depositSelfTest()
  const { network } = world.setup
  const expected = {
    pubkey: identity.pubkey,
    withdrawalCredentials: credentialsOf(plan.withdrawalAddress),
    amountGwei: plan.amountGwei,
    genesisValidatorsRoot: genesis.genesisValidatorsRoot,
    genesisForkVersion: genesis.genesisForkVersion,
    executionChainId: network.executionChainId,
    operator: plan.operator,
  }
  const signature = isSignatureText(brought)
    ? readSignatureText(brought)
    : signatureOfFile(await fileText(world, brought), expected)
  const others = PRESETS.filter(({ id }) => id !== network.id)
  requireTakes({ ...expected, signature }, others)
  await tellSigned(world, plan, signature)
}

/** A deposit file may be pasted whole, or named by its path. */
async function fileText({ effects }: World<SignEvent>, brought: string): Promise<string> {
  if (brought.startsWith('{')) return brought
  return new TextDecoder().decode(await effects.files.read(brought, { maxBytes: MAX_FILE_BYTES }))
}

/** Asks every judge of the signature, all at once. */
async function askOpinions(world: World<SignEvent>, getState: () => SignState): Promise<void> {
  const { effects, setup } = world
  const { identity } = world.facts()
  const { signature } = getState()
  if (identity === undefined || signature === undefined) return
  const { network, endpoints, homePath } = setup
  const { genesisValidatorsRoot, genesisForkVersion } = network
  const { pubkey } = identity
  const deposit = { pubkey, ...signature, genesisValidatorsRoot, genesisForkVersion }
  const { execution } = clientsOf(world)
  const ask = (key: OpinionId, source: string, question: () => Promise<Opinion>) =>
    observe(world, source, question, (seen: Observation<Opinion>) =>
      world.dispatch({ step: 'sign', type: 'observed', key, seen }),
    )
  const tool = await findNodeTool(effects, network.names.nodeTool)
  await Promise.all([
    ask('library', 'this computer', async () => {
      const verdict = verifyDeposit(deposit)
      return {
        accepts: verdict.verdict === 'accepted',
        words: verdict.verdict === 'accepted' ? 'accepts' : verdict.words,
      }
    }),
    ask('precompile', endpointName(endpoints.execution), async () => {
      const verdict = await verifyByPrecompile(deposit, (to, data) => call(execution, { to, data }))
      if (verdict.verdict === 'unknown') throw noPrecompileVerdict(verdict.words)
      return verdict.verdict === 'accepted'
        ? { accepts: true, words: 'accepts' }
        : { accepts: false, words: `refuses: ${verdict.reason.replaceAll('-', ' ')}` }
    }),
    ...(tool === undefined || homePath === undefined
      ? []
      : [
          ...(identity.key.kind === 'elsewhere'
            ? []
            : [ask('tool', tool.path, () => signsTheSame(tool, { home: homePath, deposit, signature }))]),
          ask('toolValidate', tool.path, async () => {
            const verdict = await toolValidate(tool, { home: homePath, ...deposit })
            return verdict.valid
              ? { accepts: true, words: 'accepts' }
              : { accepts: false, words: `refuses: ${verdict.words}` }
          }),
        ]),
  ])
}

/** Whether the node tool makes the same signature with the key of the home. */
async function signsTheSame(
  tool: NodeTool,
  { home, deposit, signature }: { home: string; deposit: SignedDeposit; signature: SignatureFact },
): Promise<Opinion> {
  const { withdrawalAddress, amountGwei } = signature
  const { genesisValidatorsRoot } = deposit
  const order = { home, withdrawalAddress, amountGwei, genesisValidatorsRoot }
  const made = await toolCreateValidator(tool, order)
  const same =
    sameHex(made.signature, deposit.signature) &&
    sameHex(made.pubkey, deposit.pubkey) &&
    sameHex(made.withdrawalCredentials, deposit.withdrawalCredentials) &&
    made.amountGwei === amountGwei
  return { accepts: same, words: same ? 'the same 96 bytes' : 'other bytes than this signature' }
}

async function save(world: World<SignEvent>, getState: () => SignState): Promise<void> {
  const { effects, setup } = world
  const { identity } = world.facts()
  const { signature } = getState()
  if (identity === undefined || signature === undefined) return
  const { network, outputDirectory } = setup
  const path = `${outputDirectory}/deposit-${identity.pubkey.slice(2, 10)}.json`
  const { genesisValidatorsRoot, genesisForkVersion, executionChainId } = network
  const chain = { network: network.id, executionChainId, genesisValidatorsRoot, genesisForkVersion }
  const text = writeDepositFile({ ...chain, ...signature, pubkey: identity.pubkey })
  await effects.store.writeText(path, text, { replace: true })
  await world.dispatch({ step: 'sign', type: 'saved', path })
}
