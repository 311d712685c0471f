import { enabledList, without } from './step.ts';
import type { OldDocument } from './step.ts';

const switches = ['memoryEnabled', 'memoryUseSystemPrompt', 'jsExecutionEnabled', 'jsLibEnabled', 'fsToolEnabled'];

const tools: readonly (readonly [field: string, tool: string])[] = [
  ['memoryEnabled', 'memory'],
  ['jsExecutionEnabled', 'javascript'],
  ['fsToolEnabled', 'filesystem'],
];

/**
 * Reads a project with five switches, from before it had a list of tools. One with a list, even an empty one, is left
 * unchanged.
 */
export function fromProjectSwitches(project: OldDocument): OldDocument {
  if (project['enabledTools'] !== undefined || !switches.some((field) => Object.hasOwn(project, field))) return project;
  const isOn = ([field]: readonly [string, string]): boolean => project[field] === true;
  return enabledList(
    without(project, (field) => switches.includes(field)),
    {
      on: tools.filter((each) => isOn(each)).map(([, tool]) => tool),
      off: tools.map(([, tool]) => tool),
      options: {
        ...(project['memoryUseSystemPrompt'] === true && { memory: { useSystemPrompt: true } }),
        ...(project['jsLibEnabled'] === false && { javascript: { loadLib: false } }),
      },
    },
  );
}
