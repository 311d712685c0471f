/**
 * The event in place of `[DONE]`. For servers that give no reason why an answer ended, it is the only sign that an answer is
 * complete, not truncated.
 */
export const endMark: object = /* @__PURE__ */ Object.freeze({ object: 'utensil.end' });
