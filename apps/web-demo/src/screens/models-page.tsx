import type { ReactElement } from 'react';
import { serviceOf, services } from '../data/services.ts';
import type { OpenProject, Workspace } from '../data/workspace.ts';
import { DialectHint } from './dialect-hint.tsx';
import { Notice } from './notice.tsx';
import { Protection } from './protection.tsx';
import { ServiceFields } from './service-fields.tsx';
import { useModelSettings } from './use-model-settings.ts';
import { useTexts } from './use-texts.ts';

interface ModelsPageProps {
  readonly workspace: Workspace;
  readonly opened: OpenProject;
}

/** Selects the model and its API key. */
export function ModelsPage({ workspace, opened }: ModelsPageProps): ReactElement {
  const { models: texts, services: words } = useTexts();
  const { settings, problem, change, dismiss } = useModelSettings(workspace, opened);
  return (
    <div className="page">
      <h1>{texts.heading}</h1>
      <p className="lead">{texts.lead}</p>
      {problem !== undefined && <Notice text={problem} onDismiss={dismiss} />}
      {settings !== undefined && (
        <fieldset>
          <legend>{texts.service}</legend>
          {services.map(({ id, models, mayTakeNoTools }) => (
            <div className="service" key={id}>
              <div className="choice">
                <input
                  type="radio"
                  name="service"
                  id={`service-${id}`}
                  aria-describedby={`hint-${id}`}
                  checked={settings.service === id}
                  onChange={() => change({ ...settings, service: id })}
                />
                <label htmlFor={`service-${id}`}>{words[id].label}</label>
                <p id={`hint-${id}`}>{words[id].hint}</p>
              </div>
              {settings.service === id && models.length > 0 && (
                <ServiceFields
                  workspace={workspace}
                  settings={settings}
                  onChange={(own) => change({ ...settings, services: { ...settings.services, [id]: own } })}
                />
              )}
              {settings.service === id && models.length === 0 && mayTakeNoTools === true && <DialectHint model={id} />}
            </div>
          ))}
        </fieldset>
      )}
      <Protection
        vault={workspace.vault}
        isUnlockedAbove={settings !== undefined && serviceOf(settings.service).key !== 'none'}
      />
    </div>
  );
}
