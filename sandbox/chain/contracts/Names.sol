// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

/// What a name's owner has set, and who resolves it (ENSIP-1). Stands for the registries of ENS and of Basenames.
contract NameRegistry {
    mapping(bytes32 node => address) public owner;
    mapping(bytes32 node => address) public resolver;

    /// The code is put at a chosen address without its constructor being run.
    function claimRoot() external {
        require(owner[0] == address(0), "claimed");
        owner[0] = msg.sender;
    }

    function setSubnodeRecord(bytes32 node, bytes32 label, address owner_, address resolver_, uint64) external {
        require(owner[node] == msg.sender, "not the owner");
        bytes32 subnode = keccak256(abi.encodePacked(node, label));
        owner[subnode] = owner_;
        resolver[subnode] = resolver_;
    }
}

/// Addresses by the coin's number (ENSIP-9, ENSIP-11).
contract NameResolver {
    uint256 constant ether_ = 60;

    NameRegistry public registry;
    mapping(bytes32 node => mapping(uint256 coin => bytes)) addresses;

    function setRegistry(NameRegistry registry_) external {
        require(address(registry) == address(0), "set");
        registry = registry_;
    }

    function setAddr(bytes32 node, uint256 coin, bytes calldata to) external {
        require(registry.owner(node) == msg.sender, "not the owner");
        require(to.length == 0 || to.length == 20, "no account");
        addresses[node][coin] = to;
    }

    function addr(bytes32 node, uint256 coin) external view returns (bytes memory) {
        return addresses[node][coin];
    }

    function addr(bytes32 node) external view returns (address) {
        bytes memory to = addresses[node][ether_];
        return to.length == 0 ? address(0) : address(bytes20(to));
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x3b3b57de || id == 0xf1cb7e06;
    }
}

/// Resolves from a server off the chain (ERC-3668), for itself and all names below it (ENSIP-10).
contract OffchainNameResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    function resolve(bytes calldata, bytes calldata data) external view returns (bytes memory) {
        string[] memory urls = new string[](1);
        urls[0] = "https://names.example/{sender}/{data}";
        revert OffchainLookup(address(this), urls, data, this.supportsInterface.selector, data);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }
}

/// Finds a name's resolver and asks it (ENSIP-23), refusing what the real one refuses.
contract UniversalResolver {
    error ResolverNotFound(bytes name);
    error ResolverNotContract(bytes name, address resolver);
    error UnsupportedResolverProfile(bytes4 selector);
    error ResolverError(bytes errorData);
    error DNSDecodingFailed(bytes dns);

    bytes4 constant offchainLookup = 0x556f1830;
    bytes4 constant extended = 0x9061b923;

    NameRegistry public registry;

    function setRegistry(NameRegistry registry_) external {
        require(address(registry) == address(0), "set");
        registry = registry_;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory, address) {
        (bytes32 node, address resolver, bool isExact) = find(name, 0);
        if (resolver == address(0)) revert ResolverNotFound(name);
        if (resolver.code.length == 0) revert ResolverNotContract(name, resolver);
        // Stricter than the real one: a caller that asks about another name is at fault.
        require(data.length >= 36 && bytes32(data[4:36]) == node, "another name");
        bool isExtended = OffchainNameResolver(resolver).supportsInterface(extended);
        if (!isExtended && !isExact) revert ResolverNotFound(name);
        (bool done, bytes memory result) =
            resolver.staticcall(isExtended ? abi.encodeCall(OffchainNameResolver.resolve, (name, data)) : data);
        if (done && result.length > 0) return (isExtended ? abi.decode(result, (bytes)) : result, resolver);
        if (result.length == 0) revert UnsupportedResolverProfile(bytes4(data));
        if (bytes4(result) != offchainLookup) revert ResolverError(result);
        assembly ("memory-safe") {
            revert(add(result, 32), mload(result))
        }
    }

    /// The resolver of the name from `at` on, or else that of the nearest name above it.
    function find(bytes calldata name, uint256 at) internal view returns (bytes32 node, address resolver, bool isExact) {
        if (at >= name.length) revert DNSDecodingFailed(name);
        uint256 length = uint8(name[at]);
        if (length == 0) {
            if (at + 1 != name.length) revert DNSDecodingFailed(name);
            return (0, address(0), false);
        }
        if (at + 1 + length > name.length) revert DNSDecodingFailed(name);
        (bytes32 parent, address above,) = find(name, at + 1 + length);
        node = keccak256(abi.encodePacked(parent, keccak256(name[at + 1:at + 1 + length])));
        resolver = registry.resolver(node);
        isExact = resolver != address(0);
        if (!isExact) resolver = above;
    }
}
