// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// A token that gives somebody some of it besides, in one way or another.
contract StrangeToken {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address account => uint256) private balances;
    uint256 private immutable gift;
    address private immutable friend;
    bytes32 private immutable way;
    uint256 private supplied;

    constructor(uint256 supply, address holder, bytes32 way_, address friend_) {
        (way, friend, gift) = (way_, friend_, supply / 10);
        supplied = supply;
        balances[holder] = supply;
        emit Transfer(address(0), holder, supply);
        if (way == "told") {
            (balances[holder], balances[friend]) = (supply - gift, gift);
            emit Transfer(holder, friend, gift);
        }
        if (way == "minted untold") {
            balances[friend] = gift;
            supplied += gift;
        }
    }

    function totalSupply() external view returns (uint256) {
        if (way == "no supply") revert();
        return supplied;
    }

    function balanceOf(address account) external view returns (uint256) {
        return balances[account] + (way == "seen by one" && account == friend ? gift : 0);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        return move(from, to, value);
    }

    function approve(address, uint256) external pure returns (bool) {
        return true;
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        balances[from] -= value;
        balances[to] += value;
        if (way != "silent") emit Transfer(from, to, value);
        return true;
    }
}

/// Its data are the way that its token takes, and who is its friend.
contract StrangeFactory {
    function create(uint256 supply, address recipient, address, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        (bytes32 way, address friend) = abi.decode(data, (bytes32, address));
        return address(new StrangeToken{salt: salt}(supply, recipient, way, friend));
    }
}
