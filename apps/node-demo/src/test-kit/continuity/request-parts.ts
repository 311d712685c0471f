// The content of a request, and its prefix.
export type Body = Readonly<Record<string, unknown>>;

/** A request in two parts: what is said in it, and all else; without tools that the vendor takes no part of its beginning. */
export function partsOf(body: Body): { readonly said: readonly string[]; readonly rest: string } {
  const field = ['messages', 'input', 'contents'].find((name) => Array.isArray(body[name])) as string;
  const { [field]: said, tools, ...rest } = body;
  const whole = (tools as readonly Body[] | undefined)?.filter((tool) => tool['defer_loading'] !== true);
  return {
    said: (said as readonly unknown[]).map((each) => JSON.stringify(each)),
    rest: JSON.stringify({ ...rest, whole }),
  };
}
