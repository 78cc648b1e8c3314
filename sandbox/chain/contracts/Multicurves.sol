// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Beneficiary} from "./Beneficiaries.sol";
import {Curve, CurveInitializer} from "./Curves.sol";
import {PoolKey, dynamicFee} from "./PoolManager.sol";

// Shared by the pools of every launch; where every local chain has it.
address constant poolHook = address(uint160(uint256(keccak256("PoolHook of the sandbox"))));

/// What a pool says of itself to the hook of all of them; here it says nothing.
contract PoolHook {}

/// What these say of the pool of an asset.
abstract contract MulticurveInitializer is CurveInitializer {
    function getState(address asset) external view returns (address, PoolStatus, PoolKey memory, int24) {
        PoolState storage state = states[asset];
        return (state.numeraire, state.status, state.poolKey, state.farTick);
    }
}

contract UniswapV4MulticurveInitializer is MulticurveInitializer {
    struct InitData {
        uint24 fee;
        int24 tickSpacing;
        Curve[] curves;
        Beneficiary[] beneficiaries;
    }

    function initialize(address asset, address numeraire, uint256 amount, bytes32, bytes calldata data)
        external
        returns (address)
    {
        InitData memory pool = abi.decode(data, (InitData));
        Sale memory sale = Sale(asset, numeraire, amount, pool.fee, pool.fee, pool.tickSpacing, poolHook, 0);
        open(sale, pool.curves, pool.beneficiaries);
        return asset;
    }
}

contract UniswapV4ScheduledMulticurveInitializer is MulticurveInitializer {
    struct InitData {
        uint24 fee;
        int24 tickSpacing;
        Curve[] curves;
        Beneficiary[] beneficiaries;
        uint32 startingTime;
    }

    function initialize(address asset, address numeraire, uint256 amount, bytes32, bytes calldata data)
        external
        returns (address)
    {
        InitData memory pool = abi.decode(data, (InitData));
        Sale memory sale =
            Sale(asset, numeraire, amount, pool.fee, pool.fee, pool.tickSpacing, poolHook, pool.startingTime);
        open(sale, pool.curves, pool.beneficiaries);
        return asset;
    }
}

contract DecayMulticurveInitializer is MulticurveInitializer {
    error FeeTooHigh(uint24 fee);
    error InvalidFeeRange(uint24 startFee, uint24 endFee);
    error InvalidDurationSeconds(uint32 durationSeconds);

    struct InitData {
        uint24 startFee;
        uint24 fee;
        uint32 durationSeconds;
        int24 tickSpacing;
        Curve[] curves;
        Beneficiary[] beneficiaries;
        uint32 startingTime;
    }

    function initialize(address asset, address numeraire, uint256 amount, bytes32, bytes calldata data)
        external
        returns (address)
    {
        InitData memory pool = abi.decode(data, (InitData));
        if (pool.startFee > 0.9e6) revert FeeTooHigh(pool.startFee);
        if (pool.fee > 0.9e6) revert FeeTooHigh(pool.fee);
        if (pool.startFee < pool.fee) revert InvalidFeeRange(pool.startFee, pool.fee);
        if (pool.startFee > pool.fee && pool.durationSeconds == 0) revert InvalidDurationSeconds(0);
        Sale memory sale =
            Sale(asset, numeraire, amount, dynamicFee, pool.startFee, pool.tickSpacing, poolHook, 0);
        open(sale, pool.curves, pool.beneficiaries);
        return asset;
    }
}
