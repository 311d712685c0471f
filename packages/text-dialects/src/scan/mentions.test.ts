import { describe, expect, it } from 'vitest';
import { callsIn, cut, merged, partsOf, textIn } from '../test-kit/text-model.ts';

// Prose and code that mentions the markup of calls, with the names of existing tools, and calls nothing.

const fence = (label: string, code: string): string => `Like this:\n\n\`\`\`${label}\n${code}\n\`\`\`\n\nThat is all.`;

const hermes = '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
const qwen = '<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>';
const xml = '<tool:read_file>\n<param:path>a.txt</param:path>\n</tool:read_file>';
const caret = '^^^read_file\npath: a.txt\n^^^';
const useTool = '<use_tool>\n<name>read_file</name>\n<path>a.txt</path>\n</use_tool>';
const blocks = '<read_file>\n<path>a.txt</path>\n</read_file>';
const json = '{"tool": "read_file", "args": {"path": "a.txt"}}';
const llama = '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.txt"}}';
const mistral = '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a.txt"}}]';
const pythonic = "[read_file(path='a.txt')]";
const lfm = '<|tool_call_start|>[read_file(path="a.txt")]<|tool_call_end|>';
const forms = { hermes, qwen, xml, caret, useTool, blocks, json, llama, mistral, pythonic, lfm };

const spoken = [
  'Use the <tool_call> tag to call a tool, and close it with </tool_call>.',
  'The tags <tool_call> and <tool_response> come from Hermes.',
  'A call begins with `<tool_call>` and ends with `</tool_call>`; in between is JSON.',
  'Qwen3-Coder writes <function=name> inside of <tool_call>, and <parameter=key> for each argument.',
  'In the XML syntax, <tool:name> opens a call, <param:key> a parameter.',
  'I used <tool:read_file> before, and it worked.',
  'The element <read_file> has a child <path>.',
  'The tag <search> is used for queries, as in <search>cats</search>.',
  'HTML has a <search> element: <search><form action="/q"></form></search>.',
  '<search> was added to HTML in 2023.',
  '<clock> is no element of HTML.',
  'Llama emits <|python_tag|> before code, such as <|python_tag|>print(1).',
  'Mistral puts [TOOL_CALLS] before the calls and [TOOL_RESULTS] around results.',
  'The marker [TOOL_CALLS] is followed by a list, [ARGS] by an object.',
  'The fence ^^^ is used in caret syntax: ^^^read_file and so on.',
  'error: expected `;`\n  |\n3 | let x = 1\n  |         ^^^ help: add `;` here',
  'let y = foo(bar);\n        ^^^\nfoo is not defined',
  '^^^\nThat is where the error is.',
  '^^^ this is the column',
  'See [read_file](docs/read_file.md) for the options.',
  '[read_file()](docs.md) reads a file.',
  '[read_file(path)](docs.md) reads a file, [search(query)](docs.md) finds one.',
  'Call read_file(path="a.txt") and then clock().',
  'In Python: data = [read_file(path="a.txt"), clock()]',
  'The array [clock, read_file, search] names three tools.',
  'Arguments are given as {"path": "a.txt"}.',
  'The tool is described by {"name": "read_file", "description": "Reads a file."}.',
  '{"name": "read_file", "description": "Reads a file.", "parameters": {"type": "object"}}',
  '{"name": "clock", "version": "1.0.0", "dependencies": {}}',
  '{"name": "Ada", "arguments": {"for": ["yes"]}}',
  '{"title": "Notes", "arguments": {"path": "a.txt"}}',
  '{"tool": "read_file", "args": []}',
  '{"tool": "read_file", "args": "a.txt"}',
  '{"tool": "read_file"}',
  '{"type": "object", "properties": {"name": {"type": "string"}}}',
  '[{"name": "Ada"}, {"name": "Grace"}]',
  'An OpenAI call has "function": {"name": "read_file", "arguments": "{}"}.',
  'Templates use {name} and {{name}}, JSON uses {"name": …}.',
  'He wrote {"tool": and stopped.',
  'const call = { tool: "read_file", args: { path } };',
  'The old format was <use_tool> with <name> inside.',
  '<use_tool> is the tag; <name>read_file</name> comes first in it.',
  '</tool_call> without an opening tag means nothing.',
  '</tool:read_file> closes a call in the XML syntax.',
  'Write `{"tool": "read_file", "args": {"path": "a.txt"}}` on a line of its own.',
  'Write ``<tool_call>{"name": "clock", "arguments": {}}</tool_call>`` to see the time.',
  'a < b && c > d, and x <= y; List<tool> items = new List<tool>();',
  'if (a <tool_call> b) is no valid code.',
  'Thoughts stand between <think> and </think>.',
  'Tool result (read_file): this is how results begin.',
  '| syntax | example |\n| --- | --- |\n| Hermes | `<tool_call>{"name": "clock", "arguments": {}}</tool_call>` |',
  '| XML | `<tool:clock></tool:clock>` |',
  '- `<tool:read_file>`: reads a file\n- `<tool:search>`: finds one',
  '1. `^^^read_file`\n2. `path: a.txt`\n3. `^^^`',
  '<details><summary>clock</summary>12:00</details>',
  '<path>a.txt</path> is the parameter.',
  '<param:path>a.txt</param:path> stands inside of a call.',
  '<parameter=path> stands inside of <function=read_file>.',
  '<invoke name="read_file"> belongs to another vendor.',
  'The regex /<tool_call>(.*?)<\\/tool_call>/s matches it.',
  'print("<tool_call>")',
  "raise ValueError('[TOOL_CALLS] expected')",
];

const labels = ['xml', 'text', 'python', 'html', 'markdown'];

const clear: readonly string[] = [
  ...spoken,
  ...Object.values(forms).flatMap((form) => labels.map((label) => fence(label, form))),
  ...Object.values(forms).map((form) =>
    form
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  ),
  ...Object.values(forms)
    .filter((form) => !form.includes('\n'))
    .map((form) => `It writes \`${form}\` then.`),
  ...Object.values(forms).map((form) => `~~~~\n${form}\n\`\`\`\n~~~~\n`),
];

/** Examples that look exactly like calls: nothing in the text shows that they are not. */
const unclear: readonly string[] = [
  ...Object.values(forms).map((form) => `An example of the syntax follows.\n\n${form}\n\nThat was it.`),
  ...['', 'json'].map((label) => fence(label, json)),
  '{"name": "read_file", "parameters": {"type": "object", "properties": {}}}',
];

describe('text that mentions calls', () => {
  it('makes no call, and is kept to the character', async () => {
    for (const text of clear) {
      for (const size of [text.length, 1]) {
        const parts = await partsOf(cut(text, size));
        expect(callsIn(parts)).toEqual([]);
        expect(textIn(parts)).toBe(text);
      }
    }
  });

  it('is taken for calls in no more than the documented share of cases', async () => {
    const mistaken: string[] = [];
    const run: string[] = [];
    for (const text of [...clear, ...unclear]) {
      const calls = callsIn(await partsOf([text]));
      if (calls.length > 0) mistaken.push(text);
      if (calls.some(({ invalidInput }) => invalidInput === undefined)) run.push(text);
    }
    const total = clear.length + unclear.length;
    const rate = (mistaken.length / total) * 100;
    // oxlint-disable-next-line no-console -- the README has the figure from here
    console.log(
      `auto: ${mistaken.length} of ${total} mentions are taken for calls (${rate.toFixed(1)} %), ${run.length} of them run`,
    );
    expect(mistaken.every((text) => unclear.includes(text))).toBe(true);
    expect(rate).toBeLessThanOrEqual(1.3); // as the README says
    expect(run).toEqual([]);
  });

  it('is told from calls that really are some', async () => {
    const missed: string[] = [];
    for (const form of Object.values(forms)) {
      for (const text of [form, `I will read it.\n\n${form}`, `\n\n${form}\n`, `Reading \`a.txt\`:\n${form}`]) {
        const calls = callsIn(merged(await partsOf(cut(text, 5))));
        if (JSON.stringify(calls) !== '[{"name":"read_file","input":{"path":"a.txt"}}]') missed.push(text);
      }
    }
    expect(missed).toEqual([]);
  });
});
