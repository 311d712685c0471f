// Texts of the servers of tools. They are loaded with them, so that the first screen is smaller.
const mcpServers = {
  heading: 'Servers',
  lead: 'A server brings tools to all projects, over the Model Context Protocol (MCP). What you switch on above applies to this project. Its tools run elsewhere: it receives what the model sends to them.',
  address: 'Address',
  addressHint: 'Such as https://mcp.example.com/mcp',
  name: 'Name',
  nameHint: 'The names of its tools begin with this.',
  add: 'Add a server',
  list: 'Your servers',
  connecting: 'Connecting…',
  connected: (tools: string): string => `Connected · ${tools}`,
  notConnected: 'Not connected',
  needsSignIn: 'Needs you to sign in',
  retry: 'Try again',
  remove: 'Remove',
  removeOf: (name: string): string => `Remove ${name}`,
  removeTitle: (name: string): string => `Remove “${name}”?`,
  removeText:
    'Its tools go, and you are signed out. What you switched on or off is kept in your projects, should you add it again.',
  removeAction: 'Remove server',
  signIn: 'Sign in',
  signInOf: (name: string): string => `Sign in to ${name}`,
  signInAt: (host: string): string => `Open the sign-in page of ${host}`,
  signInHint: (host: string): string =>
    `A new tab opens at ${host}. Come back here when you have signed in. Sign in only if you expect this address.`,
  signingIn: 'Preparing the sign-in…',
  signedIn: (host: string): string => `Signed in at ${host}.`,
  signOut: 'Sign out',
  tools: (tools: string): string => `Inspect ${tools}`,
  count: (count: string, isOne: boolean): string => `${count} ${isOne ? 'tool' : 'tools'}`,
  more: (count: string): string => `Show ${count} more`,
  input: 'Input',
  output: 'Output',
  unavailable: 'Cannot be used:',
  effects: {
    write: 'Says that it only reads. You are asked all the same, as nobody checks that.',
    destructive: 'May change or delete things.',
  },
  // Problems with an address or a server, with advice.
  noAddress: 'Enter the address of a server.',
  badAddress: 'This is not a complete address. Start it with https://.',
  notEncrypted:
    'Plain http is allowed only for servers on this computer: anybody between could read the traffic. Use https://.',
  password: 'Leave user name and password out of the address.',
  badName: 'Use a letter, then up to 23 letters, digits and hyphens.',
  nameTaken: (name: string): string => `There is a server named “${name}” already. Choose another name.`,
  offline: 'You are offline. The server is tried again when you are back.',
  noServer: (address: string, status: string): string =>
    `${address} responds (status ${status}), but not as an MCP server. Check the address: it often ends in /mcp.`,
  failing: (address: string, status: string): string =>
    `${address} failed (status ${status}). Try again later, or tell its operator.`,
  refused: (address: string, status: string): string =>
    `${address} refuses access (status ${status}) and names no way to sign in. Servers that want a key cannot be used here yet.`,
  unexpected: (problem: string): string => `The server does not behave as expected: ${problem}`,
  damaged:
    'Your list of servers could not be read, because the stored data is damaged. It was set aside. Add them again.',
  noSignIn: 'Signing in works only if this app is opened with https, or on this computer.',
  finished: 'You are signed in. You can close this tab.',
  notFinished: (problem: string): string => `The sign-in failed: ${problem} Go back to Utensil and try again.`,
  server: 'The server',
  help: {
    allow: (origin: string): string =>
      `Its operator has to allow the origin ${origin}, with its headers Mcp-Session-Id and Mcp-Protocol-Version.`,
    startHere: 'Check that the server is running and the port is correct.',
    startThere: 'Check that you are online and that the address is correct.',
    find: 'Check the address: it often ends in /mcp.',
  },
};

/** Texts of servers. */
export type McpServerTexts = typeof mcpServers;

/** The table, in English. */
export const englishMcpServers = { mcpServers };
