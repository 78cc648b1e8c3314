// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPoolInitializer} from "./Airlock.sol";
import {IHooks, PoolKey, PoolManager, SwapParams, dynamicFee, poolManager as manager} from "./PoolManager.sol";
import {Token} from "./Token.sol";

struct AuctionData {
    uint256 minimumProceeds;
    uint256 maximumProceeds;
    uint256 startingTime;
    uint256 endingTime;
    int24 startingTick;
    int24 endingTick;
    uint256 epochLength;
    int24 gamma;
    bool isToken0;
    uint256 numPDSlugs;
    uint24 lpFee;
    int24 tickSpacing;
}

/**
 * A Dutch auction: a hook that keeps what it sells, and puts the first epochs' part of it into its pool. It counts what
 * is bought and paid without fees.
 */
contract Auction is IHooks {
    error InvalidStartTime();
    error InvalidTickRange();
    error InvalidTimeRange();
    error InvalidGamma();
    error InvalidEpochLength();
    error InvalidNumPDSlugs();
    error InvalidProceedLimits();
    error InvalidTickSpacing();

    /// As the real one has it, but only the totals are kept.
    struct State {
        uint40 lastEpoch;
        int256 tickAccumulator;
        uint256 totalTokensSold;
        uint256 totalProceeds;
        uint256 totalTokensSoldLastEpoch;
        int256 feesAccrued;
    }

    State public state;
    PoolKey public poolKey;
    bool public immutable isToken0;
    uint256 public immutable startingTime;
    uint256 public immutable endingTime;
    uint24 private immutable lpFee;
    uint256 private immutable epochs;
    uint256 private immutable firstEpochs;

    constructor(AuctionData memory auction) {
        if (block.timestamp > auction.startingTime) revert InvalidStartTime();
        checkTicks(auction);
        if (auction.startingTime >= auction.endingTime) revert InvalidTimeRange();
        uint256 duration = auction.endingTime - auction.startingTime;
        if (auction.gamma <= 0) revert InvalidGamma();
        uint256 epochShare = auction.epochLength * 1e18 / duration;
        if (epochShare * uint24(auction.gamma) / 1e18 == 0) revert InvalidGamma();
        if (duration % auction.epochLength != 0) revert InvalidEpochLength();
        if (auction.numPDSlugs == 0 || auction.numPDSlugs > 15) revert InvalidNumPDSlugs();
        if (auction.minimumProceeds > auction.maximumProceeds) revert InvalidProceedLimits();
        if (auction.tickSpacing > 30) revert InvalidTickSpacing();
        if (auction.gamma % auction.tickSpacing != 0) revert InvalidGamma();
        (isToken0, lpFee) = (auction.isToken0, auction.lpFee);
        startingTime = auction.startingTime;
        endingTime = auction.endingTime;
        epochs = duration / auction.epochLength;
        firstEpochs = auction.numPDSlugs + 1;
    }

    function place(PoolKey calldata key, Token asset, uint256 amount) external {
        poolKey = key;
        asset.transfer(address(manager), firstEpochs < epochs ? amount * firstEpochs / epochs : amount);
    }

    /// Of what the trader gets the amounts are positive.
    function afterSwap(address, PoolKey calldata, SwapParams calldata, int256 delta, bytes calldata)
        external
        returns (bytes4, int128)
    {
        require(msg.sender == address(manager));
        (int128 tokens, int128 paid) =
            isToken0 ? (int128(delta >> 128), int128(delta)) : (int128(delta), int128(delta >> 128));
        if (tokens > 0) {
            state.totalTokensSold += uint128(tokens);
            state.totalProceeds += withoutFee(-paid);
        } else {
            state.totalTokensSold -= withoutFee(-tokens);
            state.totalProceeds -= uint128(paid);
        }
        return (IHooks.afterSwap.selector, 0);
    }

    function withoutFee(int128 amount) private view returns (uint256) {
        return uint256(uint128(amount)) * (1e6 - lpFee) / 1e6;
    }

    /// The price falls, which in the order of the pool is up where the asset is token1.
    function checkTicks(AuctionData memory auction) private pure {
        bool falls = auction.isToken0
            ? auction.startingTick >= auction.endingTick
            : auction.startingTick <= auction.endingTick;
        if (!falls) revert InvalidTickRange();
    }
}

contract UniswapV4Initializer is IPoolInitializer {
    error InvalidTokenOrder();
    error TransferFromFailed();

    PoolManager public constant poolManager = manager;

    function initialize(address asset, address numeraire, uint256 amount, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        AuctionData memory auction = abi.decode(data, (AuctionData));
        Auction hook = new Auction{salt: salt}(auction);
        if (auction.isToken0 != (asset < numeraire)) revert InvalidTokenOrder();
        try Token(asset).transferFrom(msg.sender, address(hook), amount) {}
        catch {
            revert TransferFromFailed();
        }
        (address currency0, address currency1) = auction.isToken0 ? (asset, numeraire) : (numeraire, asset);
        PoolKey memory key = PoolKey(currency0, currency1, dynamicFee, auction.tickSpacing, address(hook));
        manager.open(key, auction.startingTick, auction.lpFee, auction.startingTime);
        manager.checkFee(auction.lpFee);
        hook.place(key, Token(asset), amount);
        emit Create(address(hook), asset, numeraire);
        return address(hook);
    }
}
