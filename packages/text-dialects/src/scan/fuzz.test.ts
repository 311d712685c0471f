import type { JsonObject, ModelPart } from '@utensil/core';
import { wellFormed } from '@utensil/core/provider';
import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { readCalls, writeCall } from '../model/calls.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { callsIn, cut, merged, partsOf, presetNames, textIn, tools } from '../test-kit/text-model.ts';
import { dialects } from '../dialects/dialects.ts';
import { writeInDialect } from '../write/write-calls.ts';
import { piecesOf } from '../test-kit/hostile.ts';
import { indexTools } from '../read/tool-index.ts';

const shards = [
  '<tool:', '</tool:read_file>', '<param:path>', '</param:path>', '<param:', '</param:', '<use_tool>', '</use_tool>',
  '<name>', '</name>', '<path>', '</path>', '<content>', '</content>', '</content>\n</write_file>', '<![CDATA[', ']]>', ']]',
  '<tool_call>', '</tool_call>', '<function=', '<function=clock>', '</function>', '<parameter=path>', '</parameter>',
  '<|python_tag|>', '<|tool_call_start|>', '<|tool_call_end|>', '[TOOL_CALLS]', '[ARGS]', '[clock()]', '[', ']', '{', '}',
  '^^^', '^^^clock', '\\^^^', '---', '--- path', '--- content', '\\--- content', '\\', '"', "'", '"""', "'''", '```', '```json\n',
  '~~~', '`', '{"tool":"clock","args":{}}', '{"name": "clock", "arguments": {}}', '\n', '\r\n', '\r', '\t', ' ', '<', '</', '>',
  '&lt;', '&', '\u0000', '\u2028', '😀', '\ud83d', '\ude00', 'é', '````', '\n~~~\n', '\n> ', '\n| ', 'null', 'true', '3', '1e5', '=', '(', ')', ',', ':', ';', '%20',
  '<think>', '</think>', '<|im_start|>', '\n<|im_start|>assistant\n', '<|im_end|>\n', 'assistant\n', '<tool_result', '<tool_response', 'Tool result (', 'x', 'read_file', 'todo',
]; // prettier-ignore

/** The delimiters of all dialects, and the openings of calls: in a value, all of them are text. */
const delimiters = [...new Set(Object.values<Dialect>(dialects).flatMap(piecesOf))];

const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...shards) },
      { weight: 2, arbitrary: fc.constantFrom(...delimiters) },
      { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: 'binary' }) },
    ),
    { maxLength: 10 },
  )
  .map((pieces) => pieces.join(''));

const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as never);
const optional = { requiredKeys: [] };

const call = fc.oneof(
  fc.record({ name: fc.constant('write_file'), input: fc.record({ path: text, content: text }) }),
  fc.record({ name: fc.constant('read_file'), input: fc.record({ path: text, limit: fc.integer() }, optional) }),
  fc.record({
    name: fc.constant('search'),
    input: fc.record(
      {
        query: text,
        paths: fc.array(text, { maxLength: 3 }),
        deep: fc.boolean(),
        weight: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0 || 0),
        mode: fc.constantFrom('fast', 'exact'),
        filter: fc.record({ size: fc.integer(), name: text }, optional),
        counts: fc.array(fc.integer(), { maxLength: 3 }),
        any: json,
        maybe: fc.option(text, { nil: null }),
      },
      optional,
    ),
  }),
  fc.constant({ name: 'clock', input: {} }),
) as fc.Arbitrary<{ name: string; input: JsonObject }>;

/**
 * These once had events that depended on where they were cut: the last piece was emitted only if the reader had to
 * wait.
 */
const broken = [
  ['useTool', '<use_tool>\n<name>write_file</name>\n<path></path>\n<content>x</content>\n<'],
  ['useTool', '<use_tool>\n<name>write_file</name>\n<path></path>\n<content><![CDATA[x]]></cont'],
  ['blocks', '<write_file>\n<path></path>\n<content>x</cont'],
  ['xml', '<tool:write_file>\n<param:path></param:path>\n<param:content>x</param:path>\n</tool:write_file>'],
  ['hermes', '<tool_call>\n{"name":"write_file","arguments":{"path":"x" "content":""}}\n</tool_call>'],
  ['mistral', '[TOOL_CALLS]write_file[ARGS]{"path":"x" "content":""}'],
] as const;

/** The arguments of a call as they were streamed. */
function toldOf(parts: readonly ModelPart[], callId: string): string {
  return parts.map((part) => (part.type === 'tool-input-delta' && part.callId === callId ? part.delta : '')).join('');
}

const perRun = 20;
const runs = inject('isLong') ? 100 : 10; // 2,000 calls, or 200

/** Other text looks like some too often: `auto` reads them only for models of their families. */
const isInAuto = ({ inAuto }: Dialect): boolean => inAuto !== false;

describe.each(presetNames)('the dialect %s', (name) => {
  const dialect = dialects[name];

  it('gives any call again that it has written', () => {
    const calls = fc.array(call, { minLength: perRun, maxLength: perRun });
    fc.assert(
      fc.property(calls, (written) => {
        for (const each of written) {
          const [found, ...others] = readCalls(writeCall(each, dialect, { tools }), dialect, tools);
          expect(others).toEqual([]);
          expect(found?.problem).toBeUndefined();
          expect({ name: found?.name, input: found?.input }).toEqual(wellFormed(each)); // no lone surrogate is sent
        }
      }),
      { numRuns: runs },
    );
  });

  it('gives the same parts however the text is cut, down to single characters', async () => {
    const turn = fc.record({
      calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      prose: fc.array(text, { maxLength: 2 }),
      size: fc.integer({ min: 2, max: 30 }),
      end: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(turn, async ({ calls, prose, size, end }) => {
        const whole = [prose[0] ?? '', writeInDialect(dialect, calls, indexTools(tools)), prose[1] ?? ''].join('\n');
        const written = end < 0.5 ? whole : whole.slice(0, Math.ceil(whole.length * end)); // some break off
        for (const given of [name, 'auto'] as const) {
          const parts = merged(await partsOf([written], { dialect: given }));
          expect(merged(await partsOf(cut(written, 1), { dialect: given }))).toEqual(parts);
          expect(merged(await partsOf(cut(written, size), { dialect: given }))).toEqual(parts);
          for (const part of parts) {
            if (part.type !== 'tool-call' || part.invalidInput !== undefined) continue;
            expect(JSON.parse(toldOf(parts, part.callId))).toEqual(part.input);
          }
        }
      }),
      { numRuns: inject('isLong') ? 300 : 20 },
    );
  });

  it('is text in code and quotes, however that is cut', async () => {
    const markup = fc.constantFrom(...piecesOf(dialect).filter((piece) => !/```|~~~/.test(piece)));
    const line = markup.filter((piece) => !/[`\n]/.test(piece));
    const example = fc.oneof(
      fc.array(markup, { minLength: 1, maxLength: 3 }).map((pieces) => `\n\`\`\`text\n${pieces.join('\n')}\n\`\`\`\n`),
      fc.array(markup, { minLength: 1, maxLength: 3 }).map((pieces) => `\n~~~~\n${pieces.join('\n~~~\n')}\n~~~~\n`),
      fc.tuple(fc.constantFrom('>', '|'), line).map(([sign, piece]) => `\n  ${sign} \`${piece}\n`),
      line.map((piece) => ` \`${piece}\` or`),
      line.map((piece) => ` \`\`${piece} \` ${piece}\`\``),
    );
    const prose = fc
      .array(example, { minLength: 1, maxLength: 5 })
      .map((examples) => `For example: ${examples.join('')}`);
    await fc.assert(
      fc.asyncProperty(prose, fc.integer({ min: 2, max: 30 }), async (text, size) => {
        for (const given of [name, 'auto'] as const) {
          for (const chunks of [[text], cut(text, 1), cut(text, size)]) {
            const parts = await partsOf(chunks, { dialect: given });
            expect(callsIn(parts)).toEqual([]);
            expect(textIn(parts)).toBe(text);
          }
        }
      }),
      { numRuns: inject('isLong') ? 300 : 20 },
    );
  });

  it('is recognised by auto, with its prose kept and its markup not', async () => {
    const calls = [
      { name: 'write_file', input: { path: 'a.md', content: 'TODO & FIXME <html>\n  <b>x</b>\n' } },
      { name: 'clock', input: {} },
    ];
    const text = `I will write it.\n\n${writeInDialect(dialect, calls, indexTools(tools))}`;
    const parts = await partsOf(cut(text, 3), isInAuto(dialect) ? {} : { dialect: name });
    expect(callsIn(parts)).toEqual(dialect.after === 'stop' ? calls.slice(0, 1) : calls);
    expect(textIn(parts)).toBe('I will write it.');
  });
});

it.each(broken)('tells as much of a broken call in %s however it is cut: %j', async (dialect, written) => {
  const parts = merged(await partsOf([written], { dialect }));
  expect(parts.map(({ type }) => type)).toEqual(['tool-input-start', 'tool-input-delta', 'tool-call']);
  expect(parts[1]).toHaveProperty('delta', expect.stringContaining('x'));
  for (const size of [1, 2, 3, 7]) expect(merged(await partsOf(cut(written, size), { dialect }))).toEqual(parts);
});
