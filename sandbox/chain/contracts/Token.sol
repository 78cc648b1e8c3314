// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// A launched token. What vests stands on the token itself until it is released.
contract Token {
    error ArrayLengthsMismatch();
    error MaxYearlyMintRateExceeded(uint256 amount, uint256 limit);
    error MaxPreMintPerAddressExceeded(uint256 amount, uint256 limit);
    error MaxTotalPreMintExceeded(uint256 amount, uint256 limit);
    error MaxTotalVestedExceeded(uint256 amount, uint256 limit);
    error InvalidSchedule(uint256 scheduleId);
    error UnknownScheduleId(uint256 scheduleId);
    error InvalidAllocation(uint256 index);
    error InvalidBalanceLimit(uint256 limit);
    error InvalidBalanceLimitTimestamp(uint256 specified, uint256 current);
    error BalanceLimitExceeded(uint256 balance, uint256 limit);

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    struct Schedule {
        uint64 cliff;
        uint64 duration;
    }

    struct Terms {
        string name;
        string symbol;
        string uri;
        uint256 supply;
        /// Who holds all that doesn't vest, and owns the token.
        address holder;
        uint256 yearlyMintRate;
        /// The largest part of the supply that may vest, for one address and in all; an 18-decimal fraction.
        uint256 mostVested;
        /// Without schedules the token has a single one, which needn't be checked.
        bool hasSchedules;
        Schedule[] schedules;
        address[] recipients;
        uint256[] scheduleIds;
        uint256[] amounts;
        uint256 maxBalance;
        uint48 maxBalanceEnd;
        address controller;
        address[] excluded;
    }

    string public name;
    string public symbol;
    string public tokenURI;
    uint8 public constant decimals = 18;
    uint256 public immutable totalSupply;
    address public immutable owner;
    address public immutable controller;
    uint256 public immutable yearlyMintRate;
    uint256 public immutable maxBalanceLimit;
    uint48 public immutable balanceLimitEnd;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    mapping(address recipient => uint256) public vestedAmountOf;
    mapping(address account => bool) public isExcludedFromBalanceLimit;

    constructor(Terms memory terms) {
        if (terms.yearlyMintRate > 0.02e18) revert MaxYearlyMintRateExceeded(terms.yearlyMintRate, 0.02e18);
        name = terms.name;
        symbol = terms.symbol;
        tokenURI = terms.uri;
        totalSupply = terms.supply;
        owner = terms.holder;
        controller = terms.controller;
        yearlyMintRate = terms.yearlyMintRate;
        maxBalanceLimit = terms.maxBalance;
        balanceLimitEnd = terms.maxBalanceEnd;
        limitBalances(terms);
        uint256 vested = vest(terms);
        if (vested > 0) mint(address(this), vested);
        mint(terms.holder, terms.supply - vested);
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

    function limitBalances(Terms memory terms) private {
        if (terms.maxBalance == 0 && terms.maxBalanceEnd == 0) return;
        if (terms.maxBalance == 0 || terms.maxBalance >= terms.supply) revert InvalidBalanceLimit(terms.maxBalance);
        if (terms.maxBalanceEnd <= block.timestamp) {
            revert InvalidBalanceLimitTimestamp(terms.maxBalanceEnd, block.timestamp);
        }
        isExcludedFromBalanceLimit[terms.holder] = true;
        isExcludedFromBalanceLimit[address(this)] = true;
        for (uint256 i = 0; i < terms.excluded.length; i++) {
            isExcludedFromBalanceLimit[terms.excluded[i]] = true;
        }
        for (uint256 i = 0; i < terms.recipients.length; i++) {
            isExcludedFromBalanceLimit[terms.recipients[i]] = true;
        }
    }

    function vest(Terms memory terms) private returns (uint256 vested) {
        checkSchedules(terms);
        if (terms.recipients.length != terms.amounts.length) revert ArrayLengthsMismatch();
        uint256 most = terms.supply * terms.mostVested / 1e18;
        for (uint256 i = 0; i < terms.recipients.length; i++) {
            address recipient = terms.recipients[i];
            vestedAmountOf[recipient] += terms.amounts[i];
            uint256 amount = vestedAmountOf[recipient];
            if (amount > most) revert MaxPreMintPerAddressExceeded(amount, most);
            vested += terms.amounts[i];
        }
        if (vested > most) revert MaxTotalPreMintExceeded(vested, most);
        if (vested > terms.supply) revert MaxTotalVestedExceeded(vested, terms.supply);
    }

    function checkSchedules(Terms memory terms) private pure {
        if (!terms.hasSchedules) return;
        if (terms.recipients.length != terms.scheduleIds.length) revert ArrayLengthsMismatch();
        for (uint256 i = 0; i < terms.schedules.length; i++) {
            Schedule memory schedule = terms.schedules[i];
            bool tooShort = schedule.duration > 0 && schedule.duration < 1 days;
            if (tooShort || schedule.cliff > schedule.duration) revert InvalidSchedule(i);
        }
        for (uint256 i = 0; i < terms.recipients.length; i++) {
            if (terms.recipients[i] == address(0) || terms.amounts[i] == 0) revert InvalidAllocation(i);
            if (terms.scheduleIds[i] >= terms.schedules.length) revert UnknownScheduleId(terms.scheduleIds[i]);
        }
    }

    function mint(address to, uint256 value) private {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        bool isLimited = block.timestamp < balanceLimitEnd && from != to && !isExcludedFromBalanceLimit[to];
        if (isLimited && balanceOf[to] > maxBalanceLimit) revert BalanceLimitExceeded(balanceOf[to], maxBalanceLimit);
        emit Transfer(from, to, value);
    }
}
