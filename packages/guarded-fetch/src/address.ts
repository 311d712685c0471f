import ipaddr from 'ipaddr.js';

type Network = [address: ipaddr.IPv6, bits: number];

/** The allocated unicast range of IPv6: addresses outside it are special or unassigned. */
const globalUnicast: Network = /* @__PURE__ */ network('2000::', 3);

/** NAT64 prefix. IPv6-only networks embed an IPv4 address in it, and a router forwards to that. */
const nat64: Network = /* @__PURE__ */ network('64:ff9b::', 96);

/** A public address at which Azure serves a machine its secrets. */
const azurePlatform = '168.63.129.16';

/** True for an address of the public internet, in any notation: not private, local, special or reserved. */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublicIpv4(ipaddr.IPv4.parse(address));
  if (!ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.zoneId !== undefined) return false;
  if (parsed.match(nat64)) return isPublicIpv4(new ipaddr.IPv4(parsed.toByteArray().slice(12)));
  return parsed.range() === 'unicast' && parsed.match(globalUnicast);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== azurePlatform;
}

function network(address: string, bits: number): Network {
  return [ipaddr.IPv6.parse(address), bits];
}
