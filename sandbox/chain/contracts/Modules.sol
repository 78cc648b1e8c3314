// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IGovernanceFactory, ILiquidityMigrator} from "./Airlock.sol";

/// Launches without governance: nobody owns what is left over.
contract NoGovernanceFactory is IGovernanceFactory {
    address private constant nobody = 0x000000000000000000000000000000000000dEaD;

    function create(address, bytes calldata) external pure returns (address, address) {
        return (nobody, nobody);
    }
}

/// Launches that stay in the pool they began in.
contract NoMigrator is ILiquidityMigrator {
    function initialize(address, address, bytes calldata) external pure returns (address) {
        return address(0);
    }
}
