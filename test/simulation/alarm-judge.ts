import type { SeenEvent } from './event.ts'
import type { GuardJudge } from './guard-judge.ts'
import type { Objection } from './judge.ts'
import type { Network } from './network.ts'

/** So many blocks a danger may be over, or new, before a watch has to know of it. */
const BLOCKS_TO_KNOW = 3

/** Who sees what a watch tells of the place, and objects to silence in danger and to what is not so. */
export type AlarmJudge = {
  told(event: SeenEvent): void
  /** A block was made. */
  look(): void
  /** Whether an alarm stands, by what was told of it. */
  stands(alarm: string): boolean
}

/** `failsOwn`: whether an endpoint of the own node behaves otherwise now, so that a watch may not know of a danger. */
export function createAlarmJudge({
  network,
  ofGuard,
  object,
  failsOwn,
}: {
  network: Network
  ofGuard: Pick<GuardJudge, 'truthNow' | 'isLost'>
  object: (rule: Objection['rule'], words: string) => void
  failsOwn: () => boolean
}): AlarmJudge {
  const standing = new Set<string>()
  const fired = new Set<string>()
  let failedOwn = false
  let dangerSince: number | undefined

  return {
    told({ alarm, change, severity }) {
      if (change === 'cleared') {
        const isOld = dangerSince !== undefined && network.blocks.length - dangerSince > BLOCKS_TO_KNOW
        if (alarm === 'drops-out' && isOld && !ofGuard.isLost())
          object('silent', `drops-out ended while the danger holds, since block ${dangerSince}`)
        standing.delete(alarm)
        return
      }
      standing.add(alarm)
      fired.add(alarm)
      if (alarm === 'exit-begun' || (alarm === 'dropped-out' && severity !== 'critical'))
        object('told-as-exit', `a drop-out is told as ${alarm}, ${severity}: nobody asked to leave`)
    },
    look() {
      failedOwn ||= failsOwn()
      const truth = ofGuard.truthNow()
      if (truth === undefined || ofGuard.isLost()) return
      if (truth.needGwei === undefined) {
        dangerSince = undefined
        return
      }
      dangerSince ??= truth.block
      const isLate = truth.lastBlock !== undefined && BigInt(truth.block) > truth.lastBlock - 1n
      const isKnown = fired.has('drops-out') || (failedOwn && fired.size > 0)
      if (isLate && !isKnown)
        object(
          'silent',
          `the place is in danger since block ${dangerSince}, the last block is ${truth.lastBlock}, and no watch has told of it`,
        )
    },
    stands: (alarm) => standing.has(alarm),
  }
}
