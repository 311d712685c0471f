import { ownMember } from '../../base/json.ts';
import { enabledList, without } from './step.ts';
import type { OldDocument } from './step.ts';

const field = 'autonomousAgentEnabledToolIds';

/** Our names of the switchable tools, under each of their old names. */
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

/** Tools without a switch, which were always on. */
const always = [
  'read_files',
  'list_files',
  'memory',
  'get_current_time',
  'get_time_by_epoch',
  'get_time_range',
  'convert_time',
];

/** Found in lists of old users, although there was no such tool. */
const dead = ['pomodoro'];

/** Reads a list of enabled tool ids among other settings of the app. */
export function fromEnabledIds(settings: OldDocument): OldDocument {
  const ids = settings[field];
  if (!Array.isArray(ids)) return settings;
  const living = ids.filter((id): id is string => typeof id === 'string' && !dead.includes(id));
  return enabledList(
    without(settings, (each) => each === field),
    {
      on: [...living.map((id) => ownMember(names, id) ?? id), ...always],
      off: Object.values(names),
    },
  );
}
