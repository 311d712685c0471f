import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
import type { Json, Tool } from '@utensil/core';
import { UtensilValue } from '@utensil/react/elements/value';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { McpServerTexts } from '../../texts/mcp-servers.ts';
import { useTexts } from '../use-texts.ts';
import { useMcpTexts } from './use-mcp-texts.ts';

const shownAtOnce = 50;

interface ServerToolsProps {
  readonly tools: readonly Tool[];
  /** Title of the list. */
  readonly title: string;
}

/** Descriptions and schemas of a server's tools, as plain text, because they are untrusted. */
export function ServerTools({ tools, title }: ServerToolsProps): ReactElement {
  const texts = useMcpTexts();
  const { formats } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const [shown, setShown] = useState(shownAtOnce);
  const left = tools.length - shown;
  return (
    <details className="server-tools" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && (
        <ul>
          {tools.slice(0, shown).map((tool) => (
            <li key={tool.name}>
              <ServerTool tool={tool} />
            </li>
          ))}
        </ul>
      )}
      {isOpen && left > 0 && (
        <button type="button" onClick={() => setShown(shown + 2 * shownAtOnce)}>
          {texts.more(formats.number(Math.min(left, 2 * shownAtOnce)))}
        </button>
      )}
    </details>
  );
}

function ServerTool({ tool }: { readonly tool: Tool }): ReactElement {
  const texts = useMcpTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <bdi>{tool.title ?? tool.name}</bdi> <code>{tool.name}</code>
      </summary>
      {isOpen && <ToolDetails tool={tool} texts={texts} />}
    </details>
  );
}

function ToolDetails({ tool, texts }: { readonly tool: Tool; readonly texts: McpServerTexts }): ReactElement {
  const { description, schema, reason } = useMemo(() => describe(tool), [tool]);
  const effects = effectText(tool, texts);
  return (
    <>
      {reason !== undefined && (
        <p className="said bad">
          {texts.unavailable} <bdi>{reason}</bdi>
        </p>
      )}
      {effects !== undefined && <p className="said">{effects}</p>}
      {description !== '' && <UtensilValue value={description} label={tool.name} quiet />}
      {schema !== undefined && (
        <>
          <p className="said">{texts.input}</p>
          <UtensilValue value={schema} label={texts.input} filename={`${tool.name}.json`} quiet />
        </>
      )}
    </>
  );
}

function effectText({ effects }: Tool, { effects: words }: McpServerTexts): string | undefined {
  return typeof effects === 'string' && Object.hasOwn(words, effects)
    ? words[effects as keyof typeof words]
    : undefined;
}

/** Description and schema of a tool as a model sees them, or the reason why it cannot be used. */
function describe(tool: Tool): { readonly description: string; readonly schema?: Json; readonly reason?: string } {
  const toolset = resolveToolset(createRegistry([tool]), { ...emptySettings, newTools: true }, {});
  const [definition] = toolset.definitions({ api: 'none' });
  if (definition !== undefined && 'inputSchema' in definition)
    return { description: definition.description, schema: definition.inputSchema };
  const reason = toolset.unavailable[0]?.reason;
  return { description: '', ...(reason !== undefined && { reason }) };
}
