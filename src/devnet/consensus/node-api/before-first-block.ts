import { NodeRefusal } from '../../../core/errors/devnet.ts'

const NOT_READY = 'CreateQueryContext failed: beacond is not ready; please wait for first block'

/** What a node that waits for its first block refuses with; undefined for the paths that it answers even then. */
export function refusalBeforeFirstBlock(path: string): NodeRefusal | undefined {
  if (/^\/eth\/v1\/(node|config)\//.test(path)) return undefined
  if (path === '/eth/v1/beacon/genesis') return new NodeRefusal(404, 'not found')
  if (/\/validators(\/|$)/.test(path)) return new NodeRefusal(404, 'failed to filter validators: not found')
  if (/\/headers(\/|$)/.test(path)) {
    return new NodeRefusal(404, `not found: failed to get state from height -1, ${NOT_READY}`)
  }
  return new NodeRefusal(500, NOT_READY)
}
