import { join } from 'node:path'
import type { Effects, Signer } from '../core/base/effects/effects.ts'
import { createNodeEffects } from '../core/base/effects/node.ts'
import { createNodeSigner, type NodeSignerOptions } from '../core/base/effects/node-signer.ts'
import { LANGUAGE } from '../core/base/format/language.ts'
import { languageFile } from '../core/base/format/texts.ts'
import { columnsOf, PLAIN_RENDERER, type TerminalSize } from '../output/fact-lines.ts'
import type { CommandIo, Renderer, Tone } from '../output/io.ts'
import { COLOURS, themeOf } from '../screens/theme.tsx'
import { notification } from '../terminal/notification.ts'

/** Where the signer child's program is: beside this one. */
const SIGNER = join(import.meta.dirname, 'signer.js')

/** In a single executable this program lies below the executable itself. */
const HOLDER = import.meta.dirname === process.execPath ? { executable: process.execPath } : {}

/** Takes the screens away during the work; the signal is given when the program is to end. */
export type Suspend = (during: (signal: AbortSignal) => Promise<void>) => Promise<void>

export type RealEffectsOptions = {
  /** Gives the terminal away, in raw mode, while the signer child asks for a password; without it the child has it anyway. */
  suspend?: Suspend
  /** The child asks in lines, without drawing. */
  linesOnly?: boolean
  /** Whether keys were dropped just before the child is to ask: then it says so. */
  wasTyped?: () => boolean
  /** Ends every wait, and a child that signs or asks for a password. */
  signal: AbortSignal
  /** Hears in a sentence what was put right on the disk. */
  tell: (sentence: string) => void
}

/** Returns the real world. */
export function realEffects(given: RealEffectsOptions): Effects {
  const { suspend, linesOnly = false, wasTyped = () => false, signal, tell } = given
  const options = { signerPath: SIGNER, ...HOLDER, ...childLanguage(), signal, linesOnly, wasTyped }
  const signer = suspend === undefined ? createNodeSigner(options) : suspending(options, suspend)
  return createNodeEffects({ signer, tell })
}

/** Returns the language for the child: the one that this program speaks. */
function childLanguage(): Pick<NodeSignerOptions, 'language'> {
  if (LANGUAGE === 'en') return {}
  return { language: { code: LANGUAGE, file: join(import.meta.dirname, languageFile(LANGUAGE)) } }
}

/** A signer whose child has the terminal to itself for as long as it may ask for a password. */
function suspending(options: NodeSignerOptions, suspend: Suspend): Signer {
  const signer = createNodeSigner(options)
  async function asked<T>(sign: (asking: Signer) => Promise<T>): Promise<T> {
    const signed: T[] = []
    await suspend(async (ending) => {
      const signal = options.signal === undefined ? ending : AbortSignal.any([options.signal, ending])
      signed.push(await sign(createNodeSigner({ ...options, signal, rawModeIsOn: true })))
    })
    const [answer] = signed
    if (answer === undefined) throw new Error('the terminal came back without an answer')
    return answer
  }
  return {
    ...signer,
    signTransaction: (request) =>
      request.passwordDescriptor === undefined
        ? asked((asking) => asking.signTransaction(request))
        : signer.signTransaction(request),
    signGuard: (request) =>
      request.passwordDescriptor === undefined
        ? asked((asking) => asking.signGuard(request))
        : signer.signGuard(request),
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/** Lines longer than this are hard to read on any terminal. */
const MOST_COLUMNS = 100
const ESCAPE = '\u001b['

/**
 * What a command writes on. At a terminal the marks and letters of the screens, in colour; elsewhere plain ASCII. No
 * colour where `NO_COLOR` is set or `FORCE_COLOR` is 0; any other `FORCE_COLOR` gives it to a pipe as well.
 */
export function rendererOf(stream: TerminalSize, env: Environment, platform: string): Renderer {
  const theme = themeOf(env, platform)
  const { isTTY = false } = stream
  const columns = columnsOf(stream)
  const forced = env.FORCE_COLOR ?? ''
  const isForced = forced !== '' && forced !== '0' && forced !== 'false'
  const isColoured = (isTTY || isForced) && (forced === '' || isForced)
  const paint = (tone: Tone, text: string) => {
    const { color, bold, dimColor } = theme.style(tone)
    const codes = [
      ...(bold ? [1] : []),
      ...(dimColor ? [2] : []),
      ...(color === undefined ? [] : [COLOURS[color]]),
    ]
    return codes.length === 0 || text === '' ? text : `${ESCAPE}${codes.join(';')}m${text}${ESCAPE}0m`
  }
  return {
    ...PLAIN_RENDERER,
    ...(columns === undefined ? {} : { columns: Math.min(columns, MOST_COLUMNS) }),
    ...(isTTY ? { mark: (mark) => theme.marks[mark].text } : {}),
    ...(isTTY && !theme.ascii ? { plain: (text: string) => text } : {}),
    ...(isColoured ? { paint } : {}),
  }
}

/** Returns what makes the terminal call its user, where one is. */
export function ringOf(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  { TERM }: NodeJS.ProcessEnv,
): Pick<CommandIo, 'ring'> {
  return stream.isTTY ? { ring: (text, form) => void stream.write(notification(text, TERM, form)) } : {}
}
