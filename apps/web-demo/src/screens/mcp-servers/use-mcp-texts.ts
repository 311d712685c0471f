import { mcpServerTexts } from '../../texts/mcp-server-texts.ts';
import type { McpServerTexts } from '../../texts/mcp-servers.ts';
import { useTexts } from '../use-texts.ts';

/** Texts of servers, shown again if others are provided. */
export function useMcpTexts(): McpServerTexts {
  return mcpServerTexts(useTexts());
}
