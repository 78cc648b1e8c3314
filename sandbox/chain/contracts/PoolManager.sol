// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Ticks} from "./Ticks.sol";

struct PoolKey {
    address currency0;
    address currency1;
    uint24 fee;
    int24 tickSpacing;
    address hooks;
}

// Where every local chain has it.
PoolManager constant poolManager = PoolManager(address(uint160(uint256(keccak256("PoolManager of the sandbox")))));
// Marks a pool whose hook says what the fee is.
uint24 constant dynamicFee = 0x800000;

/// Stands in for Uniswap V4, where all pools are one contract: it holds their tokens and tells of new ones.
contract PoolManager {
    error CurrenciesOutOfOrderOrEqual(address currency0, address currency1);
    error TickSpacingTooLarge(int24 tickSpacing);
    error TickSpacingTooSmall(int24 tickSpacing);
    error LPFeeTooLarge(uint24 fee);
    error PoolAlreadyInitialized();

    event Initialize(
        bytes32 indexed id,
        address indexed currency0,
        address indexed currency1,
        uint24 fee,
        int24 tickSpacing,
        address hooks,
        uint160 sqrtPriceX96,
        int24 tick
    );

    mapping(bytes32 id => uint160) private prices;

    /// Opens a pool at the price of a tick.
    function open(PoolKey calldata key, int24 tick) external {
        if (key.tickSpacing > type(int16).max) revert TickSpacingTooLarge(key.tickSpacing);
        if (key.tickSpacing < 1) revert TickSpacingTooSmall(key.tickSpacing);
        if (key.currency0 >= key.currency1) revert CurrenciesOutOfOrderOrEqual(key.currency0, key.currency1);
        if (key.fee != dynamicFee) checkFee(key.fee);
        bytes32 id = keccak256(abi.encode(key));
        if (prices[id] != 0) revert PoolAlreadyInitialized();
        prices[id] = Ticks.sqrtPriceAt(tick);
        emit Initialize(
            id, key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks, prices[id], tick
        );
    }

    /// Fees are in millionths.
    function checkFee(uint24 fee) public pure {
        if (fee > 1e6) revert LPFeeTooLarge(fee);
    }
}
