// Proves, each time that tsconfig.neutral.json is checked, that no dependency brought the platform's types in.

// @ts-expect-error Node.js is absent.
void process;
// @ts-expect-error The DOM is absent.
void document;
// @ts-expect-error What both have is absent too, unless platform.d.ts names it.
void fetch;
