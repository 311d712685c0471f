import { enabledList, without } from './step.ts';
import type { OldDocument } from './step.ts';

const field = 'autonomousAgentEnabledToolIds';

/** What the tools that could be switched are called here, under each name that they had. */
const names: Readonly<Record<string, string>> = {
  localSearch: 'search_files',
  readNote: 'read_files',
  webSearch: 'web_search',
  writeToFile: 'write_file',
  writeFile: 'write_file',
  replaceInFile: 'edit_file',
  editFile: 'edit_file',
  memoryTool: 'memory',
  updateMemory: 'memory',
};

/** What could not be switched off there, and so was on. */
const always = [
  'read_files',
  'list_files',
  'memory',
  'get_current_time',
  'get_time_by_epoch',
  'get_time_range',
  'convert_time',
];

/** In the lists of old users, though there has been no such tool. */
const dead = ['pomodoro'];

/** A list of the ids of tools that are on, among the other settings of that app. */
export function fromEnabledIds(settings: OldDocument): OldDocument {
  const ids = settings[field];
  if (!Array.isArray(ids)) return settings;
  const living = ids.filter((id): id is string => typeof id === 'string' && !dead.includes(id));
  return enabledList(
    without(settings, (each) => each === field),
    {
      on: [...living.map((id) => (Object.hasOwn(names, id) ? (names[id] ?? id) : id)), ...always],
      off: Object.values(names),
    },
  );
}
