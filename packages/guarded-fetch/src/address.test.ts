import { BlockList } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isPublicAddress } from './address.ts';
import { createRules, parseUrl } from './rules.ts';

it.each([
  ['this network', '0.0.0.0', '0.1.2.3'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ['shared by a provider', '100.64.0.0', '100.127.255.255', '100.100.100.200'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255', '::1'],
  ['link-local', '169.254.0.0', '169.254.169.254', '169.254.170.2', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  ['special', '192.0.0.1', '192.0.0.192', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ['for documents', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  ['for measurements', '198.18.0.1', '198.19.255.255', '2001:2::1'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['reserved', '240.0.0.1', '255.255.255.255', '4000::1', 'e000::1', '1::1'],
  ['of a cloud, to a machine', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'],
  ['unspecified', '::'],
  ['unique local', 'fc00::1', 'fdff:ffff::1'],
  ['site-local', 'fec0::1'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::ffff:0:127.0.0.1'],
  ['IPv4-compatible', '::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  ['NAT64 of a private one', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::a83f:8110', '64:ff9b:1::8.8.8.8'],
  ['6to4', '2002:7f00:1::', '2002:808:808::1'],
  ['Teredo', '2001::1', '2001:0:7f00:1::'],
  ['ORCHID', '2001:10::1', '2001:20::1'],
  ['discard', '100::1', '5f00::1'],
  [
    'none',
    '',
    'localhost',
    '1.2.3',
    '010.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '256.1.1.1',
    '8.8.8.8 ',
    '[::1]',
    '2606:4700::%1',
  ],
])('takes no address for public that is %s', (_, ...addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});

it('takes the addresses around those ranges for public', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
  ];
  addresses.push('128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255');
  addresses.push('192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '168.63.129.15');
  addresses.push('2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '64:ff9b::8.8.8.8');
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([]);
});

const ranges: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];

const toNumber = (address: string): number => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0);
const bytesOf = (value: number): number[] => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256);

/** A number as URLs take it: decimal, octal, or hexadecimal, with zeros in front. */
function notation(value: number): fc.Arbitrary<string> {
  const zeros = fc.nat({ max: 3 }).map((count) => '0'.repeat(count));
  const hexadecimal = fc.tuple(fc.constantFrom('0x', '0X'), zeros).map(([x, zeros]) => x + zeros + value.toString(16));
  return fc.oneof(
    fc.constant(String(value)),
    zeros.map((zeros) => `0${zeros}${value.toString(8)}`),
    hexadecimal,
  );
}

/** An address in one to four parts, each in a notation of its own. */
function written(value: number): fc.Arbitrary<string> {
  const bytes = bytesOf(value);
  return fc
    .integer({ min: 1, max: 4 })
    .map((count) => [...bytes.slice(0, count - 1), value % 256 ** (5 - count)])
    .chain((parts) => fc.tuple(...parts.map(notation)))
    .chain((parts) => fc.constantFrom('', '.').map((dot) => parts.join('.') + dot));
}

const disguises: readonly ((host: string) => string)[] = [
  (host) => host,
  (host) => host.replaceAll('.', '。'),
  (host) => host.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (host) => host.replaceAll(/[0-9]/g, (digit) => `%3${digit}`),
];

const mapped = (value: number): string[] => {
  const [a = '', b = ''] = [Math.floor(value / 65_536), value % 65_536].map((half) => half.toString(16));
  return [
    `[::ffff:${a}:${b}]`,
    `[::${a}:${b}]`,
    `[64:ff9b::${a}:${b}]`,
    `[2002:${a}:${b}::1]`,
    `[0:0:0:0:0:ffff:${a}:${b}]`,
  ];
};

const privateHost = fc
  .constantFrom(...ranges)
  .chain(([network, bits]) => fc.nat({ max: 2 ** (32 - bits) - 1 }).map((offset) => toNumber(network) + offset))
  .chain((value) => {
    const ipv4 = fc.tuple(written(value), fc.constantFrom(...disguises)).map(([host, disguise]) => disguise(host));
    return fc.oneof({ arbitrary: ipv4, weight: 4 }, fc.constantFrom(...mapped(value)));
  });

it('refuses every private IPv4 address in every notation that a URL can have', () => {
  const { check } = createRules({});
  fc.assert(
    fc.property(privateHost, fc.constantFrom('http', 'https', 'HTTP'), (host, scheme) => {
      const url = parseUrl(`${scheme}://${host}/`);
      expect(() => check(url)).toThrow(expect.objectContaining({ code: 'fetch_blocked' }));
    }),
    { numRuns: 2000 },
  );
});

it('agrees with the lists of Node.js about which IPv4 addresses are private', () => {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits);
  for (const network of ['192.0.0.0', '192.0.2.0', '192.88.99.0', '198.51.100.0', '203.0.113.0'])
    list.addSubnet(network, 24);
  for (const network of ['192.31.196.0', '192.52.193.0', '192.175.48.0']) list.addSubnet(network, 24);
  list.addAddress('168.63.129.16');
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isPublicAddress(address)).toBe(!list.check(address));
    }),
    { numRuns: 2000 },
  );
});
