import { type ClientError, isSilence } from '../../base/errors/client.ts'
import { depositError } from '../../base/errors/deposit.ts'
import { endpointName } from '../../base/format/endpoint-url.ts'
import { readText } from '../../base/format/file-text.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { ANY_CREDENTIALS } from '../../chain/consensus/place-cost.ts'
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
import {
  findNodeTool,
  type NodeTool,
  toolCreateValidator,
  toolValidate,
} from '../../chain/identity/run-tool.ts'
import { PRESETS } from '../../chain/network/presets.ts'
import { getBlock } from '../../clients/execution/blocks.ts'
import { call } from '../../clients/execution/call.ts'
import { getBalance, readAccountKind } from '../../clients/execution/chain.ts'
import { readGasPrice } from '../../clients/read-gas-price.ts'
import { readWholeWay } from '../../clients/read-whole-way.ts'
import { asker, type CommandContext, clientsOf, observe, type StepContext } from '../../observe/context.ts'
import { feeLimitWei } from '../../pay/funds.ts'
import { feesFor, gasLimitFor } from '../../pay/wallet/fees.ts'
import {
  type AccountAnswers,
  addressesOf,
  SIGN_FACTS,
  type SignAnswers,
  type SignatureCheck,
} from './facts.ts'
import { FUNDS_FACTS, type FundsAnswers, firstAmount } from './funds.ts'
import type { SignCommand, SignEvent, SignPlan, SignState } from './machine.ts'
import { SIGN_TEXT } from './text.ts'

/**
 * Asks what the whole way costs and what the account holds that would pay. Nothing is asked once the first deposit is
 * paid: the step that pays the rest says it then.
 */
async function askFunds(context: StepContext<SignEvent, SignState>): Promise<void> {
  const { effects, setup } = context
  const { pubkey, ...state } = context.getState()
  if (pubkey === undefined || context.facts().deposit !== undefined) return
  const { network } = setup
  const { minimumDepositGwei } = network
  const amountGwei = firstAmount(state, setup)
  const clients = clientsOf(context)
  const { execution, second } = clients
  const ask = asker<FundsAnswers>(context, FUNDS_FACTS, (entry) =>
    context.dispatch({ step: 'sign', type: 'fundsSeen', amountGwei, ...entry }),
  )
  await Promise.all([
    ask('way', () => {
      const deposit = { pubkey, withdrawalCredentials: ANY_CREDENTIALS, amountGwei, minimumDepositGwei }
      return readWholeWay(clients, { network, clock: effects.clock }, deposit)
    }),
    ask('price', async () => {
      const latest = getBlock(execution, { block: 'latest' })
      const { baseFeeWei, tipWei } = await readGasPrice({ execution, second, latest })
      // Without a call to try: the gas limit that the call of a deposit gets, unless it takes more than usual.
      return { feeWei: feeLimitWei({ gasLimit: gasLimitFor(0n), ...feesFor(baseFeeWei, tipWei) }) }
    }),
    ask('account', async () => {
      const address = await payerOf(context)
      if (address === undefined) return undefined
      return { balanceWei: await getBalance(execution, { address, block: 'latest' }) }
    }),
  ])
}

/** The account of the keystore, as far as its file or the descriptor of a rehearsal tells. No password is asked for. */
async function payerOf({
  effects: { signer },
  setup: { keystore, passwordDescriptor },
}: Pick<StepContext<SignEvent, SignState>, 'effects' | 'setup'>): Promise<Hex | undefined> {
  if (keystore === undefined) return undefined
  const { address } = await signer.keystoreAddress({ keystore })
  if (address !== undefined || passwordDescriptor === undefined) return address
  return (await signer.keystoreAddress({ keystore, passwordDescriptor })).address
}

const { checks: SAID } = SIGN_TEXT
const ACCEPTED: SignatureCheck = { accepts: true, words: SAID.accepts }

const MAX_FILE_BYTES = 64 * 1024
const GROUP = 4
/** Two whole groups of four are asked for, never from the first or last two: a forged address copies the ends. */
const PLACES = 5
const FIRST_PLACE = 2

type Here = StepContext<SignEvent, SignState>

/** Carries out one command of the signing step. */
export async function runSign(command: SignCommand, context: Here): Promise<void> {
  switch (command.type) {
    case 'challenge':
      return challenge(context)
    case 'sign':
      return sign(context)
    case 'take':
      return takeImported(context)
    case 'ask':
      return askVerifiers(context)
    case 'save':
      return save(context)
    case 'accounts':
      return askAccounts(context)
    case 'funds':
      return askFunds(context)
  }
}

/** Asks every execution endpoint what stands at the addresses. */
async function askAccounts(context: Here): Promise<void> {
  const { execution, second } = clientsOf(context)
  const clients = second === undefined ? [execution] : [execution, second]
  const source = clients.length === 1 ? endpointName(context.setup.endpoints.execution) : SAID.bothEndpoints
  const addresses = Object.entries(addressesOf(context.getState())) as [keyof AccountAnswers, Hex][]
  await Promise.all(
    addresses.map(([key, address]) =>
      observe(
        context,
        source,
        () => Promise.all(clients.map((client) => readAccountKind(client, { address }))),
        (observation) => context.dispatch({ step: 'sign', type: 'accountSeen', address, key, observation }),
      ),
    ),
  )
}

/** Chooses which two groups of the middle are typed again. */
async function challenge(context: CommandContext<SignEvent>): Promise<void> {
  const [random = 0] = context.effects.random.bytes(1)
  await context.dispatch({
    step: 'sign',
    type: 'challenged',
    offset: GROUP * (FIRST_PLACE + (random % PLACES)),
  })
}

async function sign(context: Here): Promise<void> {
  const { effects, setup } = context
  const { identity, genesis } = context.facts()
  const { plan } = context.getState()
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
  await tellSigned(context, plan, signature)
}

async function tellSigned(context: CommandContext<SignEvent>, plan: SignPlan, signature: Hex): Promise<void> {
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
  await context.dispatch({ step: 'sign', type: 'signed', signature: fact })
}

/** Takes what the key machine made: a deposit file of exactly this plan, or a signature over it. */
async function takeImported(context: Here): Promise<void> {
  const { identity, genesis } = context.facts()
  const { plan, imported } = context.getState()
  if (identity === undefined || genesis === undefined || plan === undefined || imported === undefined) return
  const { network } = context.setup
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
    : signatureOfFile(await fileText(context, imported), expected)
  const others = PRESETS.filter(({ id }) => id !== network.id)
  const deposit = { ...expected, signature }
  depositSelfTestBeside(deposit)
  requireTakes(deposit, others)
  await tellSigned(context, plan, signature)
}

/** A deposit file may be pasted whole, or named by its path. */
async function fileText({ effects }: CommandContext<SignEvent>, imported: string): Promise<string> {
  if (imported.startsWith('{')) return imported
  return readText(effects, imported, MAX_FILE_BYTES)
}

/** Asks every verifier of the signature, all at once. */
async function askVerifiers(context: Here): Promise<void> {
  const { effects, setup } = context
  const { identity } = context.facts()
  const { signature } = context.getState()
  if (identity === undefined || signature === undefined) return
  const { network, homePath } = setup
  const { genesisValidatorsRoot, genesisForkVersion } = network
  const { pubkey } = identity
  const deposit = { pubkey, ...signature, genesisValidatorsRoot, genesisForkVersion }
  const { execution } = clientsOf(context)
  const ask = asker<SignAnswers>(context, SIGN_FACTS, (entry) =>
    context.dispatch({ step: 'sign', type: 'observed', ...entry }),
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
      if (verdict.verdict === 'unknown') throw silence ?? depositError('sign.no-precompile', verdict.words)
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

async function save(context: Here): Promise<void> {
  const { effects, setup } = context
  const { identity } = context.facts()
  const { signature } = context.getState()
  if (identity === undefined || signature === undefined) return
  const { network, outputDirectory } = setup
  const path = `${outputDirectory}/deposit-${identity.pubkey.slice(2, 10)}.json`
  const { genesisValidatorsRoot, genesisForkVersion, executionChainId } = network
  const chain = { network: network.id, executionChainId, genesisValidatorsRoot, genesisForkVersion }
  const text = writeDepositFile({ ...chain, ...signature, pubkey: identity.pubkey })
  await effects.store.writeText(path, text, { replace: true })
  await context.dispatch({ step: 'sign', type: 'saved', path })
}
