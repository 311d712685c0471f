import { later } from './later.tsx';

/** The conversation; its place is kept until it is there. */
export const Thread = later(
  async () => (await import('@utensil/react/elements/thread')).UtensilThread,
  <div className="thread" />,
);

/** What waits for an answer in all conversations. */
export const Waiting = later(async () => (await import('@utensil/react/elements/waiting')).UtensilWaiting);

/** The switches and options of tools. */
export const Settings = later(async () => (await import('@utensil/react/elements/settings')).UtensilSettings);
