import { later } from './later.tsx';

/** The conversation; its space is reserved until it is loaded. */
export const Thread = later(
  async () => (await import('@utensil/react/elements/thread')).UtensilThread,
  <div className="thread" />,
);

/** Open questions of all conversations. */
export const Waiting = later(async () => (await import('@utensil/react/elements/waiting')).UtensilWaiting);

/** Switches and options of tools. */
export const Settings = later(async () => (await import('@utensil/react/elements/settings')).UtensilSettings);
