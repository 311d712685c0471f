import { ownMember } from '../../base/json.ts';
import { enabledList, without } from './step.ts';
import type { OldDocument } from './step.ts';

const prefix = 'toolEnabled_';
const internet = 'enableInternet';

/** Our names of that app's tools; others keep their names. */
const names: Readonly<Record<string, string>> = {
  web_search: 'web_search',
  open_link: 'open_link',
  file_read: 'read_files',
  file_write: 'write_file',
  file_edit: 'edit_file',
  file_glob: 'glob_files',
  file_grep: 'search_files',
  folder_browse: 'list_files',
};

/**
 * Reads the state of a screen with a switch per tool, `toolEnabled_…`, or with the older switch for the whole internet,
 * `enableInternet`, which applies to those of its two tools that have no switch of their own.
 */
export function fromToolToggles(state: OldDocument): OldDocument {
  const isToggle = (field: string): boolean => field === internet || field.startsWith(prefix);
  if (!Object.keys(state).some((field) => isToggle(field))) return state;
  const toggles = new Map<string, unknown>();
  if (typeof state[internet] === 'boolean')
    for (const tool of ['web_search', 'open_link']) toggles.set(tool, state[internet]);
  for (const [field, value] of Object.entries(state))
    if (field.startsWith(prefix)) toggles.set(named(field.slice(prefix.length)), value);
  const where = (wanted: boolean): readonly string[] =>
    [...toggles].filter(([, value]) => value === wanted).map(([tool]) => tool);
  return enabledList(without(state, isToggle), { on: where(true), off: where(false) });
}

function named(id: string): string {
  return ownMember(names, id) ?? id;
}
