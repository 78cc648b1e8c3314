// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Beneficiaries, Beneficiary} from "./Beneficiaries.sol";
import {Curve, CurveInitializer} from "./Curves.sol";
import {PoolKey, dynamicFee, poolManager as manager} from "./PoolManager.sol";

interface IDopplerHook {
    function onInitialization(address asset, PoolKey calldata key, bytes calldata data) external;
}

// Where every local chain has the hooks that are allowed.
address constant rehype = address(uint160(uint256(keccak256("RehypeDopplerHookInitializer of the sandbox"))));
address constant formerRehype = address(uint160(uint256(keccak256("FormerRehypeHook of the sandbox"))));

contract DopplerHookInitializer is CurveInitializer {
    error UnreachableFarTick();
    error DopplerHookNotEnabled();

    struct InitData {
        uint24 fee;
        int24 tickSpacing;
        int24 farTick;
        Curve[] curves;
        Beneficiary[] beneficiaries;
        address dopplerHook;
        bytes onInitializationData;
        bytes graduationData;
    }

    struct Extra {
        uint256 totalTokensOnBondingCurve;
        address dopplerHook;
        bytes graduationDopplerHookCalldata;
    }

    mapping(address asset => Extra) private extras;

    /// Says more of a pool than other initializers do.
    function getState(address asset)
        external
        view
        returns (address, uint256, address, bytes memory, PoolStatus, PoolKey memory, int24)
    {
        (PoolState storage state, Extra storage extra) = (states[asset], extras[asset]);
        return (
            state.numeraire,
            extra.totalTokensOnBondingCurve,
            extra.dopplerHook,
            extra.graduationDopplerHookCalldata,
            state.status,
            state.poolKey,
            state.farTick
        );
    }

    function initialize(address asset, address numeraire, uint256 amount, bytes32, bytes calldata data)
        external
        returns (address)
    {
        InitData memory pool = abi.decode(data, (InitData));
        bool hasHook = pool.dopplerHook != address(0);
        if (hasHook && pool.dopplerHook != rehype && pool.dopplerHook != formerRehype) revert DopplerHookNotEnabled();
        uint24 fee = hasHook ? dynamicFee : pool.fee;
        Sale memory sale =
            Sale(asset, numeraire, amount, fee, pool.fee, pool.tickSpacing, address(this), 0);
        (PoolKey memory key, Span memory span) = open(sale, pool.curves, pool.beneficiaries);
        checkReachable(pool.farTick, span);
        states[asset].farTick = span.isToken0 ? pool.farTick : -pool.farTick;
        extras[asset] = Extra(amount, pool.dopplerHook, pool.graduationData);
        if (hasHook) {
            manager.checkFee(pool.fee);
            IDopplerHook(pool.dopplerHook).onInitialization(asset, key, pool.onInitializationData);
        }
        return asset;
    }

    function checkReachable(int24 farTick, Span memory span) private pure {
        bool reachable = span.isToken0
            ? farTick >= span.start && farTick < span.far
            : -farTick <= span.start && -farTick >= span.far;
        if (!reachable) revert UnreachableFarTick();
    }
}

/// What a share of each trade is used for, as 18-decimal fractions: of fees in the asset, then of those in the numeraire.
struct FeeDistribution {
    uint256[4] ofAsset;
    uint256[4] ofNumeraire;
}

struct Schedule {
    uint24 startFee;
    uint24 endFee;
    uint32 durationSeconds;
}

abstract contract RehypeHook is IDopplerHook {
    error FeeDistributionMustAddUpToWAD();
    error FeeTooHigh(uint24 fee);
    error InvalidFeeRange(uint24 startFee, uint24 endFee);
    error InvalidDurationSeconds(uint32 durationSeconds);

    enum Routing {
        DirectBuyback,
        RouteToBeneficiaryFees
    }

    function check(FeeDistribution memory distribution, Schedule memory fees) internal pure {
        if (sum(distribution.ofAsset) != 1e18) revert FeeDistributionMustAddUpToWAD();
        if (sum(distribution.ofNumeraire) != 1e18) revert FeeDistributionMustAddUpToWAD();
        if (fees.startFee > 0.8e6) revert FeeTooHigh(fees.startFee);
        if (fees.endFee > 0.8e6) revert FeeTooHigh(fees.endFee);
        if (fees.startFee < fees.endFee) revert InvalidFeeRange(fees.startFee, fees.endFee);
        if (fees.startFee > fees.endFee && fees.durationSeconds == 0) revert InvalidDurationSeconds(0);
    }

    function sum(uint256[4] memory parts) private pure returns (uint256) {
        return parts[0] + parts[1] + parts[2] + parts[3];
    }
}

contract RehypeDopplerHookInitializer is RehypeHook {
    error FeeBeneficiariesNotSupportedInDirectBuyback();

    struct InitData {
        address numeraire;
        address buybackDst;
        uint24 startFee;
        uint24 endFee;
        uint32 durationSeconds;
        uint32 startingTime;
        Routing routing;
        FeeDistribution distribution;
        Beneficiary[] feeBeneficiaries;
    }

    function onInitialization(address, PoolKey calldata, bytes calldata data) external pure {
        InitData memory fees = abi.decode(data, (InitData));
        if (fees.feeBeneficiaries.length > 0) {
            if (fees.routing == Routing.DirectBuyback) revert FeeBeneficiariesNotSupportedInDirectBuyback();
            Beneficiaries.checkShares(fees.feeBeneficiaries);
        }
        check(fees.distribution, Schedule(fees.startFee, fees.endFee, fees.durationSeconds));
    }
}

/// The hook as it was before it knew beneficiaries of its own.
contract FormerRehypeHook is RehypeHook {
    struct InitData {
        address numeraire;
        address buybackDst;
        uint24 startFee;
        uint24 endFee;
        uint32 durationSeconds;
        uint32 startingTime;
        Routing routing;
        FeeDistribution distribution;
    }

    function onInitialization(address, PoolKey calldata, bytes calldata data) external pure {
        InitData memory fees = abi.decode(data, (InitData));
        check(fees.distribution, Schedule(fees.startFee, fees.endFee, fees.durationSeconds));
    }
}
