import { type ClientError, isSilence } from '../../base/errors/client.ts'
import { noPrecompileVerdict } from '../../base/errors/deposit.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { credentialsOf, type SignedDeposit } from '../../chain/deposit/credentials.ts'
import { writeDepositFile } from '../../chain/deposit/deposit-file.ts'
import {
  isSignatureText,
  readSignatureText,
  requireTakes,
  signatureOfFile,
} from '../../chain/deposit/explain-refusal.ts'
import { verifyByPrecompile } from '../../chain/deposit/precompile.ts'
import { depositSelfTest, depositSelfTestBeside } from '../../chain/deposit/self-test.ts'
import { verifyDeposit } from '../../chain/deposit/verify.ts'
import type { SignatureFact } from '../../chain/facts.ts'
import { findNodeTool, type NodeTool, toolCreateValidator } from '../../chain/identity/run-tool.ts'
import { toolValidate } from '../../chain/identity/tool-verdict.ts'
import { PRESETS } from '../../chain/network/presets.ts'
import { call } from '../../clients/execution/call.ts'
import { readAccountKind } from '../../clients/execution/chain.ts'
import { asker, type CommandContext, clientsOf, observe, type StepContext } from '../../observe/world.ts'
import {
  type AccountAnswers,
  addressesOf,
  SIGN_FACTS,
  type SignAnswers,
  type SignatureCheck,
} from './facts.ts'
import { lookAtFunds } from './funds-commands.ts'
import type { SignCommand, SignEvent, SignPlan, SignState } from './machine.ts'
import { SIGN_TEXT } from './text.ts'

const { checks: SAID } = SIGN_TEXT
const ACCEPTED: SignatureCheck = { accepts: true, words: SAID.accepts }

const MAX_FILE_BYTES = 64 * 1024
const GROUP = 4
/** Two whole groups of four are asked for, never from the first or last two: a forged address copies the ends. */
const PLACES = 5
const FIRST_PLACE = 2

type Here = StepContext<SignEvent, SignState>

/** Carries out one command of the signing step. */
export async function runSign(command: SignCommand, world: Here): Promise<void> {
  switch (command.type) {
    case 'challenge':
      return challenge(world)
    case 'sign':
      return sign(world)
    case 'take':
      return takeImported(world)
    case 'ask':
      return askVerifiers(world)
    case 'save':
      return save(world)
    case 'accounts':
      return lookAtAccounts(world)
    case 'funds':
      return lookAtFunds(world)
  }
}

/** Asks every execution endpoint what stands at the addresses. */
async function lookAtAccounts(world: Here): Promise<void> {
  const { execution, second } = clientsOf(world)
  const clients = second === undefined ? [execution] : [execution, second]
  const source = clients.length === 1 ? endpointName(world.setup.endpoints.execution) : SAID.bothEndpoints
  const addresses = Object.entries(addressesOf(world.getState())) as [keyof AccountAnswers, Hex][]
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
async function challenge(world: CommandContext<SignEvent>): Promise<void> {
  const [random = 0] = world.effects.random.bytes(1)
  await world.dispatch({
    step: 'sign',
    type: 'challenged',
    offset: GROUP * (FIRST_PLACE + (random % PLACES)),
  })
}

async function sign(world: Here): Promise<void> {
  const { effects, setup } = world
  const { identity, genesis } = world.facts()
  const { plan } = world.getState()
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

async function tellSigned(world: CommandContext<SignEvent>, plan: SignPlan, signature: Hex): Promise<void> {
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
async function takeImported(world: Here): Promise<void> {
  const { identity, genesis } = world.facts()
  const { plan, imported } = world.getState()
  if (identity === undefined || genesis === undefined || plan === undefined || imported === undefined) return
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
  const signature = isSignatureText(imported)
    ? readSignatureText(imported)
    : signatureOfFile(await fileText(world, imported), expected)
  const others = PRESETS.filter(({ id }) => id !== network.id)
  const deposit = { ...expected, signature }
  depositSelfTestBeside(deposit)
  requireTakes(deposit, others)
  await tellSigned(world, plan, signature)
}

/** A deposit file may be pasted whole, or named by its path. */
async function fileText({ effects }: CommandContext<SignEvent>, imported: string): Promise<string> {
  if (imported.startsWith('{')) return imported
  return new TextDecoder().decode(await effects.files.read(imported, { maxBytes: MAX_FILE_BYTES }))
}

/** Asks every verifier of the signature, all at once. */
async function askVerifiers(world: Here): Promise<void> {
  const { effects, setup } = world
  const { identity } = world.facts()
  const { signature } = world.getState()
  if (identity === undefined || signature === undefined) return
  const { network, homePath } = setup
  const { genesisValidatorsRoot, genesisForkVersion } = network
  const { pubkey } = identity
  const deposit = { pubkey, ...signature, genesisValidatorsRoot, genesisForkVersion }
  const { execution } = clientsOf(world)
  const ask = asker<SignAnswers>(world, SIGN_FACTS, (entry) =>
    world.dispatch({ step: 'sign', type: 'observed', ...entry }),
  )
  const tool = await findNodeTool(effects, network.names.nodeTool)
  await Promise.all([
    ask('library', async () => {
      const verdict = verifyDeposit(deposit)
      return {
        accepts: verdict.verdict === 'accepted',
        words: verdict.verdict === 'accepted' ? SAID.accepts : verdict.words,
      }
    }),
    ask('precompile', async () => {
      let silence: ClientError | undefined
      const verdict = await verifyByPrecompile(deposit, (to, data) =>
        call(execution, { to, data }).catch((thrown: unknown) => {
          if (isSilence(thrown)) silence = thrown
          throw thrown
        }),
      )
      // One that gives no answer says nothing of its rules.
      if (verdict.verdict === 'unknown') throw silence ?? noPrecompileVerdict(verdict.words)
      return verdict.verdict === 'accepted'
        ? ACCEPTED
        : { accepts: false, words: SAID.refuses(SAID.reasons[verdict.reason]) }
    }),
    ...(tool === undefined || homePath === undefined
      ? []
      : [
          ...(identity.key.kind === 'elsewhere'
            ? []
            : [ask('tool', () => signsTheSame(tool, { home: homePath, deposit, signature }), tool.path)]),
          ask('toolValidate', () => toolAccepts(tool, { home: homePath, ...deposit }), tool.path),
        ]),
  ])
}

async function toolAccepts(
  tool: NodeTool,
  deposit: SignedDeposit & { home: string },
): Promise<SignatureCheck> {
  const verdict = await toolValidate(tool, deposit)
  return verdict.valid ? ACCEPTED : { accepts: false, words: SAID.refuses(verdict.words) }
}

/** Whether the node tool makes the same signature with the key of the home. */
async function signsTheSame(
  tool: NodeTool,
  { home, deposit, signature }: { home: string; deposit: SignedDeposit; signature: SignatureFact },
): Promise<SignatureCheck> {
  const { withdrawalAddress, amountGwei } = signature
  const { genesisValidatorsRoot } = deposit
  const order = { home, withdrawalAddress, amountGwei, genesisValidatorsRoot }
  const made = await toolCreateValidator(tool, order)
  const same =
    sameHex(made.signature, deposit.signature) &&
    sameHex(made.pubkey, deposit.pubkey) &&
    sameHex(made.withdrawalCredentials, deposit.withdrawalCredentials) &&
    made.amountGwei === amountGwei
  return { accepts: same, words: same ? SAID.same : SAID.other }
}

async function save(world: Here): Promise<void> {
  const { effects, setup } = world
  const { identity } = world.facts()
  const { signature } = world.getState()
  if (identity === undefined || signature === undefined) return
  const { network, outputDirectory } = setup
  const path = `${outputDirectory}/deposit-${identity.pubkey.slice(2, 10)}.json`
  const { genesisValidatorsRoot, genesisForkVersion, executionChainId } = network
  const chain = { network: network.id, executionChainId, genesisValidatorsRoot, genesisForkVersion }
  const text = writeDepositFile({ ...chain, ...signature, pubkey: identity.pubkey })
  await effects.store.writeText(path, text, { replace: true })
  await world.dispatch({ step: 'sign', type: 'saved', path })
}
