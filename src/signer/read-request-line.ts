import type { Readable } from 'node:stream'
import { badSignerRequest } from '../core/errors/signer.ts'

const MAX_CHARACTERS = 65_536

/**
 * The first line of `input`. Keeps listening afterwards: when the input ends, `ended` is aborted. Rejects with
 * `signer.bad-request` when the input ends before a whole line or the line is too long.
 */
export function readRequestLine(input: Readable, ended: AbortController): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const refuse = (found: string) =>
      reject(badSignerRequest({ field: 'request', found, expected: 'one line of JSON' }))
    input.setEncoding('utf8')
    input.on('data', (chunk: string) => {
      if (text.includes('\n')) return
      text += chunk
      if (text.length > MAX_CHARACTERS) return refuse('a line that is too long')
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    input.on('end', () => {
      ended.abort()
      refuse('no whole line')
    })
    input.on('error', () => refuse('an unreadable input'))
  })
}
