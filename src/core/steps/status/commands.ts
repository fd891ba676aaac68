import type { Effects } from '../../base/effects/effects.ts'
import { BaseError, isError } from '../../base/errors/base.ts'
import { type Hex, sameHex } from '../../base/format/hex.ts'
import { readHome } from '../../chain/identity/home.ts'
import { keyPlaceOf } from '../../chain/identity/home-files.ts'
import { watchNode } from '../../clients/heads.ts'
import { type CommandContext, clientsOf } from '../../observe/context.ts'
import { type GuardStanding, unheldBy } from '../../observe/picture.ts'
import { askLeave, leaveFile } from '../../pay/leave/ask-commands.ts'
import { leavePicture } from '../../pay/leave/picture.ts'
import type { StatusContext } from './alarm-commands.ts'
import { statusAsker } from './ask-commands.ts'
import { askedAmount } from './leaving.ts'
import { hearingOf, type StatusCommand, type StatusEvent, type StatusState } from './machine.ts'
import { followStatus } from './observe-commands.ts'
import type { BackupAnswer } from './values.ts'

const SLOTS_BETWEEN_GUARD_LOOKS = 5

/** Holds the guard of the validator for as long as the step is open; without one it looks now and then whether there is. */
async function holdHere(context: StatusContext): Promise<void> {
  const { effects, setup, facts, signal } = context
  let last: GuardStanding | undefined
  const tell = async (guard: GuardStanding | undefined): Promise<void> => {
    // One that came to its end is told as that, and not as none.
    if (guard === undefined && last?.stand === 'over') return
    last = guard
    await context.dispatch({ step: 'status', type: 'guarded', guard })
  }
  for (;;) {
    const { identity } = facts()
    let slots = SLOTS_BETWEEN_GUARD_LOOKS
    try {
      if (identity !== undefined) await context.keepGuard(identity.pubkey, tell)
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof BaseError)) throw thrown
      if (last !== undefined) await tell(unheldBy(last, thrown.shortMessage))
      slots = 1
    }
    await effects.clock.sleep(slots * setup.network.slotMs, signal)
  }
}

/** A request is followed at this pace: it is in a block, then in the state after it. */
const SLOTS_BETWEEN_REQUEST_LOOKS = 4

/** Asks what a request would do and what became of those that were made, again and again while the page is open. */
async function followLeave(context: StatusContext, getState: () => StatusState): Promise<void> {
  const { effects, setup, signal } = context
  while (getState().page === 'leave') {
    const { pubkey } = context.facts().identity ?? {}
    const asked = askedAmount(getState().leaving, setup)
    if (pubkey === undefined || 'error' in asked) return
    await askLeave(context, { pubkey, ...asked }, (entry) =>
      context.dispatch({ step: 'status', type: 'leaveObserved', ...entry }),
    )
    await effects.clock.sleep(SLOTS_BETWEEN_REQUEST_LOOKS * setup.network.slotMs, signal)
  }
}

/** Writes the request for the wallet beside the journals, never over an older file. Throws a `file.*` error. */
async function saveLeave(context: StatusContext, getState: () => StatusState): Promise<void> {
  const { setup, effects } = context
  const { pubkey } = context.facts().identity ?? {}
  const { leaving } = getState()
  const asked = askedAmount(leaving, setup)
  if (pubkey === undefined || 'error' in asked) return
  const { request } = leavePicture({ observed: leaving.observed, setup, pubkey, ...asked })
  if (request === undefined) return
  const createdAtMs = effects.clock.nowMs()
  const name = `leave-${pubkey.slice(2, 10)}-${createdAtMs}`
  const path = `${setup.journalDirectory}/${request.contract ? `safe-${name}.json` : `sign-${name}.txt`}`
  await effects.store.writeText(path, leaveFile(request, { name, createdAtMs }), { replace: false })
  await context.dispatch({ step: 'status', type: 'fileSaved', path })
}

/** Carries out one command of the status step. */
export async function runStatus(
  command: StatusCommand,
  context: StatusContext,
  getState: () => StatusState,
): Promise<void> {
  switch (command.type) {
    case 'watch':
      return watchStatus(context, getState)
    case 'followLeave':
      return followLeave(context, getState)
    case 'saveLeave':
      return saveLeave(context, getState)
    case 'readHome':
      return askHome(context)
    case 'readBackup': {
      const { identity } = context.facts()
      if (identity === undefined) return
      const { path } = command
      await statusAsker(context)('backup', () => readBackup(context, { path, pubkey: identity.pubkey }))
    }
  }
}

async function askHome(context: CommandContext<StatusEvent>): Promise<void> {
  const { effects, setup } = context
  const { homePath, network } = setup
  if (homePath === undefined) return
  await statusAsker(context)('home', async () => {
    const { app, findings } = await readHome(effects, { homePath, network })
    return { feeRecipient: app.feeRecipient, findings }
  })
}

/**
 * Whether a file is a copy of a key, by the public key that the signer child derives from it. The very file that the node
 * uses is no copy, whatever path leads to it. Throws a `signer.*` error, a `home.*` error or a `file.*` error.
 */
export async function readBackup(
  { effects, setup }: Pick<CommandContext<never>, 'effects' | 'setup'>,
  { path, pubkey }: { path: string; pubkey: Hex },
): Promise<BackupAnswer> {
  const { homePath, network } = setup
  const { keyTypePrefix } = network.names
  const found = await keyIn(effects, { keyFile: path, keyTypePrefix })
  if (found === undefined) return { holds: 'no-key' }
  if (!sameHex(found.pubkey, pubkey)) return { holds: found.pubkey }
  if (homePath === undefined) return { holds: 'this-key' }
  const { keyFile } = await keyPlaceOf(effects, { homePath })
  const [copy, used] = await Promise.all([effects.files.facts(path), effects.files.facts(keyFile)])
  return { holds: copy !== undefined && copy.identity === used?.identity ? 'own' : 'this-key' }
}

/** Returns the public key in a file, or undefined where the file was read and holds none. */
async function keyIn(
  { signer }: Pick<Effects, 'signer'>,
  asked: Parameters<Effects['signer']['inspect']>[0],
) {
  try {
    return await signer.inspect(asked)
  } catch (thrown) {
    if (isError(thrown, 'key-file') || isError(thrown, 'home.encoding')) return undefined
    throw thrown
  }
}

/** Watches the validator for as long as the step is open, and beside that by our own clock whether the node is heard. */
async function watchStatus(context: StatusContext, getState: () => StatusState): Promise<void> {
  const { execution, second } = clientsOf(context)
  const { effects, setup } = context
  const doubts = watchNode({
    execution,
    second,
    clock: effects.clock,
    slotMs: setup.network.slotMs,
    over: () => false,
    hearing: () => hearingOf(getState()),
    tell: (doubt) => context.dispatch({ step: 'status', type: 'doubted', doubt }),
  })
  const parts = [followStatus(context, getState), doubts, holdHere(context)]
  try {
    await Promise.all(parts)
  } catch (thrown) {
    // A guard that is about to be held is let go of before anybody else may take it.
    if (context.signal.aborted) await Promise.allSettled(parts)
    throw thrown
  }
}
