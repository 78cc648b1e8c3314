// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Token} from "./Token.sol";

library Prices {
    /**
     * What a trade at one price takes and gives, with the fee (in millionths) in what is paid. A positive amount is what
     * is paid, a negative one what is to come.
     */
    function trade(uint160 price, bool zeroForOne, int256 amount, uint24 fee)
        internal
        pure
        returns (uint256 paid, uint256 given, uint256 kept)
    {
        if (amount > 0) {
            paid = uint256(amount);
            kept = paid * fee / 1e6;
            given = converted(price, zeroForOne, paid - kept);
        } else {
            given = uint256(-amount);
            uint256 left = converted(price, !zeroForOne, given) + 1;
            paid = left * 1e6 / (1e6 - fee) + 1;
            kept = paid - left;
        }
    }

    function converted(uint160 price, bool zeroForOne, uint256 amount) private pure returns (uint256) {
        return zeroForOne ? amount * price / 2 ** 96 * price / 2 ** 96 : amount * 2 ** 96 / price * 2 ** 96 / price;
    }
}

/// The zero address is the coin of the chain.
library Currencies {
    function balance(address currency) internal view returns (uint256) {
        return currency == address(0) ? address(this).balance : Token(currency).balanceOf(address(this));
    }

    function send(address currency, address to, uint256 amount) internal {
        if (amount == 0) return;
        if (currency != address(0)) {
            Token(currency).transfer(to, amount);
            return;
        }
        (bool success,) = to.call{value: amount}("");
        require(success);
    }
}
