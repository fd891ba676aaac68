import { formatCount, formatDuration } from '../core/base/format/amount.ts'
import type { Finding } from '../core/observe/memory.ts'
import type { ChannelPicture } from '../core/view/alarm-event.ts'
import type { About } from './endpoint-findings.ts'
import type { Words } from './words.ts'

/** A channel that has taken nothing for so long is told through the others. */
const PATIENCE_MS = 120_000
const ALARM = 'channel-failing'

/** Finds the channels that take nothing. One ends by an event that arrived, or when the configuration names it no more. */
export function channelFindings({ memory, picture }: About): Finding[] {
  const { channels, atMs } = picture
  if (channels === undefined) return []
  const isAll = channels.every((each) => each.isWorking === false)
  const found = channels.flatMap((channel): Finding[] => {
    const shape = { alarm: ALARM, subject: channel.name } as const
    if (channel.isWorking === true) return [{ ...shape, is: 'off', words: () => takesAgain(channel) }]
    if (!isFailing(channel, atMs)) return []
    const severity = isAll ? 'critical' : 'warning'
    return [{ ...shape, is: 'on', severity, degree: [], ...takesNothing(channel, atMs) }]
  })
  const gone = memory.alarms
    .filter(({ alarm, subject }) => alarm === ALARM && !channels.some(({ name }) => name === subject))
    .map(({ subject }): Finding => ({ alarm: ALARM, subject, is: 'off', words: () => isGone(subject) }))
  return [...found, ...gone]
}

/** Whether a channel has taken nothing for two minutes. */
export function isFailing({ failing }: ChannelPicture, nowMs: number): boolean {
  return failing !== undefined && nowMs - failing.sinceMs >= PATIENCE_MS
}

function takesNothing({ name, waiting, held, failing }: ChannelPicture, nowMs: number): Words {
  const forText = formatDuration(nowMs - (failing?.sinceMs ?? nowMs))
  const count = waiting + held
  const rest = count === 1 ? 'One event waits for it.' : `${formatCount(BigInt(count))} events wait for it.`
  return {
    title: `Channel ${name} has taken no alarm for ${forText}.`,
    what: `${failing?.reason ?? ''} ${rest}`,
    next: 'If the service is not down, correct the channel in the configuration, try it with --test-alarm, and start the watch again.',
  }
}

const takesAgain = ({ name }: ChannelPicture): Words => ({
  title: `Channel ${name} takes alarms again.`,
  what: 'The last event arrived there.',
})

const isGone = (name: string): Words => ({
  title: `Channel ${name} is not configured any more.`,
  what: 'Nothing is sent through it.',
})
