// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITokenFactory} from "./Airlock.sol";
import {Token} from "./Token.sol";

/// Deploys by CREATE2, so the same data and salt give the same address, and a second time fails.
abstract contract TokenDeployer is ITokenFactory {
    error DeploymentFailed();

    function deploy(Token.Terms memory terms, bytes32 salt) internal returns (address) {
        return address(new Token{salt: salt}(terms));
    }

    /// As those factories do that clone: a token that is there already has an error of its own.
    function deployClone(Token.Terms memory terms, bytes32 salt) internal returns (address) {
        terms.hasSchedules = true;
        try new Token{salt: salt}(terms) returns (Token token) {
            return address(token);
        } catch (bytes memory reason) {
            if (reason.length == 0) revert DeploymentFailed();
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    /// Fields one after the other, as those of one struct: so many at once do not fit on the stack.
    function asStruct(bytes calldata data) internal pure returns (bytes memory) {
        return bytes.concat(bytes32(uint256(32)), data);
    }
}

abstract contract Derc20Deployer is TokenDeployer {
    struct Data {
        string name;
        string symbol;
        uint256 yearlyMintRate;
        uint256 vestingDuration;
        address[] recipients;
        uint256[] amounts;
        string tokenURI;
    }

    function terms(uint256 supply, address holder, bytes calldata data) internal pure returns (Token.Terms memory all) {
        Data memory token = abi.decode(asStruct(data), (Data));
        all.name = token.name;
        all.symbol = token.symbol;
        all.uri = token.tokenURI;
        all.supply = supply;
        all.holder = holder;
        all.yearlyMintRate = token.yearlyMintRate;
        all.recipients = token.recipients;
        all.amounts = token.amounts;
    }
}

contract TokenFactory is Derc20Deployer {
    function create(uint256 supply, address recipient, address, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        Token.Terms memory all = terms(supply, recipient, data);
        all.mostVested = 0.2e18;
        return deploy(all, salt);
    }
}

contract TokenFactory80 is Derc20Deployer {
    function create(uint256 supply, address recipient, address, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        Token.Terms memory all = terms(supply, recipient, data);
        all.mostVested = 0.8e18;
        return deploy(all, salt);
    }
}

contract CloneDERC20VotesV2Factory is TokenDeployer {
    struct Data {
        string name;
        string symbol;
        uint256 yearlyMintRate;
        Token.Schedule[] schedules;
        address[] recipients;
        uint256[] scheduleIds;
        uint256[] amounts;
        string tokenURI;
    }

    function create(uint256 supply, address recipient, address, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        Data memory token = abi.decode(asStruct(data), (Data));
        Token.Terms memory all;
        all.name = token.name;
        all.symbol = token.symbol;
        all.uri = token.tokenURI;
        all.supply = supply;
        all.holder = recipient;
        all.yearlyMintRate = token.yearlyMintRate;
        all.mostVested = 0.8e18;
        all.schedules = token.schedules;
        all.recipients = token.recipients;
        all.scheduleIds = token.scheduleIds;
        all.amounts = token.amounts;
        return deployClone(all, salt);
    }
}

contract DopplerERC20V1Factory is TokenDeployer {
    struct Data {
        string name;
        string symbol;
        Token.Schedule[] schedules;
        address[] recipients;
        uint256[] scheduleIds;
        uint256[] amounts;
        string tokenURI;
        uint256 maxBalanceLimit;
        uint48 balanceLimitEnd;
        address controller;
        address[] excluded;
    }

    function create(uint256 supply, address recipient, address, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        Data memory token = abi.decode(asStruct(data), (Data));
        Token.Terms memory all;
        all.name = token.name;
        all.symbol = token.symbol;
        all.uri = token.tokenURI;
        all.supply = supply;
        all.holder = recipient;
        all.mostVested = 0.8e18;
        all.schedules = token.schedules;
        all.recipients = token.recipients;
        all.scheduleIds = token.scheduleIds;
        all.amounts = token.amounts;
        all.maxBalance = token.maxBalanceLimit;
        all.maxBalanceEnd = token.balanceLimitEnd;
        all.controller = token.controller;
        all.excluded = token.excluded;
        return deployClone(all, salt);
    }
}

contract DN404Factory is TokenDeployer {
    error InvalidDN404Unit();
    error InvalidDN404InitialSupply();

    function create(uint256 supply, address recipient, address, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        (string memory name, string memory symbol, string memory baseURI, uint256 unit) =
            abi.decode(data, (string, string, string, uint256));
        if (unit == 0) revert InvalidDN404Unit();
        if (supply % unit != 0) revert InvalidDN404InitialSupply();
        Token.Terms memory all;
        all.name = name;
        all.symbol = symbol;
        all.uri = baseURI;
        all.supply = supply;
        all.holder = recipient;
        return deploy(all, salt);
    }
}
