import axe from 'axe-core';
import { onTestFinished } from 'vitest';
import { forbidDoubleUpdates } from './double-updates.ts';

forbidDoubleUpdates();

/** An element in the page until the test is over. */
export async function mount<Element extends HTMLElement & { readonly updateComplete: Promise<unknown> }>(
  Kind: new () => Element,
  properties: Partial<Element>,
): Promise<Element> {
  const element = Object.assign(new Kind(), properties);
  document.body.append(element);
  onTestFinished(() => element.remove());
  await element.updateComplete;
  return element;
}

/** What axe finds wrong in the page or below an element, one line each. */
export async function accessibilityProblems(context: Element | Document = document): Promise<readonly string[]> {
  // What belongs to whole pages is not for an element to have.
  const { violations } = await axe.run(context, {
    rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')}: ${failureSummary ?? ''}`),
  );
}
