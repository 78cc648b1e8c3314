// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Token} from "./Token.sol";

interface ITokenFactory {
    function create(uint256 supply, address recipient, bytes32 salt, bytes calldata data) external returns (address);
}

interface IGovernanceFactory {
    function create(address asset, bytes calldata data) external returns (address governance, address timelock);
}

interface IPoolInitializer {
    function initialize(address asset, address numeraire, uint256 amount, bytes32 salt, bytes calldata data)
        external
        returns (address);
}

interface ILiquidityMigrator {
    function initialize(address asset, address numeraire, bytes calldata data) external returns (address);
}

enum ModuleState {
    NotWhitelisted,
    TokenFactory,
    GovernanceFactory,
    PoolInitializer,
    LiquidityMigrator
}

struct CreateParams {
    uint256 initialSupply;
    uint256 numTokensToSell;
    address numeraire;
    address tokenFactory;
    bytes tokenFactoryData;
    address governanceFactory;
    bytes governanceFactoryData;
    address poolInitializer;
    bytes poolInitializerData;
    address liquidityMigrator;
    bytes liquidityMigratorData;
    address integrator;
    bytes32 salt;
}

/// Stands in for the launch contract: the same function, results, event and refusals, but no markets behind them.
contract Airlock {
    error WrongModuleState(address module, ModuleState expected, ModuleState actual);
    error NotTheOwner(address account);

    event Create(address asset, address indexed numeraire, address initializer, address poolOrHook);
    event SetModuleState(address indexed module, ModuleState indexed state);

    address public owner;
    mapping(address module => ModuleState) public getModuleState;

    /// The code is put at a chosen address without its constructor being run, so the first caller becomes the owner.
    function setModuleState(address[] calldata modules, ModuleState[] calldata states) external {
        if (owner == address(0)) owner = msg.sender;
        if (owner != msg.sender) revert NotTheOwner(msg.sender);
        for (uint256 i = 0; i < modules.length; i++) {
            getModuleState[modules[i]] = states[i];
            emit SetModuleState(modules[i], states[i]);
        }
    }

    function create(CreateParams calldata params)
        external
        returns (address asset, address pool, address governance, address timelock, address migrationPool)
    {
        requireState(params.tokenFactory, ModuleState.TokenFactory);
        requireState(params.governanceFactory, ModuleState.GovernanceFactory);
        requireState(params.poolInitializer, ModuleState.PoolInitializer);
        requireState(params.liquidityMigrator, ModuleState.LiquidityMigrator);

        asset = ITokenFactory(params.tokenFactory).create(
            params.initialSupply, address(this), params.salt, params.tokenFactoryData
        );
        (governance, timelock) =
            IGovernanceFactory(params.governanceFactory).create(asset, params.governanceFactoryData);
        Token(asset).approve(params.poolInitializer, params.numTokensToSell);
        pool = IPoolInitializer(params.poolInitializer).initialize(
            asset, params.numeraire, params.numTokensToSell, params.salt, params.poolInitializerData
        );
        migrationPool = ILiquidityMigrator(params.liquidityMigrator).initialize(
            asset, params.numeraire, params.liquidityMigratorData
        );
        Token(asset).transfer(timelock, Token(asset).balanceOf(address(this)));
        emit Create(asset, params.numeraire, params.poolInitializer, pool);
    }

    function requireState(address module, ModuleState expected) private view {
        ModuleState actual = getModuleState[module];
        if (actual != expected) revert WrongModuleState(module, expected, actual);
    }
}
