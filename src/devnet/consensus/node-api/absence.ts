/** Paths of the standard that the real node answers with a 500, by what its message says. */
const NOT_IMPLEMENTED: readonly RegExp[] = [
  /^\/eth\/v1\/beacon\/states\/[^/]+\/(finality_checkpoints|committees|sync_committees|pending_deposits|pending_consolidations)$/,
  /^\/eth\/v2\/beacon\/blocks\/[^/]+$/,
  /^\/eth\/v1\/beacon\/blocks\/[^/]+\/root$/,
  /^\/eth\/v1\/beacon\/blinded_blocks\/[^/]+$/,
  /^\/eth\/v1\/beacon\/pool\/(proposer_slashings|voluntary_exits|bls_to_execution_changes)$/,
  /^\/eth\/v1\/beacon\/light_client\/(bootstrap\/[^/]+|updates|finality_update|optimistic_update)$/,
  /^\/eth\/v1\/config\/(fork_schedule|deposit_contract)$/,
  /^\/eth\/v1\/node\/(identity|peers|peer_count|health)$/,
  /^\/eth\/v1\/node\/peers\/[^/]+$/,
  /^\/eth\/v1\/events$/,
  /^\/eth\/v1\/debug\/fork_choice$/,
  /^\/eth\/v2\/debug\/beacon\/heads$/,
]

const DEPRECATED: readonly RegExp[] = [
  /^\/eth\/v1\/beacon\/pool\/(attestations|attester_slashings)$/,
  /^\/eth\/v1\/builder\/states\/[^/]+\/expected_withdrawals$/,
]

/** The message for a path that the node knows and does not serve; undefined for any other path. */
export function absence(path: string): string | undefined {
  if (NOT_IMPLEMENTED.some((pattern) => pattern.test(path))) return `endpoint ${path} is not yet implemented`
  if (DEPRECATED.some((pattern) => pattern.test(path))) return `endpoint ${path} is deprecated`
  return undefined
}
