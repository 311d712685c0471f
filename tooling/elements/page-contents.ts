/** The part of a page that tests change, as text: attributes of its elements, children of its body, policies, texts. */
export function pageContents(): readonly string[] {
  const { documentElement, body, head } = document;
  const attributes = [documentElement, body].flatMap((element) =>
    attributesOf(element).map(([name, value]) => `${element.localName} ${name}="${value}"`),
  );
  const parts = [...body.children, ...head.querySelectorAll('meta')].map(({ outerHTML }) => outerHTML);
  return [...attributes, ...parts, ...(providesTexts() ? ['texts that are provided to all elements'] : [])];
}

/** True if elements would get other texts than their own. */
function providesTexts(): boolean {
  const detail: { readonly texts?: unknown } = {};
  document.body.dispatchEvent(new CustomEvent('utensil-texts-request', { detail, bubbles: true }));
  return detail.texts !== undefined;
}

/** Empties the page, and gives its elements these attributes alone. */
export function restorePage(attributes: ReadonlyMap<Element, Attributes>): void {
  document.body.replaceChildren();
  for (const [element, values] of attributes) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
    for (const [name, value] of values) element.setAttribute(name, value);
  }
}

/** The attributes of the page's own elements. */
export function pageAttributes(): ReadonlyMap<Element, Attributes> {
  return new Map([document.documentElement, document.body].map((element) => [element, attributesOf(element)]));
}

type Attributes = readonly (readonly [name: string, value: string])[];

function attributesOf(element: Element): Attributes {
  return [...element.attributes].map(({ name, value }) => [name, value]);
}
