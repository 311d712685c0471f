// The SDK, and the code that only an open connection needs: loaded with the first one.
export { createClient } from './create-client.ts';
export { httpTransport } from './http-transport.ts';
export { remoteTool, tellFaults } from './remote-tool.ts';
