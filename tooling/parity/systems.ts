import type { System } from './row.ts';
import { system0 } from './rows/system-0.ts';
import { system1 } from './rows/system-1.ts';
import { system2 } from './rows/system-2.ts';
import { system3 } from './rows/system-3.ts';
import { system4 } from './rows/system-4.ts';

export const systems: readonly System[] = [
  {
    name: 'System 0',
    about:
      'A browser application with a virtual filesystem: memory, filesystem and JavaScript tools behind a registry.',
    rows: system0,
  },
  {
    name: 'System 1',
    about: 'A desktop application for local models, whose tool calls are lines of JSON in the text.',
    rows: system1,
  },
  {
    name: 'System 2',
    about: 'A coding assistant with typed tools, three syntaxes for calls, permissions and MCP.',
    rows: system2,
  },
  {
    name: 'System 3',
    about: 'A chat in the browser with a reactive registry, over one API for many models.',
    rows: system3,
  },
  {
    name: 'System 4',
    about: 'An assistant in a notes application: categories of tools, layered prompts, calls in text and native ones.',
    rows: system4,
  },
];
