import type { Setup } from '../../facts.ts'
import { endpointName } from '../../format/endpoint-url.ts'
import type { FactRow, Mark } from '../view.ts'
import { handedTo, newestBytes, timesSent } from './handed.ts'
import { isOpen } from './phases.ts'
import type { HandOver, SendState } from './state.ts'

/** The signed bytes as rows: what they are, how often they were sent, and what each endpoint did with the newest ones. */
export function handOverRows(state: SendState, setup: Setup): FactRow[] {
  const { hash, phase } = state
  if (hash === undefined) return []
  const signed: FactRow = {
    id: 'hash',
    mark: 'proven',
    label: 'transaction',
    value: `signed and saved, ${sentWords(state)}`,
    long: hash,
    source: 'this computer',
    explain: {
      what: 'The fingerprint of the signed bytes, which are in the journal. However often they are sent, they count once.',
      who: 'This computer.',
      later: 'No.',
    },
  }
  return isOpen(state) && phase !== 'mined' ? [signed, ...endpointRows(state, setup)] : [signed]
}

function sentWords(state: SendState): string {
  const times = timesSent(state)
  if (times === 0) return 'not sent yet'
  return times === 1 ? 'sent once' : `sent ${times} times`
}

/** One endpoint alone has a row only while it is not known to have taken the bytes: the row of the chain tells the rest. */
function endpointRows(state: SendState, { endpoints }: Setup): FactRow[] {
  const { execution, secondExecution } = endpoints
  const bytes = newestBytes(state)
  if (bytes === undefined) return []
  const single = handedTo(state, endpointName(execution), bytes.hash)
  const isTold = single === undefined || single.result === 'taken' || state.phase === 'seen'
  if (secondExecution === undefined && isTold) return []
  const places = [
    { label: secondExecution === undefined ? 'endpoint' : 'first endpoint', url: execution },
    ...(secondExecution === undefined ? [] : [{ label: 'second endpoint', url: secondExecution }]),
  ]
  return places.map(({ label, url }, at): FactRow => {
    const source = endpointName(url)
    const { mark, value } = wordsOf(handedTo(state, source, bytes.hash))
    return {
      id: `handed.${at}`,
      mark,
      label,
      value,
      source,
      explain: {
        what: 'Whether this endpoint was given the signed bytes, and what it answered. Each endpoint that lacks them is given them again every few slots.',
        who: 'The connection to the endpoint, and its own answer.',
        later: 'Yes, with each attempt. The same bytes count once.',
      },
    }
  })
}

function wordsOf(handed: HandOver | undefined): { mark: Mark; value: string } {
  switch (handed?.result) {
    case undefined:
      return { mark: 'unasked', value: 'not given the bytes yet' }
    case 'waits':
      return { mark: 'asking', value: 'is being given the bytes' }
    case 'taken':
      return { mark: 'proven', value: 'took it' }
    case 'refused':
      return { mark: 'unknown', value: 'gave an error, may have it' }
    case 'no-reply':
      return { mark: 'unknown', value: 'no reply, may have it' }
    case 'unreachable':
      return {
        mark: 'unknown',
        value: handed?.times === 0 ? 'unreachable, never got it' : 'unreachable now, may have it',
      }
  }
}
