import type { Message } from '../../model/message.ts';
import type { ModelInfo } from '../../model/model.ts';
import { ignoredSettings } from '../../model/request-settings.ts';
import type { SettingIgnored } from '../../tool/run-event.ts';
import type { RunContext } from '../run-context.ts';
import { firstReport } from './report-once.ts';

/** Reports each setting that a model does not support, once per run, and in development once on the console. */
export function tellIgnoredSettings(run: RunContext, info: ModelInfo): void {
  for (const ignored of ignoredSettings(run.request, info.supports?.settings)) tell(run, info, ignored);
}

/** Reports options of parts for this wire format, if it does not support them. */
export function tellIgnoredOptions(run: RunContext, info: ModelInfo, messages: readonly Message[]): void {
  if (info.supports?.partOptions === true) return;
  const parts = messages.flatMap((message) =>
    message.parts.flatMap((part) => ('modelParts' in part ? part.modelParts : part)),
  );
  const optioned = parts.find((part) => 'providerOptions' in part && part.providerOptions?.[info.api] !== undefined);
  if (optioned === undefined) return;
  const reason = `Parts have no \`providerOptions\` over "${info.api}": those of a part of the type "${optioned.type}" were left out.`;
  tell(run, info, { setting: 'providerOptions', reason });
}

function tell(run: RunContext, { api, id }: ModelInfo, ignored: Omit<SettingIgnored, 'type' | 'model'>): void {
  const text = `The model ${id} (${api}) does not take a setting: ${ignored.reason}`;
  if (firstReport(run, `${api} ${id} ${ignored.setting}`, text))
    run.emit({ type: 'setting-ignored', ...ignored, model: { api, id } });
}
