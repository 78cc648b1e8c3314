// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Airlock, IPoolInitializer} from "./Airlock.sol";
import {Beneficiaries, Beneficiary} from "./Beneficiaries.sol";
import {PoolKey, PoolManager, poolManager as manager} from "./PoolManager.sol";
import {Currencies} from "./Prices.sol";
import {Ticks} from "./Ticks.sol";
import {Token} from "./Token.sol";

/// Ticks are as if the asset were token0.
struct Curve {
    int24 tickLower;
    int24 tickUpper;
    uint16 numPositions;
    uint256 shares;
}

/// Sells along curves in a pool of Uniswap V4. Such a pool has no address, so the asset's stands for it.
abstract contract CurveInitializer is IPoolInitializer {
    error TransferFromFailed();
    error ZeroPosition();
    error ZeroShare();
    error InvalidTotalShares();
    error TickNotAligned(int24 tick);
    error TickRangeMisordered(int24 tickLower, int24 tickUpper);

    event Lock(address indexed pool, Beneficiary[] beneficiaries);

    /// `fee` is what the pool is told, `tradingFee` what it takes.
    struct Sale {
        address asset;
        address numeraire;
        uint256 amount;
        uint24 fee;
        uint24 tradingFee;
        int24 tickSpacing;
        address hooks;
        uint256 startingTime;
    }

    /// A locked pool: its fees ever since by currency, and of these what was shared out with each beneficiary.
    struct Locked {
        PoolKey key;
        mapping(address beneficiary => uint96) shares;
        uint256[2] fees;
        mapping(address beneficiary => uint256[2]) shared;
    }

    enum PoolStatus {
        Uninitialized,
        Initialized,
        Locked
    }

    struct PoolState {
        address numeraire;
        PoolStatus status;
        PoolKey poolKey;
        int24 farTick;
    }

    PoolManager public constant poolManager = manager;
    mapping(address asset => PoolState) internal states;
    mapping(bytes32 id => Locked) private locked;

    receive() external payable {}

    /// Anybody collects the fees of a locked pool, and gets the share of them that is the caller's.
    function collectFees(bytes32 id) external returns (uint128, uint128) {
        Locked storage pool = locked[id];
        require(pool.key.tickSpacing != 0);
        (uint256 fees0, uint256 fees1) = manager.collect(pool.key);
        pool.fees[0] += fees0;
        pool.fees[1] += fees1;
        release(pool, 0, pool.key.currency0);
        release(pool, 1, pool.key.currency1);
        return (uint128(fees0), uint128(fees1));
    }

    function release(Locked storage pool, uint256 place, address currency) private {
        uint256 due = pool.fees[place] - pool.shared[msg.sender][place];
        pool.shared[msg.sender][place] = pool.fees[place];
        Currencies.send(currency, msg.sender, due * pool.shares[msg.sender] / 1e18);
    }

    /// Where a sale begins and ends, in the order of the pool, and how much of the asset the pool takes.
    struct Span {
        bool isToken0;
        int24 start;
        int24 far;
        uint256 taken;
    }

    function open(Sale memory sale, Curve[] memory curves, Beneficiary[] memory beneficiaries)
        internal
        returns (PoolKey memory key, Span memory span)
    {
        span = measure(sale, curves);
        key = span.isToken0
            ? PoolKey(sale.asset, sale.numeraire, sale.fee, sale.tickSpacing, sale.hooks)
            : PoolKey(sale.numeraire, sale.asset, sale.fee, sale.tickSpacing, sale.hooks);
        manager.open(key, span.start, sale.tradingFee, sale.startingTime);
        Ticks.sqrtPriceAt(span.far);
        PoolStatus status = beneficiaries.length > 0 ? PoolStatus.Locked : PoolStatus.Initialized;
        states[sale.asset] = PoolState(sale.numeraire, status, key, span.far);
        move(Token(sale.asset), sale.amount, span.taken);
        emit Create(address(manager), sale.asset, sale.numeraire);
        if (beneficiaries.length > 0) {
            Beneficiaries.check(beneficiaries, Airlock(msg.sender).owner());
            lock(key, beneficiaries);
            emit Lock(sale.asset, beneficiaries);
        }
    }

    function lock(PoolKey memory key, Beneficiary[] memory beneficiaries) private {
        Locked storage pool = locked[keccak256(abi.encode(key))];
        pool.key = key;
        for (uint256 i = 0; i < beneficiaries.length; i++) {
            pool.shares[beneficiaries[i].beneficiary] = beneficiaries[i].shares;
        }
    }

    /// What the positions don't hold goes back, at the least what was lost in rounding.
    function move(Token asset, uint256 amount, uint256 taken) private {
        try asset.transferFrom(msg.sender, address(this), amount) {}
        catch {
            revert TransferFromFailed();
        }
        if (taken > 0) asset.transfer(address(manager), taken);
        if (amount > taken) asset.transfer(msg.sender, amount - taken);
    }

    function measure(Sale memory sale, Curve[] memory curves) private pure returns (Span memory span) {
        span.isToken0 = sale.asset < sale.numeraire;
        int24 lowest = Ticks.furthest;
        int24 highest = -Ticks.furthest;
        uint256 shares = 0;
        for (uint256 i = 0; i < curves.length; i++) {
            Curve memory curve = curves[i];
            check(curve, sale.tickSpacing);
            if (curve.tickLower < lowest) lowest = curve.tickLower;
            if (curve.tickUpper > highest) highest = curve.tickUpper;
            shares += curve.shares;
            uint256 each = sale.amount * curve.shares / 1e18 / curve.numPositions;
            if (curve.tickLower < curve.tickUpper && each > 0) span.taken += (each - 1) * curve.numPositions;
        }
        if (shares != 1e18) revert InvalidTotalShares();
        (span.start, span.far) = span.isToken0 ? (lowest, highest) : (-lowest, -highest);
    }

    function check(Curve memory curve, int24 tickSpacing) private pure {
        if (curve.numPositions == 0) revert ZeroPosition();
        if (curve.shares == 0) revert ZeroShare();
        if (curve.tickLower % tickSpacing != 0) revert TickNotAligned(curve.tickLower);
        if (curve.tickUpper % tickSpacing != 0) revert TickNotAligned(curve.tickUpper);
        if (curve.tickLower > curve.tickUpper) revert TickRangeMisordered(curve.tickLower, curve.tickUpper);
    }
}
