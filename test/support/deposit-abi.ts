import { parseAbi } from 'viem'

/** The deposit contract as a chain that tests make up answers for it: its calls, and its errors. */
export const depositAbi = parseAbi([
  'function deposit(bytes pubkey, bytes credentials, bytes signature, address operator) payable',
  'function getOperator(bytes pubkey) view returns (address)',
  'function depositCount() view returns (uint64)',
  'function genesisDepositsRoot() view returns (bytes32)',
  'error InsufficientDeposit()',
  'error DepositNotMultipleOfGwei()',
  'error DepositValueTooHigh()',
  'error InvalidPubKeyLength()',
  'error InvalidCredentialsLength()',
  'error InvalidSignatureLength()',
  'error ZeroOperatorOnFirstDeposit()',
  'error OperatorAlreadySet()',
])
