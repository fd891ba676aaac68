/** What the rows are called that commands draw and no step has, by the id of the row; `proofsKept` is a value. */
export const ROWS_TEXT = {
  accessList: 'access list',
  activation: 'activation',
  age: 'age of the set',
  amount: 'amount',
  anchor: 'anchor',
  balance: 'staked',
  authorizations: 'authorizations',
  batch: 'batch',
  blobs: 'blobs',
  call: 'other call',
  chain: 'its chain',
  encoding: 'encoding',
  entry: 'a place needs now',
  fee: 'fee',
  gas: 'gas',
  kind: 'kind',
  network: 'network',
  nonce: 'nonce',
  open: 'open here',
  operator: 'operator',
  outcome: 'outcome',
  outlook: 'outlook',
  ownRecord: 'own record',
  payer: 'paying account',
  place: 'place',
  proof: 'proof',
  proofsKept: 'yes',
  proposal: 'proposed top-up',
  receiver: 'receiver',
  record: 'record',
  refund: 'refund',
  rescue: 'least top-up',
  sender: 'sender',
  sent: 'sent as well',
  set: 'set',
  signature: 'signature',
  stake: 'stake then',
  threshold: 'exactly the threshold',
  transaction: 'transaction',
  uncounted: 'not counted yet',
  uncompressed: 'for the engine',
  address: 'engine address',
  value: 'value',
  verdict: 'on the chain',
  withdrawal: 'withdrawal',
} as const

/** The row of a journal here that can't be read. */
export const UNREAD_TEXT = {
  label: 'journal here',
  value: 'can’t be read: what is open in it isn’t known, and nothing is sent on top of it',
  file: (path: string, why: string) => `File ${path}: ${why}`,
  next: 'Put the file back from a copy. Without one, open its validator in the wizard, which looks at the chain before it sends anything.',
} as const

/** Returns by how many endpoints something is held or said. */
/** Who says what the contract answers, where its storage proves it. */
export const STORAGE_PROVES = 'proven by the contract’s storage'

/** Says how many execution endpoints hold the root of a proof. */
export const rootHeldBy = (anchors: number): string => `the root held by ${endpointsText(anchors)}`

export function endpointsText(count: number): string {
  return count === 1 ? '1 endpoint' : `${count} endpoints`
}
