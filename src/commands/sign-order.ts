import type { SignedDeposit } from '../core/deposit/credentials.ts'
import { verifyDeposit } from '../core/deposit/verify.ts'
import { badUsage } from '../core/errors/base.ts'
import type { Setup } from '../core/facts.ts'
import type { Gwei } from '../core/format/amount.ts'
import { type Hex, sameHex } from '../core/format/hex.ts'
import { safeText } from '../core/format/text.ts'
import { checkAddress } from '../core/identity/check-address.ts'
import { findNodeTool, toolCreateValidator } from '../core/identity/run-tool.ts'
import { type Network, typedAmount } from '../core/network/network.ts'
import { type Call, toolFault } from './command.ts'
import type { ReportRow } from './report-lines.ts'

/** What is to be signed; every field checked as the wizard checks it. */
export type SignOrder = { withdrawalAddress: Hex; operator: Hex; amountGwei: Gwei }

const NAMING = ['network', 'spec', 'devnet'] as const

/** Refuses a call that leaves the network to a guess: a signature is made for one network. Throws `usage.option`. */
export function requireNamedNetwork({ options }: Call): void {
  if (NAMING.some((name) => options[name] !== undefined)) return
  const next = 'Give --network mainnet, bepolia or a network FILE.json, or --spec with --genesis.'
  throw badUsage({ sentence: 'Nothing says for which network this is to be signed.', next })
}

/**
 * The two addresses and the amount from the options: addresses in their EIP-55 form and not a known dead end, the
 * amount in tokens and within the limits of the network. Throws `usage.option` that names the option.
 */
export function readSignOrder({ options }: Call, network: Network): SignOrder {
  const { withdrawal, operator, amount } = options
  return {
    withdrawalAddress: addressOf('withdrawal', withdrawal),
    operator: addressOf('operator', operator),
    amountGwei: amountOf(amount, network),
  }
}

function addressOf(option: string, text: string | undefined): Hex {
  if (text === undefined)
    throw missing(option, 'an address, 0x and 40 digits with the capitals of its checksum')
  const error = checkAddress(text)
  if (error === undefined) return text as Hex
  const next = 'Copy the address from your own record.'
  throw badUsage({ sentence: `--${option}: ${error}`, found: safeText(text, 60), next })
}

function amountOf(text: string | undefined, network: Network): Gwei {
  if (text === undefined) throw missing('amount', 'tokens, such as 10000')
  const typed = typedAmount(text, network)
  if ('amountGwei' in typed) return typed.amountGwei
  const next = 'The amount is in whole tokens, not in gwei.'
  throw badUsage({ sentence: `--amount: ${typed.error}`, found: safeText(text, 60), next })
}

function missing(option: string, expected: string) {
  return badUsage({ sentence: `--${option} is missing.`, next: `Give --${option}: ${expected}.` })
}

export type Made = { deposit: SignedDeposit; withdrawalAddress: Hex; homePath: string | undefined }

/**
 * What judges on this computer alone say of a signature that was just made: the verification here, and the node tool
 * where it is installed and the key lies in a home of its own, which must make the same 96 bytes.
 */
export async function signOpinions(call: Call, setup: Setup, made: Made): Promise<ReportRow[]> {
  const verdict = verifyDeposit(made.deposit)
  const library: ReportRow = {
    step: 'sign',
    id: 'library',
    label: 'signature library',
    mark: verdict.verdict === 'accepted' ? 'proven' : 'refused',
    value: verdict.verdict === 'accepted' ? 'accepts' : verdict.words,
    source: 'this computer',
  }
  return [library, ...(await toolRow(call, setup, made))]
}

async function toolRow({ effects }: Call, { network }: Setup, made: Made): Promise<ReportRow[]> {
  const { deposit, withdrawalAddress, homePath: home } = made
  const { nodeTool } = network.names
  const tool = await findNodeTool(effects, nodeTool)
  if (tool === undefined || home === undefined) return []
  const row = { step: 'sign', id: 'tool', label: 'node tool signs', source: tool.path } as const
  try {
    const { genesisValidatorsRoot, amountGwei } = deposit
    const order = { home, withdrawalAddress, amountGwei, genesisValidatorsRoot }
    const theirs = await toolCreateValidator(tool, order)
    const same = sameHex(theirs.signature, deposit.signature) && sameHex(theirs.pubkey, deposit.pubkey)
    const value = same ? 'the same 96 bytes' : 'other bytes than ours'
    return [{ ...row, mark: same ? 'proven' : 'refused', value }]
  } catch (thrown) {
    const fix = `see what ${nodeTool} deposit create-validator says by itself`
    return [{ ...row, ...toolFault(thrown), fix }]
  }
}
