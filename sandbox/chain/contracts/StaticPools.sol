// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Airlock, IPoolInitializer} from "./Airlock.sol";
import {Beneficiaries, Beneficiary} from "./Beneficiaries.sol";
import {Currencies, Prices} from "./Prices.sol";
import {Ticks} from "./Ticks.sol";
import {Token} from "./Token.sol";

interface IUniswapV3SwapCallback {
    function uniswapV3SwapCallback(int256 amount0, int256 amount1, bytes calldata data) external;
}

/// Stands in for a pool of Uniswap V3, which is a contract of its own; trades at its first price for ever.
contract UniswapV3Pool {
    event Initialize(uint160 sqrtPriceX96, int24 tick);

    address public immutable token0;
    address public immutable token1;
    uint24 public immutable fee;
    int24 public immutable tickSpacing;
    uint160 private immutable price;
    int24 private immutable tick;
    address private immutable opener;
    uint256[2] private fees;

    constructor(address token0_, address token1_, uint24 fee_, int24 tickSpacing_, int24 tick_) {
        (token0, token1, fee, tickSpacing, tick) = (token0_, token1_, fee_, tickSpacing_, tick_);
        price = Ticks.sqrtPriceAt(tick_);
        opener = msg.sender;
        emit Initialize(price, tick_);
    }

    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool) {
        return (price, tick, 0, 1, 1, 0, true);
    }

    /// Of what the pool gets the amounts are positive.
    function swap(address recipient, bool zeroForOne, int256 amount, uint160, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1)
    {
        (uint256 paid, uint256 given, uint256 kept) = Prices.trade(price, zeroForOne, amount, fee);
        (address from, address to) = zeroForOne ? (token0, token1) : (token1, token0);
        fees[zeroForOne ? 0 : 1] += kept;
        Currencies.send(to, recipient, given);
        (amount0, amount1) = zeroForOne ? (int256(paid), -int256(given)) : (-int256(given), int256(paid));
        uint256 before = Currencies.balance(from);
        IUniswapV3SwapCallback(msg.sender).uniswapV3SwapCallback(amount0, amount1, data);
        require(Currencies.balance(from) >= before + paid, "IIA");
    }

    /// Gives its fees to whoever opened it.
    function collect() external returns (uint256 fees0, uint256 fees1) {
        require(msg.sender == opener);
        (fees0, fees1) = (fees[0], fees[1]);
        (fees[0], fees[1]) = (0, 0);
        Currencies.send(token0, msg.sender, fees0);
        Currencies.send(token1, msg.sender, fees1);
    }
}

/// Ticks are in the order of the pool.
struct StaticCurve {
    uint24 fee;
    int24 tickLower;
    int24 tickUpper;
    uint16 numPositions;
    uint256 maxShareToBeSold;
}

abstract contract StaticInitializer is IPoolInitializer {
    error MaxShareToBeSoldExceeded(uint256 value, uint256 limit);
    error InvalidTickRangeMisordered(int24 tickLower, int24 tickUpper);
    error InvalidTickRange(int24 tick, int24 tickSpacing);
    error InvalidFee(uint24 fee);

    function open(address asset, address numeraire, uint256 amount, StaticCurve memory curve)
        internal
        returns (address pool)
    {
        if (curve.maxShareToBeSold > 1e18) revert MaxShareToBeSoldExceeded(curve.maxShareToBeSold, 1e18);
        if (curve.tickLower >= curve.tickUpper) revert InvalidTickRangeMisordered(curve.tickLower, curve.tickUpper);
        int24 spacing = spacingOf(curve.fee);
        if (curve.tickLower % spacing != 0) revert InvalidTickRange(curve.tickLower, spacing);
        if (curve.tickUpper % spacing != 0) revert InvalidTickRange(curve.tickUpper, spacing);
        bool isToken0 = asset < numeraire;
        pool = isToken0
            ? address(new UniswapV3Pool(asset, numeraire, curve.fee, spacing, curve.tickLower))
            : address(new UniswapV3Pool(numeraire, asset, curve.fee, spacing, curve.tickUpper));
        try Token(asset).transferFrom(msg.sender, pool, takenBy(curve, amount, spacing, isToken0)) {}
        catch {
            revert("TRANSFER_FROM_FAILED");
        }
        emit Create(pool, asset, numeraire);
    }

    /**
     * The positions of the curve, and beyond its far end as much as what they bring in is worth there: a position that
     * begins at `s` and ends at `far` sells for `s * far`, roots of prices, and `far` squared is the price at the end.
     */
    function takenBy(StaticCurve memory curve, uint256 amount, int24 spacing, bool isToken0)
        private
        pure
        returns (uint256)
    {
        uint256 forCurve = amount * curve.maxShareToBeSold / 1e18;
        uint256 each = forCurve / curve.numPositions;
        (int24 cheap, int24 far) =
            isToken0 ? (curve.tickLower, curve.tickUpper) : (curve.tickUpper, curve.tickLower);
        uint256 farRoot = Ticks.sqrtPriceAt(far);
        uint256 beyond = 0;
        int256 positions = int256(uint256(curve.numPositions));
        for (int256 i = 0; i < positions; i++) {
            int24 tick = int24(cheap + (int256(far) - cheap) * i / positions);
            uint256 root = Ticks.sqrtPriceAt(Ticks.towardsCheap(tick, spacing, isToken0));
            beyond += isToken0 ? each * root / farRoot : each * farRoot / root;
        }
        uint256 left = amount - forCurve;
        return each * curve.numPositions + (beyond < left ? beyond : left);
    }

    function spacingOf(uint24 fee) private pure returns (int24) {
        if (fee == 100) return 1;
        if (fee == 500) return 10;
        if (fee == 3000) return 60;
        if (fee == 10000) return 200;
        revert InvalidFee(fee);
    }
}

contract UniswapV3Initializer is StaticInitializer {
    function initialize(address asset, address numeraire, uint256 amount, bytes32, bytes calldata data)
        external
        returns (address)
    {
        return open(asset, numeraire, amount, abi.decode(data, (StaticCurve)));
    }
}

contract LockableUniswapV3Initializer is StaticInitializer {
    error InvalidProtocolOwnerShares();

    event Lock(address indexed pool, Beneficiary[] beneficiaries);

    mapping(address pool => Beneficiary[]) private locked;

    struct InitData {
        uint24 fee;
        int24 tickLower;
        int24 tickUpper;
        uint16 numPositions;
        uint256 maxShareToBeSold;
        Beneficiary[] beneficiaries;
    }

    function initialize(address asset, address numeraire, uint256 amount, bytes32, bytes calldata data)
        external
        returns (address pool)
    {
        InitData memory all = abi.decode(data, (InitData));
        StaticCurve memory curve =
            StaticCurve(all.fee, all.tickLower, all.tickUpper, all.numPositions, all.maxShareToBeSold);
        pool = open(asset, numeraire, amount, curve);
        if (all.beneficiaries.length == 0) return pool;
        address protocol = Airlock(msg.sender).owner();
        uint96 given = Beneficiaries.sharesOf(all.beneficiaries, protocol);
        if (given > 0 && given < Beneficiaries.leastOfProtocol) revert InvalidProtocolOwnerShares();
        Beneficiaries.check(all.beneficiaries, protocol);
        for (uint256 i = 0; i < all.beneficiaries.length; i++) locked[pool].push(all.beneficiaries[i]);
        emit Lock(pool, all.beneficiaries);
    }

    /// Anybody collects the fees of a locked pool for all beneficiaries; the last gets what rounding leaves.
    function collectFees(address pool) external returns (uint256 fees0, uint256 fees1) {
        Beneficiary[] memory all = locked[pool];
        require(all.length > 0);
        (fees0, fees1) = UniswapV3Pool(pool).collect();
        share(UniswapV3Pool(pool).token0(), fees0, all);
        share(UniswapV3Pool(pool).token1(), fees1, all);
    }

    function share(address currency, uint256 fees, Beneficiary[] memory all) private {
        uint256 left = fees;
        for (uint256 i = 0; i < all.length; i++) {
            uint256 due = i == all.length - 1 ? left : fees * all[i].shares / 1e18;
            left -= due;
            Currencies.send(currency, all[i].beneficiary, due);
        }
    }
}
