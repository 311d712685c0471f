import { html, LitElement } from 'lit';
import type { TemplateResult } from 'lit';
import { expect, it } from 'vitest';
import { doubleUpdates } from '../../../../tooling/elements/double-updates.ts';
import { mount } from '../../../../tooling/elements/mount.ts';

class TwiceRendered extends LitElement {
  static override properties = { size: { state: true } };
  declare size: number | undefined;

  override render(): TemplateResult {
    return html`${this.size}`;
  }

  override updated(): void {
    this.size = 1; // what every test that mounts an element fails for
  }
}
customElements.define('twice-rendered', TwiceRendered);

it('an element that is updated in the middle of its update is found, by its name', async () => {
  const element = await mount(TwiceRendered, {});
  await expect.poll(() => element.renderRoot.textContent).toBe('1');
  expect(doubleUpdates()).toEqual([expect.stringMatching(/^Element twice-rendered scheduled an update/)]);
  globalThis.litIssuedWarnings = new Set();
});
