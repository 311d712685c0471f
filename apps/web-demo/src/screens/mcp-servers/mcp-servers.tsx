import { useSyncExternalStore } from 'react';
import type { ReactElement } from 'react';
import type { McpServers } from '../../data/mcp-servers/mcp-servers.ts';
import { useQuestion } from '../question.tsx';
import { AddServer } from './add-server.tsx';
import { ServerCard } from './server-card.tsx';
import { useMcpTexts } from './use-mcp-texts.ts';

/** The servers that the user has added: status and tools of each. */
export function McpServersSection({ servers }: { readonly servers: McpServers }): ReactElement {
  const texts = useMcpTexts();
  const all = useSyncExternalStore(servers.subscribe, servers.list);
  const [question, ask] = useQuestion();
  return (
    <section className="servers" aria-labelledby="servers-heading">
      <h2 id="servers-heading">{texts.heading}</h2>
      <p className="lead">{texts.lead}</p>
      {all.length > 0 && (
        <ul aria-label={texts.list}>
          {all.map((server) => (
            <li key={server.name}>
              <ServerCard {...{ server, servers, ask }} />
            </li>
          ))}
        </ul>
      )}
      <AddServer servers={servers} />
      {question}
    </section>
  );
}
