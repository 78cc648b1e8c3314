// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IPoolInitializer} from "./Airlock.sol";
import {Token} from "./Token.sol";

struct Curve {
    int24 tickLower;
    int24 tickUpper;
    uint16 numPositions;
    uint256 shares;
}

struct Beneficiary {
    address beneficiary;
    uint96 shares;
}

/// Takes what is to be sold; nothing can be bought here.
abstract contract PoolInitializer is IPoolInitializer {
    error InvalidTotalShares();
    error UnorderedBeneficiaries();

    function take(address asset, uint256 amount) internal {
        Token(asset).transferFrom(msg.sender, address(this), amount);
    }

    function check(Beneficiary[] memory beneficiaries) internal pure {
        if (beneficiaries.length == 0) return;
        uint256 total = 0;
        for (uint256 i = 0; i < beneficiaries.length; i++) {
            bool ordered = i == 0 || beneficiaries[i - 1].beneficiary < beneficiaries[i].beneficiary;
            if (!ordered) revert UnorderedBeneficiaries();
            total += beneficiaries[i].shares;
        }
        if (total != 1e18) revert InvalidTotalShares();
    }
}

contract MulticurveInitializer is PoolInitializer {
    struct Data {
        uint24 fee;
        int24 tickSpacing;
        Curve[] curves;
        Beneficiary[] beneficiaries;
    }

    function initialize(address asset, address, uint256 amount, bytes32, bytes calldata data)
        external
        returns (address)
    {
        check(abi.decode(data, (Data)).beneficiaries);
        take(asset, amount);
        return asset;
    }
}

contract HookInitializer is PoolInitializer {
    struct Data {
        uint24 fee;
        int24 tickSpacing;
        int24 farTick;
        Curve[] curves;
        Beneficiary[] beneficiaries;
        address dopplerHook;
        bytes onInitializationData;
        bytes graduationData;
    }

    function initialize(address asset, address, uint256 amount, bytes32, bytes calldata data)
        external
        returns (address)
    {
        Data memory pool = abi.decode(data, (Data));
        check(pool.beneficiaries);
        take(asset, amount);
        return asset;
    }
}

contract DynamicInitializer is PoolInitializer {
    error InvalidStartTime();
    error InvalidTimeRange();

    struct Data {
        uint256 minProceeds;
        uint256 maxProceeds;
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

    function initialize(address asset, address, uint256 amount, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        Data memory pool = abi.decode(data, (Data));
        if (block.timestamp > pool.startingTime) revert InvalidStartTime();
        if (pool.startingTime >= pool.endingTime) revert InvalidTimeRange();
        take(asset, amount);
        return address(uint160(uint256(keccak256(abi.encode(asset, salt)))));
    }
}
