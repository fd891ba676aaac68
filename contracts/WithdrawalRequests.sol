// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Withdrawal requests from the execution layer (EIP-7002)
/// @notice A call without data answers with the fee in wei. A call with a public key (48 bytes) and an amount in gwei
/// (8 bytes, big-endian; 0 asks for an exit) and at least the fee leaves a request, signed by nobody but its sender.
/// @dev As in the standard a request is an anonymous log of 76 bytes: sender (20), public key (48), amount (8). The
/// consensus side reads the logs of a block instead of a queue, and the fee is always the least the standard knows.
contract WithdrawalRequests {
    uint256 private constant FEE_WEI = 1;

    fallback() external payable {
        assembly {
            switch calldatasize()
            case 0 {
                if callvalue() { revert(0, 0) }
                mstore(0, FEE_WEI)
                return(0, 32)
            }
            case 56 {
                if lt(callvalue(), FEE_WEI) { revert(0, 0) }
                mstore(0, shl(96, caller()))
                calldatacopy(20, 0, 56)
                log0(0, 76)
            }
            default { revert(0, 0) }
        }
    }
}
