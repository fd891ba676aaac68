import { WalletError } from '../../errors/wallet.ts'
import type { Hex } from '../../format/hex.ts'
import { checkSigned } from '../../wallet/check-signed.ts'
import type { World } from '../world.ts'
import { handedOut, mktxCommand, WALLET_FLAGS } from './outside.ts'
import type { PaymentRules } from './rules.ts'
import type { SendEvent, SendState } from './state.ts'

/** A signed deposit has about 600 bytes; a file of a wallet machine may hold some words around it. */
const MAX_FILE_BYTES = 64 * 1024

/**
 * Takes bytes that were signed elsewhere, as hex or as the path of a file, when every field is what was handed out. A
 * refusal throws a `WalletError` that names the field, or a `FileError`, and changes nothing.
 */
export async function bring(
  text: string,
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  const { prepared, plan, replacement } = getState()
  if (prepared === undefined || plan === undefined) return
  const transaction = replacement?.transaction ?? prepared.transaction
  const raw = await bytesOf(text, world)
  const hash = await checkSigned(raw, { transaction, from: prepared.from })
  const judgement = await rules.rule(plan)
  if (!judgement.good) throw new WalletError('not-as-prepared', judgement.words)
  if (getState().replacement !== replacement) return
  const type = replacement === undefined ? 'signed' : 'replaced'
  await world.dispatch({ step: rules.step, type, raw, hash })
}

async function bytesOf(text: string, { effects }: World<SendEvent>): Promise<Hex> {
  const brought = text.trim()
  const found = brought.startsWith('0x')
    ? brought
    : new TextDecoder().decode(await effects.files.read(brought, { maxBytes: MAX_FILE_BYTES }))
  return found.replaceAll(/\s/g, '').toLowerCase() as Hex
}

/** Writes the command for each kind of wallet into a file that can be carried to its machine. */
export async function saveCommand(
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  const { prepared } = getState()
  const transaction = handedOut(getState())
  const { identity } = world.facts()
  if (prepared === undefined || transaction === undefined || identity === undefined) return
  const { outputDirectory } = world.setup
  const path = `${outputDirectory}/sign-${rules.step}-${identity.pubkey.slice(2, 10)}-${transaction.nonce}.txt`
  const commands = WALLET_FLAGS.map((wallet) => `${mktxCommand(transaction, prepared.from, wallet)}\n`)
  const text = `# One of these, on the machine of the wallet. It signs and sends nothing.\n${commands.join('\n')}`
  await world.effects.store.writeText(path, text, { replace: true })
  await world.dispatch({ step: rules.step, type: 'saved', path })
}
