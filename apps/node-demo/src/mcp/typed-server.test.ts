import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownWords, splitWords, typedServer } from './typed-server.ts';

describe('a server that is typed', () => {
  it.each<[string, object]>([
    ['docs https://mcp.example/mcp', { name: 'docs', entry: { type: 'http', url: 'https://mcp.example/mcp' } }],
    ['memory npx -y server', { name: 'memory', entry: { command: 'npx', args: ['-y', 'server'] } }],
    [
      'files node "my server.js" \'/a b\' c\\ d',
      { name: 'files', entry: { command: 'node', args: ['my server.js', '/a b', 'c d'] } },
    ],
    [
      'github GITHUB_TOKEN=${GITHUB_TOKEN} LEVEL=2 npx server A=b',
      {
        name: 'github',
        entry: { command: 'npx', args: ['server', 'A=b'], env: { GITHUB_TOKEN: '${GITHUB_TOKEN}', LEVEL: '2' } },
      },
    ],
  ])('%s', (text, server) => {
    expect(typedServer(text)).toEqual(server);
  });

  it.each([
    ['', 'Give a name'],
    ['memory', 'Give a name'],
    ['../x npx server', 'A name has letters'],
    ['x https://mcp.example a', 'An address stands alone'],
    ['x https://', 'The address is not valid'],
    ['x https://ada:hunter2@mcp.example', 'has a password in it'],
    ['x https://mcp.example?api_key=hunter2', 'looks like a secret'],
    ['x API_TOKEN=hunter2 npx server', 'type API_TOKEN=${API_TOKEN}'],
    ['x A=b', 'There is no command'],
    ['x npx "server', 'A quote is not closed'],
  ])('is rejected with a reason that repeats no value: %s', (text, problem) => {
    const read = () => typedServer(text);
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_input', message: expect.stringContaining(problem) }));
    expect(read).not.toThrow('hunter2');
  });

  it('is shown as it can be typed again', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~]+$/), { minLength: 1 }), (words) => {
        expect(splitWords(shownWords(words))).toEqual(words);
      }),
    );
  });
});
