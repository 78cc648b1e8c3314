// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {Token} from "./Token.sol";

interface ITokenFactory {
    function create(uint256 supply, address recipient, address owner, bytes32 salt, bytes calldata data)
        external
        returns (address);
}

interface IGovernanceFactory {
    function create(address asset, bytes calldata data) external returns (address governance, address timelock);
}

interface IPoolInitializer {
    event Create(address indexed poolOrHook, address indexed asset, address indexed numeraire);

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

/// Stands in for the launch contract: the same functions, results, events, transfers and refusals, but nothing
/// graduates.
contract Airlock {
    error WrongModuleState(address module, ModuleState expected, ModuleState actual);
    error ArrayLengthsMismatch();
    error OwnableUnauthorizedAccount(address account);

    event Create(address asset, address indexed numeraire, address initializer, address poolOrHook);
    event SetModuleState(address indexed module, ModuleState indexed state);

    struct AssetData {
        address numeraire;
        address timelock;
        address governance;
        address liquidityMigrator;
        address poolInitializer;
        address pool;
        address migrationPool;
        uint256 numTokensToSell;
        uint256 totalSupply;
        address integrator;
    }

    /// Who gets the protocol's share of the fees.
    address public owner;
    mapping(address module => ModuleState) public getModuleState;
    mapping(address asset => AssetData) public getAssetData;

    /// The code is put at a chosen address without its constructor being run, so the first caller becomes the owner.
    modifier onlyOwner() {
        if (owner == address(0)) owner = msg.sender;
        if (owner != msg.sender) revert OwnableUnauthorizedAccount(msg.sender);
        _;
    }

    function transferOwnership(address newOwner) external onlyOwner {
        owner = newOwner;
    }

    function setModuleState(address[] calldata modules, ModuleState[] calldata states) external onlyOwner {
        if (modules.length != states.length) revert ArrayLengthsMismatch();
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
            params.initialSupply, address(this), address(this), params.salt, params.tokenFactoryData
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
        handOver(asset, timelock);

        AssetData storage stored = getAssetData[asset];
        stored.numeraire = params.numeraire;
        stored.timelock = timelock;
        stored.governance = governance;
        stored.liquidityMigrator = params.liquidityMigrator;
        stored.poolInitializer = params.poolInitializer;
        stored.pool = pool;
        stored.migrationPool = migrationPool;
        stored.numTokensToSell = params.numTokensToSell;
        stored.totalSupply = params.initialSupply;
        stored.integrator = params.integrator == address(0) ? owner : params.integrator;
        emit Create(asset, params.numeraire, params.poolInitializer, pool);
    }

    /// Gives the timelock whatever neither vests nor is in the pool.
    function handOver(address asset, address timelock) private {
        uint256 rest = Token(asset).balanceOf(address(this));
        if (rest == 0) return;
        try Token(asset).transfer(timelock, rest) {}
        catch {
            revert("TRANSFER_FAILED");
        }
    }

    function requireState(address module, ModuleState expected) private view {
        ModuleState actual = getModuleState[module];
        if (actual != expected) revert WrongModuleState(module, expected, actual);
    }
}
