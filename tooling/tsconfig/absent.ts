// Proves at each check of tsconfig.neutral.json that no dependency brings in the platform's types.

// @ts-expect-error Node.js is absent.
void process;
// @ts-expect-error The DOM is absent.
void document;
// @ts-expect-error What both have is absent too, unless platform.d.ts names it.
void fetch;
