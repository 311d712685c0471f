// Elements in a page: the switches of the tools, and a conversation that asks before it deletes a file.

import {
  createFiles,
  createRecords,
  createRegistry,
  openSettings,
  permissions,
  resolveToolset,
  run,
} from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { UtensilSettings } from '@utensil/elements/settings';
import { UtensilThread } from '@utensil/elements/thread';
import { memoryStorage } from '@utensil/storage-memory';
import { filesystemTool } from '@utensil/tool-filesystem';

const storage = memoryStorage();
const files = createFiles(storage);
await files.write('/old.md', 'Nobody needs this.\n');
const registry = createRegistry([filesystemTool]);
const settings = await openSettings(createRecords(storage), 'default');

const model = scriptedModel([
  { calls: [{ name: 'filesystem', input: { command: 'delete', path: '/old.md' } }] },
  { text: 'That was all.' },
]); // no model is asked
const toolset = resolveToolset(registry, settings.current(), { files });
const turn = run({ model, toolset, messages: 'Delete /old.md.', policy: permissions('write') });

document.body.append(
  Object.assign(new UtensilSettings(), { registry, settings }),
  Object.assign(new UtensilThread(), { registry, run: turn }), // it asks, and tells the run the answer
);
