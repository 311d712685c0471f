import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { readSettings, writeSettings } from '../data/model-choice.ts';
import type { ModelSettings } from '../data/model-choice.ts';
import { serviceOf, services } from '../data/services.ts';
import { problemText } from '../data/workspace.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { Notice } from './notice.tsx';
import { Protection } from './protection.tsx';
import { ServiceFields } from './service-fields.tsx';

/** Which model answers, and with whose key. */
export function ModelsPage({
  workspace,
  opened,
}: {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
}): ReactElement {
  const { vault } = workspace;
  const [settings, setSettings] = useState<ModelSettings>();
  const [problem, setProblem] = useState<string>();

  useEffect(() => {
    const read = (): Promise<void> => readSettings(opened.records).then(setSettings);
    // Settings that cannot be read are put aside, and are those of a first visit from then on.
    read().catch((error: unknown) => {
      setProblem(problemText(error));
      return read().catch(() => undefined);
    });
  }, [opened]);

  function change(next: ModelSettings): void {
    setSettings(next);
    writeSettings({ records: opened.records, app: workspace.storages.app }, next).catch((error: unknown) =>
      setProblem(problemText(error)),
    );
  }

  return (
    <div className="page">
      <h1>Models</h1>
      <p className="lead">
        The model that answers in this project. Your API keys stay in this browser, and each is sent to its own service
        alone. The services are tested with recorded answers and the vendors’ own SDKs, not yet live.
      </p>
      {problem !== undefined && <Notice text={problem} onDismiss={() => setProblem(undefined)} />}
      {settings !== undefined && (
        <fieldset>
          <legend>Service</legend>
          {services.map((service) => (
            <div className="service" key={service.id}>
              <div className="choice">
                <input
                  type="radio"
                  name="service"
                  id={`service-${service.id}`}
                  aria-describedby={`hint-${service.id}`}
                  checked={settings.service === service.id}
                  onChange={() => change({ ...settings, service: service.id })}
                />
                <label htmlFor={`service-${service.id}`}>{service.label}</label>
                <p id={`hint-${service.id}`}>{service.hint}</p>
              </div>
              {settings.service === service.id && service.models.length > 0 && (
                <ServiceFields
                  workspace={workspace}
                  settings={settings}
                  onChange={(own) => change({ ...settings, services: { ...settings.services, [service.id]: own } })}
                />
              )}
            </div>
          ))}
        </fieldset>
      )}
      <Protection
        vault={vault}
        isUnlockedAbove={settings !== undefined && serviceOf(settings.service).key !== 'none'}
      />
    </div>
  );
}
