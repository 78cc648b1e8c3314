// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IGovernanceFactory} from "./Airlock.sol";

address constant nobody = 0x000000000000000000000000000000000000dEaD;

contract NoOpGovernanceFactory is IGovernanceFactory {
    function create(address, bytes calldata) external pure returns (address, address) {
        return (nobody, nobody);
    }
}

/// Gives what is left over to an account, usually one of several owners.
contract LaunchpadGovernanceFactory is IGovernanceFactory {
    function create(address, bytes calldata data) external pure returns (address, address) {
        return (nobody, abi.decode(data, (address)));
    }
}

/// Holds what belongs to a DAO, which acts a day after it has decided.
contract Timelock {
    uint256 public constant getMinDelay = 1 days;
}

contract Governance {
    error GovernorInvalidVotingPeriod(uint256 votingPeriod);

    string public name;
    address public immutable token;
    address public immutable timelock;
    uint48 public immutable votingDelay;
    uint32 public immutable votingPeriod;
    uint256 public immutable proposalThreshold;

    constructor(string memory name_, address token_, address timelock_, uint48 delay, uint32 period, uint256 threshold) {
        if (period == 0) revert GovernorInvalidVotingPeriod(period);
        name = string.concat(name_, " Governance");
        (token, timelock) = (token_, timelock_);
        (votingDelay, votingPeriod, proposalThreshold) = (delay, period, threshold);
    }
}

contract GovernanceFactory is IGovernanceFactory {
    function create(address asset, bytes calldata data) external returns (address, address) {
        (string memory name, uint48 delay, uint32 period, uint256 threshold) =
            abi.decode(data, (string, uint48, uint32, uint256));
        address timelock = address(new Timelock());
        return (address(new Governance(name, asset, timelock, delay, period, threshold)), timelock);
    }
}
