import { defineTool } from '@utensil/core';
import * as z from 'zod/mini';
import { projects } from './projects.ts';
import { say } from './texts.ts';

/** Lists the projects. */
export const listProjectsTool = /* @__PURE__ */ defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the projects, by the names that the other tools take as `project`.',
  input: z.toJSONSchema(z.object({})),
  ui: { subtitle: 'Lists projects', icon: '🗂️', category: 'files' },
  effects: 'read',
  idempotent: true,
  requires: { projects },
  execute: async (_input, _options, { host }) => {
    const known = await host.projects.list();
    if (known.length === 0) return say('noProjects');
    return known
      .map(({ name, description }) =>
        description === undefined ? say('projectLineShort', { name }) : say('projectLine', { name, description }),
      )
      .join('\n');
  },
  render: { title: 'List projects' },
});
