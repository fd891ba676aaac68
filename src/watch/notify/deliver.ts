import type { Effects, HttpReply } from '../../core/base/effects/effects.ts'
import { BaseError } from '../../core/base/errors/base.ts'
import { type SafeText, safeText } from '../../core/base/format/text.ts'
import { withoutSecrets } from '../../core/base/format/url-secrets.ts'
import { type Channel, type Post, type Sending, secretsOf, sendingOf } from './channels.ts'
import { bodyLines, headline, type Message, SENTENCES } from './text.ts'

/**
 * How one try to hand an event over ended. `failed`: perhaps later. `refused`: the other side does not want this very
 * event. Only `delivered` says that it has arrived; after any other it may have, unheard.
 */
export type DeliveryResult =
  | { result: 'delivered' }
  | { result: 'failed' | 'refused'; reason: string; retryAfterMs?: number }

/** What delivering needs of the world. */
export type DeliveryEffects = Pick<Effects, 'http' | 'exec' | 'files' | 'clock'> & {
  /** Calls the user in the terminal of this program; left out where there is none. */
  ring?: (text: string, sequence: Extract<Sending, { by: 'terminal' }>['sequence']) => void
}

/** Longest answer time and size of a service: whoever is slower or says more has not answered. */
export const EXCHANGE = { deadlineMs: 10_000, maxBytes: 65_536 } as const
const DESKTOP_LIMITS = { timeoutMs: 10_000, maxOutputBytes: 65_536, home: '~' } as const
const MAX_OUTPUT_BYTES = 1_048_576
/** The event itself is too large for the service. Every other status may be put right on the other side, 400 too. */
const PAYLOAD_TOO_LARGE = 413

/** Sends one event through one channel, once. Rejects with the reason of the signal once the effects have ended. */
export async function deliver(
  effects: DeliveryEffects,
  channel: Channel,
  message: Message,
): Promise<DeliveryResult> {
  try {
    const sending = sendingOf(channel, message)
    switch (sending.by) {
      case 'terminal':
        return ring(effects, channel.name, sending)
      case 'desktop':
        return await showOnDesktop(effects, channel.name, message)
      case 'program':
        return await runProgram(effects, sending)
      case 'request':
        return await exchange(effects, sending, secretsOf(channel))
    }
  } catch (thrown) {
    if (!(thrown instanceof BaseError)) throw thrown
    return { result: 'failed', reason: thrown.shortMessage }
  }
}

/** Sends a request to a service of the user, and reads only whether the service accepted it. */
export async function exchange(
  effects: Pick<DeliveryEffects, 'http' | 'clock'>,
  { url, headers, body }: Omit<Post, 'body'> & { body?: string },
  secrets: readonly string[],
): Promise<DeliveryResult> {
  const method = body === undefined ? 'GET' : 'POST'
  const reply = await effects.http.request({
    method,
    url,
    headers: { accept: '*/*', ...headers },
    ...(body === undefined ? {} : { body }),
    ...EXCHANGE,
  })
  if (reply.status >= 200 && reply.status < 300) return { result: 'delivered' }
  const text = new TextDecoder().decode(reply.body)
  const movedTo = parametersOf(text)?.get('migrate_to_chat_id')
  const answered = SENTENCES.answered(reply.status, redacted(wordsOf(text), secrets))
  const reason = Number.isSafeInteger(movedTo)
    ? `${answered} ${SENTENCES.chatMoved(String(movedTo))}`
    : answered
  const retryAfterMs = pauseOf(reply, text, effects.clock.nowMs())
  return {
    result: reply.status === PAYLOAD_TOO_LARGE ? 'refused' : 'failed',
    reason,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

/** What a service says in the field that it uses for this, or the text itself where it is no JSON. */
function wordsOf(body: string): string {
  const read = jsonOf(body)
  if (read === undefined) return /^\s*</.test(body) ? '' : body
  const words = ['description', 'message', 'error', 'errors'].flatMap((key) => {
    const found = read.get(key)
    return typeof found === 'string' || Array.isArray(found) ? [String(found)] : []
  })
  return words.join('; ')
}

function jsonOf(body: string): Map<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(body)
    return typeof read === 'object' && read !== null ? new Map(Object.entries(read)) : undefined
  } catch {
    return undefined
  }
}

/** What Telegram says of a failure beside its words. */
function parametersOf(text: string): Map<string, unknown> | undefined {
  const parameters = jsonOf(text)?.get('parameters')
  return typeof parameters === 'object' && parameters !== null
    ? new Map(Object.entries(parameters))
    : undefined
}

/** How long the service asks to be left alone: by its header, or in the body as Discord and Telegram say it. */
function pauseOf(reply: HttpReply, text: string, nowMs: number): number | undefined {
  const header = reply.headers['retry-after'] ?? ''
  const body = reply.status === 429 ? jsonOf(text) : undefined
  const inner = body && parametersOf(text)
  const asked = [
    /^\d{1,9}(?:\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs,
    Number(body?.get('retry_after') ?? Number.NaN) * 1000,
    Number(inner?.get('retry_after') ?? Number.NaN) * 1000,
  ].filter((ms) => Number.isFinite(ms) && ms > 0)
  return asked.length === 0 ? undefined : Math.ceil(Math.max(...asked))
}

type SendingBy<By extends Sending['by']> = Extract<Sending, { by: By }>

function ring(
  { ring: call }: DeliveryEffects,
  channel: string,
  { text, sequence }: SendingBy<'terminal'>,
): DeliveryResult {
  if (call === undefined) return { result: 'failed', reason: SENTENCES.noTerminal(channel) }
  call(text, sequence)
  return { result: 'delivered' }
}

async function runProgram(
  { exec }: DeliveryEffects,
  { command, input, timeLimitMs }: SendingBy<'program'>,
): Promise<DeliveryResult> {
  const [path, ...args] = command
  const { exitCode } = await exec.run({
    path,
    args,
    home: '~',
    input,
    endsWhole: true,
    timeoutMs: timeLimitMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  })
  return exitCode === 0 ? { result: 'delivered' } : { result: 'failed', reason: SENTENCES.exitCode(exitCode) }
}

/** Returns the program that shows messages on a desktop, found on the PATH. */
export async function desktopProgram(
  files: Effects['files'],
): Promise<{ name: keyof typeof DESKTOPS; path: string } | undefined> {
  for (const name of ['notify-send', 'osascript', 'powershell.exe'] as const) {
    const path = await files.findProgram(name)
    if (path !== undefined) return { name, path }
  }
  return undefined
}

async function showOnDesktop(
  { exec, files }: DeliveryEffects,
  channel: string,
  message: Message,
): Promise<DeliveryResult> {
  const program = await desktopProgram(files)
  if (program === undefined) return { result: 'failed', reason: SENTENCES.noDesktop(channel) }
  const { name, path } = program
  const { exitCode } = await exec.run({ path, ...DESKTOP_LIMITS, desktop: true, ...DESKTOPS[name](message) })
  return exitCode === 0 ? { result: 'delivered' } : { result: 'failed', reason: SENTENCES.exitCode(exitCode) }
}

/** Fixed arguments each; texts are arguments of their own or on standard input, and never become part of a script. */
const DESKTOPS = {
  'notify-send': (message: Message) => ({
    args: [
      '--app-name=bearings',
      `--urgency=${URGENCY[message.event.severity]}`,
      '--',
      headline(message),
      // The body may be read as markup.
      bodyLines(message).join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ],
  }),
  osascript: (message: Message) => ({
    args: [
      ...[
        'on run argv',
        'display notification (item 2 of argv) with title (item 1 of argv)',
        'end run',
      ].flatMap((line) => ['-e', line]),
      `bearings: ${headline(message)}`,
      ` ${bodyLines(message).join('\n')}`,
    ],
  }),
  'powershell.exe': (message: Message) => ({
    args: ['-NoProfile', '-NonInteractive', '-Command', TOAST],
    input: asciiJson({ title: headline(message), text: bodyLines(message).join('\n') }),
  }),
} as const satisfies Record<string, (message: Message) => { args: readonly string[]; input?: string }>

const URGENCY = { critical: 'critical', warning: 'normal', info: 'low' } as const

const TOAST = [
  '$e = [Console]::In.ReadToEnd() | ConvertFrom-Json',
  '[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
  '$x = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)',
  "$t = $x.GetElementsByTagName('text')",
  '[void]$t.Item(0).AppendChild($x.CreateTextNode($e.title))',
  '[void]$t.Item(1).AppendChild($x.CreateTextNode($e.text))',
  "$a = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'",
  '[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($a).Show([Windows.UI.Notifications.ToastNotification]::new($x))',
].join('; ')

/** No code page of a console changes these bytes. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Makes one drawable line of a reply, with every secret left out. */
function redacted(text: string, secrets: readonly string[]): SafeText {
  return safeText(withoutSecrets(text, secrets).replaceAll('"', "'").replace(/\s+/g, ' ').trim())
}
