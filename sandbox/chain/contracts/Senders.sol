// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {CreateParams} from "./Airlock.sol";

/// The launcher of a chain where transactions go to another contract than the one that emits `Create`.
contract ForwardingLauncher {
    address public airlock;

    /// The code is put at a chosen address without its constructor being run.
    function setAirlock(address airlock_) external {
        require(airlock == address(0));
        airlock = airlock_;
    }

    function create(CreateParams calldata) external returns (address, address, address, address, address) {
        (bool done, bytes memory result) = airlock.call(msg.data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
        return abi.decode(result, (address, address, address, address, address));
    }
}

/// An account that is a contract, as Safes and smart wallets are: transactions go to it, and it calls the launcher.
contract SmartAccount {
    function execute(address to, uint256 value, bytes calldata data) external payable {
        (bool done, bytes memory result) = to.call{value: value}(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(result, 32), mload(result))
            }
        }
    }
}
