import { useState } from 'react';
import type { ReactElement } from 'react';
import { problemText } from '../../data/advice.ts';
import type { McpServers } from '../../data/mcp-servers/mcp-servers.ts';
import { useMcpTexts } from './use-mcp-texts.ts';

interface SignInLinkProps {
  readonly name: string;
  readonly servers: McpServers;
  onProblem(problem: string | undefined): void;
}

/** Asks the server where to sign in, then shows that address before anything opens: the server has named it. */
export function SignInLink({ name, servers, onProblem }: SignInLinkProps): ReactElement {
  const texts = useMcpTexts();
  const [begun, setBegun] = useState<{ readonly url: string }>();
  const [isBeginning, setIsBeginning] = useState(false);

  function begin(): void {
    onProblem(undefined);
    setIsBeginning(true);
    servers
      .signIn(name)
      .then(setBegun, (error: unknown) => onProblem(problemText(error)))
      .finally(() => setIsBeginning(false));
  }

  if (begun === undefined)
    return (
      <button
        type="button"
        className="primary"
        disabled={isBeginning}
        aria-label={texts.signInOf(name)}
        onClick={begin}
      >
        {isBeginning ? texts.signingIn : texts.signIn}
      </button>
    );
  const { host } = new URL(begun.url);
  return (
    <div className="sign-in">
      <a href={begun.url} target="_blank" rel="noopener noreferrer">
        {texts.signInAt(host)}
      </a>
      <p className="said">{texts.signInHint(host)}</p>
    </div>
  );
}
