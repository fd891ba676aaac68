import type { CommandInput } from '../../src/commands/command.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { type Document, readDocument } from './documents.ts'

/**
 * What a command printed, and how it ended. `words` is all of it without lines and columns, `json` its one document on
 * stdout.
 */
export type Ended = { code: ExitCode; out: string; err: string; words: string; json: () => Json }

type Row = {
  step: string
  id: string
  label: string
  mark: string
  value: string
  source: string
  long?: string
  fix?: string
  numbers: Readonly<Record<string, unknown>>
}

type Json = Document & {
  rows: Row[]
  sentence: string
  notes: string[]
  error?: { code: string; money: string; shortMessage: string; details: string[]; nextSteps: string[] }
}

/** A document with its findings as flat rows, and its sentences, beside what it holds: so most tests look at it. */
export function laidOut(document: Document): Json {
  const rows = (document.findings ?? []).map(
    ({ step, id, level: mark, value: long, numbers, words }): Row => {
      const { label, value, source, fix } = words
      const more = { ...(long === null ? {} : { long }), ...(fix === null ? {} : { fix }) }
      return { step, id, mark, label, value, source, numbers, ...more }
    },
  )
  const { sentence = '', notes = [], details = [], next = [] } = document.words ?? {}
  const { error, ...fields } = document
  const said = { shortMessage: sentence, details, nextSteps: next }
  return {
    ...fields,
    rows,
    sentence,
    notes,
    ...(error === undefined ? {} : { error: { ...error, ...said } }),
  }
}

/** Runs a command that looks at something, with nothing of the user's own around it. */
export async function runCommandWith(
  command: (input: CommandInput) => Promise<ExitCode>,
  argv: readonly string[],
  effects: Effects,
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const out: string[] = []
  const err: string[] = []
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    signal: new AbortController().signal,
  }
  const environment = { HOME: '/nowhere', ...variables }
  const code = await command({ argv, effects, io, stateDirectory: '/nowhere/state', environment })
  const text = out.join('\n')
  const words = [...out, ...err].join(' ').replace(/\s+/g, ' ')
  return { code, out: text, err: err.join('\n'), words, json: () => laidOut(readDocument(text)) }
}

/** Effects in which nothing exists but the HTTP exchanges that are given. */
export function bareEffects(world: Pick<Effects, 'http' | 'clock' | 'random'>): Effects {
  const nothing = () => Promise.reject(new Error('a command that looks does not do this'))
  return {
    ...world,
    files: { read: nothing, facts: async () => undefined, findProgram: async () => undefined },
    store: {
      readText: nothing,
      list: nothing,
      openAppend: nothing,
      writeText: nothing,
      lock: nothing,
      holderOf: nothing,
    },
    signer: {
      inspect: nothing,
      signDeposit: nothing,
      keystoreAddress: nothing,
      signTransaction: nothing,
      signGuard: nothing,
    },
    exec: { run: nothing, scratch: nothing },
  }
}
