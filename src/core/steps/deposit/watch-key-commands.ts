import { unlessSilent } from '../../clients/ask-as-service.ts'
import { getDepositCount } from '../../clients/execution/call.ts'
import { asker } from '../../observe/context.ts'
import { GATE_FACTS, type GateAnswers } from '../../pay/gate/facts.ts'
import { type Following, sourcesOf } from '../../pay/gate/following.ts'
import { rechecker } from '../../pay/gate/recheck.ts'
import { isBegun } from '../../pay/payment/sign-again.ts'

const SLOTS_BETWEEN_LOOKS = 2
/** A look that takes long is not begun again at once, but no change is told later than this. */
const MOST_SLOTS_BETWEEN_LOOKS = 8
const SHARE_OF_TIME = 4

/**
 * Keeps looking at the key of a first deposit until that is agreed to, so that no word is typed over what is no more. What
 * the contract knows of a key changes by deposits alone: the whole look is made again where an endpoint counts others than
 * before or does not say, and while the last look did not find that the key may be paid for.
 */
export async function watchKey(following: Following): Promise<void> {
  const { context, getState, kind } = following
  const { clock } = context.effects
  const { slotMs } = context.setup.network
  const least = SLOTS_BETWEEN_LOOKS * slotMs
  const recheck = rechecker(following)
  let before = await countDeposits(following)
  let waitMs = least
  for (;;) {
    await clock.sleep(waitMs)
    await recheck()
    const startedMs = clock.monotonicMs()
    const { key } = getState().observed
    // While the gate itself asks nothing is known that could change.
    if (isBegun(getState()) || key.status === 'unasked' || key.status === 'asking') continue
    const now = await countDeposits(following)
    const isFree = key.status === 'known' && key.value.good
    if (!isFree || now === undefined || now !== before) {
      const ask = asker<GateAnswers>(context, GATE_FACTS, async (entry) => {
        // What the gate was told meanwhile is newer than this look.
        if (getState().observed.key !== key || isBegun(getState())) return
        await context.dispatch({ step: kind.step, type: 'observed', ...entry })
      })
      await ask('key', () => kind.key())
    }
    before = now
    const tookMs = clock.monotonicMs() - startedMs
    waitMs = Math.min(MOST_SLOTS_BETWEEN_LOOKS * slotMs, Math.max(least, SHARE_OF_TIME * tookMs))
  }
}

/** How many deposits the contract has taken, by each endpoint; undefined where one does not say. */
async function countDeposits(following: Following): Promise<string | undefined> {
  const { depositContract } = following.context.setup.network.spec
  const counts = sourcesOf(following).map(({ client }) =>
    unlessSilent(getDepositCount(client, { depositContract })),
  )
  const replies = await Promise.all(counts)
  return replies.includes(undefined) ? undefined : replies.join(' ')
}
