interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

const rules: ScriptPolicy = {
  createScriptURL(url) {
    const resolved = new URL(url, location.href);
    if (resolved.origin !== location.origin) throw new TypeError(`A script of ${resolved.host} is none of ours.`);
    return resolved.href;
  },
};

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
// The default policy, because packages start workers too, such as the PDF reader.
const policy = trustedTypes?.createPolicy('default', rules) ?? rules;

/** The address of a script that the page may start: one that it was served with. The page's policy lets no other through. */
export function ownScript(url: string): string {
  return policy.createScriptURL(url);
}
