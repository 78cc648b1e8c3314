// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;

interface PoolManager {
    function unlock(bytes calldata data) external returns (bytes memory);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

interface Token {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function deposit() external payable;
}

/// Trades in a launched pool of a local chain, so that there are fees to claim.
contract Trader {
    address private currency0;
    address private currency1;

    receive() external payable {}

    /// Returns an account's balance of a currency; the zero address is the coin of the chain.
    function holding(address currency, address account) public view returns (uint256) {
        return currency == address(0) ? account.balance : Token(currency).balanceOf(account);
    }

    /// Wraps coins into a token that takes them.
    function wrap(address token, uint256 amount) external {
        Token(token).deposit{ value: amount }();
    }

    /// Calls `swap` on a Uniswap V4 pool manager (`locks`) or a Uniswap V3 pool, and pays for it. `paid` and `got` are
    /// the changes of this contract's balances.
    function trade(address venue, bool locks, address from, address to, bytes calldata swap)
        external
        returns (uint256 paid, uint256 got)
    {
        (currency0, currency1) = from < to ? (from, to) : (to, from);
        paid = holding(from, address(this));
        got = holding(to, address(this));
        if (locks) PoolManager(venue).unlock(swap);
        else done(venue, swap);
        paid -= holding(from, address(this));
        got = holding(to, address(this)) - got;
    }

    function unlockCallback(bytes calldata swap) external returns (bytes memory) {
        int256 delta = abi.decode(done(msg.sender, swap), (int256));
        even(currency0, delta >> 128);
        even(currency1, int128(delta));
        return "";
    }

    function uniswapV3SwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        if (delta0 > 0) pay(currency0, uint256(delta0));
        if (delta1 > 0) pay(currency1, uint256(delta1));
    }

    /// Takes a credit from the pool manager, or pays a debt to it.
    function even(address currency, int256 delta) private {
        PoolManager manager = PoolManager(msg.sender);
        if (delta > 0) manager.take(currency, address(this), uint256(delta));
        if (delta >= 0) return;
        manager.sync(currency);
        if (currency == address(0)) {
            manager.settle{ value: uint256(-delta) }();
        } else {
            pay(currency, uint256(-delta));
            manager.settle();
        }
    }

    /// Transfers without checking the result: some tokens return nothing, and the balances show whether it arrived.
    function pay(address currency, uint256 amount) private {
        done(currency, abi.encodeCall(Token.transfer, (msg.sender, amount)));
    }

    /// Calls, and reverts with the target's revert data.
    function done(address target, bytes memory data) private returns (bytes memory answer) {
        bool success;
        (success, answer) = target.call(data);
        if (success) return answer;
        assembly {
            revert(add(answer, 32), mload(answer))
        }
    }
}
