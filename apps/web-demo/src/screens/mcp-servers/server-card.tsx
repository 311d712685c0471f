import { useState } from 'react';
import type { ReactElement } from 'react';
import { problemText } from '../../data/advice.ts';
import type { ShownServer } from '../../data/mcp-servers/connection.ts';
import type { McpServers } from '../../data/mcp-servers/mcp-servers.ts';
import type { McpServerTexts } from '../../texts/mcp-servers.ts';
import type { Ask } from '../question.tsx';
import { useTexts } from '../use-texts.ts';
import { ServerTools } from './server-tools.tsx';
import { SignInLink } from './sign-in-link.tsx';
import { useMcpTexts } from './use-mcp-texts.ts';

interface ServerCardProps {
  readonly server: ShownServer;
  readonly servers: McpServers;
  readonly ask: Ask;
}

/** A server: its state, what to do about it, and its tools. */
export function ServerCard({ server, servers, ask }: ServerCardProps): ReactElement {
  const texts = useMcpTexts();
  const { formats } = useTexts();
  const [problem, setProblem] = useState<string>();
  const { name, url, state, tools, signedInAt } = server;
  const count = texts.count(formats.number(tools.length), tools.length === 1);

  const attempt = (work: Promise<unknown>): void => {
    setProblem(undefined);
    work.catch((error: unknown) => setProblem(problemText(error)));
  };

  function retry(): void {
    setProblem(undefined);
    servers.retry(name);
  }

  async function remove(): Promise<void> {
    const question = { title: texts.removeTitle(name), text: texts.removeText, action: texts.removeAction };
    if ((await ask({ ...question, isDangerous: true })) !== undefined) await servers.remove(name);
  }

  return (
    <article className={`server ${state}`} aria-labelledby={`server-${name}`}>
      <header>
        <div>
          <h3 id={`server-${name}`}>{name}</h3>
          <p className="address">{url}</p>
        </div>
        <button type="button" className="quiet" aria-label={texts.removeOf(name)} onClick={() => attempt(remove())}>
          {texts.remove}
        </button>
      </header>
      <p role="status" className="state">
        {stateText(state, count, texts)}
      </p>
      {(problem ?? server.problem) !== undefined && <p className="said bad">{problem ?? server.problem}</p>}
      {state === 'failed' && (
        <button type="button" onClick={retry}>
          {texts.retry}
        </button>
      )}
      {state === 'needs-sign-in' && <SignInLink name={name} servers={servers} onProblem={setProblem} />}
      {signedInAt !== undefined && state !== 'needs-sign-in' && (
        <p className="signed-in">
          {texts.signedIn(signedInAt)}
          <button type="button" className="quiet" onClick={() => attempt(servers.signOut(name))}>
            {texts.signOut}
          </button>
        </p>
      )}
      {tools.length > 0 && <ServerTools tools={tools} title={texts.tools(count)} />}
    </article>
  );
}

function stateText(state: ShownServer['state'], count: string, texts: McpServerTexts): string {
  const words = {
    connecting: texts.connecting,
    connected: texts.connected(count),
    'needs-sign-in': texts.needsSignIn,
    failed: texts.notConnected,
  };
  return words[state];
}
