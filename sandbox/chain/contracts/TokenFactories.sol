// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {ITokenFactory} from "./Airlock.sol";
import {Token} from "./Token.sol";

struct Schedule {
    uint64 cliff;
    uint64 duration;
}

/// Deploys by CREATE2, so the same data and salt give the same address, and a second time fails.
abstract contract TokenFactory is ITokenFactory {
    function deploy(
        Token.Words memory words,
        uint256 supply,
        address recipient,
        bytes32 salt,
        address[] memory recipients,
        uint256[] memory amounts
    ) internal returns (address) {
        return address(new Token{salt: salt}(words, supply, recipient, recipients, amounts));
    }

    /// Data that are a list of arguments, as those of one struct: so many at once do not fit on the stack.
    function asStruct(bytes calldata data) internal pure returns (bytes memory) {
        return bytes.concat(bytes32(uint256(32)), data);
    }
}

contract Derc20Factory is TokenFactory {
    struct Data {
        string name;
        string symbol;
        uint256 yearlyMintRate;
        uint256 vestingDuration;
        address[] recipients;
        uint256[] amounts;
        string tokenURI;
    }

    function create(uint256 supply, address recipient, bytes32 salt, bytes calldata data) external returns (address) {
        Data memory token = abi.decode(asStruct(data), (Data));
        Token.Words memory words = Token.Words(token.name, token.symbol, token.tokenURI);
        return deploy(words, supply, recipient, salt, token.recipients, token.amounts);
    }
}

contract CloneVotesV2Factory is TokenFactory {
    struct Data {
        string name;
        string symbol;
        uint256 yearlyMintRate;
        Schedule[] schedules;
        address[] recipients;
        uint256[] scheduleIds;
        uint256[] amounts;
        string tokenURI;
    }

    function create(uint256 supply, address recipient, bytes32 salt, bytes calldata data) external returns (address) {
        Data memory token = abi.decode(asStruct(data), (Data));
        Token.Words memory words = Token.Words(token.name, token.symbol, token.tokenURI);
        return deploy(words, supply, recipient, salt, token.recipients, token.amounts);
    }
}

contract DopplerErc20V1Factory is TokenFactory {
    struct Data {
        string name;
        string symbol;
        Schedule[] schedules;
        address[] recipients;
        uint256[] scheduleIds;
        uint256[] amounts;
        string tokenURI;
        uint256 maxBalanceLimit;
        uint48 balanceLimitEnd;
        address controller;
        address[] excluded;
    }

    function create(uint256 supply, address recipient, bytes32 salt, bytes calldata data) external returns (address) {
        Data memory token = abi.decode(asStruct(data), (Data));
        Token.Words memory words = Token.Words(token.name, token.symbol, token.tokenURI);
        return deploy(words, supply, recipient, salt, token.recipients, token.amounts);
    }
}

contract Dn404Factory is TokenFactory {
    function create(uint256 supply, address recipient, bytes32 salt, bytes calldata data) external returns (address) {
        (string memory name, string memory symbol, string memory baseURI,) =
            abi.decode(data, (string, string, string, uint256));
        Token.Words memory words = Token.Words(name, symbol, baseURI);
        return deploy(words, supply, recipient, salt, new address[](0), new uint256[](0));
    }
}
