// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Currencies, Prices} from "./Prices.sol";
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

struct SwapParams {
    bool zeroForOne;
    int256 amountSpecified;
    uint160 sqrtPriceLimitX96;
}

interface IUnlockCallback {
    function unlockCallback(bytes calldata data) external returns (bytes memory);
}

interface IHooks {
    function afterSwap(address sender, PoolKey calldata key, SwapParams calldata params, int256 delta, bytes calldata data)
        external
        returns (bytes4, int128);
}

/**
 * Stands in for Uniswap V4, where all pools are one contract: it holds their tokens, tells of new ones and trades, at the
 * first price for ever. A hook is told of each trade and has no say in it. Pools are stored where the real ones are.
 */
contract PoolManager layout at 6 {
    error CannotSwapBeforeStartingTime();
    error CurrencyNotSettled();
    error ManagerLocked();
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
    event Swap(
        bytes32 indexed id,
        address indexed sender,
        int128 amount0,
        int128 amount1,
        uint160 sqrtPriceX96,
        uint128 liquidity,
        int24 tick,
        uint24 fee
    );

    /// The first four are one word, as in the real one.
    struct Pool {
        uint160 price;
        int24 tick;
        uint24 protocolFee;
        uint24 fee;
        uint256 startingTime;
        address opener;
        uint256[2] fees;
    }

    mapping(bytes32 id => Pool) private pools;
    /// What whoever unlocked it owes, by currency; and how many of these are not nothing.
    mapping(address currency => int256) private owed;
    uint256 private unsettled;
    bool private isUnlocked;
    mapping(address currency => uint256) private synced;
    address private payment;

    /// Opens a pool at the price of a tick, which takes this fee of every trade from a time on.
    function open(PoolKey calldata key, int24 tick, uint24 fee, uint256 startingTime) external {
        if (key.tickSpacing > type(int16).max) revert TickSpacingTooLarge(key.tickSpacing);
        if (key.tickSpacing < 1) revert TickSpacingTooSmall(key.tickSpacing);
        if (key.currency0 >= key.currency1) revert CurrenciesOutOfOrderOrEqual(key.currency0, key.currency1);
        if (key.fee != dynamicFee) checkFee(key.fee);
        bytes32 id = keccak256(abi.encode(key));
        Pool storage pool = pools[id];
        if (pool.price != 0) revert PoolAlreadyInitialized();
        (pool.price, pool.tick, pool.fee) = (Ticks.sqrtPriceAt(tick), tick, fee);
        (pool.startingTime, pool.opener) = (startingTime, msg.sender);
        emit Initialize(
            id, key.currency0, key.currency1, key.fee, key.tickSpacing, key.hooks, pool.price, tick
        );
    }

    function unlock(bytes calldata data) external returns (bytes memory result) {
        isUnlocked = true;
        result = IUnlockCallback(msg.sender).unlockCallback(data);
        if (unsettled != 0) revert CurrencyNotSettled();
        isUnlocked = false;
    }

    /// The deltas are those of the trader: what is paid is negative.
    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata data) external returns (int256) {
        if (!isUnlocked) revert ManagerLocked();
        Pool storage pool = pools[keccak256(abi.encode(key))];
        if (block.timestamp < pool.startingTime) revert CannotSwapBeforeStartingTime();
        (uint256 paid, uint256 given, uint256 fee) =
            Prices.trade(pool.price, params.zeroForOne, -params.amountSpecified, pool.fee);
        pool.fees[params.zeroForOne ? 0 : 1] += fee;
        (int128 amount0, int128 amount1) = params.zeroForOne
            ? (-int128(int256(paid)), int128(int256(given)))
            : (int128(int256(given)), -int128(int256(paid)));
        account(key.currency0, amount0);
        account(key.currency1, amount1);
        emit Swap(
            keccak256(abi.encode(key)), msg.sender, amount0, amount1, pool.price, 0, pool.tick, pool.fee
        );
        int256 delta = (int256(amount0) << 128) | int256(uint256(uint128(amount1)));
        // Most hooks of the sandbox have no use for it, so it is no failure if they can't be told.
        if (key.hooks.code.length > 0) {
            try IHooks(key.hooks).afterSwap(msg.sender, key, params, delta, data) {} catch {}
        }
        return delta;
    }

    /// Any word of the storage: how others read a pool's price.
    function extsload(bytes32 slot) external view returns (bytes32 word) {
        assembly ("memory-safe") {
            word := sload(slot)
        }
    }

    function sync(address currency) external {
        payment = currency;
        if (currency != address(0)) synced[currency] = Currencies.balance(currency);
    }

    function settle() external payable returns (uint256 paid) {
        paid = payment == address(0) ? msg.value : Currencies.balance(payment) - synced[payment];
        account(payment, int256(paid));
        payment = address(0);
    }

    function take(address currency, address to, uint256 amount) external {
        if (!isUnlocked) revert ManagerLocked();
        account(currency, -int256(amount));
        Currencies.send(currency, to, amount);
    }

    /// Gives the fees of a pool to whoever opened it.
    function collect(PoolKey calldata key) external returns (uint256 fees0, uint256 fees1) {
        Pool storage pool = pools[keccak256(abi.encode(key))];
        require(msg.sender == pool.opener);
        (fees0, fees1) = (pool.fees[0], pool.fees[1]);
        (pool.fees[0], pool.fees[1]) = (0, 0);
        Currencies.send(key.currency0, msg.sender, fees0);
        Currencies.send(key.currency1, msg.sender, fees1);
    }

    function account(address currency, int256 change) private {
        int256 before = owed[currency];
        owed[currency] = before + change;
        if (before == 0 && change != 0) unsettled++;
        if (before != 0 && before + change == 0) unsettled--;
    }

    /// Fees are in millionths.
    function checkFee(uint24 fee) public pure {
        if (fee > 1e6) revert LPFeeTooLarge(fee);
    }
}
