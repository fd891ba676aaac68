import { askLeave } from '../../pay/leave/ask-commands.ts'
import { leaveFile } from '../../pay/leave/file-commands.ts'
import { leavePicture } from '../../pay/leave/picture.ts'
import type { StatusContext } from './alarm-commands.ts'
import { askedAmount } from './leaving.ts'
import type { StatusState } from './machine.ts'

/** A request is followed at this pace: it is in a block, then in the state after it. */
const SLOTS_BETWEEN_LOOKS = 4

/** Asks what a request would do and what became of those that were made, again and again while the page is open. */
export async function followLeave(context: StatusContext, getState: () => StatusState): Promise<void> {
  const { effects, setup, signal } = context
  while (getState().page === 'leave') {
    const { pubkey } = context.facts().identity ?? {}
    const asked = askedAmount(getState().leaving, setup)
    if (pubkey === undefined || 'error' in asked) return
    await askLeave(context, { pubkey, ...asked }, (entry) =>
      context.dispatch({ step: 'status', type: 'leaveObserved', ...entry }),
    )
    await effects.clock.sleep(SLOTS_BETWEEN_LOOKS * setup.network.slotMs, signal)
  }
}

/** Writes the request for the wallet beside the journals, never over an older file. Throws a `file.*` error. */
export async function saveLeave(context: StatusContext, getState: () => StatusState): Promise<void> {
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
