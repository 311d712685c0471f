import { expect, it } from 'vitest';
import { isLoopbackHost, isPrivateHost } from './private-host.ts';

it('tells this machine, its network and the internet apart, as a browser does by the name alone', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
    expect([host, isLoopbackHost(host), isPrivateHost(host)]).toEqual([host, true, true]);
  for (const host of [
    '10.0.0.1',
    '192.168.1.5',
    '172.16.0.1',
    '172.31.0.1',
    '169.254.0.1',
    'nas.local',
    '[fd00::1]',
    '[fe80::1]',
  ])
    expect([host, isLoopbackHost(host), isPrivateHost(host)]).toEqual([host, false, true]);
  for (const host of [
    'example.com',
    'nas',
    '172.32.0.1',
    '192.0.2.1',
    '10.example.com',
    'local',
    'localhost.example',
    '[2001:db8::1]',
  ])
    expect([host, isLoopbackHost(host), isPrivateHost(host)]).toEqual([host, false, false]);
});
