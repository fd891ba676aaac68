/**
 * The methods that go on to the client underneath, and where each has its block: position in the parameters, `range`
 * for a filter with two, `none` for none. What is not named here or answered by the front itself does not exist:
 * above all everything that would change the chain from outside.
 */
export const PASSED_ON: ReadonlyMap<string, number | 'range' | 'none'> = new Map<
  string,
  number | 'range' | 'none'
>([
  ['eth_blobBaseFee', 'none'],
  ['eth_blockNumber', 'none'],
  ['eth_call', 1],
  ['eth_chainId', 'none'],
  ['eth_createAccessList', 1],
  ['eth_estimateGas', 1],
  ['eth_feeHistory', 1],
  ['eth_gasPrice', 'none'],
  ['eth_getBalance', 1],
  ['eth_getBlockByHash', 'none'],
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockReceipts', 0],
  ['eth_getBlockTransactionCountByHash', 'none'],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getCode', 1],
  ['eth_getLogs', 'range'],
  ['eth_getProof', 2],
  ['eth_getStorageAt', 2],
  ['eth_getTransactionByBlockHashAndIndex', 'none'],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['eth_getTransactionByHash', 'none'],
  ['eth_getTransactionCount', 1],
  ['eth_getTransactionReceipt', 'none'],
  ['eth_maxPriorityFeePerGas', 'none'],
  ['eth_syncing', 'none'],
  ['net_listening', 'none'],
  ['net_version', 'none'],
  ['web3_sha3', 'none'],
])
