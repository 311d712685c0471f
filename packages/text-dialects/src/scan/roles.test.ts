import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callsIn, cut, merged, partsOf, textIn } from '../test-kit/text-model.ts';

const lines = [
  '<|im_start|>assistant', '<|im_start|>user', '<|im_end|>', '<|im_end|>\n<|im_start|>assistant', '<|assistant|>', '<|user|>', '<|end|>',
  '<|start_header_id|>assistant<|end_header_id|>', '<|eot_id|>', '<|eot_id|><|start_header_id|>user<|end_header_id|>',
  '<start_of_turn>model', '<end_of_turn>', '<|start_of_role|>assistant<|end_of_role|>', '<|end_of_text|>',
] as const; // prettier-ignore

/** Each is text in the middle of a line, in a fence, in a quote, indented, or no line of a template at all. */
const mentions = [
  'The roles of ChatML are <|im_start|>user, <|im_start|>assistant and so on.',
  'A turn ends with <|im_end|>',
  'A turn ends with <|im_end|>\nand the next one begins.',
  'Write `<|im_start|>assistant` on a line of its own.',
  '```\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n```',
  '~~~jinja\n<start_of_turn>model\n<end_of_turn>\n~~~',
  '> <|im_start|>assistant\n> Hello.',
  '    <|im_start|>assistant',
  'user:\n  name: Ada\nassistant:\n  name: Bob',
  'messages:\n- role: user\n- role: assistant',
  'user:\nWho are you?\n\nassistant:\nA model.',
  'The user: a person.\nThe assistant: a model.',
  'assistant: a model.',
  'assistants\nare models',
  '<|im_start|>narrator\nOnce upon a time.',
  '<|im_start|>assistant says hello',
  'if (a <|b) return <user>1</user>;',
  'let f = xs <| map g |> sum',
  'x <<= 1;\n<assistant>\n</assistant>\n',
] as const;

const plain = fc.constantFrom(
  'Hello.',
  'a <| b',
  '# Model',
  'model = 1',
  '\tx |> y',
  '<b>bold</b>',
  '',
  '- user',
  '`a`',
);

describe('the lines of chat templates', () => {
  it.each(lines)('[S4-12] are taken out where a model writes them: %j', async (line) => {
    for (const size of [1, 3, 1000]) {
      const shown = async (text: string) => textIn(await partsOf(cut(text, size), { dialect: 'hermes' }));
      expect(await shown(`${line}\n\nHello.`)).toBe('Hello.');
      expect(await shown(`Hello.\n${line}\nMore.`)).toBe('Hello.\nMore.');
      expect(await shown(`Hello.\n${line}`)).toBe('Hello.\n');
    }
  });

  it.each(['assistant\n', 'assistant:\n', 'Assistant:\n\n', 'model\n'])(
    '[S4-12] are taken out of the beginning of a turn, where only a name is left of them: %j',
    async (line) => {
      for (const size of [1, 1000]) {
        expect(textIn(await partsOf(cut(`${line}Hello.\n${line}`, size)))).toBe(`Hello.\n${line}`);
        expect(textIn(await partsOf(cut(line, size)))).toBe(line);
        expect(textIn(await partsOf(cut(`${line}  indented: 1`, size)))).toBe(`${line}  indented: 1`);
      }
    },
  );

  it('[S4-12] are taken out where a turn ends in the middle of a line and another begins', async () => {
    const text = 'Hello.<|im_end|>\n<|im_start|>user\nThanks!<|im_end|><|im_start|>assistant\nNot at all.';
    for (const size of [1, 7, 1000]) {
      expect(textIn(await partsOf(cut(text, size)))).toBe('Hello.Thanks!Not at all.');
    }
  });

  it('[S4-12] stay in the arguments of calls, and let thoughts and calls behind them be', async () => {
    const content = 'a\n<|im_start|>assistant\nb<|im_end|>\n';
    const call = JSON.stringify({ name: 'write_file', arguments: { path: 'a', content } });
    const xml = `<tool:write_file>\n<param:path>a</param:path>\n<param:content>${content}</param:content>\n</tool:write_file>`;
    for (const written of [`<tool_call>${call}</tool_call>`, xml]) {
      const text = `<|im_start|>assistant\n<think>Hm.</think>\n${written}\n<|im_end|>`;
      const parts = merged(await partsOf(cut(text, 2)));
      expect(callsIn(parts)).toEqual([{ name: 'write_file', input: { path: 'a', content } }]);
      expect(parts[0]).toEqual({ type: 'reasoning-delta', text: 'Hm.' });
      expect(textIn(parts)).toBe('');
    }
  });

  it('[S4-12] are kept in prose and code that mentions them, to the character', async () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...mentions), plain), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 40 }), async (pieces, size) => {
        const whole = pieces.join('\n\n');
        expect(textIn(await partsOf(cut(whole, size), { dialect: 'hermes' }))).toBe(whole);
        expect(textIn(await partsOf([whole]))).toBe(whole);
      }),
      { numRuns: 300 },
    );
  });

  it('[S4-12] are taken out however the text is cut, and nothing else is', async () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...lines), plain), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 12 }), async (pieces, size) => {
        const parts = merged(await partsOf(cut(pieces.join('\n'), size), { dialect: 'hermes' }));
        expect(merged(await partsOf([pieces.join('\n')], { dialect: 'hermes' }))).toEqual(parts);
        const isRole = (piece: string): boolean => lines.some((line) => line === piece);
        const kept = pieces.filter((piece) => piece !== '' && !isRole(piece));
        expect(
          textIn(parts)
            .split('\n')
            .filter((each) => each !== ''),
        ).toEqual(kept);
      }),
      { numRuns: 300 },
    );
  });

  it('stay where they are asked to', async () => {
    const text = 'assistant\nHello.\n<|im_end|>\n<|im_start|>user\n';
    expect(textIn(await partsOf(cut(text, 2), { options: { keepRoles: true } }))).toBe(text);
  });
});
