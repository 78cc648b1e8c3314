// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Airlock, ILiquidityMigrator} from "./Airlock.sol";
import {Beneficiaries, Beneficiary} from "./Beneficiaries.sol";
import {poolManager} from "./PoolManager.sol";

// Where every local chain has the hook that is allowed after graduation.
address constant rehypeMigrator = address(uint160(uint256(keccak256("RehypeDopplerHookMigrator of the sandbox"))));

// Where every local chain has what locks the liquidity of the hook migrator's pools.
StreamableFeesLockerV2 constant feesLocker =
    StreamableFeesLockerV2(address(uint160(uint256(keccak256("StreamableFeesLockerV2 of the sandbox")))));

/// Nothing migrates here, so it knows no pool whose fees it could collect.
contract StreamableFeesLockerV2 {
    error StreamNotFound();

    function collectFees(bytes32) external pure returns (uint128, uint128) {
        revert StreamNotFound();
    }
}

/// Nothing migrates here, so only what is said at the launch is checked.
abstract contract Migrator is ILiquidityMigrator {
    error SplitShareTooHigh(uint256 actual, uint256 maximum);
    error TickSpacingTooLarge(int24 tickSpacing);
    error TickSpacingTooSmall(int24 tickSpacing);

    function checkSplit(address recipient, uint256 share) internal pure {
        if (recipient != address(0) && share > 0.5e18) revert SplitShareTooHigh(share, 0.5e18);
    }

    function checkPool(int24 tickSpacing, Beneficiary[] memory beneficiaries) internal view {
        if (tickSpacing > type(int16).max) revert TickSpacingTooLarge(tickSpacing);
        if (tickSpacing < 1) revert TickSpacingTooSmall(tickSpacing);
        Beneficiaries.check(beneficiaries, Airlock(msg.sender).owner());
    }
}

/// Launches that stay in the pool they began in.
contract NoOpMigrator is ILiquidityMigrator {
    function initialize(address, address, bytes calldata) external pure returns (address) {
        return 0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD;
    }
}

/// A pool of Uniswap V2, which is there before anything is in it.
contract UniswapV2Pair {
    address public immutable token0;
    address public immutable token1;

    constructor(address one, address other) {
        (token0, token1) = one < other ? (one, other) : (other, one);
    }
}

contract UniswapV2Migrator is ILiquidityMigrator {
    function initialize(address asset, address numeraire, bytes calldata) external returns (address) {
        return address(new UniswapV2Pair(asset, numeraire));
    }
}

contract UniswapV2MigratorSplit is Migrator {
    function initialize(address asset, address numeraire, bytes calldata data) external returns (address) {
        (address recipient, uint256 share) = abi.decode(data, (address, uint256));
        checkSplit(recipient, share);
        return address(new UniswapV2Pair(asset, numeraire));
    }
}

contract UniswapV4Migrator is Migrator {
    function initialize(address, address, bytes calldata data) external view returns (address) {
        (uint24 fee, int24 tickSpacing,, Beneficiary[] memory beneficiaries) =
            abi.decode(data, (uint24, int24, uint32, Beneficiary[]));
        poolManager.checkFee(fee);
        checkPool(tickSpacing, beneficiaries);
        return address(0);
    }
}

contract UniswapV4MigratorSplit is Migrator {
    function initialize(address, address, bytes calldata data) external view returns (address) {
        (uint24 fee, int24 tickSpacing,, Beneficiary[] memory beneficiaries, address recipient, uint256 share) =
            abi.decode(data, (uint24, int24, uint32, Beneficiary[], address, uint256));
        poolManager.checkFee(fee);
        checkPool(tickSpacing, beneficiaries);
        checkSplit(recipient, share);
        return address(0);
    }
}

/// Takes part in each trade after graduation, when its data are read.
contract RehypeDopplerHookMigrator {}

contract DopplerHookMigrator is Migrator {
    error LPFeeTooHigh(uint24 maxFee, uint256 fee);
    error DopplerHookNotEnabled();

    StreamableFeesLockerV2 public constant locker = feesLocker;

    struct InitData {
        uint24 fee;
        bool useDynamicFee;
        int24 tickSpacing;
        uint32 lockDuration;
        Beneficiary[] beneficiaries;
        address hook;
        bytes hookData;
        address recipient;
        uint256 share;
    }

    function initialize(address, address, bytes calldata data) external view returns (address) {
        // Fields one after the other, read as one struct: so many at once do not fit on the stack.
        InitData memory pool = abi.decode(bytes.concat(bytes32(uint256(32)), data), (InitData));
        if (pool.fee > 0.15e6) revert LPFeeTooHigh(0.15e6, pool.fee);
        checkPool(pool.tickSpacing, pool.beneficiaries);
        if (pool.hook != address(0) && pool.hook != rehypeMigrator) revert DopplerHookNotEnabled();
        checkSplit(pool.recipient, pool.share);
        return address(0);
    }
}
