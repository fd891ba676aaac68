import type { SignedDeposit } from '../core/deposit/deposit.ts'
import { type DepositFile, parseDepositFile } from '../core/deposit/deposit-file.ts'
import { badUsage } from '../core/errors/usage.ts'
import { type Hex, isHex, sameHex } from '../core/format/hex.ts'
import { safeText } from '../core/format/text.ts'
import type { Network } from '../core/network/network.ts'
import { PRESETS } from '../core/network/presets.ts'
import { readTextFile } from './choose-network.ts'
import type { Call } from './command.ts'
import { networkOf, pathOf, setupOf } from './setup.ts'

/** A deposit to judge, and the network it is judged for where one is known. */
export type Question = {
  deposit: SignedDeposit
  network: Network | undefined
  /** Who chose the chain that it is judged for. */
  chosenBy: 'you' | 'the file'
  /** What the deposit came in, with its own word on network and operator. */
  file?: DepositFile
}

const FIELDS = ['pubkey', 'credentials', 'amount', 'signature'] as const

/**
 * The deposit of a file or of the four options. It is judged for the network that the options name; a file's own
 * chain counts only where none is named. Throws `usage.option`, a `DepositError` or a `FileError`.
 */
export async function readDeposit(call: Call): Promise<Question> {
  const [path] = call.positionals
  const given = FIELDS.filter((name) => call.options[name] !== undefined)
  const next = 'Give either a FILE or --pubkey, --credentials, --amount and --signature.'
  if (path !== undefined && given.length > 0)
    throw badUsage({ sentence: 'A file and single fields are both given.', next })
  if (path !== undefined) return fromFile(call, path)
  const missing = FIELDS.find((name) => call.options[name] === undefined)
  if (missing !== undefined) throw badUsage({ sentence: `--${missing} is missing.`, next })
  return fromOptions(call)
}

async function fromFile(call: Call, path: string): Promise<Question> {
  const file = parseDepositFile(await readTextFile(call.effects, pathOf(path, call.environment)))
  const { pubkey, withdrawalCredentials, amountGwei, signature, genesisValidatorsRoot, genesisForkVersion } =
    file
  const message = { pubkey, withdrawalCredentials, amountGwei, signature }
  const named = await chainOf(call)
  if (named !== undefined) {
    const { chain, network } = named
    return { deposit: { ...message, ...chain }, network, chosenBy: 'you', file }
  }
  const network = PRESETS.find((each) => sameHex(each.genesisValidatorsRoot, genesisValidatorsRoot))
  const deposit = { ...message, genesisValidatorsRoot, genesisForkVersion }
  return { deposit, network, chosenBy: 'the file', file }
}

async function fromOptions(call: Call): Promise<Question> {
  const named = await chainOf(call)
  if (named === undefined) {
    const next = 'Give --network, or --root with --fork-version.'
    throw badUsage({ sentence: 'Nothing says for which chain it was signed.', next })
  }
  const { pubkey, credentials, signature, amount } = call.options
  const message = {
    pubkey: lower(pubkey),
    withdrawalCredentials: lower(credentials),
    signature: lower(signature),
    amountGwei: amountOf(amount ?? ''),
  }
  return { deposit: { ...message, ...named.chain }, network: named.network, chosenBy: 'you' }
}

type Chain = Pick<SignedDeposit, 'genesisValidatorsRoot' | 'genesisForkVersion'>

async function chainOf(call: Call): Promise<{ chain: Chain; network: Network | undefined } | undefined> {
  const { root, 'fork-version': fork } = call.options
  const network = await namedByOptions(call)
  if (root !== undefined && !isHex(root, 32)) throw odd('root', root, '32 bytes of 0x hexadecimal')
  if (fork !== undefined && !isHex(fork, 4)) throw odd('fork-version', fork, '4 bytes of 0x hexadecimal')
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
  return network === undefined && spec === undefined && genesis === undefined ? undefined : networkOf(call)
}

/** Any hex passes: the judges say what is wrong with it. */
function lower(text: string | undefined): Hex {
  return (text ?? '0x').toLowerCase() as Hex
}

function amountOf(text: string): bigint {
  if (/^(?:0|[1-9]\d{0,24})$/.test(text)) return BigInt(text)
  throw odd('amount', text, 'a decimal number of gwei, without commas or units')
}

function odd(option: string, found: string, expected: string): Error {
  const next = `Give ${expected}.`
  return badUsage({ sentence: `--${option} cannot be read.`, found: safeText(found, 80), next })
}
