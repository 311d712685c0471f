import type { ReactElement } from 'react';

const paths = {
  attach: 'M13.5 7.5 8.2 12.8a3.2 3.2 0 0 1-4.5-4.5L9.3 2.7a2.1 2.1 0 0 1 3 3L6.9 11.1a1 1 0 0 1-1.5-1.5L10.3 4.7',
  chat: 'M2.5 4.5a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H7.5l-3.5 3v-3a2 2 0 0 1-1.5-2Z',
  close: 'm4 4 8 8m0-8-8 8',
  files: 'M2.5 4.5a1 1 0 0 1 1-1h3l1.5 1.75h4.5a1 1 0 0 1 1 1v5.75a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1Z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  models:
    'M8 2v2m0 8v2m6-6h-2M4 8H2m2.5-2a1.5 1.5 0 0 1 1.5-1.5h4A1.5 1.5 0 0 1 11.5 6v4a1.5 1.5 0 0 1-1.5 1.5H6A1.5 1.5 0 0 1 4.5 10Z',
  new: 'M8 3v10M3 8h10',
  send: 'M8 13V3.5M3.75 7.5 8 3.25l4.25 4.25',
  stop: 'M4.5 4.5h7v7h-7Z',
  tools: 'M2.5 5h4m3.5 0h3.5M8.25 3.25v3.5M2.5 11h1.5m3.5 0h6M5.75 9.25v3.5',
} as const;

/** Name of an icon. */
export type IconName = keyof typeof paths;

/** A decorative icon next to a text, or on a button with an accessible name. */
export function Icon({ name }: { readonly name: IconName }): ReactElement {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
