// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title The deposit contract of a rehearsal network
/// @notice Behaves as the contract of the real network does: same calls, same events in the same order, same errors
/// with the same precedence. It never looks at the signature, so a wrong one burns the deposit here as well.
/// @dev Lives at a fixed address from block 0. Its first two storage slots, and the operators of the validators of
/// the genesis, are written by the genesis file; see src/devnet/execution/genesis.ts.
contract DepositContract {
    event Deposit(bytes pubkey, bytes credentials, uint64 amount, bytes signature, uint64 index);
    event OperatorUpdated(bytes indexed pubkey, address newOperator, address previousOperator);
    event OperatorChangeQueued(
        bytes indexed pubkey,
        address queuedOperator,
        address currentOperator,
        uint256 queuedTimestamp
    );
    event OperatorChangeCancelled(bytes indexed pubkey);

    error InsufficientDeposit();
    error DepositNotMultipleOfGwei();
    error DepositValueTooHigh();
    error InvalidPubKeyLength();
    error InvalidCredentialsLength();
    error InvalidSignatureLength();
    error ZeroOperatorOnFirstDeposit();
    error OperatorAlreadySet();
    error TransferFailed();
    error NotOperator();
    error NotNewOperator();
    error ZeroAddress();
    error NotEnoughTime();

    struct QueuedOperator {
        uint96 queuedTimestamp;
        address newOperator;
    }

    uint256 private constant WEI_PER_GWEI = 1e9;
    uint256 private constant MINIMUM_GWEI = 10_000 * 1e9;
    uint96 private constant ONE_DAY = 1 days;

    /// @notice Number of deposits so far, those of the genesis included: the index of the next one.
    uint64 public depositCount;

    /// @notice Root of the deposits of the genesis; tells networks apart.
    bytes32 public genesisDepositsRoot;

    mapping(bytes pubkey => address) private operators;

    /// @notice Who is queued to become the operator of a public key, and since when; both zero when nobody is.
    mapping(bytes pubkey => QueuedOperator) public queuedOperator;

    /// @notice The operator of a public key, zero when nothing was ever deposited for it.
    function getOperator(bytes calldata pubkey) external view returns (address) {
        return operators[pubkey];
    }

    /// @notice Takes a first deposit (with an operator) or a further one (with the zero address).
    function deposit(
        bytes calldata pubkey,
        bytes calldata credentials,
        bytes calldata signature,
        address operator
    ) external payable {
        if (pubkey.length != 48) revert InvalidPubKeyLength();
        if (credentials.length != 32) revert InvalidCredentialsLength();
        if (signature.length != 96) revert InvalidSignatureLength();
        settleOperator(pubkey, operator);
        uint64 amount = passOn();
        emit Deposit(pubkey, credentials, amount, signature, depositCount++);
    }

    /// @notice Queues another operator, who can accept one day later. Queued again, it replaces what was queued.
    function requestOperatorChange(bytes calldata pubkey, address newOperator) external {
        address current = operators[pubkey];
        if (msg.sender != current) revert NotOperator();
        if (newOperator == address(0)) revert ZeroAddress();
        queuedOperator[pubkey] = QueuedOperator(uint96(block.timestamp), newOperator);
        emit OperatorChangeQueued(pubkey, newOperator, current, block.timestamp);
    }

    /// @notice The present operator stays.
    function cancelOperatorChange(bytes calldata pubkey) external {
        if (msg.sender != operators[pubkey]) revert NotOperator();
        delete queuedOperator[pubkey];
        emit OperatorChangeCancelled(pubkey);
    }

    /// @notice The queued operator becomes the operator, one day after it was queued or later.
    function acceptOperatorChange(bytes calldata pubkey) external {
        QueuedOperator memory queued = queuedOperator[pubkey];
        if (msg.sender != queued.newOperator) revert NotNewOperator();
        if (queued.queuedTimestamp + ONE_DAY > block.timestamp) revert NotEnoughTime();
        address previous = operators[pubkey];
        operators[pubkey] = queued.newOperator;
        delete queuedOperator[pubkey];
        emit OperatorUpdated(pubkey, queued.newOperator, previous);
    }

    function settleOperator(bytes calldata pubkey, address operator) private {
        if (operators[pubkey] != address(0)) {
            if (operator != address(0)) revert OperatorAlreadySet();
            return;
        }
        if (operator == address(0)) revert ZeroOperatorOnFirstDeposit();
        operators[pubkey] = operator;
        emit OperatorUpdated(pubkey, operator, address(0));
    }

    /// @dev The stake leaves the execution layer: it goes on to the zero address, which nobody can spend from.
    function passOn() private returns (uint64) {
        if (msg.value % WEI_PER_GWEI != 0) revert DepositNotMultipleOfGwei();
        uint256 amountGwei = msg.value / WEI_PER_GWEI;
        if (amountGwei > type(uint64).max) revert DepositValueTooHigh();
        if (amountGwei < MINIMUM_GWEI) revert InsufficientDeposit();
        (bool ok, ) = address(0).call{value: msg.value}("");
        if (!ok) revert TransferFailed();
        return uint64(amountGwei);
    }
}
