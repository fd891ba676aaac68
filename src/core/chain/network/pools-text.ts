/** What is said of the contracts of staking pools. */
export const POOLS_TEXT = {
  vault: 'This is the vault of the staking pools, a contract: what is paid out to it is not yours.',
  factory: 'This is a factory of staking pools, a contract: nobody holds a key to it.',
  depositContract: 'This is the deposit contract of the network: what is paid out to it is gone.',
  ownDoor: 'a pool’s validator gets stake through the contract of its pool alone: docs/pools.md',
  onlyItsDoor:
    'It is a staking pool’s: stake goes in through the contract of its pool alone, a direct deposit is a gift (docs/pools.md).',
  leaves:
    'none of yours: a staking pool’s validator is left through its pool, by the pool’s own withdrawal (docs/pools.md)',
  left: 'A staking pool’s validator is left through its pool alone, by the pool’s own withdrawal (docs/pools.md).',
  never: 'A key that is registered here can never become a staking pool’s.',
}
