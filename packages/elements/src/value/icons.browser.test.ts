import { html, render } from 'lit';
import { expect, it } from 'vitest';
import { toolIcon } from './icons.ts';

/** The drawn icon: an emoji, or the shapes of a picture. */
function drawn(name: string | undefined, category?: string): string {
  const place = document.createElement('div');
  render(html`${toolIcon(name, category)}`, place);
  const shapes = [...place.querySelectorAll('svg *')];
  expect(shapes.every((shape) => shape.namespaceURI === 'http://www.w3.org/2000/svg')).toBe(true);
  return shapes.length === 0 ? place.textContent.trim() : shapes.map((each) => each.outerHTML).join('');
}

it('draws the icons of tools as pictures of their own, if no font has emoji', () => {
  const own = ['📁', '🔎', '🕒', '🧠', '❓', '💻', '🌍', '✏️', '🗒️'].map((name) => drawn(name));
  expect(new Set([...own, drawn(undefined)]).size).toBe(own.length + 1);
  expect(drawn('📁')).toBe(drawn('folder'));
});

it('falls back to the icon of its category for a name that it does not know, and only then to a wrench', () => {
  expect(drawn('no such icon', 'web')).toBe(drawn('globe'));
  expect(drawn('constructor', 'Time')).toBe(drawn('clock'));
  expect(drawn('no such icon', 'elsewhere')).toBe(drawn('wrench'));
});
