// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// A launched token. What vests stays with the token itself until it is released.
contract Token {
    error ArrayLengthsMismatch();

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public name;
    string public symbol;
    string public tokenURI;
    uint8 public constant decimals = 18;
    uint256 public immutable totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    mapping(address recipient => uint256) public vestedAmountOf;

    struct Words {
        string name;
        string symbol;
        string uri;
    }

    constructor(
        Words memory words,
        uint256 supply,
        address holder,
        address[] memory recipients,
        uint256[] memory amounts
    ) {
        if (recipients.length != amounts.length) revert ArrayLengthsMismatch();
        name = words.name;
        symbol = words.symbol;
        tokenURI = words.uri;
        totalSupply = supply;
        uint256 vested = 0;
        for (uint256 i = 0; i < recipients.length; i++) {
            vestedAmountOf[recipients[i]] += amounts[i];
            vested += amounts[i];
        }
        mint(address(this), vested);
        mint(holder, supply - vested);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        move(from, to, value);
        return true;
    }

    function mint(address to, uint256 value) private {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
