import type { Effects } from '../../base/effects/effects.ts'
import { guardError } from '../../base/errors/guard.ts'
import { gweiToWei, weiToGwei } from '../../base/format/amount.ts'
import { readText } from '../../base/format/file-text.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { askGate } from '../gate/ask-commands.ts'
import { mktxCommand, WALLET_FLAGS } from '../gate/cast.ts'
import { barsGuard, COMMITMENT_TEXT, commitmentsFor } from '../gate/commitments.ts'
import { gateIsOpen } from '../gate/facts.ts'
import { type Following, gateClosed, requireAccount } from '../gate/following.ts'
import { signsExternally } from '../gate/nonce.ts'
import { isUsedForGood } from '../gate/nonce-commands.ts'
import { GATE_TEXT } from '../gate/text.ts'
import { closedRows } from '../gate/view.ts'
import { checkSigned } from '../wallet/check-signed.ts'
import { createGuardLooker } from './ask-commands.ts'
import type { GuardBook } from './book.ts'
import { notArmedBy } from './decide.ts'
import { guardTransition, phaseOf } from './guard.ts'
import type { GuardAgreed } from './guard-consent.ts'
import { giveUpLeft } from './hold-track.ts'
import { MOST_RUNGS, RUNGS_OF_EXTERNAL, rungAmounts } from './ladder.ts'
import { guardPicture } from './picture.ts'
import { capOf, type GuardTerms, ladderOf, mostFeeWei } from './terms.ts'
import { GUARD_TEXT, shortWords } from './text.ts'

/**
 * Asks the whole gate of a top-up of the cap again, and everything else that must hold before a guard is armed; resolves
 * to its terms. Throws a `wallet.*` error or a `guard.*` error that says why it may not be.
 */
async function termsNow(
  following: Following,
  { agreed, book }: { agreed: GuardAgreed; book: GuardBook },
): Promise<GuardTerms> {
  const { context, getState } = following
  const { setup } = context
  const { network } = setup
  const made = await askGate(following)
  if (made === undefined || !gateIsOpen(made.observed, setup)) {
    const { details, asked } = closedRows(getState(), setup)
    throw gateClosed(GATE_TEXT.closed.checks(details, asked))
  }
  if (made.contract === true) throw guardError('guard.refused', GUARD_TEXT.refused.contract)
  const { identity, validator, genesis } = context.facts()
  if (identity === undefined || validator === undefined || genesis === undefined)
    throw gateClosed(GATE_TEXT.closed.unread)
  const isExternal = signsExternally(getState(), setup)
  const rungsGwei = rungAmounts(agreed.capGwei, network, isExternal ? RUNGS_OF_EXTERNAL : MOST_RUNGS)
  if (rungsGwei === undefined) throw guardError('guard.refused', GUARD_TEXT.refused.rung)
  const { withdrawalCredentials, operator } = validator
  const terms: GuardTerms = {
    chain: {
      executionChainId: network.executionChainId,
      executionGenesisHash: genesis.executionGenesisHash,
      genesisValidatorsRoot: network.genesisValidatorsRoot,
      depositContract: network.spec.depositContract,
    },
    validator: { pubkey: identity.pubkey, withdrawalCredentials, operator },
    from: made.from,
    nonce: made.nonce,
    rungsGwei,
    gasLimit: made.gasLimit,
    untilSeconds: agreed.untilSeconds,
    slotsToHuman: agreed.slotsToHuman,
    signer: isExternal ? 'external' : 'keystore',
  }
  const isSame =
    sameHex(agreed.from, terms.from) &&
    agreed.nonce === terms.nonce &&
    capOf(terms) === agreed.capGwei &&
    mostFeeWei(terms) <= agreed.feeLimitWei
  if (!isSame) throw guardError('guard.refused', GUARD_TEXT.refused.changed)
  await requireArmable(following, terms, book)
  await requireAlone(following, terms)
  await requireAccount(context, terms.from)
  return terms
}

/** One account one guard, one validator one guard, and nothing of the account open in any journal here. */
async function requireAlone({ context }: Following, terms: GuardTerms): Promise<void> {
  const { from, nonce, validator } = terms
  const { pubkey } = validator
  for (const one of commitmentsFor(await context.kept(), { from, pubkey })) {
    const bars = barsGuard(one, { from, nonce })
    if (bars === undefined) continue
    if ('stand' in one && (await isUsedForGood(context, one))) continue
    const { account, validator: ofValidator } = GUARD_TEXT.refused
    if (bars === 'account' && 'from' in one)
      throw guardError('guard.refused', account(COMMITMENT_TEXT.name(one)))
    if (bars === 'validator') throw guardError('guard.refused', ofValidator)
    const which = COMMITMENT_TEXT.say(one, context.setup.network)
    throw guardError('guard.refused', GUARD_TEXT.refused.unread(which))
  }
}

/** What must hold of the world; guards of the account whose validators have left make room. */
async function requireArmable({ context }: Following, terms: GuardTerms, book: GuardBook): Promise<void> {
  const { setup } = context
  const state = guardTransition(undefined, { type: 'armed', terms, hashes: [] })
  if (state === undefined) return
  const { guards } = await context.kept()
  const alsoKeep = guards.flatMap((one) =>
    one.pubkey !== undefined && sameHex(one.from, terms.from) ? [one.pubkey] : [],
  )
  const looker = createGuardLooker({ ...context, alsoKeep, nodes: [setup.endpoints.node] })
  const look = await looker.look(state, { isUrgent: true })
  const picture = guardPicture(state, look, { setup, since: undefined })
  await giveUpLeft(book, picture, terms.from)
  const against = notArmedBy(picture)
  if (against !== undefined)
    throw guardError('guard.refused', GUARD_TEXT.refused.row(against), [GUARD_TEXT.refused.node])
  const now = picture.proven?.timestampSeconds
  if (now === undefined || terms.untilSeconds <= now)
    throw guardError('guard.refused', GUARD_TEXT.refused.until)
  const neededWei = gweiToWei(capOf(terms)) + mostFeeWei(terms)
  for (const { balanceWei } of picture.replies) {
    const short = shortWords(neededWei, balanceWei, setup.network)
    if (short !== undefined) throw guardError('guard.refused', short)
  }
}

/** What became of the word. */
export type GuardMade = { stand: 'armed' } | { stand: 'exported'; path: string }

/**
 * Arms a guard that was agreed to: the signer child signs all members after one password, or they are exported for an
 * external signer. Throws what `termsNow` and the signer throw; then nothing was written.
 */
export async function armGuard(following: Following, agreed: GuardAgreed): Promise<GuardMade> {
  const { context } = following
  const book = context.guards()
  if (book === undefined) throw gateClosed(GATE_TEXT.closed.unread)
  const terms = await termsNow(following, { agreed, book })
  const { setup, effects } = context
  const { keystore, passwordDescriptor } = setup
  if (terms.signer === 'external' || keystore === undefined) {
    // From this line on the nonce is held, whether or not the file is written.
    await book.exportTerms(terms)
    const path = await writeUnsigned(effects, setup.journalDirectory, terms)
    return { stand: 'exported', path }
  }
  const { label: network, names } = setup.network
  const { rawTransactions } = await effects.signer.signGuard({
    keystore,
    from: terms.from,
    pubkey: terms.validator.pubkey,
    members: ladderOf(terms).map(({ transaction }) => transaction),
    prompt: { network, token: names.token },
    ...(passwordDescriptor === undefined ? {} : { passwordDescriptor }),
  })
  // A password takes minutes to type.
  await requireArmable(following, terms, book)
  await requireAlone(following, terms)
  await book.arm(terms, rawTransactions)
  return { stand: 'armed' }
}

/** Writes the file for the external signer once more. Throws a `wallet.*` error or a `guard.*` error where nothing is exported. */
export async function saveGuard(context: Following['context']): Promise<string> {
  const terms = await exportedTerms(context)
  return writeUnsigned(context.effects, context.setup.journalDirectory, terms)
}

/** All members, as an external signer takes them: one file, in the order in which they are compared. */
async function writeUnsigned(
  { store }: Pick<Effects, 'store'>,
  directory: string,
  terms: GuardTerms,
): Promise<string> {
  const path = `${directory}/sign-guard-${terms.from.slice(2, 10).toLowerCase()}-${terms.nonce}.json`
  const members = ladderOf(terms).map(({ kind, transaction }) => ({
    kind,
    amount: weiToGwei(transaction.valueWei).toString(),
    ...Object.fromEntries(Object.entries(transaction).map(([name, value]) => [name, String(value)])),
    command: mktxCommand(transaction, terms.from, WALLET_FLAGS[0]),
  }))
  const text = `${JSON.stringify({ from: terms.from, members }, undefined, 2)}\n`
  await store.writeText(path, text, { replace: true })
  return path
}

/** The terms that are exported for the validator and not signed yet. */
async function exportedTerms(context: Following['context']): Promise<GuardTerms> {
  const book = context.guards()
  const { identity } = context.facts()
  if (book === undefined || identity === undefined) throw gateClosed(GATE_TEXT.closed.unread)
  const open = (await book.here()).find(
    ({ state }) =>
      state !== undefined &&
      phaseOf(state) === 'exported' &&
      sameHex(state.terms.validator.pubkey, identity.pubkey),
  )
  if (open?.state === undefined) throw guardError('guard.refused', GUARD_TEXT.refused.changed)
  return open.state.terms
}

const MOST_FILE_BYTES = 256 * 1024
const RAW = /0x02(?:[0-9a-f]{2})+/gi

/**
 * Takes the members that an external signer has signed, from a file or as they were typed, and compares them one by one
 * with what was exported: each must be there, and nothing counts before all are.
 */
export async function importGuard(context: Following['context'], text: string): Promise<void> {
  const book = context.guards()
  if (book === undefined) throw gateClosed(GATE_TEXT.closed.unread)
  const terms = await exportedTerms(context)
  const typed = text.trim()
  const found = typed.startsWith('0x') ? typed : await readText(context.effects, typed, MOST_FILE_BYTES)
  const given = [...found.matchAll(RAW)].map(([raw]) => raw.toLowerCase() as Hex)
  const members = ladderOf(terms)
  const raws = await Promise.all(
    members.map(async ({ transaction }) => {
      for (const raw of given) if (await isSigned(raw, transaction, terms.from)) return raw
      return undefined
    }),
  )
  const all = raws.filter((raw) => raw !== undefined)
  if (all.length < members.length)
    throw guardError('guard.refused', GUARD_TEXT.missing(terms.nonce, members.length))
  await book.arm(terms, all)
}

async function isSigned(
  raw: Hex,
  transaction: Parameters<typeof checkSigned>[1]['transaction'],
  from: Hex,
): Promise<boolean> {
  return checkSigned(raw, { transaction, from }).then(
    () => true,
    () => false,
  )
}
