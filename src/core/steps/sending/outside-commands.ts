import type { UnsignedTransaction } from '../../effects/effects.ts'
import { WalletError } from '../../errors/wallet.ts'
import type { Hex } from '../../format/hex.ts'
import { checkSigned } from '../../wallet/check-signed.ts'
import type { World } from '../world.ts'
import { handedOut, mktxCommand, safeBatch, WALLET_FLAGS } from './outside.ts'
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
  if (getState().prepared !== prepared || getState().replacement !== replacement) return
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

/**
 * Writes what is carried away: the command for each kind of wallet, or the batch for a Safe. Never over an older file;
 * throws a `FileError` where it cannot be written.
 */
export async function saveCommand(
  world: World<SendEvent>,
  getState: () => SendState,
  rules: PaymentRules,
): Promise<void> {
  const { prepared, ordinal } = getState()
  const transaction = handedOut(getState())
  const { identity } = world.facts()
  if (prepared === undefined || transaction === undefined || identity === undefined) return
  const { store, clock } = world.effects
  const nowMs = clock.nowMs()
  const name = `${rules.step}-${ordinal}-${identity.pubkey.slice(2, 10)}-${nowMs}`
  const safe = prepared.contract === true
  const path = `${world.setup.journalDirectory}/${safe ? 'safe' : 'sign'}-${name}.${safe ? 'json' : 'txt'}`
  const text = safe
    ? safeBatch(transaction, prepared.from, { name, createdAtMs: nowMs })
    : commandsText(transaction, prepared.from)
  await store.writeText(path, text, { replace: false })
  await world.dispatch({ step: rules.step, type: 'saved', path })
}

function commandsText(transaction: UnsignedTransaction, from: Hex): string {
  const commands = WALLET_FLAGS.map((wallet) => `${mktxCommand(transaction, from, wallet)}\n`)
  return `# One of these, on the machine of the wallet. It signs and sends nothing.\n${commands.join('\n')}`
}
