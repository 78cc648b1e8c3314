// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

struct Beneficiary {
    address beneficiary;
    uint96 shares;
}

library Beneficiaries {
    error UnorderedBeneficiaries();
    error InvalidShares();
    error InvalidTotalShares();
    error InvalidProtocolOwnerBeneficiary();
    error InvalidProtocolOwnerShares(uint96 required, uint96 provided);

    uint96 internal constant leastOfProtocol = 0.05e18;

    /// Shares have to sum to one, by ascending address, with the protocol's twentieth among them.
    function check(Beneficiary[] memory all, address protocol) internal pure {
        checkShares(all);
        uint96 given = sharesOf(all, protocol);
        if (given == 0) revert InvalidProtocolOwnerBeneficiary();
        if (given < leastOfProtocol) revert InvalidProtocolOwnerShares(leastOfProtocol, given);
    }

    function checkShares(Beneficiary[] memory all) internal pure {
        uint256 total = 0;
        address before = address(0);
        for (uint256 i = 0; i < all.length; i++) {
            if (all[i].beneficiary <= before) revert UnorderedBeneficiaries();
            if (all[i].shares == 0) revert InvalidShares();
            before = all[i].beneficiary;
            total += all[i].shares;
        }
        if (total != 1e18) revert InvalidTotalShares();
    }

    /// Nothing for who is not among them.
    function sharesOf(Beneficiary[] memory all, address who) internal pure returns (uint96) {
        for (uint256 i = 0; i < all.length; i++) {
            if (all[i].beneficiary == who) return all[i].shares;
        }
        return 0;
    }
}
