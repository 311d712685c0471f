export { localShell } from './local-shell.ts';
export type { LocalShell } from './local-shell.ts';
export type { LocalShellOptions, ShellLimits } from './options.ts';
