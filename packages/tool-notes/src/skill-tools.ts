import { defineTool, result, host } from '@utensil/core';
import * as z from 'zod/mini';
import { otherFilesOf, readSkillFile, skillsIn } from './skills.ts';

/** Lists the skills in `/skills`. */
export const listSkillsTool = /* @__PURE__ */ defineTool({
  name: 'list_skills',
  title: 'Skills',
  description:
    'Lists the available skills: written instructions for certain kinds of tasks. Look here before a task that may have a skill.',
  input: z.toJSONSchema(z.object({})),
  ui: { subtitle: 'Lists available skills', icon: '🎓', category: 'skills' },
  effects: 'read',
  requires: { files: host.files },
  execute: async (_input, _options, { host }) =>
    (await skillsIn(host.files)).map(({ name, description }) => ({ name, description })),
  render: {
    status: (output) => (Array.isArray(output) ? `${output.length} skills` : ''),
    model: (output) =>
      (output as readonly { readonly name: string; readonly description: string }[])
        .map(({ name, description }) => `- ${name}: ${description}`)
        .join('\n') || 'There are no skills.',
  },
});

/** Reads a skill, or one of its files. */
export const readSkillTool = /* @__PURE__ */ defineTool({
  name: 'read_skill',
  title: 'Read a skill',
  description:
    'Returns the instructions of a skill and the names of its other files, or the content of one of those files.',
  input: z.toJSONSchema(
    z.object({
      name: z.string().check(z.describe('As returned by list_skills.')),
      file: z.optional(z.string().check(z.describe('Another file of the skill. Default: SKILL.md, its instructions.'))),
    }),
  ),
  ui: { subtitle: 'Reads skills', icon: '🎓', category: 'skills' },
  effects: 'read',
  requires: { files: host.files },
  execute: async ({ name, file = 'SKILL.md' }, _options, { host }) => {
    const skills = await skillsIn(host.files);
    const skill = skills.find((each) => each.name === name);
    if (skill === undefined) {
      const names = skills.map((each) => each.name).join(', ') || 'none';
      return result({ output: `There is no skill "${name}". Skills: ${names}.`, isError: true });
    }
    const found = await readSkillFile(host.files, skill, file);
    const others = await otherFilesOf(host.files, skill);
    const list = others.length === 0 ? '' : `\n\nOther files of this skill: ${others.join(', ')}`;
    if (found === undefined)
      return result({ output: `The skill "${name}" has no text file "${file}".${list}`, isError: true });
    const { path, etag, text } = found;
    const more = file === 'SKILL.md' ? list : '';
    return result({
      output: text + more,
      parts: [
        { type: 'text', text, resource: { key: path, etag } },
        ...(more === '' ? [] : [{ type: 'text', text: more } as const]),
      ],
    });
  },
  render: { title: 'Read skill {name} {file}' },
});
