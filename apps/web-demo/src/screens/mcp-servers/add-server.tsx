import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { problemText } from '../../data/advice.ts';
import type { McpServers } from '../../data/mcp-servers/mcp-servers.ts';
import { cleared } from '../cleared.ts';
import { useMcpTexts } from './use-mcp-texts.ts';

/** The form that adds a server. Invalid input stays in its field. */
export function AddServer({ servers }: { readonly servers: McpServers }): ReactElement {
  const texts = useMcpTexts();
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setProblem(undefined);
    setIsAdding(true);
    servers
      .add({ url: url.trim(), name: name.trim() })
      .then(
        () => {
          setUrl(cleared(url));
          setName(cleared(name));
        },
        (error: unknown) => setProblem(problemText(error)),
      )
      .finally(() => setIsAdding(false));
  }

  return (
    <form className="add-server" onSubmit={submit} noValidate>
      <div className="field">
        <label htmlFor="server-address">{texts.address}</label>
        <input
          id="server-address"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          value={url}
          aria-invalid={problem !== undefined}
          aria-describedby="server-address-hint server-problem"
          onChange={({ target }) => setUrl(target.value)}
        />
        <p id="server-address-hint" className="said">
          {texts.addressHint}
        </p>
      </div>
      <div className="field">
        <label htmlFor="server-name">{texts.name}</label>
        <input
          id="server-name"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={name}
          aria-describedby="server-name-hint"
          onChange={({ target }) => setName(target.value)}
        />
        <p id="server-name-hint" className="said">
          {texts.nameHint}
        </p>
      </div>
      <button type="submit" disabled={isAdding}>
        {texts.add}
      </button>
      <p id="server-problem" className="said bad" role="alert">
        {problem}
      </p>
    </form>
  );
}
