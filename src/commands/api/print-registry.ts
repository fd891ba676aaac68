import type { NodeClient } from '../../core/clients/node/client.ts'
import { streamValidators, type ValidatorTaker } from '../../core/clients/node/stream-validators.ts'
import { ClientError } from '../../core/errors/client.ts'
import type { CommandIo } from '../io.ts'
import { printable } from '../printable.ts'
import { decodedParts, requireQuery, stateIdOf, statusOf } from './read-parts.ts'

type Question = { client: NodeClient; path: string; io: CommandIo; json: boolean }

const LIST = /^\/eth\/v1\/beacon\/states\/([^/?]+)\/validators(?:\?(.*))?$/
const LINES_AT_ONCE = 500

/** Whether a path asks for validators of a state without naming each: a list that may be too large to be held. */
export function asksForRegistry(path: string): boolean {
  const match = LIST.exec(path)
  return match !== null && !new URLSearchParams(match[2]).has('id')
}

/**
 * Prints a list of validators while it arrives, one a line, as a JSON list or with `json` as the command's document. A
 * reply that breaks off after something was printed is not asked for again: what stands there is then cut, and no
 * JSON. Throws a `ClientError`, or `usage.option` for a state or a status that cannot be read.
 */
export async function printRegistry({ client, path, io, json }: Question): Promise<'printed'> {
  const [, part = '', query = ''] = LIST.exec(path) ?? []
  const [state = ''] = decodedParts([part])
  const fields = new URLSearchParams(query)
  requireQuery(fields, ['id...', 'status...'])
  const statuses = fields.getAll('status').map(statusOf)
  const facts = {
    command: 'api',
    path,
    service: 'node API',
    endpoint: client.label,
    typed: true,
    offered: true,
  }
  const [start, end] = json ? [`${printable(facts).slice(0, -1)},"answer":[`, ']}'] : ['[', ']']
  const paper = { io, start, end, printed: 0 }
  const taker = () => printer(paper, client.label, path)
  const args = { state: stateIdOf(state), statuses, taker }
  return streamValidators(client, args)
}

type Paper = { io: CommandIo; start: string; end: string; printed: number }

function printer(paper: Paper, endpoint: string, what: string): ValidatorTaker<'printed'> {
  if (paper.printed > 0) {
    const details = [`the list broke off after ${paper.printed} validators had been printed`]
    throw new ClientError('failed', { service: 'node API', endpoint, what, details })
  }
  let lines: string[] = []
  const opening = () => (paper.printed === 0 ? [paper.start] : [])
  return {
    add(record) {
      lines.push(printable(record))
      if (lines.length <= LINES_AT_ONCE) return
      const [last = ''] = lines.splice(-1)
      paper.io.out([...opening(), ...lines.map((line) => `${line},`)].join('\n'))
      paper.printed += lines.length
      lines = [last]
    },
    done() {
      const entries = lines.length === 0 ? [] : [lines.join(',\n')]
      paper.io.out([...opening(), ...entries, paper.end].join('\n'))
      return 'printed'
    },
  }
}
