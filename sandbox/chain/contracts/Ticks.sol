// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// Prices of Uniswap: `1.0001^tick` of token1 for one of token0, kept as their square root in Q64.96.
library Ticks {
    error InvalidTick(int24 tick);

    int24 internal constant furthest = 887272;

    /// The square root of a tick's price, to the bit as Uniswap has it.
    function sqrtPriceAt(int24 tick) internal pure returns (uint160) {
        uint256 distance = uint24(tick < 0 ? -tick : tick);
        if (distance > uint24(furthest)) revert InvalidTick(tick);
        // 2^128 divided by the square root of 1.0001 to the power of 1, 2, 4, 8 …
        uint128[20] memory factors = [
            uint128(0xfffcb933bd6fad37aa2d162d1a594001),
            0xfff97272373d413259a46990580e213a,
            0xfff2e50f5f656932ef12357cf3c7fdcc,
            0xffe5caca7e10e4e61c3624eaa0941cd0,
            0xffcb9843d60f6159c9db58835c926644,
            0xff973b41fa98c081472e6896dfb254c0,
            0xff2ea16466c96a3843ec78b326b52861,
            0xfe5dee046a99a2a811c461f1969c3053,
            0xfcbe86c7900a88aedcffc83b479aa3a4,
            0xf987a7253ac413176f2b074cf7815e54,
            0xf3392b0822b70005940c7a398e4b70f3,
            0xe7159475a2c29b7443b29c7fa6e889d9,
            0xd097f3bdfd2022b8845ad8f792aa5825,
            0xa9f746462d870fdf8a65dc1f90e061e5,
            0x70d869a156d2a1b890bb3df62baf32f7,
            0x31be135f97d08fd981231505542fcfa6,
            0x09aa508b5b7a84e1c677de54f3e99bc9,
            0x005d6af8dedb81196699c329225ee604,
            0x00002216e584f5fa1ea926041bedfe98,
            0x00000000048a170391f7dc42444e8fa2
        ];
        uint256 root = 1 << 128;
        for (uint256 i = 0; i < factors.length; i++) {
            if (distance & (1 << i) != 0) root = root * factors[i] >> 128;
        }
        if (tick > 0) root = type(uint256).max / root;
        // Rounded up to 96 binary places.
        return uint160((root + type(uint32).max) >> 32);
    }

    /// The multiple of the spacing at this tick or the next towards the side where the asset is cheaper.
    function towardsCheap(int24 tick, int24 spacing, bool isToken0) internal pure returns (int24) {
        int24 past = tick % spacing;
        if (past == 0) return tick;
        if (isToken0) return past < 0 ? tick - past - spacing : tick - past;
        return past < 0 ? tick - past : tick - past + spacing;
    }
}
