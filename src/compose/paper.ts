import type { CommandIo, Paper, Tone } from '../commands/io.ts'
import { themeOf } from '../screens/theme.tsx'
import { notification } from '../terminal/notification.ts'
import { PLAIN_PAPER } from './fact-lines.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Lines longer than this are hard to read on any terminal. */
const MOST_COLUMNS = 100
const COLOURS: Readonly<Record<string, number>> = { red: 31, green: 32, yellow: 33 }
const ESCAPE = '\u001b['

/**
 * What a command writes on. At a terminal the marks and letters of the screens, in colour; elsewhere plain ASCII. No
 * colour where `NO_COLOR` is set or `FORCE_COLOR` is 0; any other `FORCE_COLOR` gives it to a pipe as well.
 */
export function paperOf(
  stream: { isTTY?: boolean; columns?: number },
  env: Environment,
  platform: string,
): Paper {
  const theme = themeOf(env, platform)
  const { isTTY = false, columns = PLAIN_PAPER.columns } = stream
  const forced = env.FORCE_COLOR ?? ''
  const isForced = forced !== '' && forced !== '0' && forced !== 'false'
  const isColoured = (isTTY || isForced) && (forced === '' || isForced)
  const paint = (tone: Tone, text: string) => {
    const { color = '', bold, dimColor } = theme.style(tone)
    const colour = COLOURS[color]
    const codes = [...(bold ? [1] : []), ...(dimColor ? [2] : []), ...(colour === undefined ? [] : [colour])]
    return codes.length === 0 || text === '' ? text : `${ESCAPE}${codes.join(';')}m${text}${ESCAPE}0m`
  }
  return {
    ...PLAIN_PAPER,
    ...(isTTY ? { columns: Math.min(columns, MOST_COLUMNS) } : {}),
    ...(isTTY ? { mark: (mark) => theme.marks[mark].text } : {}),
    ...(isTTY && !theme.ascii ? { plain: (text: string) => text } : {}),
    ...(isColoured ? { paint } : {}),
  }
}

/** What makes the terminal call its user, where one is. */
export function ringOf(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  { TERM }: NodeJS.ProcessEnv,
): Pick<CommandIo, 'ring'> {
  return stream.isTTY ? { ring: (text, form) => void stream.write(notification(text, TERM, form)) } : {}
}
