import { runTool, textOf } from '@utensil/core';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import { loopback } from '@utensil/tooling-loopback';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf } from './media.ts';
import { openLinkTool } from './open-link.ts';
import { readTranscript } from './transcript.ts';

const vtt =
  'WEBVTT\nKind: captions\n\nNOTE hello\nworld\n\n00:01.500 --> 00:02.000 align:start\n<c.x>Hello</c> &amp;\nwelcome\n\n01:00:02.000 --> 01:00:03.000\nwelcome\nbye\n';
const srt =
  '1\r\n00:00:01,500 --> 00:00:02,000\r\nHello &amp;\r\nwelcome\r\n\r\n2\r\n01:00:02,000 --> 01:00:03,000\r\nbye\r\n';
const xml =
  '<?xml version="1.0"?><transcript><text start="1.5" dur="1">Hello &amp;amp;</text><text start="1.6">welcome</text><text start="3602">bye</text></transcript>';
const timed =
  '<timedtext format="3"><body><p t="1500" d="9"><s>Hello</s><s> &amp;</s></p><p t="1600">welcome</p><p t="3602000">bye</p></body></timedtext>';
const json = JSON.stringify({
  wireMagic: 'pb3',
  events: [
    { tStartMs: 0 },
    { tStartMs: 1_500, segs: [{ utf8: 'Hello' }, { utf8: ' &' }] },
    { tStartMs: 1_600, segs: [{ utf8: 'welcome' }] },
    { tStartMs: 1_700, segs: [{ utf8: '\n' }] },
    { tStartMs: 3_602_000, segs: [{ utf8: 'bye' }] },
  ],
});

describe('subtitles', () => {
  it.each([
    ['WebVTT', vtt],
    ['SubRip', srt],
    ['timed text', xml],
    ['timed text, the third', timed],
    ['timed text as JSON', json],
  ])('are what is said, each line once: %s', (_, source) => {
    expect(readTranscript(source)).toBe('Hello & welcome bye');
    expect(readTranscript(source, { timestamps: true })).toBe('[0:01] Hello &\n[0:01] welcome\n[1:00:02] bye');
  });

  it.each([
    ['text/vtt', 'https://example.com/', 'x', 'transcript'],
    ['application/x-subrip', 'https://example.com/', 'x', 'transcript'],
    ['text/plain', 'https://example.com/a.SRT?b=c', 'x', 'transcript'],
    ['application/octet-stream', 'https://example.com/', vtt, 'transcript'],
    ['text/xml; charset=utf-8', 'https://example.com/', timed, 'transcript'],
    ['application/json', 'https://example.com/', json, 'transcript'],
    ['text/plain', 'https://example.com/srt', 'WEB', 'text'],
    ['application/json', 'https://example.com/', '{"events": []}', 'text'],
  ])('are known by type, name or beginning: %s %s', (contentType, url, text, kind) => {
    expect(kindOf({ contentType, url, bytes: new TextEncoder().encode(text) })).toBe(kind);
  });

  it('are left unchanged if they say nothing', () => {
    for (const source of ['', 'WEBVTT', '{"events": 1}', '{', '<text ', '<timedtext></text>'])
      expect(readTranscript(source)).toBe(source);
  });

  it('end, whatever they are', () => {
    const hostile = [
      '<text '.repeat(100_000),
      `WEBVTT\n${'00:01.000 --> \n<'.repeat(50_000)}`,
      '</p>'.repeat(100_000),
      `00:01.0 -->\n${'<'.repeat(500_000)}`,
    ];
    for (const source of hostile) expect(readTranscript(source).length).toBeLessThanOrEqual(source.length);
    const piece = fc.constantFrom(
      'WEBVTT',
      '\n',
      '\n\n',
      '00:01.000 --> 00:02.000',
      '<text start="1">',
      '</text>',
      '<p t="x">',
      '{"events":[',
      '{"segs":[{}]}',
      ']}',
      '&amp;',
      'a',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, timestamps) => {
        expect(readTranscript(pieces.join(''), { timestamps })).not.toMatch(/NaN|undefined/);
      }),
    );
  });
});

it('[S4-23] of a page that is given, or of a file, are read as what is said, and when', async () => {
  const page = `<title>A film</title><p>A film about bread.</p><script>{"captionTracks":[{"baseUrl":"/timedtext?lang=en","name":{"simpleText":"English"}}]}</script>`;
  const replies: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {
    '/watch': { type: 'text/html', body: page },
    '/timedtext': { type: 'text/xml', body: xml },
    '/a.vtt': { type: 'text/vtt', body: vtt },
    '/a.srt': { type: 'text/plain', body: srt },
  };
  const server = await loopback(({ path }) => {
    const { type, body } = replies[path.split('?')[0] ?? ''] ?? { type: 'text/plain', body: '' };
    return { headers: { 'content-type': type }, body };
  });
  const { host } = new URL(server.url);
  const fetch = guardedFetch({ allowPrivate: [host] });
  const see = async (path: string, timestamps = false): Promise<string> =>
    textOf((await runTool(openLinkTool, { url: `${server.url}${path}`, timestamps }, { host: { fetch } })).modelParts);
  expect(await see('/watch?v=1')).toContain(
    `[Subtitles (open them with open_link): English ${server.url}/timedtext?lang=en]\n\nA film about bread.`,
  );
  for (const path of ['/timedtext?lang=en', '/a.vtt', '/a.srt']) {
    expect(await see(path)).toMatch(/\n\nHello & welcome bye$/);
    expect(await see(path, true)).toMatch(/\n\n\[0:01\] Hello &\n\[0:01\] welcome\n\[1:00:02\] bye$/);
  }
  await server.close();
});
