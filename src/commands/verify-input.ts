import { badUsage } from '../core/base/errors/base.ts'
import { depositError } from '../core/base/errors/deposit.ts'
import { parseTokens, weiToGwei } from '../core/base/format/amount.ts'
import { endpointName } from '../core/base/format/endpoint-url.ts'
import { type Hex, sameHex, ZERO_ADDRESS } from '../core/base/format/hex.ts'
import type { AccountCall, DepositCall, SafeExecution } from '../core/chain/deposit/calldata.ts'
import type { SignedDeposit } from '../core/chain/deposit/credentials.ts'
import type { DepositFile } from '../core/chain/deposit/deposit-file.ts'
import type { ToolDeposit } from '../core/chain/identity/run-tool.ts'
import type { Network } from '../core/chain/network/network.ts'
import { MAINNET, PRESETS } from '../core/chain/network/presets.ts'
import { unlessSilent } from '../core/clients/ask-as-service.ts'
import type { Call } from './command.ts'
import { networkOfOptions, setupOf } from './setup.ts'
import type { Material, SignedTransaction } from './verify-material.ts'

/** A deposit to judge, and the network it is judged for where one is known. */
export type DepositQuestion = {
  deposit: SignedDeposit
  network: Network | undefined
  /** What the fields came in, for the column of who said them. */
  source: 'you' | 'the file' | 'the node tool' | 'the transaction' | 'the calldata'
  /** Who chose the chain that it is judged for. */
  chosenBy: 'you' | 'the file' | 'the transaction'
  /** The deposit file that it came in, with its own word on network and operator. */
  file?: DepositFile
  /** Whether it came in the form of an Ethereum tool. */
  isOfEthereumTool?: boolean
  /** The operator that the calldata names, and what kind of deposit that is. */
  call?: Pick<DepositCall, 'kind' | 'operator'>
  /** The transaction that carries it, and the endpoint that gave it for its hash. */
  transaction?: SignedTransaction
  foundBy?: string | undefined
  /** The call of a contract account that makes the deposit, where the transaction carries that out. */
  carriedOut?: AccountCall
  /** The chain that a Safe's batch names. */
  batchChainId?: number
  /** Everything that the account does then. */
  execution?: SafeExecution
}

const FIELDS = ['pubkey', 'credentials', 'signature'] as const

/**
 * The deposit of whatever was given: a file, an argument or stdin in any of the kinds that `recognise` knows, or the four
 * options. It is judged for the network that the options name; a file's or a transaction's own chain counts only where
 * none is named. Throws `usage.option`, a `deposit.*` error, a `tool.*` error, a `file.*` error, or a `ClientError` for a hash.
 */
export async function readDeposit(call: Call): Promise<DepositQuestion> {
  const given = FIELDS.filter((name) => call.options[name] !== undefined)
  if (given.length === 0) {
    const { givenText, recognise } = await import('./verify-material.ts')
    return fromMaterial(call, await recognise(await givenText(call)))
  }
  const next = 'Give either a FILE or --pubkey, --credentials, --amount and --signature.'
  if (call.positionals.length > 0)
    throw badUsage({ sentence: 'A file and single fields are both given.', next })
  const missing = [...FIELDS, 'amount'].find((name) => call.options[name] === undefined)
  if (missing !== undefined) throw badUsage({ sentence: `--${missing} is missing.`, next })
  return fromOptions(call)
}

async function fromMaterial(call: Call, material: Material): Promise<DepositQuestion> {
  switch (material.kind) {
    case 'deposit file':
      return fromFile(call, material.file)
    case 'tool output':
      return {
        deposit: { ...material.deposit, ...(await chosen(call)).chain },
        ...(await named(call, 'the node tool')),
      }
    case 'ethereum-deposit':
      return fromEthereumTool(call, material.deposit)
    case 'safe-batch':
      return fromSafeBatch(call, material)
    case 'calldata':
      return fromCalldata(call, material.input)
    case 'signed transaction':
      return fromTransaction(call, material.transaction)
    case 'hash': {
      const { foundBy, ...transaction } = await findTransaction(call, material.hash)
      return { ...(await fromTransaction(call, transaction)), foundBy }
    }
  }
}

/** The chain that the options name. Throws `usage.option` where they name none. */
async function chosen(call: Call): Promise<Named> {
  const found = await chainOf(call)
  if (found !== undefined) return found
  const next = 'Give --network, or --root with --fork-version.'
  throw badUsage({ sentence: 'Nothing says for which chain it was signed.', next })
}

async function named<Source extends DepositQuestion['source']>(call: Call, source: Source) {
  return { network: (await chosen(call)).network, source, chosenBy: 'you' as const }
}

async function fromFile(call: Call, file: DepositFile): Promise<DepositQuestion> {
  const { pubkey, withdrawalCredentials, amountGwei, signature, genesisValidatorsRoot, genesisForkVersion } =
    file
  const message = { pubkey, withdrawalCredentials, amountGwei, signature }
  const found = await chainOf(call)
  if (found !== undefined) {
    const { chain, network } = found
    return { deposit: { ...message, ...chain }, network, source: 'the file', chosenBy: 'you', file }
  }
  const network = PRESETS.find((each) => sameHex(each.genesisValidatorsRoot, genesisValidatorsRoot))
  const deposit = { ...message, genesisValidatorsRoot, genesisForkVersion }
  return { deposit, network, source: 'the file', chosenBy: 'the file', file }
}

/**
 * The deposit of an Ethereum tool's file. It names no chain that this program knows: it is judged for the one that the
 * options name, else for the one that takes its signature, and for mainnet where none does.
 */
async function fromEthereumTool(call: Call, fields: ToolDeposit): Promise<DepositQuestion> {
  const { verifyDeposit } = await import('../core/chain/deposit/verify.ts')
  const found = await chainOf(call)
  const network =
    found === undefined
      ? (PRESETS.find(
          (each) => verifyDeposit({ ...fields, ...chainOfNetwork(each) }).verdict === 'accepted',
        ) ?? MAINNET)
      : found.network
  const chain = found?.chain ?? chainOfNetwork(network ?? MAINNET)
  return {
    deposit: { ...fields, ...chain },
    network,
    source: 'the file',
    chosenBy: found === undefined ? 'the file' : 'you',
    isOfEthereumTool: true,
  }
}

/** The one deposit among the calls of a Safe's batch, which names its chain. */
async function fromSafeBatch(
  call: Call,
  { chainId, calls }: { chainId: number; calls: readonly AccountCall[] },
): Promise<DepositQuestion> {
  const { decodeDepositCalldata } = await import('../core/chain/deposit/calldata.ts')
  const { DEPOSIT_SELECTOR } = await import('../core/chain/deposit/abi.ts')
  const carriedOut = depositCarriedOut(calls, DEPOSIT_SELECTOR)
  const { kind, operator, ...fields } = decodeDepositCalldata(carriedOut.data)
  const { chain, network, isNamed } = await chainNumbered(call, chainId, 'Safe batch')
  return {
    deposit: { ...fields, amountGwei: weiToGwei(carriedOut.valueWei), ...chain },
    network,
    source: 'the file',
    chosenBy: isNamed ? 'you' : 'the file',
    call: { kind, operator },
    carriedOut,
    batchChainId: chainId,
    execution: { calls, refund: NO_REFUND, isCanonical: true },
  }
}

const NO_REFUND = { baseGas: 0n, gasPrice: 0n, gasToken: ZERO_ADDRESS, receiver: ZERO_ADDRESS } as const

/**
 * The chain that the options name, else the one that is built in with this number. `isNamed`: by the options. Throws
 * `usage.option` where there is neither.
 */
async function chainNumbered(
  call: Call,
  chainId: number,
  what: string,
): Promise<Named & { isNamed: boolean }> {
  const byOptions = await chainOf(call)
  const own = PRESETS.find(({ executionChainId }) => executionChainId === chainId)
  const chain = byOptions?.chain ?? (own === undefined ? undefined : chainOfNetwork(own))
  if (chain !== undefined)
    return { chain, network: byOptions?.network ?? own, isNamed: byOptions !== undefined }
  const next = 'Give --network FILE.json, --spec with --genesis, or --devnet.'
  throw badUsage({ sentence: `The chain ${chainId} of this ${what} is not built in.`, next })
}

function chainOfNetwork({ genesisValidatorsRoot, genesisForkVersion }: Network): Chain {
  return { genesisValidatorsRoot, genesisForkVersion }
}

/** Calldata holds no amount: that is the value of the transaction that carries it, or of the call of a contract account. */
async function fromCalldata(call: Call, input: Hex): Promise<DepositQuestion> {
  const { carriedOut, execution, kind, operator, ...fields } = await depositIn(input, { isSent: false })
  const { amount } = call.options
  if (amount === undefined && carriedOut === undefined) {
    const next = 'Give --amount, in tokens: the value that would be sent with it.'
    throw badUsage({ sentence: 'Calldata does not say the amount.', next })
  }
  const { chain } = await chosen(call)
  const amountGwei =
    carriedOut === undefined ? (parseTokens(amount ?? '') ?? 0n) : weiToGwei(carriedOut.valueWei)
  const deposit = { ...fields, amountGwei, ...chain }
  return {
    deposit,
    ...(await named(call, 'the calldata')),
    call: { kind, operator },
    ...(carriedOut === undefined ? {} : { carriedOut, execution }),
  }
}

/**
 * The deposit of a calldata, and the call of a contract account that makes it. One that may be on the chain already is
 * read however odd its fields are: what became of the money is the question then. Throws as `depositCarriedOut`.
 */
async function depositIn(input: Hex, { isSent }: { isSent: boolean }): Promise<DepositCall & CarriedOut> {
  const [{ readSafeExecution, decodeDepositCalldata, decodeSentDeposit }, { DEPOSIT_SELECTOR }] =
    await Promise.all([import('../core/chain/deposit/calldata.ts'), import('../core/chain/deposit/abi.ts')])
  const execution = readSafeExecution(input)
  const decode = isSent ? decodeSentDeposit : decodeDepositCalldata
  if (execution === undefined) return { ...decode(input), carriedOut: undefined, execution }
  const carriedOut = depositCarriedOut(execution.calls, DEPOSIT_SELECTOR)
  return { ...decode(carriedOut.data), carriedOut, execution }
}

type CarriedOut =
  | { carriedOut: undefined; execution: undefined }
  | { carriedOut: AccountCall; execution: SafeExecution }

/** The one deposit among the calls that a contract account makes. Throws `usage.option` where it makes none or several. */
function depositCarriedOut(calls: readonly AccountCall[], selector: string): AccountCall {
  const deposits = calls.filter(({ data }) => data.startsWith(selector))
  const [deposit, ...more] = deposits
  if (deposit !== undefined && more.length === 0) return deposit
  const found = deposits.length === 0 ? 'no deposit' : `${deposits.length} deposits`
  const next = 'Give the calldata of one deposit alone, with --amount and --network.'
  throw badUsage({ sentence: `What the contract account carries out holds ${found}.`, next })
}

async function fromTransaction(call: Call, transaction: SignedTransaction): Promise<DepositQuestion> {
  const { chainId, input, valueWei } = transaction
  const { chain, network, isNamed } = await chainNumbered(call, chainId, 'transaction')
  const { carriedOut, execution, kind, operator, ...fields } = await depositIn(input, { isSent: true })
  const deposit = { ...fields, amountGwei: weiToGwei(carriedOut?.valueWei ?? valueWei), ...chain }
  return {
    deposit,
    network,
    source: 'the transaction',
    chosenBy: isNamed ? 'you' : 'the transaction',
    call: { kind, operator },
    transaction,
    ...(carriedOut === undefined ? {} : { carriedOut, execution }),
  }
}

/** The transaction of a hash, from the execution client that is named. Throws `usage.option`, `verify.not-found` or a `ClientError`. */
async function findTransaction(call: Call, hash: Hex): Promise<SignedTransaction & { foundBy: string }> {
  const [{ createExecutionClient }, { getTransactionByHash, getTransactionTerms }, { getChainId }] =
    await Promise.all([
      import('../core/clients/execution/client.ts'),
      import('../core/clients/execution/transactions.ts'),
      import('../core/clients/execution/chain.ts'),
    ])
  const client = createExecutionClient(call.effects, await executionOf(call))
  const [found, terms, chainId] = await Promise.all([
    getTransactionByHash(client, { hash }),
    unlessSilent(getTransactionTerms(client, { hash })),
    getChainId(client),
  ])
  if (found !== undefined) return { ...found, terms, chainId, foundBy: endpointName(client.label) }
  throw depositError('verify.not-found', client.label, hash)
}

async function executionOf(call: Call): Promise<string> {
  const { execution } = call.options
  if (execution !== undefined) return execution
  if (hasNetworkOption(call)) return (await setupOf(call)).endpoints.execution
  const next = 'Give --execution URL, or --network.'
  throw badUsage({ sentence: 'A hash says nothing by itself: an endpoint must be asked.', next })
}

function hasNetworkOption({ options }: Call): boolean {
  return ['network', 'devnet', 'spec'].some((name) => options[name] !== undefined)
}

async function fromOptions(call: Call): Promise<DepositQuestion> {
  const { chain } = await chosen(call)
  const { pubkey, credentials, signature, amount } = call.options
  const message = {
    pubkey: lower(pubkey),
    withdrawalCredentials: lower(credentials),
    signature: lower(signature),
    amountGwei: parseTokens(amount ?? '') ?? 0n,
  }
  return { deposit: { ...message, ...chain }, ...(await named(call, 'you')) }
}

type Chain = Pick<SignedDeposit, 'genesisValidatorsRoot' | 'genesisForkVersion'>

type Named = { chain: Chain; network: Network | undefined }

async function chainOf(call: Call): Promise<Named | undefined> {
  const { root, 'fork-version': fork } = call.options
  const network = await namedByOptions(call)
  const known = network ?? PRESETS.find((each) => sameHex(each.genesisValidatorsRoot, root ?? ''))
  const genesisValidatorsRoot = lower(root ?? known?.genesisValidatorsRoot)
  const genesisForkVersion = lower(fork ?? known?.genesisForkVersion)
  if (genesisValidatorsRoot === '0x' && fork === undefined) return undefined
  if (genesisValidatorsRoot === '0x' || genesisForkVersion === '0x') {
    const missing = genesisForkVersion === '0x' ? '--fork-version' : '--root'
    throw badUsage({
      sentence: `${missing} is missing.`,
      next: 'It has no default: give both, or --network.',
    })
  }
  return { chain: { genesisValidatorsRoot, genesisForkVersion }, network: known }
}

/** A home alone does not name the network of a deposit that may come from elsewhere. */
async function namedByOptions(call: Call): Promise<Network | undefined> {
  const { network, devnet, spec, genesis } = call.options
  if (devnet !== undefined || network === 'rehearsal') return (await setupOf(call)).network
  return network === undefined && spec === undefined && genesis === undefined
    ? undefined
    : networkOfOptions(call)
}

/** Any hex passes: the judges say what is wrong with it. */
function lower(text: string | undefined): Hex {
  return (text ?? '0x').toLowerCase() as Hex
}

/** Whether a file names the root and the fork version that its deposit is judged for. */
export function isOfItsChain(
  file: DepositFile,
  { genesisValidatorsRoot, genesisForkVersion }: SignedDeposit,
) {
  const sameRoot = sameHex(file.genesisValidatorsRoot, genesisValidatorsRoot)
  return sameRoot && sameHex(file.genesisForkVersion, genesisForkVersion)
}
