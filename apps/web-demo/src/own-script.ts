interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

const rules: ScriptPolicy = {
  createScriptURL(url) {
    const resolved = new URL(url, location.href);
    if (resolved.origin !== location.origin)
      throw new TypeError(`Scripts of ${resolved.host} do not belong to this app.`);
    return resolved.href;
  },
};

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
// The default policy, because packages start workers too, such as the PDF reader.
const policy = trustedTypes?.createPolicy('default', rules) ?? rules;

/** Marks the address of a script served with the page as trusted. The page's policy blocks all others. */
export function ownScript(url: string): string {
  return policy.createScriptURL(url);
}
