/** What the errors of a wallet say of a transaction and of a keystore, and what a file for a Safe says. */
export const WALLET_TEXT = {
  fields: {
    type: 'type',
    chainId: 'chain id',
    nonce: 'nonce',
    receiver: 'receiver',
    value: 'value',
    calldata: 'calldata',
    gasLimit: 'gas limit',
    fee: 'highest fee per gas',
    tip: 'highest tip per gas',
    accessList: 'access list entries',
    sender: 'sender',
    encoding: 'encoding',
    signature: 'form of the signature',
  },
  encoding: { found: 'a longer form', expected: 'the shortest one' },
  signature: { found: 'high s', expected: 'low s (EIP-2)' },
  rounds: { found: (rounds: number) => `${rounds} rounds`, expected: (most: number) => `at most ${most}` },
  scrypt: {
    power: 'a power of two',
    found: (n: number, r: number, p: number) => `scrypt with n ${n}, r ${r}, p ${p}`,
    expected: 'at most 512 MiB of memory, as 128 times n times r',
  },
  safe: 'Carry it out once.',
}
