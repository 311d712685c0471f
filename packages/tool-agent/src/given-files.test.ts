import { textOf } from '@utensil/core';
import type { JsonObject } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { newFiles, answerOf } from './test-kit/agents.ts';

describe('what an agent is given', () => {
  const withFiles = async () => {
    const files = newFiles();
    await files.write('/a.md', 'the text');
    await files.write('/long.md', 'x'.repeat(60_000));
    await files.write('/share/b.md', 'shared');
    await files.write('/dot.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]));
    await files.write('/memo.mp3', 'ID3\u0004\0a');
    return files;
  };

  it('[S0-63] is files as text, attached, or among its own', async () => {
    const files = await withFiles();
    const partsOf = async (input: JsonObject) => {
      const { played, output } = await answerOf([{ text: 'Done.' }], { files }, input);
      return { parts: played.inner.requests[0]?.messages[0]?.parts ?? [], agent: String(output['agent']) };
    };
    const text = await partsOf({ files: ['/a.md', '/a.md', '/share/../long.md'] });
    expect(textOf(text.parts)).toMatch(
      /^Do it\.\n\n<file path="\/a\.md">\nthe text\n<\/file>\n\n<file path="\/long\.md">\nx{50000}\n\[… 10000 characters omitted …\]\n<\/file>$/,
    );
    const attached = await partsOf({ files: ['/dot.png', '/a.md'], files_as: 'attached' });
    expect(attached.parts.slice(1)).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoBAg==' },
      { type: 'file', mediaType: 'text/plain', name: 'a.md', data: btoa('the text') },
    ]);
    const heard = await partsOf({ files: ['/memo.mp3'], files_as: 'attached' });
    expect(heard.parts.slice(1)).toEqual([
      { type: 'audio', mediaType: 'audio/mpeg', name: 'memo.mp3', data: btoa('ID3\u0004\0a') },
    ]);
    const copied = await partsOf({ files: ['/a.md', '/dot.png', '/share/b.md'], files_as: 'copy' });
    expect(textOf(copied.parts)).toBe('Do it.\n\nAmong your files are:\n- /a.md\n- /dot.png\n- /share/b.md');
    expect((await files.readText(`/minions/${copied.agent}/a.md`)).text).toBe('the text');
    expect((await files.read(`/minions/${copied.agent}/dot.png`)).size).toBe(10);
    expect(await files.stat(`/minions/${copied.agent}/share`)).toBeUndefined();
  });

  it('[S0-63] says which file is not there, or is not text, before the agent begins', async () => {
    const files = await withFiles();
    for (const [input, message] of [
      [{ files: ['/gone.md'] }, '/gone.md'],
      [{ files: ['/dot.png'] }, '/dot.png'],
      [{ files: ['gone'] }, 'gone'],
    ] as const) {
      const { read, part, played } = await answerOf([], { files }, input);
      expect(read).toContain(message);
      expect(part.isError).toBe(true);
      expect(played.inner.requests).toEqual([]);
    }
  });

  it('is a task', async () => {
    const { read } = await answerOf([], {}, { task: ' ' });
    expect(read).toBe('Tool execution failed: Say in "task" what the agent must do.');
  });
});
