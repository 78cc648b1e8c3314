// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITokenFactory} from "./Airlock.sol";
import {Token} from "./Token.sol";

/// Deploys by CREATE2, so the same data and salt give the same address, and a second time fails.
abstract contract TokenDeployer is ITokenFactory {
    error DeploymentFailed();

    function create(uint256 supply, address recipient, address, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        Token.Terms memory terms = termsOf(supply, data);
        (terms.supply, terms.holder) = (supply, recipient);
        if (!terms.hasSchedules) return address(new Token{salt: salt}(terms));
        // As those factories do that clone: a token that is there already has an error of its own.
        try new Token{salt: salt}(terms) returns (Token token) {
            return address(token);
        } catch (bytes memory reason) {
            if (reason.length == 0) revert DeploymentFailed();
            assembly ("memory-safe") {
                revert(add(reason, 32), mload(reason))
            }
        }
    }

    /// What the data say of a token.
    function termsOf(uint256 supply, bytes calldata data) internal pure virtual returns (Token.Terms memory);

    /// Fields one after the other, as those of one struct: so many at once do not fit on the stack.
    function asStruct(bytes calldata data) internal pure returns (bytes memory) {
        return bytes.concat(bytes32(uint256(32)), data);
    }
}

contract TokenFactory is TokenDeployer {
    struct Data {
        string name;
        string symbol;
        uint256 yearlyMintRate;
        uint256 vestingDuration;
        address[] recipients;
        uint256[] amounts;
        string tokenURI;
    }

    function termsOf(uint256, bytes calldata data) internal pure virtual override returns (Token.Terms memory all) {
        Data memory token = abi.decode(asStruct(data), (Data));
        (all.name, all.symbol, all.uri) = (token.name, token.symbol, token.tokenURI);
        all.yearlyMintRate = token.yearlyMintRate;
        (all.recipients, all.amounts) = (token.recipients, token.amounts);
        all.mostVested = 0.2e18;
    }
}

contract TokenFactory80 is TokenFactory {
    function termsOf(uint256 supply, bytes calldata data) internal pure override returns (Token.Terms memory all) {
        all = super.termsOf(supply, data);
        all.mostVested = 0.8e18;
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

    function termsOf(uint256, bytes calldata data) internal pure override returns (Token.Terms memory all) {
        Data memory token = abi.decode(asStruct(data), (Data));
        (all.name, all.symbol, all.uri) = (token.name, token.symbol, token.tokenURI);
        all.yearlyMintRate = token.yearlyMintRate;
        (all.hasSchedules, all.mostVested, all.schedules) = (true, 0.8e18, token.schedules);
        (all.recipients, all.scheduleIds, all.amounts) = (token.recipients, token.scheduleIds, token.amounts);
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

    function termsOf(uint256, bytes calldata data) internal pure override returns (Token.Terms memory all) {
        Data memory token = abi.decode(asStruct(data), (Data));
        (all.name, all.symbol, all.uri) = (token.name, token.symbol, token.tokenURI);
        (all.hasSchedules, all.mostVested, all.schedules) = (true, 0.8e18, token.schedules);
        (all.recipients, all.scheduleIds, all.amounts) = (token.recipients, token.scheduleIds, token.amounts);
        (all.maxBalance, all.maxBalanceEnd) = (token.maxBalanceLimit, token.balanceLimitEnd);
        (all.controller, all.excluded) = (token.controller, token.excluded);
    }
}

contract DN404Factory is TokenDeployer {
    error InvalidDN404Unit();
    error InvalidDN404InitialSupply();

    function termsOf(uint256 supply, bytes calldata data) internal pure override returns (Token.Terms memory all) {
        uint256 unit;
        (all.name, all.symbol, all.uri, unit) = abi.decode(data, (string, string, string, uint256));
        if (unit == 0) revert InvalidDN404Unit();
        if (supply % unit != 0) revert InvalidDN404InitialSupply();
    }
}
