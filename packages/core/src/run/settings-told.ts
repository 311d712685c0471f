import { warnInDevelopment } from '../base/development.ts';
import type { ModelInfo } from '../model/model.ts';
import { ignoredSettings } from '../model/request-settings.ts';
import type { RunContext } from './run-context.ts';

/** By run: the settings and models that it was told of. */
const told = new WeakMap<object, Set<string>>();

/** Tells of each setting that a model does not take, once a run; and while an app is developed, once on the console. */
export function tellIgnoredSettings({ request, emit, calls }: RunContext, { api, id, supports }: ModelInfo): void {
  const known = told.get(calls) ?? new Set();
  told.set(calls, known);
  for (const { setting, reason } of ignoredSettings(request, supports?.settings)) {
    const key = `${api} ${id} ${setting}`;
    if (known.has(key)) continue;
    known.add(key);
    emit({ type: 'setting-ignored', setting, model: { api, id }, reason });
    warnInDevelopment(`The model ${id} (${api}) does not take a setting: ${reason}`);
  }
}
