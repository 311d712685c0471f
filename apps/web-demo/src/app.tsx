import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { problemText } from './data/advice.ts';
import { openWorkspace } from './data/workspace.ts';
import type { Workspace } from './data/workspace.ts';
import { routeOf } from './route.ts';
import { Thread } from './screens/elements.tsx';
import { Notice } from './screens/notice.tsx';
import { Shell } from './screens/shell.tsx';
import { useTexts } from './screens/use-texts.ts';

/** Opens the stored data, and shows what to do if that fails. */
export function App(): ReactElement {
  const { app } = useTexts();
  const [workspace, setWorkspace] = useState<Workspace>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    const { page, conversation = 'new' } = routeOf(location.hash);
    if (page === 'chat' && conversation !== 'new') void Thread.load(); // in parallel with the stored data
    openWorkspace().then(
      (opened) => isCurrent && setWorkspace(opened),
      (error: unknown) => isCurrent && setProblem(problemText(error)),
    );
    return () => void (isCurrent = false);
  }, [attempt]);

  if (workspace !== undefined) return <Shell workspace={workspace} />;
  if (problem === undefined) return <p className="opening">{app.opening}</p>;
  return (
    <main className="opening">
      <h1>{app.openFailed}</h1>
      <Notice text={problem} />
      <button
        type="button"
        onClick={() => {
          setProblem(undefined);
          setAttempt(attempt + 1);
        }}
      >
        {app.retry}
      </button>
    </main>
  );
}
