import type { LocalShell } from '@utensil/local-shell';
import type { Arguments } from './arguments.ts';
import type { Workspace } from './workspace.ts';

/** The shell of a folder, if one was requested. */
export async function shellFor(
  { shell, noSandbox }: Arguments,
  { folder }: Workspace,
): Promise<LocalShell | undefined> {
  if (!shell) return undefined;
  const { localShell } = await import('@utensil/local-shell');
  return localShell({ root: folder, sandbox: noSandbox ? 'none' : 'required' });
}
