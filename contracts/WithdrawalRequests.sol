// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Withdrawal requests from the execution layer (EIP-7002)
/// @notice A call without data answers with the fee in wei. A call with a public key (48 bytes) and an amount in gwei
/// (8 bytes, big-endian; 0 asks for an exit) and at least the fee leaves a request, signed by nobody but its sender.
/// What is paid above the fee stays here.
/// @dev As in the standard a request is an anonymous log of 76 bytes: sender (20), public key (48), amount (8), and the
/// fee grows exponentially with the excess in storage slot 0: the requests above two a block. The network writes that
/// slot after each block, in the place of the system call, and the consensus side reads the logs in the place of a queue.
contract WithdrawalRequests {
    uint256 private constant LEAST_FEE_WEI = 1;
    uint256 private constant FEE_FRACTION = 17;

    fallback() external payable {
        assembly {
            function feeNow() -> fee {
                let excess := sload(0)
                let accumulator := mul(LEAST_FEE_WEI, FEE_FRACTION)
                let output := 0
                for { let step := 1 } accumulator { step := add(step, 1) } {
                    output := add(output, accumulator)
                    accumulator := div(mul(accumulator, excess), mul(FEE_FRACTION, step))
                }
                fee := div(output, FEE_FRACTION)
            }
            switch calldatasize()
            case 0 {
                if callvalue() { revert(0, 0) }
                mstore(0, feeNow())
                return(0, 32)
            }
            case 56 {
                if lt(callvalue(), feeNow()) { revert(0, 0) }
                mstore(0, shl(96, caller()))
                calldatacopy(20, 0, 56)
                log0(0, 76)
            }
            default { revert(0, 0) }
        }
    }
}
