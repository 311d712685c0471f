import { createFiles } from '@utensil/core';
import { readOnly } from '@utensil/core/files';
import { toolSuite } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { frontMatterOf } from './front-matter.ts';
import { listSkillsTool, readSkillTool } from './skill-tools.ts';
import { call, createApp, shown } from './test-kit/notes.ts';

const tools = [listSkillsTool, readSkillTool];

const poem = '---\nname: poem\ndescription: How to rhyme.\n---\n\nRhyme well.\n';

async function withSkills() {
  const files = createFiles(memoryStorage());
  await files.write('/skills/poem/SKILL.md', poem);
  await files.write('/skills/poem/forms/sonnet.md', '14 lines.');
  await files.write('/skills/poem/logo.png', new Uint8Array([0, 255, 0]));
  await files.write('/skills/plain/SKILL.md', 'No front matter.');
  await files.write('/skills/empty/README.md', 'No skill.');
  await files.write('/skills/broken/SKILL.md', new Uint8Array([0, 255, 0]));
  await files.write('/skills/SKILL.md', 'Not in a directory.');
  await files.write('/secret.md', 'A secret.');
  return files;
}

describe('skills', () => {
  it('[S2-37] are listed by name and description, read whole, and their files with them', async () => {
    const { chat } = createApp(tools, { host: { files: readOnly(await withSkills()) } });
    const read = (name: string, file?: string) => call('read_skill', { name, ...(file !== undefined && { file }) });
    const { results } = await chat('a', [
      call('list_skills'),
      read('poem'),
      read('poem', 'forms/sonnet.md'),
      read('plain'),
    ]);
    expect(results.map(shown)).toEqual([
      '- plain: \n- poem: How to rhyme.',
      `${poem}\n\nOther files of this skill: forms/sonnet.md, logo.png`,
      '14 lines.',
      'No front matter.',
    ]);
  });

  it('give nothing from outside of them, and nothing that is not text', async () => {
    const { chat } = createApp(tools, { host: { files: await withSkills() } });
    const tries = [
      '../../secret.md',
      '/../../secret.md',
      '../plain/SKILL.md',
      '..',
      '',
      'logo.png',
      'none.md',
      '\u0000',
    ];
    const { results } = await chat(
      'a',
      tries.map((file) => call('read_skill', { name: 'poem', file })),
    );
    expect(results.map(({ isError }) => isError)).toEqual(tries.map(() => true));
    expect(JSON.stringify(results)).not.toContain('A secret.');
    expect(shown(results[6] as never)).toBe(
      'The skill "poem" has no text file "none.md".\n\nOther files of this skill: forms/sonnet.md, logo.png',
    );
  });

  it('that are not there are named', async () => {
    const { chat } = createApp(tools, { host: { files: await withSkills() } });
    const { results } = await chat('a', [call('read_skill', { name: '../..' })]);
    expect(results[0]).toMatchObject({ isError: true, output: 'There is no skill "../..". Skills: plain, poem.' });
    const none = await createApp(tools).chat('a', [call('list_skills'), call('read_skill', { name: 'poem' })]);
    expect(none.results.map(shown)).toEqual(['There are no skills.', 'There is no skill "poem". Skills: none.']);
  });

  toolSuite({ test }, readSkillTool, {
    host: async () => ({ files: await withSkills() }),
    examples: [{ name: 'poem' }, { name: 'poem', file: 'forms/sonnet.md' }],
  });
});

describe('front matter', () => {
  it.each([
    ['---\nname: a\ndescription: b: c\n---\nText', { name: 'a', description: 'b: c' }],
    ['---\r\nname: "a \\"b\\""\r\ndescription: \'it\'\'s\'\r\n---\r\n', { name: 'a "b"', description: "it's" }],
    ['\uFEFF---\ndescription: >-\n  One\n  two.\nname: a\n---', { name: 'a', description: 'One two.' }],
    ['---\ndescription: One\n  two.\nmetadata:\n  x: y\n---', { description: 'One two.', metadata: 'x: y' }],
    ['---\n---\nname: a', {}],
    ['name: a\n---\nname: b\n---', {}],
    ['---\nname: a', {}],
    ['', {}],
  ])('of %j', (markdown, values) => {
    expect(Object.fromEntries(frontMatterOf(markdown))).toEqual(values);
  });

  it('of any text is read, or there is none', () => {
    const text = fc.string({
      unit: fc.constantFrom('-', '---', '\n', ' ', ':', 'a', '"', "'", '>', '\r', '\t'),
      maxLength: 60,
    });
    fc.assert(fc.property(text, (markdown) => frontMatterOf(`---\n${markdown}`) instanceof Map));
    expect(frontMatterOf(`---\n${'- '.repeat(100_000)}`).size).toBe(0);
  });
});
