import { laterTexts } from './later-texts.ts';
import { englishMcpServers } from './mcp-servers.ts';
import type { McpServerTexts } from './mcp-servers.ts';

const texts = laterTexts(englishMcpServers);

/** Texts of servers as they are now. */
export function mcpServerTexts(...of: Parameters<typeof texts>): McpServerTexts {
  return texts(...of).mcpServers;
}
