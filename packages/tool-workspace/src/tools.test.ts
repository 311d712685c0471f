import type { JsonObject, Tool } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { describe, test } from 'vitest';
import * as workspace from './index.ts';
import { pdfOf } from './test-kit/pdf.ts';
import { workspaceOf } from './test-kit/workspace.ts';

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);

const suites: readonly (readonly [Tool, readonly JsonObject[]])[] = [
  [workspace.listProjectsTool, [{}]],
  [workspace.listFilesTool, [{}, { paths: ['src'], max_depth: 1 }]],
  [workspace.readFilesTool, [{ paths: ['src/a.ts', 'src/a.ts:1-2'], prefix_line_numbers: true }]],
  [workspace.searchFilesTool, [{ pattern: 'const' }, { pattern: 'a', output: 'count', context: 0 }]],
  [workspace.globFilesTool, [{ pattern: '*.ts' }, { pattern: 'none', limit: 1 }]],
  [
    workspace.writeFileTool,
    [
      { path: 'new.txt', content: 'new' },
      { path: 'src/a.ts', content: '\n', append: true },
    ],
  ],
  [workspace.editFileTool, [{ path: 'src/a.ts', old_text: 'two', new_text: 'three' }]],
  [workspace.deleteFilesTool, [{ paths: ['src/a.ts'] }, { paths: ['src'], recursive: true }]],
  [workspace.moveTool, [{ from: 'src/a.ts', to: 'b/c.ts' }]],
  [workspace.viewImagesTool, [{ paths: ['a.png'] }]],
  [workspace.viewDocumentsTool, [{ paths: ['a.pdf'] }]],
  [workspace.searchNotesTool, [{ query: 'plan' }, { since: '2020-01-01' }]],
  [workspace.readNoteTool, [{ path: 'Plans' }]],
];

describe.each(suites.map(([tool, examples]) => [tool.name, tool, examples] as const))('%s', (_, tool, examples) => {
  const contents = {
    'src/a.ts': 'const one = 1;\nconst two = 2;\n',
    'a.png': png,
    'a.pdf': new TextEncoder().encode(pdfOf('Hello')),
    'Plans.md': '# Plans\nThe plan is [[Ideas]].\n',
  };
  toolSuite({ test }, tool, { host: async () => (await workspaceOf(contents)).host, examples });
});
